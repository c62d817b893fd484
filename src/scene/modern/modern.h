/* The modern structure: a tree of 256-byte nodes with eight child boxes each and 1-KB leaf blocks of up to
 * thirty objects.
 *
 * An object belongs to a leaf by its centre against split planes, as in Shagam's K-D heuristic, but with
 * hysteresis: it stays while its centre is in the leaf's cell, widened by a share of the leaf's size. So a
 * move is mostly a store into the leaf's block, no box can drift, and nothing need be balanced while objects
 * wander.
 *
 * Membership is only ever a matter of speed: answers come from the boxes, which hold what is below them at
 * all times. So where memory for a split is missing, an object may stay in a leaf where it does not belong.
 */
#ifndef BW_SCENE_MODERN_MODERN_H
#define BW_SCENE_MODERN_MODERN_H

#include "scene/kind.h"

enum { BW_MODERN_CHILDREN = 8, BW_MODERN_LEAF_CAPACITY = 30, BW_MODERN_LEAF_FILL = 20 };
/* Objects that leave the surface of a leaf's box before it is recomputed. */
enum { BW_MODERN_SHRINKS = 3 };

/* One cache line that moves read, then boxes and ids apart: a query reads boxes, and ids of hits only; a
 * subtree that lies inside a view is copied out without reading its boxes. */
typedef struct bw_modern_leaf {
    float box[6];     /* of all objects; grown at once, shrunk now and then */
    float cell[6];    /* where doubled centres may be, widened */
    uint32_t parent;  /* 8 * node + slot, or BW_MODERN_NO_PARENT */
    uint32_t count;   /* BW_MODERN_FREE while in the pool's list */
    uint32_t shrinks; /* times since the box was computed that an object on its surface left it */
    uint32_t changes; /* bit 0: in a list of leaves whose box must go up; above it, changes since the leaf was
                      last charged to the nodes above: scene/modern/maintain.c */
    float boxes[BW_MODERN_LEAF_CAPACITY][6];
    bw_id ids[BW_MODERN_LEAF_CAPACITY];
} bw_modern_leaf;

/* The slots form a little binary tree: plane k of 1..7 sends doubled centres below it to 2k, others to 2k+1,
 * and 8..15 are the slots. A side that is not split has planes of +infinity, and its first slot. */
typedef struct bw_modern_node {
    float box[6][BW_MODERN_CHILDREN]; /* min x, y, z, negated max x, y, z; all +infinity where the slot is
                                         empty */
    uint32_t child[BW_MODERN_CHILDREN];
    float plane[7]; /* plane k at [k - 1] */
    uint32_t axes;  /* two bits a plane; or BW_MODERN_HASHED and the level */
} bw_modern_node;

_Static_assert(sizeof(bw_modern_leaf) == 1024 && sizeof(bw_modern_node) == 256, "laid out for the cache");

#define BW_MODERN_NO_PARENT UINT32_MAX
#define BW_MODERN_FREE UINT32_MAX
#define BW_MODERN_FREE_NODE (UINT32_MAX - 1)
/* Objects whose centres all coincide, more than a leaf holds: slots go by bits of a hash of the index
 * instead. */
#define BW_MODERN_HASHED 0x80000000u
#define BW_MODERN_HASH_LEVEL(axes) ((axes)&0xffffu)

/* A bw_node_ref of this tree: 0, or a node's index + 1 above six zero bits, or a leaf's index, its count and
 * a set lowest bit. With the count at hand a query knows what to fetch before it has seen the leaf. */
static inline bw_node_ref bw_modern_ref_node(uint32_t node)
{
    return (node + 1) << 6;
}

static inline bw_node_ref bw_modern_ref_leaf(uint32_t leaf, uint32_t count)
{
    return leaf << 6 | count << 1 | 1u;
}

static inline bool bw_modern_is_leaf(bw_node_ref ref)
{
    return (ref & 1u) != 0;
}

static inline uint32_t bw_modern_node_of(bw_node_ref ref)
{
    return (ref >> 6) - 1;
}

static inline uint32_t bw_modern_leaf_of(bw_node_ref ref)
{
    return ref >> 6;
}

static inline uint32_t bw_modern_count_of(bw_node_ref ref)
{
    return (ref >> 1) & 31u;
}

/* What is known of a node apart from what queries read. */
typedef struct bw_modern_link {
    uint32_t parent; /* 8 * node + slot, or BW_MODERN_NO_PARENT; BW_MODERN_FREE_NODE for free ones */
    int32_t credit;  /* charges until the subtree is to be rebuilt: scene/modern/maintain.c */
} bw_modern_link;

