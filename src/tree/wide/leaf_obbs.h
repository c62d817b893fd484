/* Oriented boxes of leaves, for trees whose leaves are long and lie askew: there a box along the axes holds
 * mostly nothing, and two leaves of needles nearly always seem to meet. A query that has such boxes of both
 * bodies compares them before it loads a leaf (collide/pair/leaf_obbs.h).
 *
 * They hold for the tree as built. Everything that changes leaves drops them: a refit, an insertion, a
 * removal. Building again and loading make them again. */
#ifndef BW_TREE_WIDE_LEAF_OBBS_H
#define BW_TREE_WIDE_LEAF_OBBS_H

#include <stdint.h>

#include <boxwood/tree.h>

struct bw_wide;

/* Of the leaves below a node, by lane; lanes without a leaf are zero. Every corner of the leaf, as the mesh
 * has it, is origin + centre + x normal + y along + z across with |x|, |y|, |z| at most half[0], half[1],
 * half[2], in exact arithmetic; across is the product normal x along in float (bw_leaf_obb_across). Nothing
 * is said about right angles and lengths of one, though both hold but for rounding. */
typedef struct bw_leaf_obbs {
    float centre[3][8]; /* [axis][lane] */
    float normal[3][8]; /* the mean normal of the triangles */
    float along[3][8];  /* the mean direction of their longest edges */
    float half[3][8];
} bw_leaf_obbs;

typedef struct bw_wide_obbs {
    bw_leaf_obbs *of_node; /* one per node; NULL: the tree has none */
    uint32_t node_count;
    float origin[3];
    float far_centre; /* the largest |centre coordinate| */
    float far_half;   /* the largest half */
} bw_wide_obbs;

/* Float operations in this order at every SIMD level. */
static inline void bw_leaf_obb_across(const float n[3], const float l[3], float out[3])
{
    out[0] = n[1] * l[2] - n[2] * l[1];
    out[1] = n[2] * l[0] - n[0] * l[2];
    out[2] = n[0] * l[1] - n[1] * l[0];
}

/* Makes the boxes of a tree that has corners, where its leaves are long; otherwise there are none. The same
 * bits for any tasks. On failure (BW_ERROR_MEMORY) the tree is as it was, without. */
bw_result bw_wide_fit_obbs(struct bw_wide *wide, const bw_tasks *tasks);
/* The same whatever the leaves are like: for tests. */
bw_result bw_wide_make_obbs(struct bw_wide *wide, const bw_tasks *tasks);
void bw_wide_drop_obbs(struct bw_wide *wide);
/* How many times the oriented boxes of some of the leaves go into their boxes along the axes, by area: what
 * decides. 1 for a tree without corners, and for one of a few leaves. */
double bw_wide_obb_gain(const struct bw_wide *wide);

/* NULL if the box of a leaf holds its corners, otherwise what is wrong. */
const char *bw_wide_check_obb(const struct bw_wide *wide, uint32_t leaf, const bw_mesh *mesh);

#endif
