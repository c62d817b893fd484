/* The relative pose of two wide trees, made ready for float kernels with margins for every rounding. */
#ifndef BW_COLLIDE_PAIR_ERROR_BOUNDS_H
#define BW_COLLIDE_PAIR_ERROR_BOUNDS_H

#include "collide/relative_pose.h"
#include "tree/wide/wide.h"

/* x -> m x + t for boxes. low is t rounded down after a margin is taken off, high is t rounded up after it is
 * added, so that the float box of the sums m x + low .. m x + high holds every mapped point. */
typedef struct bw_wide_map {
    float m[3][4]; /* the fourth of each row is not used, here and below */
    /* Which end of a box makes m_ij x_j least: where that row of eight boxes begins (bw_eight_boxes_row). The
     * other is the row at the same distance from the end. */
    uint32_t low_end[3][4];
    float low[4], high[4];
} bw_wide_map;

typedef struct bw_error_bounds {
    bool identity;      /* no map: boxes of both trees are compared as they are */
    bool has_inverse;   /* the second body's axes can be used */
    bw_wide_map b_to_a; /* boxes of b in the frame of a */
    bw_wide_map a_to_b; /* boxes of a along the axes of b */

    /* Triangles: a corner v of b, stored relative to its leaf's origin, becomes turn * v + offset, where the
     * offset of a pair of leaves is computed in double. */
    double map[3][4];
    float turn[3][4];
    float reach; /* the largest row sum of |map| */
    /* No float coordinate of two leaves whose boxes overlap along the axes of a is farther from the exact one
     * than share_a * magnitude of a's leaf + share_b * magnitude of b's leaf + share_all; infinite where
     * floats do not do. */
    float share_a, share_b, share_all;

    /* In the frame of a: triangles farther apart than separation are certainly beyond that of the query, and
     * those nearer than near certainly within it (collide/separation/separation.h). 0: contacts only. */
    float separation, near;
} bw_error_bounds;

#endif
