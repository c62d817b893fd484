/* Separating axes of an axis-aligned box and a box under an affine pose.
 *
 * Van den Bergen 1997, section 4: all pairs of boxes of two AABB trees share one relative orientation, so
 * whatever depends on it is computed once per query. Here each of the fifteen axes keeps its direction n,
 * |n|, and |n^T M| (the second box's extents along n), so that any axis of any affine pose costs one dot
 * product and two of absolute values.
 *
 * Nothing here needs n to be an exact normal of a face or an exact cross product: a separating axis proves
 * disjointness whatever its direction. A margin per axis covers every rounding, in the test itself and in the
 * mapped vertices (see bw_sat_prepare), so a pair of boxes whose primitives meet is never called apart. */
#ifndef BW_COLLIDE_PAIR_SAT_H
#define BW_COLLIDE_PAIR_SAT_H

#include "collide/relative_pose.h"

enum { BW_SAT_AXES = 15, BW_SAT_LITE_AXES = 6 };

typedef struct bw_sat_axis {
    double n[3], abs_n[3], abs_w[3], margin;
} bw_sat_axis;

typedef struct bw_sat {
    bw_transform map;
    uint32_t count; /* axes in use: 6 (lite) or 15 */
    bw_sat_axis axis[BW_SAT_AXES];
} bw_sat;

void bw_sat_prepare(bw_sat *sat, const bw_transform *map, const bw_box *bounds_a, const bw_box *bounds_b,
                    bw_box_test test);

/* The number of the first axis that separates the boxes, or -1. min_b and max_b are in b's own frame. */
static inline int bw_sat_separates(const bw_sat *sat, const float min_a[3], const float max_a[3],
                                   const float min_b[3], const float max_b[3])
{
    double half_a[3], half_b[3], centre_b[3], d[3];
    for (int k = 0; k < 3; k++) {
        half_b[k] = 0.5 * ((double)max_b[k] - (double)min_b[k]);
        centre_b[k] = 0.5 * ((double)max_b[k] + (double)min_b[k]);
    }
    for (int k = 0; k < 3; k++) {
        const double *m = sat->map.m[k];
        half_a[k] = 0.5 * ((double)max_a[k] - (double)min_a[k]);
        d[k] = m[0] * centre_b[0] + m[1] * centre_b[1] + m[2] * centre_b[2] + m[3] -
               0.5 * ((double)max_a[k] + (double)min_a[k]);
    }
    /* The first body's own axes: n is a unit vector. */
    for (int k = 0; k < 3; k++) {
        const bw_sat_axis *x = &sat->axis[k];
        double reach =
            half_a[k] + (x->abs_w[0] * half_b[0] + x->abs_w[1] * half_b[1] + x->abs_w[2] * half_b[2]);
        if ((d[k] < 0 ? -d[k] : d[k]) > reach + x->margin)
            return k;
    }
    for (uint32_t k = 3; k < sat->count; k++) {
        const bw_sat_axis *x = &sat->axis[k];
        double distance = x->n[0] * d[0] + x->n[1] * d[1] + x->n[2] * d[2];
        double reach = (x->abs_n[0] * half_a[0] + x->abs_n[1] * half_a[1] + x->abs_n[2] * half_a[2]) +
                       (x->abs_w[0] * half_b[0] + x->abs_w[1] * half_b[1] + x->abs_w[2] * half_b[2]);
        if ((distance < 0 ? -distance : distance) > reach + x->margin)
            return (int)k;
    }
    return -1;
}

#endif
