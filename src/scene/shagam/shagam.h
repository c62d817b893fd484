/* The dynamic AABB tree of Shagam, "Dynamic Spatial Partitioning for Real-Time Visibility Determination",
 * complete, in flat arrays instead of pointers and sets. Nodes have any number of children and objects of
 * their own; a nesting heuristic says which child an object belongs to, or that it stays.
 *
 * Splits are lazy: a leaf above the threshold is split when bw_classic_prepare comes by, never in a query.
 * Until then it is read as a whole, so answers do not depend on it. Boxes grow at once and are marked where
 * they may shrink.
 *
 * Differences from the paper's listing, where that contradicts its text: the split point is the mean of the
 * centres (the listing adds the radius), and the volume of an object is that of its box (the listing drops
 * two powers of the radius). */
#ifndef BW_SCENE_SHAGAM_SHAGAM_H
#define BW_SCENE_SHAGAM_SHAGAM_H

#include "scene/table.h"

#define BW_CLASSIC_NONE UINT32_MAX
#define BW_CLASSIC_FREE (UINT32_MAX - 1)

typedef struct bw_classic_node {
    uint32_t block;  /* of children, or BW_CLASSIC_NONE; the pool's link while free */
    uint32_t parent; /* BW_CLASSIC_NONE for the root, BW_CLASSIC_FREE while in the pool's list */
    uint32_t count, capacity;
    float (*boxes)[6]; /* min, negated max; capacity of them, then the ids, in one allocation */
    bw_id *ids;
    float box[6]; /* holds everything below */
    float split[3];
    uint8_t axis;    /* K-D and ternary: across which the split goes */
    bool is_split;   /* may be so without children: all went into one, and were taken back */
    bool stale;      /* the box may be too large */
    bool work_below; /* something below is stale or overfull */
} bw_classic_node;

typedef struct bw_classic_tree {
    bw_slab nodes;
    bw_slab blocks;  /* of `ways` children each */
    uint32_t *slots; /* by object: where in its node's arrays; the table has the node */
    uint32_t slot_capacity;
    uint32_t ways; /* 2, 3, 8 or 27 */
    bool leafy;
    uint32_t threshold;
    uint32_t root; /* BW_CLASSIC_NONE: no objects */
    uint32_t objects;
    uint64_t splits, merges, reinserted;
    size_t item_bytes; /* held by the nodes' arrays */
} bw_classic_tree;

typedef struct bw_classic_context {
    bw_classic_tree *tree;
    bw_table *table;
    const bw_allocator *allocator;
} bw_classic_context;

static inline bw_classic_node *bw_classic_at(const bw_classic_tree *tree, uint32_t index)
{
    return bw_slab_at(&tree->nodes, index);
}

static inline uint32_t *bw_classic_children(const bw_classic_tree *tree, uint32_t block)
{
    return bw_slab_at(&tree->blocks, block);
}

/* bw_classic_nest.c: the child that an object belongs to, 0 .. ways-1, or -1: it stays. */
int bw_classic_which(const bw_classic_tree *tree, const bw_classic_node *node, const float box[6]);
/* The mean of the objects' centres, and with weight threshold each child's split point (section 2.1.6). */
void bw_classic_split_point(const bw_classic_tree *tree, const bw_classic_node *node, float out[3]);

/* bw_classic_tree.c */
bw_classic_tree bw_classic_empty(bw_nesting nesting, bool leafy, uint32_t threshold);
void bw_classic_release(bw_classic_tree *tree, const bw_allocator *allocator);
size_t bw_classic_bytes(const bw_classic_tree *tree);
/* Room for the slots of all objects in the table. */
bool bw_classic_reserve_slots(bw_classic_context *context);
bool bw_classic_reserve_items(bw_classic_context *context, bw_classic_node *node, uint32_t count);
void bw_classic_append(bw_classic_context *context, uint32_t index, const float box[6], bw_id id);
uint32_t bw_classic_take_node(bw_classic_tree *tree, uint32_t parent);
void bw_classic_give_node(bw_classic_context *context, uint32_t index);
uint32_t bw_classic_take_block(bw_classic_tree *tree);
/* Lets the next preparation find a node. */
void bw_classic_mark_work(bw_classic_tree *tree, uint32_t index);

/* bw_classic_update.c. False: no memory, nothing changed. A move cannot fail: without memory the object stays
 * in its node. */
bool bw_classic_insert(bw_classic_context *context, const float box[6], bw_id id);
/* Into an empty tree: one leaf, to be split when asked for. */
bool bw_classic_build(bw_classic_context *context, const bw_box *boxes, const bw_id *ids, uint32_t count);
void bw_classic_remove(bw_classic_context *context, uint32_t object);
void bw_classic_move(bw_classic_context *context, uint32_t object, const float box[6]);

/* bw_classic_prepare.c: splits overfull leaves that meet region (min, negated max; NULL: all) if split is
 * set, and computes marked boxes anew. Returns false where memory ran out; what was done stays. */
bool bw_classic_prepare(bw_classic_context *context, const float region[6], bool split,
                        bw_prepare_report *report);

const char *bw_classic_check(const bw_classic_tree *tree, const bw_table *table);

#endif
