/* The corners of two triangles over time on one lattice of integers, and the polynomials made of them. */
#ifndef BW_TIMELINE_EXACT_MOVING_POINTS_H
#define BW_TIMELINE_EXACT_MOVING_POINTS_H

#include "timeline/contact_intervals.h"
#include "timeline/exact/big_polynomial.h"
#include "timeline/exact/decide.h"

/* A point, times the binomial coefficients of its degree. */
typedef struct bw_big_point {
    bw_integer c[4][3];
} bw_big_point;

typedef struct bw_big_points {
    int degree; /* 1 or 3 */
    int count;
    bw_big_point point[BW_PAIR_CORNERS];
    bw_big_point u, v, w; /* room */
    bw_big_polynomial area;
} bw_big_points;

/* The corners of a pair that are named: 0 to 2 of the first triangle, 3 to 5 of the second. */
void bw_big_points_load(const bw_moving_triangles *pair, const uint8_t *corners, int count,
                        bw_big_points *out);

/* Positive multiples of: q - p along an axis, (q - p) x (r - p) along an axis, and the determinant of q - p,
 * r - p, s - p. */
void bw_big_order(bw_big_points *points, int p, int q, int axis, bw_big_polynomial *out);
void bw_big_area(bw_big_points *points, int p, int q, int r, int axis, bw_big_polynomial *out);
void bw_big_volume(bw_big_points *points, const uint8_t corners[4], bw_big_polynomial *out);

#endif
