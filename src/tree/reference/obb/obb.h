/* Trees of oriented boxes, as in
 *   S. Gottschalk, M. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection",
 *   SIGGRAPH 1996.
 * One primitive per leaf, nodes in one array, children after their parent and next to each other, as in the
 * reference tree. */
#ifndef BW_TREE_REFERENCE_OBB_OBB_H
#define BW_TREE_REFERENCE_OBB_OBB_H

#include "geom/vec.h"
#include "tree/reference/paired.h"

#include <boxwood/tree.h>
#include <math.h>

#define BW_OBB_LEAF 0x80000000u /* set in the link of a leaf */

/* The box is the set { centre + sum_i y_i axis[i] : |y_i| <= half[i] } for the floats as they stand: its
 * support along any n is n . centre + sum_i half[i] |n . axis[i]| without any assumption. That the axes are
 * orthonormal holds up to BW_OBB_SKEW and saves work where a test adds that to its margin. One cache line. */
typedef struct bw_obb_node {
    float centre[3];
    float axis[3][3]; /* axis[i] is a vector */
    float half[3];
    uint32_t link; /* inner: the left child, the right one is next to it; leaf: BW_OBB_LEAF | the primitive */
} bw_obb_node;

/* |axis[i] . axis[j] - (i == j)| is at most this: each component is off by at most half an ulp of a float
 * below 1, 2^-25, so a product of two vectors by less than 2 sqrt(3) 2^-25. */
#define BW_OBB_SKEW 0x1p-22

typedef struct bw_obb {
    bw_obb_node *nodes; /* nodes[0] is the root */
    uint32_t count;     /* 2 * leaves - 1 */
    uint32_t depth;     /* of the deepest leaf */
    uint64_t depth_sum; /* over the leaves */
    bw_box bounds;      /* the axis-aligned box of the primitives */
    double reach[3];    /* no node's box leaves [-reach, reach] */
} bw_obb;

static inline bool bw_obb_is_leaf(const bw_obb_node *node)
{
    return (node->link & BW_OBB_LEAF) != 0;
}

/* The axis-aligned box around an oriented one. */
bw_box bw_obb_box(const bw_obb_node *node);

/* A primitive while a tree is built, with all that the fits need to know of it: copied once, so that every
 * pass over a set reads memory in order. */
typedef struct bw_obb_item {
    bw_vec3 corner[3];
    double weight;    /* of its area (1 for a point), as a part of the unit of bw_obb_scale */
    double spread[6]; /* xx, yy, zz, xy, yz, zx: second moments about its centroid, times weight */
    uint32_t primitive;
} bw_obb_item;

/* The size of the whole mesh, for products of coordinates that neither overflow nor vanish, and for margins.
 */
typedef struct bw_obb_scale {
    double unit;  /* a power of two that brings the size near one */
    double slack; /* more than the error of bw_obb_coordinates for any point and centre */
} bw_obb_scale;
bw_obb_scale bw_obb_scale_of(const bw_box *bounds);

/* Corners must be set; fills weight and spread. */
void bw_obb_item_measure(bw_obb_item *item, double unit, bool point);

/* Three times its centroid. */
static inline bw_vec3 bw_obb_item_sum(const bw_obb_item *item)
{
    return bw_vec3_add(bw_vec3_add(item->corner[0], item->corner[1]), item->corner[2]);
}

/* What a set of primitives gives: its box (link is left alone), and where to divide it. */
typedef struct bw_obb_fit {
    bw_obb_node box;
    bw_vec3 mean; /* three times the mean of the primitives' centroids */
} bw_obb_fit;

/* The box along the principal axes of count > 0 primitives. */
void bw_obb_fit_items(const bw_obb_item *items, uint32_t count, const bw_obb_scale *scale, bw_obb_fit *out);

/* The coordinates of points in a box: inverse holds the inverse of the matrix whose columns are the axes. */
typedef struct bw_obb_frame {
    double centre[3], inverse[3][3];
} bw_obb_frame;
bw_obb_frame bw_obb_frame_of(const bw_obb_node *node);
/* The coordinates of p. The inverse's entries are below 1.001 and good to 16 u (u = 2^-53), a difference of
 * coordinates to u of its size: in all y is off by less than 32 u (|p| + |centre|). */
static inline void bw_obb_coordinates(const bw_obb_frame *frame, const bw_vec3 *p, double y[3])
{
    double d[3] = {p->x - frame->centre[0], p->y - frame->centre[1], p->z - frame->centre[2]};
    for (int i = 0; i < 3; i++) {
        const double *row = frame->inverse[i];
        y[i] = row[0] * d[0] + row[1] * d[1] + row[2] * d[2];
    }
}
/* More than that error: where |y[i]| + this <= half[i] for all i, the point is certainly inside. */
static inline double bw_obb_error(const bw_obb_frame *frame, const bw_vec3 *p)
{
    return 0x1p-47 * ((fabs(p->x) + fabs(p->y) + fabs(p->z)) +
                      (fabs(frame->centre[0]) + fabs(frame->centre[1]) + fabs(frame->centre[2])));
}

/* Builds over count > 0 primitives. */
bw_result bw_obb_build(const bw_allocator *allocator, const bw_mesh *mesh, const uint32_t *primitives,
                       uint32_t count, bw_obb *out);
void bw_obb_release(const bw_allocator *allocator, bw_obb *tree);
/* A box along principal axes is not the box of its children's boxes: there is no refit worth its name, so
 * this rebuilds the tree, at the cost of a build, and report->changed counts the nodes that are not as
 * they were. The tree is as it was on failure. */
bw_result bw_obb_rebuild(const bw_allocator *allocator, bw_obb *tree, const bw_mesh *mesh,
                         bw_update_report *report);
/* As bw_tree_check; primitive_count is that of the mesh, of which those in quarantine stand in no leaf.
 * With the mesh, every box is proven to contain the corners of all primitives below it, and to touch one
 * along each axis. */
const char *bw_obb_check(const bw_obb *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                         uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined);
/* Areas are those of the oriented boxes; boxes the axis-aligned ones around them. */
bw_paired bw_obb_paired(const bw_obb *tree);

#endif
