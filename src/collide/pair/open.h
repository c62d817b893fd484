/* What a visit of a pair of nodes leaves for the stack: the rule which of two children are opened, and the one
 * loop that pushes them. Every traversal of two wide trees is made of it: the pair and the self query, the
 * look-ahead between keyframes and the broad phase of continuous steps differ in how they compare boxes and in
 * what they do with leaves. */
#ifndef BW_COLLIDE_PAIR_OPEN_H
#define BW_COLLIDE_PAIR_OPEN_H

#include "base/stack.h"
#include "collide/pair/kernels.h"

/* Children of a node of each tree that are still to be compared. */
typedef struct bw_wide_item {
    uint32_t a, b;        /* nodes */
    uint32_t lanes, rows; /* which children of a, of b */
} bw_wide_item;

typedef struct bw_wide_leaf_pair {
    uint32_t a, b;
} bw_wide_leaf_pair;

/* Pairs of leaves below two nodes. */
typedef struct bw_wide_leaf_visit {
    uint32_t a, b; /* nodes */
    uint64_t pairs;
} bw_wide_leaf_visit;

/* Both children of a pair are leaves. */
static inline bw_wide_leaf_pair bw_wide_leaves_at(const bw_wide_node *a, const bw_wide_node *b, uint32_t pair)
{
    return (bw_wide_leaf_pair){a->child[pair & 7] & ~BW_WIDE_LEAF, b->child[pair >> 3] & ~BW_WIDE_LEAF};
}

/* Which of two children that meet, a pair of two nodes that were visited last, are to be opened. */
typedef struct bw_wide_opening {
    bool a, b;
} bw_wide_opening;
/* Open the larger: both, but no leaf, and of two nodes not one that is much smaller than the other. */
static inline bw_wide_opening bw_wide_open_larger(uint32_t child_a, float size_a, uint32_t child_b,
                                                  float size_b)
{
    bw_wide_opening open = {(child_a & BW_WIDE_LEAF) == 0, (child_b & BW_WIDE_LEAF) == 0};
    if (open.a && open.b) {
        open.a = !(size_b > 4.0f * size_a);
        open.b = !(size_a > 4.0f * size_b);
    }
    return open;
}

/* The trees of a traversal, and the boxes of the children of the two nodes that it visits, in one frame. */
typedef struct bw_wide_visit {
    const bw_wide *a, *b;
    bool self; /* the two trees are one, and every pair of its primitives is met once */
    const float (*min_a)[BW_WIDTH], (*max_a)[BW_WIDTH], (*min_b)[BW_WIDTH], (*max_b)[BW_WIDTH];
} bw_wide_visit;

static inline float bw_wide_lane_size(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                                      uint32_t lane)
{
    return (max[0][lane] - min[0][lane]) + (max[1][lane] - min[1][lane]) + (max[2][lane] - min[2][lane]);
}

/* By the pair's number: 8 times the child of b, and the child of a. */
static inline bw_wide_opening bw_wide_opening_of(const bw_wide_visit *v, const bw_wide_item *item,
                                                 uint32_t pair)
{
    const uint32_t i = pair >> 3, j = pair & 7, a = v->a->nodes[item->a].child[j],
                   b = v->b->nodes[item->b].child[i];
    if (v->self && a == b)
        return (bw_wide_opening){(a & BW_WIDE_LEAF) == 0, (a & BW_WIDE_LEAF) == 0};
    return bw_wide_open_larger(a, bw_wide_lane_size(v->min_a, v->max_a, j), b,
                               bw_wide_lane_size(v->min_b, v->max_b, i));
}

/* Prefetches the nodes. False when memory runs out. */
static inline bool bw_wide_push(bw_stack *stack, const bw_wide *a, const bw_wide *b, bw_wide_item item)
{
    bw_wide_item *slot = bw_stack_push(stack);
    if (slot == NULL)
        return false;
    for (size_t k = 0; k < sizeof(bw_wide_node); k += 64) {
        BW_PREFETCH((const char *)&a->nodes[item.a] + k);
        BW_PREFETCH((const char *)&b->nodes[item.b] + k);
    }
    *slot = item;
    return true;
}

/* Pushes the pairs of children of a mask that are not both leaves, the first on top. Where one child is a leaf,
 * or much smaller than the other, only the larger is opened: a large child of b at once for all children of a
 * that meet it. False when memory runs out. */
static inline bool bw_wide_push_children(bw_stack *stack, const bw_wide_visit *v, const bw_wide_item *item,
                                         uint64_t mask)
{
    const bw_wide_node *a = &v->a->nodes[item->a], *b = &v->b->nodes[item->b];
    uint32_t row = BW_WIDTH, uneven = 0; /* children of a for which child `row` of b is to be opened alone */
    while (mask != 0) {
        uint32_t pair = bw_wide_highest(mask), i = pair >> 3, j = pair & 7;
        mask ^= (uint64_t)1 << pair;
        if (i != row) {
            if (uneven != 0 &&
                !bw_wide_push(stack, v->a, v->b, (bw_wide_item){item->a, b->child[row], uneven, 0xFFu}))
                return false;
            uneven = 0;
            row = i;
        }
        bw_wide_opening open = bw_wide_opening_of(v, item, pair);
        bw_wide_item next = {a->child[j], open.b ? b->child[i] : item->b, 0xFFu, open.b ? 0xFFu : 1u << i};
        if (!open.a)
            uneven |= 1u << j;
        else if (!bw_wide_push(stack, v->a, v->b, next))
            return false;
    }
    return uneven == 0 ||
           bw_wide_push(stack, v->a, v->b, (bw_wide_item){item->a, b->child[row], uneven, 0xFFu});
}

#endif