typedef struct bw_modern_tree {
    bw_scene_tree base;
    bw_slab nodes, leaves;
    bw_modern_link *links; /* of nodes */
    uint32_t link_capacity;
    bw_node_ref root;
    float bounds[6]; /* of the root: what a parent node would hold for it */
} bw_modern_tree;

static inline bw_modern_node *bw_modern_node_at(const bw_modern_tree *tree, uint32_t index)
{
    return bw_slab_at(&tree->nodes, index);
}

static inline bw_modern_leaf *bw_modern_leaf_at(const bw_modern_tree *tree, uint32_t index)
{
    return bw_slab_at(&tree->leaves, index);
}

/* An object's location in the table: its leaf and slot. */
static inline uint32_t bw_modern_location(uint32_t leaf, uint32_t slot)
{
    return leaf << 5 | slot;
}

static inline void bw_modern_set_location(const bw_modern_tree *tree, bw_id id, uint32_t leaf, uint32_t slot)
{
    bw_table_entry(tree->base.table, bw_id_index(id))->location = bw_modern_location(leaf, slot);
}

static inline const float *bw_modern_box_at(const bw_modern_tree *tree, uint32_t location)
{
    return bw_modern_leaf_at(tree, location >> 5)->boxes[location & 31u];
}

/* Twice the centre: free of rounding beyond one addition. */
static inline void bw_modern_centre(const float packed[6], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = packed[i] - packed[i + 3];
}

static inline float bw_modern_axis_centre(const float packed[6], int axis)
{
    return packed[axis] - packed[axis + 3];
}

void bw_modern_init(bw_scene_tree *base, bw_nesting nesting, bool leafy, uint32_t threshold);
void bw_modern_clear(bw_scene_tree *base);

/* ---- shape of the tree: scene/modern/nodes.c ---- */

/* The slot that takes an object in a hashed node: by its index alone. */
static inline uint32_t bw_modern_route_hashed(const bw_modern_node *node, uint32_t index)
{
    return (index * 2654435769u) >> (29 - 3 * BW_MODERN_HASH_LEVEL(node->axes)) & 7u;
}

/* The slot that takes an object. */
static inline uint32_t bw_modern_route(const bw_modern_node *node, const float centre[3], uint32_t index)
{
    if ((node->axes & BW_MODERN_HASHED) != 0)
        return bw_modern_route_hashed(node, index);
    uint32_t k = 1;
    for (int level = 0; level < 3; level++) {
        uint32_t axis = node->axes >> (2 * (k - 1)) & 3u;
        k = 2 * k + (centre[axis] < node->plane[k - 1] ? 0u : 1u);
    }
    return k - 8;
}

static inline uint32_t bw_modern_first_slot(uint32_t position)
{
    while (position < 8)
        position *= 2;
    return position - 8;
}

/* The highest position of the node's little tree that the child in a slot stands for. */
uint32_t bw_modern_position(const bw_modern_node *node, uint32_t slot);
/* Puts a child into a slot (parent = 8 * node + slot) or at the root, and tells the child. Boxes above stay
 * as they are. */
void bw_modern_attach(bw_modern_tree *tree, uint32_t parent, bw_node_ref ref, const float box[6]);
bw_node_ref bw_modern_child(const bw_modern_tree *tree, uint32_t parent);
void bw_modern_child_box(const bw_modern_tree *tree, uint32_t parent, float out[6]);
void bw_modern_node_box(const bw_modern_node *node, float out[6]);
/* The box in a slot has changed: brings it and all above it up to date. */
void bw_modern_raise(bw_modern_tree *tree, uint32_t parent, const float box[6]);
/* The leaf's count has changed. */
void bw_modern_recount(bw_modern_tree *tree, const bw_modern_leaf *leaf, uint32_t index);
/* The doubled centres that lead to a slot. */
void bw_modern_cell(const bw_modern_tree *tree, uint32_t parent, float cell[6]);
/* Sets a leaf's cell, widened by a share of the leaf's box. */
void bw_modern_widen(bw_modern_leaf *leaf, const float cell[6]);
void bw_modern_leaf_box(const bw_modern_leaf *leaf, float out[6]);
/* Adds an object to a leaf that has room; the parent's count and box stay as they are. */
void bw_modern_append(bw_modern_tree *tree, uint32_t leaf, const float box[6], bw_id id);
/* After the leaf came to another place or its box changed much. */
void bw_modern_refresh_cell(bw_modern_tree *tree, uint32_t leaf);
bool bw_modern_reserve(bw_modern_tree *tree, uint32_t nodes, uint32_t leaves);
/* After bw_modern_reserve. The node is clear; the leaf has count 0. */
uint32_t bw_modern_take_node(bw_modern_tree *tree);
uint32_t bw_modern_take_leaf(bw_modern_tree *tree);
/* A block that was taken from its slab alone, made clear: what the two do beside taking it. */
void bw_modern_start_node(bw_modern_tree *tree, uint32_t node);
void bw_modern_start_leaf(bw_modern_leaf *leaf);
void bw_modern_give_node(bw_modern_tree *tree, uint32_t node);
void bw_modern_give_leaf(bw_modern_tree *tree, uint32_t leaf);
/* Tells the table where the objects of a leaf are now. */
void bw_modern_record_leaf(const bw_modern_tree *tree, uint32_t leaf);
/* Moves a leaf or node to another block, which may be free or not; what was there is gone. */
void bw_modern_relocate_leaf(bw_modern_tree *tree, uint32_t from, uint32_t to);
void bw_modern_relocate_node(bw_modern_tree *tree, uint32_t from, uint32_t to);

