/* The dynamic AABB tree of Shagam, "Dynamic Spatial Partitioning for Real-Time Visibility Determination",
 * complete, in flat arrays instead of pointers and sets. Nodes have any number of children and objects of
 * their own; a nesting heuristic says which child an object belongs to, or that it stays.
 *
 * Splits are lazy: a leaf above the threshold is split when bw_shagam_prepare comes by, never in a query.
 * Until then it is read as a whole, so answers do not depend on it. Boxes grow at once and are marked where
 * they may shrink.
 *
 * Differences from the paper's listing, where that contradicts its text: the split point is the mean of the
 * centres (the listing adds the radius), and the volume of an object is that of its box (the listing drops
 * two powers of the radius). */
#ifndef BW_SCENE_SHAGAM_SHAGAM_H
#define BW_SCENE_SHAGAM_SHAGAM_H

#include "scene/kind.h"

#define BW_SHAGAM_NONE UINT32_MAX
#define BW_SHAGAM_FREE (UINT32_MAX - 1)

typedef struct bw_shagam_node {
    uint32_t block;  /* of children, or BW_SHAGAM_NONE; the pool's link while free */
    uint32_t parent; /* BW_SHAGAM_NONE for the root, BW_SHAGAM_FREE while in the pool's list */
    uint32_t count, capacity;
    float (*boxes)[6]; /* min, negated max; capacity of them, then the ids, in one allocation */
    bw_id *ids;
    float box[6]; /* holds everything below */
    float split[3];
    uint8_t nesting; /* index into bw_shagam_ways: how it is split, or will be */
    uint8_t axis;    /* K-D and ternary: across which the split goes */
    bool leafy;      /* objects of at least 1/8 of the volume go down, too */
    bool is_split;   /* may be so without children: all went into one, and were taken back */
    bool stale;      /* the box may be too large */
    bool work_below; /* something below is stale or overfull */
} bw_shagam_node;

enum { BW_SHAGAM_NESTINGS = 4 };

typedef struct bw_shagam_tree {
    bw_scene_tree base;
    bw_slab nodes;
    bw_slab blocks[BW_SHAGAM_NESTINGS]; /* of children, by nesting */
    uint32_t *slots;                    /* by object: where in its node's arrays; the table has the node */
    uint32_t slot_capacity;
    uint8_t nesting;
    bool leafy, per_node; /* per_node: each node has its own nesting and leafy */
    uint32_t threshold;
    uint32_t root;     /* BW_SHAGAM_NONE: no objects */
    size_t item_bytes; /* held by the nodes' arrays */
} bw_shagam_tree;

/* Children of a node: K-D, ternary, octree, icoseptree. */
static inline uint32_t bw_shagam_ways(const bw_shagam_node *node)
{
    static const uint8_t ways[BW_SHAGAM_NESTINGS] = {2, 3, 8, 27};
    return ways[node->nesting];
}

static inline bw_shagam_node *bw_shagam_at(const bw_shagam_tree *tree, uint32_t index)
{
    return bw_slab_at(&tree->nodes, index);
}

static inline uint32_t *bw_shagam_children(const bw_shagam_tree *tree, const bw_shagam_node *node)
{
    return bw_slab_at(&tree->blocks[node->nesting], node->block);
}

/* nesting.c: the child that an object belongs to, 0 .. ways-1, or -1: it stays. */
int bw_shagam_which(const bw_shagam_node *node, const float box[6]);
/* The mean of the objects' centres, and with weight threshold each child's split point (section 2.1.6). */
void bw_shagam_split_point(const bw_shagam_tree *tree, const bw_shagam_node *node, float out[3]);

/* choose.c: chooses how a leaf that is about to be split, and has its split point, nests. */
void bw_shagam_choose(const bw_shagam_tree *tree, bw_shagam_node *node);

/* tree.c */
void bw_shagam_init(bw_scene_tree *base, bw_nesting nesting, bool leafy, uint32_t threshold);
void bw_shagam_clear(bw_scene_tree *base);
size_t bw_shagam_bytes(const bw_shagam_tree *tree);
/* Room for the slots of all objects in the table. */
bool bw_shagam_reserve_slots(bw_shagam_tree *tree);
bool bw_shagam_reserve_items(bw_shagam_tree *tree, bw_shagam_node *node, uint32_t count);
/* Gives memory back where count objects need less; the old arrays serve if no smaller ones can be had. */
void bw_shagam_shrink_items(bw_shagam_tree *tree, bw_shagam_node *node, uint32_t count);
/* A node without arrays takes over those of another. */
void bw_shagam_hand_items(const bw_shagam_node *from, bw_shagam_node *to);
void bw_shagam_release_items(bw_shagam_tree *tree, bw_shagam_node *node);
void bw_shagam_append(bw_shagam_tree *tree, uint32_t index, const float box[6], bw_id id);
uint32_t bw_shagam_take_node(bw_shagam_tree *tree, uint32_t parent);
void bw_shagam_give_node(bw_shagam_tree *tree, uint32_t index);
/* Gives a split node its block of children, none yet. Only after a reservation. */
void bw_shagam_take_block(bw_shagam_tree *tree, bw_shagam_node *node);

/* Lets the next preparation find a node. */
void bw_shagam_mark_work(bw_shagam_tree *tree, uint32_t index);

/* update.c. False: no memory, nothing changed. A move cannot fail: without memory the object stays
 * in its node. */
bool bw_shagam_insert(bw_scene_tree *base, const float box[6], bw_id id);
/* Into an empty tree: one leaf, to be split later. */
bool bw_shagam_build(bw_scene_tree *base, const bw_box *boxes, bw_id_list ids, uint32_t count);
void bw_shagam_remove(bw_scene_tree *base, uint32_t object);
void bw_shagam_move(bw_scene_tree *base, bw_id id, const bw_box *box);

/* prepare.c: splits overfull leaves that meet region (min, negated max; NULL: all) if split is
 * set, and computes marked boxes. Returns false where memory ran out; what was done stays. */
bool bw_shagam_prepare(bw_shagam_tree *tree, const float region[6], bool split, bw_prepare_report *report);

const char *bw_shagam_check(const bw_scene_tree *base);

#endif
