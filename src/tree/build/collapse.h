/* From a binary tree over leaves to nodes of eight: the collapse with the smallest sum of node areas.
 *   H. Ylitie, T. Karras, S. Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
 * BVHs", HPG 2017, section 3.1: for every binary node the cheapest way to present it as at most 1, 2, ... 7
 * lanes of a parent. */
#ifndef BW_TREE_BUILD_COLLAPSE_H
#define BW_TREE_BUILD_COLLAPSE_H

#include "tree/build/build.h"

/* Nodes stand in depth-first order, perhaps with gaps: the left child is next, the right one is named. At the
 * bottom are leaves of up to 8 primitives, or groups of up to 64 that make several leaves, all full but the
 * last. */
typedef struct bw_split_node {
    bw_box box;
    uint32_t first;       /* leaf, group: its first primitive in the order */
    uint32_t count;       /* leaf: 1..8 primitives; group: 9..64; inner: 0 */
    uint32_t right;       /* inner: the right child; group: its first leaf */
    float cost[BW_WIDTH]; /* [i]: the sum of areas of the wide nodes in here if i + 1 lanes may be used; the
                             last is that of all but the node itself, once it is a wide one */
    uint8_t left_lanes[BW_WIDTH]; /* [i]: of i + 1 lanes, those of the left child (a group: BW_LANES_ALL, one
                                     a leaf); 0: one lane for the node itself */
} bw_split_node;

enum { BW_GROUP = BW_WIDTH * BW_WIDTH, BW_LANES_ALL = 255 };

/* Areas are measured in a unit near the extent of the whole, so that none overflows: inverse_unit times each
 * side. */
float bw_box_half_area(const bw_box *box, float inverse_unit);
/* The inverse of the longest side, within the floats. */
float bw_box_inverse_unit(const bw_box *box);

/* Fills in box, costs and lanes of an inner node whose children are complete. A wide node costs its area, and
 * `each` besides: the more that is, the fewer and fuller nodes come out. */
void bw_split_node_join(bw_split_node *nodes, uint32_t index, float inverse_unit, float each, bw_simd simd);
/* The same for a leaf or group, whose box is set. */
void bw_split_node_close(bw_split_node *node, float inverse_unit, float each);

/* The wide tree of the binary one over count primitives, all of whose bottom nodes are leaves; order[first +
 * i] is the i-th primitive of a leaf. It has room for leaf_capacity leaves, or more if it needs it. The same
 * bits for any tasks. */
bw_result bw_wide_collapse(const bw_split_node *nodes, const uint32_t *order, uint32_t count,
                           uint32_t leaf_capacity, const bw_tasks *tasks, const bw_allocator *allocator,
                           bw_wide *out);
/* The same onto leaves that have their primitives and counts already: the bottom nodes are groups, and
 * leaf_boxes has the box of each of their leaves. Leaves learn their place; nodes are made. On failure
 * (BW_ERROR_MEMORY) the tree has no nodes. */
bw_result bw_wide_collapse_groups(const bw_split_node *nodes, const bw_box *leaf_boxes, uint32_t count,
                                  const bw_tasks *tasks, bw_wide *wide);

#endif
