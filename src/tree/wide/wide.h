/* The fast layout: nodes of eight child boxes as structure of arrays, leaves of up to eight primitives.
 *
 * Why: measured on rigid and deforming meshes, an 8-wide tree with leaves of eight visits far fewer nodes
 * than a binary one and turns every box test into a lane of a register. Leaves keep their own copy of the
 * corners where the mesh is rigid (no gather while querying), and only the list of their vertices where it
 * deforms (a refit then reads each vertex about once per leaf and writes each box once). Trees over boxes
 * alone have neither. Where leaves with corners are long, each has an oriented box beside
 * (tree/wide/leaf_obbs.h).
 */
#ifndef BW_TREE_WIDE_WIDE_H
#define BW_TREE_WIDE_WIDE_H

#include "base/memory.h"
#include "base/simd/level.h"
#include "tree/wide/leaf_obbs.h"

#include <boxwood/tree.h>

#include <stddef.h>

enum { BW_WIDTH = 8 };

#define BW_WIDE_LEAF 0x80000000u /* set in a child reference that names a leaf */

/* The box of an unused lane: min is BW_WIDE_EMPTY, max is -BW_WIDE_EMPTY. Beyond every coordinate, so that it
 * does not disturb a union, and far enough from the largest float that sums and differences stay finite. */
#define BW_WIDE_EMPTY 0x1p120f

/* 256 bytes, aligned to 64. Lanes 0..count-1 are in use; the boxes of the others are empty (min > max), but
 * tests must mask them by count all the same: arithmetic on an empty box proves nothing. A zero coordinate is
 * never -0, so that equal boxes have equal bits. */
typedef struct bw_wide_node {
    float min[3][BW_WIDTH];
    float max[3][BW_WIDTH];
    uint32_t child[BW_WIDTH]; /* node index, or BW_WIDE_LEAF | leaf index; BW_NONE in unused lanes */
    uint32_t count;  /* 1..8; 0: a hole that insertion and removal left behind, which nothing refers to */
    uint32_t parent; /* node index; BW_NONE at the root */
    uint32_t parent_lane;
    uint32_t end;     /* one past the last node of its subtree, while bw_wide.preorder holds */
    float built_cost; /* the areas of all nodes and leaves below, over its own, when it was built */
    uint32_t edits;   /* primitives inserted below and removed from below since */
    uint32_t reserved[2];
} bw_wide_node;

/* Eight boxes. */
typedef struct bw_eight_boxes {
    float min[3][BW_WIDTH];
    float max[3][BW_WIDTH];
} bw_eight_boxes;

/* Where the row of an axis begins, in bytes, of the least or the largest ends: in eight boxes as in a node,
 * which begins with eight. */
static inline uint32_t bw_eight_boxes_row(int axis, bool largest)
{
    return (uint32_t)((size_t)axis * sizeof(float[BW_WIDTH]) + (largest ? offsetof(bw_eight_boxes, max) : 0));
}

typedef struct bw_wide_leaf {
    uint32_t parent; /* node index */
    uint8_t lane;    /* in the parent */
    uint8_t count;   /* primitives, 1..8; 0: a hole */
    uint16_t vertex_count;
} bw_wide_leaf;

/* The corners of a leaf's primitives, relative to an origin near them and rounded to float (the difference is
 * taken in double, so each coordinate is off by at most a hair over half an ulp of its relative value). A
 * point's corners coincide. Unused slots repeat slot 0. */
typedef struct bw_wide_corners {
    float coordinate[3][3][BW_WIDTH]; /* [corner][axis][slot] */
    float origin[3];
    float magnitude; /* the largest |relative coordinate| of the leaf */
    float reserved[4];
} bw_wide_corners;

typedef struct bw_lens bw_lens;

typedef struct bw_wide {
    bw_wide_node *nodes; /* nodes[0] is the root; children after their parent. None: an empty tree */
    uint32_t node_count, node_capacity;
    bw_wide_leaf *leaves; /* as built: in the order in which a depth-first walk meets them */
    uint32_t *primitives; /* BW_WIDTH slots per leaf; BW_NONE in unused slots, which come last */
    uint32_t leaf_count, leaf_capacity;
    bw_wide_corners *corners; /* one per leaf, or NULL in the compact form */
    bw_wide_obbs obbs;        /* where leaves are long and have corners, until they change */
    /* Compact form: the vertices of leaf i, each once, ascending, are
     * vertices[vertex_first[i] .. vertex_first[i] + leaves[i].vertex_count - 1]. NULL in the rigid form. */
    uint32_t *vertex_first;
    uint32_t *vertices;
    bw_box bounds;
    uint32_t vertex_used, vertex_capacity; /* entries of vertices */
    uint32_t primitive_count;              /* in leaves */
    /* Nodes and leaves stand in depth-first order and there are no holes: as built, until the first insertion
     * or removal, and again after bw_wide_relayout. */
    bool preorder;
    double built_cost; /* bw_wide_cost when the tree was built or last rebuilt */
    double
        excess; /* what queries are taken to have lost to a degraded tree since, see tree/rebuild/rebuild.h */
    uint32_t edits; /* primitives inserted and removed since the last look at what they did to the tree */
    /* Made when first needed. */
    uint32_t *slot_of; /* by primitive: leaf * BW_WIDTH + slot, BW_NONE where it is not in the tree */
    uint32_t slot_of_count;
    uint32_t *map_first; /* by vertex: offsets into map_leaf, mesh_vertices + 1 of them */
    uint32_t *map_leaf;  /* the leaves in which each vertex takes part, each once */
    uint64_t *map_marks; /* a bit for every leaf, then one for every node: zero between calls */
    uint32_t map_vertices, map_uses, map_words;
    /* One set per node, where somebody asked for them, and until the tree changes (tree/wide/lens.h); or
     * NULL. */
    bw_lens *lenses;
    uint32_t lens_count;
    struct bw_wide_deferred *lazy;  /* tree/wide/deferred.h; NULL: every box is what it should be */
    struct bw_ray_layout *rays;     /* tree/wide/ray_layout.h, of the tree as it is; NULL: none was made */
    struct bw_clearance *clearance; /* tree/clearance.h, of the tree as it is; NULL: none was made */
    bw_allocator allocator;
} bw_wide;

