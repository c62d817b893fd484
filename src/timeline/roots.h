/* Roots of polynomials in time, with what their rounding may have done to them. */
#ifndef BW_TIMELINE_ROOTS_H
#define BW_TIMELINE_ROOTS_H

#include <stdbool.h>
#include <stdint.h>

/* Volumes of four points on cubic curves. */
enum { BW_DEGREE = 9, BW_ROOTS = BW_DEGREE };

/* The sum of c[k] t^k, k up to degree, off by at most error within [0, 1]. */
typedef struct bw_poly {
    double c[BW_DEGREE + 1], error;
    uint32_t degree;
} bw_poly;

double bw_poly_at(const bw_poly *p, double t);
/* The places in [from, to] where p is zero, or as good as zero and turns; false: it is everywhere. Places
 * that are as good as one come as one. */
bool bw_poly_roots(const bw_poly *p, double from, double to, double out[BW_ROOTS], uint32_t *count);
/* How far a root found at t may be from the true one. */
double bw_poly_reach(const bw_poly *p, double t);

#endif
