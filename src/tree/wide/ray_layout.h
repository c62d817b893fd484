/* A second layout of a wide tree, made for rays: bw_tree_prepare_rays builds it, every change of the tree
 * drops it.
 *
 * Node i and leaf i are those of the wide tree. They differ in this: a child is named by where it is; a leaf
 * has the corners as they are, not relative to an origin, and the numbers of its primitives beside them; and
 * the children of a node stand in an order that serves all rays. They are halved along an axis, the halves
 * along another, the quarters along a third, so that each bit of a slot tells on which side of an axis it is.
 * Slot XOR (for each bit, whether the ray runs backward along its axis) is then their order along the ray,
 * near to far. This is the order of H. Ylitie, T. Karras and S. Laine ("Efficient Incoherent Ray Traversal on
 * GPUs Through Compressed Wide BVHs", 2017), but for the axes, which here are those along which the children
 * are spread, the widest first, and not z, y and x: a third fewer visits where a surface lies along an axis.
 */
#ifndef BW_TREE_WIDE_RAY_LAYOUT_H
#define BW_TREE_WIDE_RAY_LAYOUT_H

#include "tree/wide/wide.h"

/* 256 bytes. The rows stand as in bw_wide_node. */
typedef struct bw_ray_node {
    float min[3][BW_WIDTH];
    float max[3][BW_WIDTH];
    uint64_t child[BW_WIDTH]; /* BW_RAY_NO_CHILD in unused lanes, whose boxes are empty */
} bw_ray_node;

/* 320 bytes. Rounded to the nearest floats where the mesh is of doubles. Unused slots repeat slot 0. */
typedef struct bw_ray_leaf {
    float corner[3][3][BW_WIDTH]; /* [corner][axis][slot] */
    uint32_t primitive[BW_WIDTH]; /* BW_NONE in unused slots, which come last */
} bw_ray_leaf;

/* A reference: the lower 48 bits are the distance in bytes from the first node, a multiple of 64, and bit 0
 * is set for leaves. Of a leaf, the upper 16 bits are those of the longest side of its box, a float, rounded
 * up. Of a node, bits 1 to 5 are the axes of the bits of its slots: that of bit 0, three times that of bit 1,
 * nine times that of bit 2. */
#define BW_RAY_LEAF 1u
#define BW_RAY_NO_CHILD 3u /* a leaf, and nothing in it */
#define BW_RAY_OFFSET 0xFFFFFFFFFFC0u
enum { BW_RAY_ORDERS = 27 };
static inline uint32_t bw_ray_order(uint64_t node_ref)
{
    return (uint32_t)node_ref >> 1 & 31;
}

/* Where the tree is. */
typedef struct bw_ray_place {
    float low[4], high[4]; /* the bounds, and eight of their longest side around; the fourth is of no use */
    float reach;           /* the largest |coordinate| of the bounds */
} bw_ray_place;
void bw_ray_place_set(const bw_box *bounds, bw_ray_place *out);

struct bw_ray_layout {
    bw_ray_place place;
    bw_ray_node *nodes; /* node_count, and one without children; the leaves follow */
    uint32_t node_count, leaf_count;
    uint64_t root;  /* reference */
    uint32_t depth; /* nodes on the longest way from the root to a leaf; more than 64 are counted as 65 */
    bool floats;    /* the corners are the vertices of the mesh, to the last bit */
};

static inline const bw_ray_leaf *bw_ray_layout_leaves(const struct bw_ray_layout *layout)
{
    return (const bw_ray_leaf *)(const void *)(layout->nodes + layout->node_count + 1);
}

/* Of a tree with nodes, whose boxes are all written. NULL where memory runs out. */
struct bw_ray_layout *bw_ray_layout_make(const bw_wide *wide, const bw_mesh *mesh,
                                         const bw_allocator *allocator, const bw_tasks *tasks);
void bw_ray_layout_release(struct bw_ray_layout *layout, const bw_allocator *allocator); /* NULL is allowed */
/* The tree's own. */
void bw_ray_layout_drop(bw_wide *wide);
size_t bw_ray_layout_bytes(const bw_wide *wide);
/* Whether it is that of the tree, and of the mesh where that is not NULL: NULL, or a sentence about what
 * differs. */
const char *bw_ray_layout_check(const bw_wide *wide, const bw_mesh *mesh);

#endif