/* Gives back all memory and leaves *wide zero. */
void bw_wide_release(bw_wide *wide);
/* Gives back the maps that are made when first needed: from primitives to slots, and from vertices to leaves.
 */
void bw_wide_drop_slots(bw_wide *wide);
void bw_wide_drop_map(bw_wide *wide);
/* After every change of primitives or positions: lenses, the layout for rays and the clearance are dropped. */
void bw_wide_changed(bw_wide *wide);
/* All memory held. */
size_t bw_wide_bytes(const bw_wide *wide);
/* Room for the counts given, everything else zero, counts at those values; contents uninitialised. */
bw_result bw_wide_reserve(const bw_allocator *allocator, uint32_t node_count, uint32_t leaf_count,
                          bw_wide *out);
/* The two steps of it, for builders that know their leaves before their nodes. When the second one fails, the
 * first is still to be released. */
bw_result bw_wide_reserve_leaves(const bw_allocator *allocator, uint32_t leaf_count, bw_wide *out);
bw_result bw_wide_reserve_nodes(bw_wide *wide, uint32_t node_count);
/* All fields of a node but its lanes. */
void bw_wide_init_node(bw_wide_node *node, uint32_t count, uint32_t parent, uint32_t parent_lane);

static inline bw_box bw_wide_lane_box(const bw_wide_node *node, uint32_t lane)
{
    return (bw_box){{node->min[0][lane], node->min[1][lane], node->min[2][lane]},
                    {node->max[0][lane], node->max[1][lane], node->max[2][lane]}};
}

/* Bounds are never -0 or NaN: equal numbers are equal bits. */
static inline bool bw_wide_same_box(const bw_box *a, const bw_box *b)
{
    bool same = true;
    for (int axis = 0; axis < 3; axis++)
        same &= a->min[axis] == b->min[axis] && a->max[axis] == b->max[axis];
    return same;
}

static inline void bw_wide_set_lane(bw_wide_node *node, uint32_t lane, const bw_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis][lane] = box->min[axis];
        node->max[axis][lane] = box->max[axis];
    }
}

static inline void bw_wide_clear_lane(bw_wide_node *node, uint32_t lane)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis][lane] = BW_WIDE_EMPTY;
        node->max[axis][lane] = -BW_WIDE_EMPTY;
    }
    node->child[lane] = BW_NONE;
}

/* The union of the lanes. */
bw_box bw_wide_node_box(const bw_wide_node *node);
/* Computes the lanes that hold nodes, and bounds, from the lanes that hold leaves. The same bits for any
 * tasks. */
void bw_wide_bounds_up(bw_wide *wide, const bw_tasks *tasks);

/* Proves the structure: every reference in range and met once, parents and lanes right, children after their
 * parent, every inner lane the union of its child's lanes, unused lanes and slots empty, every primitive
 * below primitive_count and in one slot, bounds and counts right; and, where mesh is not NULL, that every
 * leaf's box, vertex list and corners are those of its primitives. Memory-safe on any contents whose array
 * sizes are right. Returns NULL if all hold, otherwise a sentence about the first that does not ("out of
 * memory" if the check itself runs out). */
const char *bw_wide_check(const bw_wide *wide, const bw_mesh *mesh, uint32_t primitive_count);

/* Fills nodes, leaves, depths, cost and bytes. */
void bw_wide_stats(const bw_wide *wide, bw_tree_stats *out);
/* The sum of the areas of all nodes and leaves over the root's: the nodes and leaves that a random line
 * through the tree is expected to meet. Wide nodes and leaves cost about the same whatever their fill. */
double bw_wide_cost(const bw_wide *wide);
/* Stores built_cost in the tree and in every node: what the policy compares with from now on. */
void bw_wide_mark_cost(bw_wide *wide);
/* The same bits for any tasks, and forgets all edits. */
void bw_wide_mark_built(bw_wide *wide, const bw_tasks *tasks);
/* The areas below each node over its own, as built_cost was: into costs, one per node. */
void bw_wide_node_costs(const bw_wide *wide, float *costs);

/* out[i] is the smallest float box of the primitive ids[i], or of i where ids is NULL. Indices in range,
 * coordinates finite. Zeros are never -0. */
void bw_wide_boxes(const bw_mesh *mesh, const uint32_t *ids, uint32_t count, bw_box *out,
                   const bw_tasks *tasks);

#endif
