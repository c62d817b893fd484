/* Trees of discrete-orientation polytopes: each node is bounded along k/2 fixed directions, as in
 *   J. Klosowski, M. Held, J. Mitchell, H. Sowizral, K. Zikan, "Efficient Collision Detection Using Bounding
 *   Volume Hierarchies of k-DOPs", IEEE TVCG 4(1), 1998.
 * With the axes alone (k = 6) they are axis-aligned boxes, and the tree is the reference tree of
 *   G. van den Bergen, "Efficient Collision Detection of Complex Deformable Models using AABB Trees", 1997.
 * One primitive per leaf, nodes in one array, children after their parent and next to each other, so that a
 * refit is one loop over the array in reverse order (his section 5). */
#ifndef BW_TREE_REFERENCE_KDOP_KDOP_H
#define BW_TREE_REFERENCE_KDOP_KDOP_H

#include "tree/reference/paired.h"

#include <boxwood/tree.h>

enum { BW_KDOP_MAX = 26 };

/* A signed direction: entry 2 i is direction i of the set, entry 2 i + 1 its negative, so that j ^ 1 is
 * opposite to j. The first six are the axes in every set. */
typedef struct bw_kdop_direction {
    int8_t c[3]; /* each -1, 0 or 1 */
} bw_kdop_direction;

/* The k signed directions of the set for k = 6 (axes), 14 (and corners of the cube), 18 (axes and edges) or
 * 26 (all). */
const bw_kdop_direction *bw_kdop_directions(uint32_t k);
/* The number of direction (x, y, z), each -1, 0 or 1, in the set for k, or k where it is not in it. */
uint32_t bw_kdop_find(uint32_t k, int x, int y, int z);

/* 32, 64, 80 or 112 bytes. */
typedef struct bw_kdop_node {
    uint32_t link;   /* inner: the left child, the right one is next to it; leaf: the primitive */
    uint32_t leaf;   /* 1 for a leaf, 0 for an inner node */
    float support[]; /* k: the smallest float that no point of the node exceeds along each signed direction;
                        where that is a sum of coordinates, the rounding of the sum is allowed for */
} bw_kdop_node;

typedef struct bw_kdop {
    void *nodes;        /* see bw_kdop_at; the first is the root */
    uint32_t k, stride; /* bytes from one node to the next */
    uint32_t count;     /* 2 * leaves - 1 */
    uint32_t depth;     /* of the deepest leaf */
    uint64_t depth_sum; /* over the leaves */
} bw_kdop;

static inline bw_kdop_node *bw_kdop_at(const bw_kdop *tree, uint32_t i)
{
    return (bw_kdop_node *)((char *)tree->nodes + (size_t)tree->stride * i);
}

/* The axis-aligned box: supports 0 to 5 are those of the axes. */
static inline bw_box bw_kdop_box(const bw_kdop_node *node)
{
    const float *s = node->support;
    return (bw_box){{-s[1], -s[3], -s[5]}, {s[0], s[2], s[4]}};
}

/* The supports of a primitive along the k directions. */
void bw_kdop_of_primitive(uint32_t k, const bw_mesh *mesh, uint32_t primitive, float *support);

/* Builds over count > 0 primitives by midpoints: boxes[i] belongs to primitives[i]. Both arrays are permuted.
 */
bw_result bw_kdop_build(const bw_allocator *allocator, uint32_t k, const bw_mesh *mesh, bw_box *boxes,
                        uint32_t *primitives, uint32_t count, bw_kdop *out);
void bw_kdop_release(const bw_allocator *allocator, bw_kdop *tree);
void bw_kdop_refit(bw_kdop *tree, const bw_mesh *mesh, bw_update_report *report);
/* As bw_tree_check; primitive_count is that of the mesh, of which those in quarantine stand in no leaf. */
const char *bw_kdop_check(const bw_kdop *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                          uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined);
/* Boxes and areas are those of the axis-aligned boxes, which bound the polytopes. */
bw_paired bw_kdop_paired(const bw_kdop *tree);

#endif
