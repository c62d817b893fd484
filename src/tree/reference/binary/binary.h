/* The reference layout: a binary tree of AABBs with one primitive per leaf, as in
 *   G. van den Bergen, "Efficient Collision Detection of Complex Deformable Models using AABB Trees", 1997.
 * Nodes stand in one array, children after their parent and next to each other, so that a refit is one loop
 * over the array in reverse order (his section 5). */
#ifndef BW_TREE_REFERENCE_BINARY_BINARY_H
#define BW_TREE_REFERENCE_BINARY_BINARY_H

#include "tree/reference/paired.h"

#include <boxwood/tree.h>

/* Half a cache line, so that the two children of a node (whose index is odd) never straddle more than two. */
typedef struct bw_binary_node {
    float min[3];
    uint32_t link; /* inner: the left child, the right one is next to it; leaf: the primitive */
    float max[3];
    uint32_t leaf; /* 1 for a leaf, 0 for an inner node */
} bw_binary_node;

typedef struct bw_binary {
    bw_binary_node *nodes; /* nodes[0] is the root */
    uint32_t count;        /* 2 * leaves - 1 */
    uint32_t depth;        /* of the deepest leaf */
    uint64_t depth_sum;    /* over the leaves */
} bw_binary;

static inline bw_box bw_binary_box(const bw_binary_node *node)
{
    return (bw_box){{node->min[0], node->min[1], node->min[2]}, {node->max[0], node->max[1], node->max[2]}};
}

/* Builds over count > 0 primitives: boxes[i] belongs to primitives[i]. Both arrays are permuted. */
bw_result bw_binary_build_midpoint(const bw_allocator *allocator, bw_box *boxes, uint32_t *primitives,
                                   uint32_t count, bw_binary *out);
void bw_binary_release(const bw_allocator *allocator, bw_binary *tree);
void bw_binary_refit(bw_binary *tree, const bw_mesh *mesh, bw_update_report *report);
/* As bw_tree_check; primitive_count is that of the mesh, of which those in quarantine stand in no leaf. */
const char *bw_binary_check(const bw_binary *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                            uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined);
bw_paired bw_binary_paired(const bw_binary *tree);

#endif