/* ---- building and changing ---- */

/* scene/modern/build.c: all objects at once, into an empty tree; places go to the table. The i-th id has
 * box boxes[i]. */
bool bw_modern_build(bw_scene_tree *base, const bw_box *boxes, bw_id_list ids, uint32_t count);
/* A subtree over all items, not attached; 0 on failure, which changes nothing. */
bw_node_ref bw_modern_build_subtree(bw_modern_tree *tree, const bw_box *boxes, bw_id_list ids, uint32_t count,
                                    const float cell[6], float box[6]);
/* scene/modern/rebuild.c: rebuilds the subtree in a slot, if memory allows. */
void bw_modern_rebuild_below(bw_modern_tree *tree, uint32_t parent);
/* In place. */
void bw_modern_sort(uint32_t *values, uint32_t count);

/* scene/modern/insert.c. False: no memory, nothing changed. */
bool bw_modern_insert(bw_scene_tree *base, const float box[6], bw_id id);
/* scene/modern/remove.c */
void bw_modern_remove(bw_modern_tree *tree, uint32_t place);
/* scene/modern/compact.c: gives unused blocks back by moving used ones to the front, where many are unused.
 */
void bw_modern_compact(bw_scene_tree *base);

/* scene/modern/move.c. The ids were validated. many false: no memory, nothing changed. */
void bw_modern_move(bw_scene_tree *base, bw_id id, const bw_box *box);
/* The first item whose id is not live or whose box is not valid, or count. */
uint32_t bw_modern_validate(const bw_scene_tree *tree, const bw_id *ids, const bw_box *boxes, uint32_t count);
bool bw_modern_move_many(bw_scene_tree *base, const bw_id *ids, const bw_box *boxes, uint32_t count);

/* ---- keeping the tree good: scene/modern/maintain.c ---- */

/* Changes, for each object of a leaf, after which it is charged to the nodes above. */
enum { BW_MODERN_CHANGES = 4 };

static inline bool bw_modern_degraded(const bw_modern_leaf *leaf)
{
    return leaf->changes >> 1 >= BW_MODERN_CHANGES * leaf->count;
}

/* The credit of hashed nodes: rebuilding coincident objects gains nothing. */
#define BW_MODERN_UNLIMITED INT32_MAX
/* The credit of a subtree built over so many objects. */
int32_t bw_modern_credit(uint32_t objects);
/* A leaf in this place wore out. Returns the topmost node whose credit this used up, or BW_MODERN_FREE. */
uint32_t bw_modern_charge(bw_modern_tree *tree, uint32_t parent, int32_t amount);
/* Rebuilds subtrees whose credit is used up; permutes the list. Nodes that are gone meanwhile are passed
 * over. */
void bw_modern_rebuild_due(bw_modern_tree *tree, uint32_t *nodes, uint32_t count);
/* A split added a node. */
void bw_modern_added(bw_modern_tree *tree, uint32_t node);
/* Rebuilds degraded subtrees that are so large that moves do not take the time. */
void bw_modern_rebuild_large(bw_modern_tree *tree);

const char *bw_modern_check(const bw_scene_tree *base);

/* ---- queries ---- */

/* Of at most 32 boxes with two more floats behind them, those that meet a query: one bit each. */
uint32_t bw_modern_boxes_meet(bw_simd simd, const float (*boxes)[6], uint32_t count, const float query[8]);

bw_result bw_modern_query_box(const bw_modern_tree *tree, const bw_region_test *test, bw_object_sink *sink);
bw_result bw_modern_query_planes(const bw_modern_tree *tree, const bw_region_test *test,
                                 bw_object_sink *sink);
bw_result bw_modern_pairs(const bw_scene_tree *base, bw_pair_sink *sink);

#endif
