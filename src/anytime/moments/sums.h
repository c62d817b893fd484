/* Sums over a surface: weight, mean, scatter about the mean, normals. Two can be joined. */
#ifndef BW_ANYTIME_MOMENTS_SUMS_H
#define BW_ANYTIME_MOMENTS_SUMS_H

#include <boxwood/math.h>

typedef struct bw_surface_sum {
    double weight;
    double mean[3];
    double scatter[6]; /* xx, yy, zz, xy, xz, yz of (x - mean), times weight */
    double normal[3];  /* area vectors */
} bw_surface_sum;

/* sums: of w x, w y, w z, then w xx, yy, zz, xy, xz, yz. */
void bw_surface_sum_from(bw_surface_sum *out, double weight, const double sums[9], const double normal[3]);
void bw_surface_sum_add(bw_surface_sum *sum, const bw_surface_sum *other);
/* One triangle, by its corners. */
void bw_surface_sum_triangle(bw_surface_sum *out, const bw_vec3 corner[3]);
/* The trace of the covariance. */
double bw_surface_trace(const bw_surface_sum *sum);

#endif
