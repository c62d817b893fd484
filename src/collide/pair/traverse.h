/* The traversal behind the pair query and the self query of wide trees: what it knows, and its two halves.
 * The upper half (collide/pair/traverse.c) compares nodes, eight children with eight; the lower
 * (collide/pair/narrow_phase.c) compares leaves and decides pairs of triangles. */
#ifndef BW_COLLIDE_PAIR_TRAVERSE_H
#define BW_COLLIDE_PAIR_TRAVERSE_H

#include "collide/pair/leaf_cache.h"
#include "collide/pair/open.h"
#include "collide/pair/pair.h"
#include "collide/pair/sat.h"
#include "collide/self/rings.h"

enum {
    BW_WIDE_STACK = 4096 / sizeof(bw_wide_item),
    BW_WIDE_WAITING = 64,
    BW_WIDE_VISITS = 32,
    BW_WIDE_HITS = 128
};

typedef struct bw_traversal {
    const bw_wide *a, *b;
    const bw_mesh *mesh_a, *mesh_b;
    const bw_relative_pose *pose;
    const bw_wide_kernels *kernels;
    const bw_error_bounds *frame;
    const bw_sat *sat; /* NULL: the six axes of the kernels suffice */
    bw_hit_sink *sink;
    bool self;               /* the two trees are one, and every pair of its primitives is met once */
    bool any_hit;            /* mode ANY: best first, and no pair waits for others */
    bool coarse_a, coarse_b; /* few large leaves of one meet many small ones of the other */
    bw_result result;
    bw_stack stack;
    bw_wide_mapped mapped;
    const bw_leaf_obb_frame *obbs;             /* NULL: no oriented boxes of leaves */
    bw_wide_leaf_visit visits[BW_WIDE_VISITS]; /* leaves that wait while their memory is fetched */
    uint32_t waiting_visits, waiting_pairs;
    bw_wide_leaf_pair last; /* the last pair of leaves compared */
    bw_wide_batch batch;
    /* Contacts that are certain wait for the sink, which may call for each, where gathers is set; whoever sets
     * it calls bw_traversal_deliver in the end. */
    bool gathers;
    uint32_t hit_count;
    bw_hit hits[BW_WIDE_HITS];
    bw_wide_leaf_cache leaves_a, leaves_b; /* one mesh: what is even, what is odd */
    /* One mesh: its fans are looked at once so many pairs of triangles were tested. */
    uint64_t fans_after;
    struct bw_fan_store *fans;
    /* One mesh: which neighbours are left out, and whether where they meet, too; NULL: none. */
    const bw_rings *rings;
    bool rings_hide_contacts;
    bw_ring_sets ring_sets;
    bw_wide_item room[BW_WIDE_STACK];
    bw_leaf_obb_mapped obbs_b; /* of the last node of b that needed them */
} bw_traversal;

/* What all walks of a query share. */
typedef struct bw_wide_plan {
    const bw_wide_side *a, *b;
    const bw_relative_pose *pose;
    const bw_wide_kernels *kernels;
    bw_error_bounds frame;
    bool self, use_sat, use_obbs;
    bw_sat sat;
    bw_leaf_obb_frame obbs;
    bw_allocator allocator;
    struct bw_fan_store *fans; /* one mesh only */
    const uint32_t *keys;      /* by vertex (collide/self/fans.h); NULL: none, or found on the way */
    const bw_rings *rings;     /* one mesh only; NULL: none */
    bool rings_hide_contacts;
    bw_wide_item root; /* where a walk begins */
} bw_wide_plan;

void bw_traversal_init(bw_traversal *walk, const bw_wide_plan *plan, bw_hit_sink *sink);
void bw_traversal_release(bw_traversal *walk);
/* Gives the contacts that wait to the sink. False when the query ends. */
bool bw_traversal_deliver(bw_traversal *walk);

/* Each is false when the query ends: by the sink's wish, or for walk->result. */

bool bw_traversal_push(bw_traversal *walk, const bw_wide_item *item);
/* Empties the stack, and decides every pair that waits. */
bool bw_traversal_run(bw_traversal *walk);
/* The same in two steps, of which the first may be taken again and again. */
bool bw_traversal_descend(bw_traversal *walk);
bool bw_traversal_finish(bw_traversal *walk);
/* The pairs of children of two nodes that may meet, with the counts of one visit. */
bw_wide_meeting bw_traversal_visit(bw_traversal *walk, const bw_wide_item *item);
/* Of the pairs of children that a visit found, bits of a mask that is not empty, the one whose boxes' middles
 * are nearest to each other; a is the node of the visit. */
uint32_t bw_traversal_nearest(const bw_traversal *walk, const bw_wide_node *a, uint64_t mask);
/* Of pairs of leaves that a visit found, those that their oriented boxes, where both trees have them, do not
 * prove apart. */
uint64_t bw_traversal_compare_obbs(bw_traversal *walk, const bw_wide_item *item, uint64_t leaves);
static inline uint64_t bw_traversal_oriented(bw_traversal *walk, const bw_wide_item *item, uint64_t leaves)
{
    return walk->obbs == NULL || leaves == 0 ? leaves : bw_traversal_compare_obbs(walk, item, leaves);
}
/* Asks for the memory of two leaves. */
void bw_traversal_fetch_leaves(const bw_traversal *walk, bw_wide_leaf_pair pair);
/* Takes up what a visit found: leaves wait to be compared, nodes go to the stack, the first on top. */
bool bw_traversal_leaves(bw_traversal *walk, const bw_wide_item *item, uint64_t leaves);
bool bw_traversal_nodes(bw_traversal *walk, const bw_wide_item *item, uint64_t others);

/* The visit of two nodes, after which the boxes of b are mapped. */
static inline bw_wide_visit bw_traversal_visited(const bw_traversal *walk, const bw_wide_item *item)
{
    const bw_wide_node *a = &walk->a->nodes[item->a];
    const bw_eight_boxes *b = &walk->mapped.b_in_a;
    return (bw_wide_visit){walk->a, walk->b, walk->self, a->min, a->max, b->min, b->max};
}

/* One mesh: where a leaf, or the leaves below a node, are at hand, or will be. */
static inline bw_wide_leaf_cache *bw_wide_own_cache(bw_traversal *walk, uint32_t number)
{
    /* By a product: which it is cannot be foreseen. */
    const size_t apart = offsetof(bw_traversal, leaves_b) - offsetof(bw_traversal, leaves_a);
    return (bw_wide_leaf_cache *)(void *)((char *)walk + offsetof(bw_traversal, leaves_a) +
                                          (number & 1) * apart);
}

#endif
