/* Boxes and positions that are written when somebody first looks at them, for trees whose boxes at a time are
 * known without touching all of them (kinetic trees).
 *
 * Queries that ask for every node and leaf before they read it (bw_wide_need_node, bw_wide_need_leaf) take
 * such trees as they are. Everybody else meets bw_tree_accepts first, which writes all that is missing.
 *
 * Several threads may query at once. Every node, and every block of vertices, has a number: that of the
 * present time where it is written, one less while a thread writes it, anything else before. The thread that
 * changes the number to "being written" writes; others that want the same wait for it, which takes as long as
 * writing eight boxes. Writing a node never waits for a node, nor writing a block for anything. */
#ifndef BW_TREE_WIDE_DEFERRED_H
#define BW_TREE_WIDE_DEFERRED_H

#include "tree/wide/wide.h"

#include <stdatomic.h>

enum { BW_DEFERRED_BLOCK = 32 }; /* vertices: whole cache lines */

/* Where everything will be: from now until a time all vertices and boxes move on straight lines, from where
 * they are now to where they are then, or no farther from these than `bend`. */
typedef struct bw_wide_course {
    bool known;
    double now, until;
    bw_mesh end; /* the mesh at that time */
    float bend;  /* 0: straight */
    bool stored; /* positions are stored ones, or between two: off by no more than a rounding of theirs */
    /* The boxes of a node at that time. In between the boxes hold all that is below them. */
    void (*end_boxes)(void *user, uint32_t node, bw_eight_boxes *out);
    uint64_t edition; /* another one after every change of plans or primitives: what was found of the course
                         under this number holds */
} bw_wide_course;

struct bw_wide_deferred {
    void (*write_node)(void *user, uint32_t node);   /* the boxes of its lanes */
    void (*write_block)(void *user, uint32_t block); /* the positions of BW_DEFERRED_BLOCK vertices */
    void *user;
    _Atomic uint32_t *nodes, *blocks; /* the numbers; blocks NULL (and none counted): all are written */
    uint32_t node_count, block_count;
    uint32_t nodes_now, blocks_now; /* the numbers of what is written; even, and never 0 */
    bool all_blocks;                /* every block is written */
    bool counts;                    /* queries may count, too: */
    /* What they tell the tree's owner, in sums that do not depend on their order: */
    _Atomic uint64_t visits; /* nodes looked at, as they report it, */
    _Atomic uint64_t cached; /* and the price, in nanoseconds, of answers from a bw_pair_cache */
    bw_wide_course course;
};

/* Slow paths: waits, or writes. */
void bw_wide_deferred_node(struct bw_wide_deferred *lazy, uint32_t node);
void bw_wide_deferred_block(struct bw_wide_deferred *lazy, uint32_t block);
void bw_wide_deferred_leaf(const bw_wide *wide, uint32_t leaf);
/* Writes all that is missing; nothing for other trees. */
void bw_wide_complete(const bw_wide *wide);

/* Nothing is written any more. */
void bw_wide_deferred_forget(_Atomic uint32_t *numbers, uint32_t count, uint32_t *now);
/* How many are written. */
uint32_t bw_wide_deferred_written(const _Atomic uint32_t *numbers, uint32_t count, uint32_t now);

/* Before the boxes of a node are read. */
static inline void bw_wide_need_node(const bw_wide *wide, uint32_t node)
{
    struct bw_wide_deferred *lazy = wide->lazy;
    if (lazy != NULL && atomic_load_explicit(&lazy->nodes[node], memory_order_acquire) != lazy->nodes_now)
        bw_wide_deferred_node(lazy, node);
}

/* Before the vertices of a leaf are read. */
static inline void bw_wide_need_leaf(const bw_wide *wide, uint32_t leaf)
{
    if (wide->lazy != NULL && wide->lazy->blocks != NULL && !wide->lazy->all_blocks)
        bw_wide_deferred_leaf(wide, leaf);
}

/* Before a vertex is read. */
static inline void bw_wide_need_vertex(const bw_wide *wide, uint32_t vertex)
{
    struct bw_wide_deferred *lazy = wide->lazy;
    if (lazy != NULL && lazy->blocks != NULL && !lazy->all_blocks &&
        atomic_load_explicit(&lazy->blocks[vertex / BW_DEFERRED_BLOCK], memory_order_acquire) !=
            lazy->blocks_now)
        bw_wide_deferred_block(lazy, vertex / BW_DEFERRED_BLOCK);
}

/* At the end of a query. */
static inline void bw_wide_tell_visits(const bw_wide *wide, uint64_t nodes)
{
    if (wide->lazy != NULL && wide->lazy->counts)
        atomic_fetch_add_explicit(&wide->lazy->visits, nodes, memory_order_relaxed);
}

#endif
