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

/* A reference: from bit 16 on the distance in bytes from the first node; bit 0 is set for leaves. Of a leaf,
 * bits 2 to 15 are the upper ones, but for the sign, of the longest side of its box, a float, rounded up. Of a
 * node, they say which bits of its slots a ray flips: three bits for each octant of directions from 0 to 3. A
 * ray that runs the other way, whose octant is 7 less that, flips the other bits. */
#define BW_RAY_LEAF 1u
#define BW_RAY_NO_CHILD 3u /* a leaf, and nothing in it */
enum { BW_RAY_OFFSET_SHIFT = 16, BW_RAY_FLIPS_SHIFT = 2, BW_RAY_LENGTH_SHIFT = 15 };

static inline uint64_t bw_ray_offset(uint64_t ref)
{
    return ref >> BW_RAY_OFFSET_SHIFT;
}

/* Groups on a ray's stack: as deep as a tree may be. */
enum { BW_RAY_DEPTH = 64 };

/* Ordinary sizes of a reach: no product of a traversal overflows, and none that matters underflows. */
#define BW_RAY_TREE_MIN 0x1p-30f
#define BW_RAY_TREE_MAX 0x1p20f

/* Where the tree is. */
typedef struct bw_ray_place {
    float low[4], high[4]; /* the bounds, and eight of their longest side around; the fourth is of no use */
    float reach;           /* the largest |coordinate| of the bounds */
    float reach_around;    /* not below the sum of it and of the largest of low and high */
    float near_low[4], near_high[4]; /* of low to high what is nearer than BW_RAY_FAR (geom/ray.h) */
} bw_ray_place;
void bw_ray_place_set(const bw_box *bounds, bw_ray_place *out);

struct bw_ray_layout {
    bw_ray_place place;
    bw_ray_node *nodes; /* node_count, and one without children; the leaves follow */
    uint32_t node_count, leaf_count;
    uint64_t root; /* reference */
    uint32_t
        depth; /* nodes on the longest way from the root to a leaf; more than BW_RAY_DEPTH count as one more */
    bool floats; /* the corners are the vertices of the mesh, to the last bit */
    /* It is of triangles of floats, of ordinary size and not too deep, so that of a mesh only these numbers
     * need be compared. */
    bool usual;
    uint32_t vertices, triangles;
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
