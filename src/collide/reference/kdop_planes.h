/* The separation test of two k-DOPs under an affine pose.
 *
 * Along a direction d of the first polytope's set, the second one, mapped by x -> M x + t, reaches at most
 *   max d . (M x + t) = d . t + max (M^T d) . x,
 * and if M^T d = sum_i alpha_i e_i with alpha_i >= 0 and e_i of the second one's set, then that is at most
 * d . t + sum_i alpha_i support[e_i]: by duality of linear programs the best such combination is the exact
 * answer. Which is best depends on the polytope; but all share the pose, so one combination a direction is
 * chosen once per query, the one that is best for round polytopes: the three e_i around M^T d. (They are
 * those of G. Zachmann, "Rapid Collision Detection by Dynamically Aligned DOP-Trees", VRAIS 1998: the planes
 * that meet in the vertex furthest along d.) A test then costs three multiplications a signed direction. The
 * full test does the same with the directions of the second one, where M has an inverse.
 *
 * Nothing needs the combination to be exact: what rounding leaves of the direction is multiplied by the reach
 * of the bodies and goes into the plane's offset, with a margin for all other roundings, those of the mapped
 * vertices among them. So a pair whose primitives meet is never called apart, for any affine pose. */
#ifndef BW_COLLIDE_REFERENCE_KDOP_PLANES_H
#define BW_COLLIDE_REFERENCE_KDOP_PLANES_H

#include "collide/relative_pose.h"
#include "tree/reference/kdop/kdop.h"

/* Apart if own.support[j] + sum_i alpha[i] other.support[index[i]] + offset < 0. */
typedef struct bw_kdop_plane {
    double alpha[3], offset;
    uint32_t index[3];
} bw_kdop_plane;

typedef struct bw_kdop_planes {
    uint32_t k;
    bool both;                       /* the full test */
    bw_kdop_plane of_a[BW_KDOP_MAX]; /* by direction of a; other is b */
    bw_kdop_plane of_b[BW_KDOP_MAX]; /* by direction of b; other is a */
} bw_kdop_planes;

/* root_a and root_b bound the trees. The default test is the one that measures best. */
void bw_kdop_planes_prepare(bw_kdop_planes *planes, uint32_t k, const bw_transform *map,
                            const bw_kdop_node *root_a, const bw_kdop_node *root_b, bw_box_test test);

/* Nonnegative combination of three directions of the set for k that gives w, up to rounding: alpha and index
 * of *out. Exposed for tests. */
void bw_kdop_combine(uint32_t k, const double w[3], bw_kdop_plane *out);

static inline int bw_kdop_planes_side(const bw_kdop_plane *plane, uint32_t k, const float *own,
                                      const float *other)
{
    for (uint32_t j = 0; j < k; j++) {
        const bw_kdop_plane *p = &plane[j];
        double reach = p->alpha[0] * (double)other[p->index[0]] +
                       (p->alpha[1] * (double)other[p->index[1]] + p->alpha[2] * (double)other[p->index[2]]);
        if ((double)own[j] + reach + p->offset < 0.0)
            return (int)(j / 2);
    }
    return -1;
}

/* The number of a direction that separates the two (those of b counted after those of a), or -1. */
static inline int bw_kdop_separates(const bw_kdop_planes *planes, const float *a, const float *b)
{
    int axis = bw_kdop_planes_side(planes->of_a, planes->k, a, b);
    if (axis >= 0 || !planes->both)
        return axis;
    axis = bw_kdop_planes_side(planes->of_b, planes->k, b, a);
    return axis < 0 ? -1 : (int)(planes->k / 2) + axis;
}

#endif
