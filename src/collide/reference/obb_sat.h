/* Separating axes of two oriented boxes under an affine pose (Gottschalk, Lin, Manocha 1996, section 5).
 *
 * Each pair has its own relative orientation C = A^T M B and distance d = A^T (M c_b + t - c_a), where the
 * columns of A and B are the boxes' axes. A direction n = A v separates the boxes if |v . d| > sum_i
 * half_a[i] |(A^T A v)_i| + sum_j half_b[j] |v . C_j|. Any v may be tried, so nothing has to be an exact
 * normal or cross product; but the sums must not come out too small. A is orthonormal up to BW_OBB_SKEW only,
 * and that and every rounding, of the mapped vertices too, are in the margins.
 *
 * Under a rigid motion (and uniform scale, and reflection) C is orthogonal up to that, and Gottschalk's short
 * forms hold with a slightly wider margin; other poses use the sums as they stand. */
#ifndef BW_COLLIDE_REFERENCE_OBB_SAT_H
#define BW_COLLIDE_REFERENCE_OBB_SAT_H

#include "collide/relative_pose.h"
#include "tree/reference/obb/obb.h"

typedef struct bw_obb_sat {
    double m[3][3], t[3];
    bool edges;    /* all 15 axes, not the six of the faces */
    bool similar;  /* m is scale times an orthogonal matrix, up to BW_OBB_SKEW */
    double scale;  /* then */
    double unit;   /* otherwise: a power of two that brings m's largest entry below one */
    double margin; /* for the roundings along n = A v, for a v of |v_1| + |v_2| + |v_3| = 1 */
} bw_obb_sat;

void bw_obb_sat_prepare(bw_obb_sat *sat, const bw_transform *map, const bw_obb *a, const bw_obb *b,
                        bw_box_test test);
/* The number of the first axis that separates the boxes, as in bw_sat_separates, or -1. */
int bw_obb_separates(const bw_obb_sat *sat, const bw_obb_node *a, const bw_obb_node *b);

#endif
