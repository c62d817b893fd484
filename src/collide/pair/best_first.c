/* The traversal that ends at the first contact: best first. Of all pairs of children that wait, the one that
 * most likely meets is opened next, by the distance of the middles in sizes of the boxes. That measure is the
 * same at all depths, so a branch whose boxes overlap but whose surfaces do not is soon left for another.
 * Pairs are chosen one at a time from what two nodes left over: most are never looked at.
 *
 * In bodies that overlap deeply the search first dives: straight down to two leaves, by the best pair of children
 * each time, which are the only ones that are compared. Half of these queries end there.
 *
 * Where this finds nothing in so many visits there is probably no contact. Then the order matters less than
 * the time a visit takes, and the rest is walked as it comes. */
#include "collide/pair/best_first.h"
#include "base/best_first.h"
#include "collide/pair/narrow_phase.h"
#include "collide/pair/traverse.h"
#include "tree/wide/deferred.h"

enum {
    VISITS = 16,        /* of which, in bodies that overlap, */
    DIVES = 3,          /* the first are dives, of at most VISITS steps */
    UNEQUAL = 8,        /* trees of so many times as many leaves */
    FEW = 4,            /* pairs or fewer are valued one by one */
    MANY_LEAVES = 32768 /* more are not in the caches */
};

#define ALL_PAIRS UINT64_MAX
/* The distance of the middles of two bodies over their sizes, of both doubled and squared: equal cubes side by side 0.67. */
#define DEEP 0.5

/* What waits: two nodes to be visited, or, of two that were, pairs of children that are still to be chosen
 * from. */
typedef struct choice {
    bw_wide_item item;
    uint64_t pairs; /* those that count; of nodes that are to be visited they may meet or not */
    float value;    /* of the best of them */
    bool visited;
} choice;

/* A heap, the least value first. A visit adds at most FEW, a dive one for each step and one. */
typedef struct choices {
    choice items[VISITS * FEW + DIVES * (VISITS + 1)];
    uint32_t count;
} choices;

static void prefetch_item(const bw_traversal *w, const bw_wide_item *item)
{
    const char *a = (const char *)&w->a->nodes[item->a], *b = (const char *)&w->b->nodes[item->b];
    for (size_t k = 0; k < sizeof(bw_wide_node); k += 64) {
        BW_PREFETCH(a + k);
        BW_PREFETCH(b + k);
    }
}

static inline bool less(const choice *a, const choice *b)
{
    return a->value < b->value;
}

BW_BEST_FIRST(choices, choice, less)

static void put(choices *c, const choice *item)
{
    choices_put(c->items, ++c->count, *item);
}

static void drop_top(choices *c)
{
    c->count--;
    choices_replace(c->items, c->count, c->items[c->count]);
}

/* What opening a pair of children means: both, or only the larger where one is a leaf or much smaller; a
 * large child of b at once for all of a's that meet it. Takes the pairs that are dealt with from *pairs. */
static bw_wide_item open_pair(const bw_traversal *w, uint32_t node_a, uint32_t node_b, uint32_t pair,
                              uint64_t *pairs)
{
    const bw_wide_node *a = &w->a->nodes[node_a], *b = &w->b->nodes[node_b];
    uint32_t i = pair >> 3, j = pair & 7, lanes = 1u << j;
    const bw_wide_item item = {node_a, node_b, 0xFFu, 0xFFu};
    const bw_wide_visit visit = bw_traversal_visited(w, &item);
    bw_wide_opening opening = bw_wide_opening_of(&visit, &item, pair);
    if (!opening.a)
        for (uint32_t row = (uint32_t)(*pairs >> 8 * i) & 0xFFu & ~lanes; row != 0; row &= row - 1) {
            uint32_t lane = bw_wide_lowest(row);
            if (!bw_wide_opening_of(&visit, &item, 8 * i + lane).a)
                lanes |= 1u << lane;
        }
    *pairs &= ~((uint64_t)lanes << 8 * i);
    return (bw_wide_item){opening.a ? a->child[j] : node_a, opening.b ? b->child[i] : node_b,
                          opening.a ? 0xFFu : lanes, opening.b ? 0xFFu : 1u << i};
}

/* The distance of the middles of two boxes over their sizes, squared; as the kernel that compares many. */
static float value_of(const bw_wide_node *a, const bw_eight_boxes *b, uint32_t pair)
{
    uint32_t i = pair >> 3, j = pair & 7;
    float distance2 = 0.0f, size2 = 0.0f;
    for (int k = 0; k < 3; k++) {
        float d = (a->max[k][j] + a->min[k][j]) - (b->max[k][i] + b->min[k][i]);
        float size_a = a->max[k][j] - a->min[k][j], size_b = b->max[k][i] - b->min[k][i];
        distance2 += d * d;
        size2 += size_a * size_a + size_b * size_b;
    }
    float value = distance2 / size2;
    return value < BW_WIDE_WORST ? value : BW_WIDE_WORST; /* NaN too */
}

/* Pairs of children of two nodes wait from now on. */
static void put_pairs(bw_traversal *w, choices *c, const bw_wide_item *item, uint64_t pairs)
{
    const bw_wide_node *a = &w->a->nodes[item->a];
    uint64_t beyond = pairs; /* after FEW of them: no branch for each, which nobody could predict */
    for (uint32_t k = 0; k < FEW; k++)
        beyond &= beyond - 1;
    if (beyond != 0) {
        bw_wide_best_pair best = w->kernels->best_pair(a, &w->mapped.b_in_a, pairs);
        bw_wide_item opened = open_pair(w, item->a, item->b, best.pair, &pairs);
        put(c, &(choice){opened, ALL_PAIRS, best.value, false});
        if (pairs != 0)
            put(c, &(choice){*item, pairs, best.next, true});
        return;
    }
    while (pairs != 0) {
        uint32_t pair = bw_wide_lowest(pairs);
        bw_wide_item opened = open_pair(w, item->a, item->b, pair, &pairs);
        prefetch_item(w, &opened);
        put(c, &(choice){opened, ALL_PAIRS, value_of(a, &w->mapped.b_in_a, pair), false});
    }
}

/* The best of all that wait, and which of its pairs count; false when nothing does. */
static bool next_item(bw_traversal *w, choices *c, bw_wide_item *out, uint64_t *pairs)
{
    if (c->count == 0)
        return false;
    choice top = c->items[0];
    *out = top.item;
    *pairs = top.visited ? ALL_PAIRS : top.pairs;
    if (top.visited) {
        w->kernels->map(w->frame, &w->b->nodes[top.item.b], &w->mapped);
        bw_wide_best_pair best =
            w->kernels->best_pair(&w->a->nodes[top.item.a], &w->mapped.b_in_a, top.pairs);
        *out = open_pair(w, top.item.a, top.item.b, best.pair, &top.pairs);
        top.value = best.next;
    }
    if (top.visited && top.pairs != 0)
        choices_replace(c->items, c->count, top);
    else
        drop_top(c);
    return true;
}

/* The best pair first, the others in their order. Oriented boxes decide neither. */
static bool compare_leaves(bw_traversal *w, const bw_wide_item *item, uint64_t pairs)
{
    const bw_wide_node *a = &w->a->nodes[item->a], *b = &w->b->nodes[item->b];
    uint64_t left = bw_traversal_oriented(w, item, pairs);
    if ((pairs & (pairs - 1)) != 0 && left != 0) {
        uint32_t pair = w->kernels->best_pair(a, &w->mapped.b_in_a, pairs).pair;
        bool is_left = (left >> pair & 1) != 0;
        left &= ~((uint64_t)1 << pair);
        if (is_left && !bw_wide_compare_leaves(w, bw_wide_leaves_at(a, b, pair)))
            return false;
    }
    for (pairs = left; pairs != 0; pairs &= pairs - 1)
        if (!bw_wide_compare_leaves(w, bw_wide_leaves_at(a, b, bw_wide_lowest(pairs))))
            return false;
    return true;
}

static void fetch_leaves(const bw_traversal *w, const bw_wide_item *item, uint64_t pairs)
{
    const bw_wide_node *a = &w->a->nodes[item->a], *b = &w->b->nodes[item->b];
    for (; pairs != 0; pairs &= pairs - 1)
        bw_traversal_fetch_leaves(w, bw_wide_leaves_at(a, b, bw_wide_lowest(pairs)));
}

/* Whether two children overlap along the axes of a; as the kernel that compares many. */
static bool overlap(const bw_wide_node *a, const bw_eight_boxes *b, uint32_t pair)
{
    const uint32_t i = pair >> 3, j = pair & 7;
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart |= (b->min[k][i] > a->max[k][j]) | (a->min[k][j] > b->max[k][i]);
    return !apart;
}

/* Goes straight down to two leaves, by the best pair of children each time, and compares only these. The others
 * wait, unseen: most queries that find a contact never look at them. Of the first item only some pairs count. (Not
 * inlined: the search goes on faster without.) */
static __attribute__((noinline)) bool dive(bw_traversal *w, choices *c, bw_wide_item item, uint64_t pairs)
{
    for (uint32_t steps = 0; steps < VISITS; steps++) {
        const bw_wide_node *a = &w->a->nodes[item.a], *b = &w->b->nodes[item.b];
        bw_wide_need_node(w->a, item.a);
        bw_wide_need_node(w->b, item.b);
        pairs &= bw_wide_spread(item.lanes & ((1u << a->count) - 1), item.rows & ((1u << b->count) - 1));
        if (pairs == 0)
            return true;
        w->kernels->map(w->frame, b, &w->mapped);
        const bw_wide_best_pair best = w->kernels->best_pair(a, &w->mapped.b_in_a, pairs);
        w->sink->report.nodes_visited++;
        w->sink->report.box_tests++;
        if (!overlap(a, &w->mapped.b_in_a, best.pair)) {
            put(c, &(choice){item, pairs, best.value, false});
            return true;
        }
        const bw_wide_item from = item;
        const uint64_t bit = (uint64_t)1 << best.pair;
        const bool leaves = (a->child[best.pair & 7] & b->child[best.pair >> 3] & BW_WIDE_LEAF) != 0;
        if (leaves)
            pairs &= ~bit;
        else
            item = open_pair(w, from.a, from.b, best.pair, &pairs);
        if (pairs != 0)
            put(c, &(choice){from, pairs, best.next, false});
        if (leaves)
            return bw_traversal_oriented(w, &from, bit) == 0 ||
                   bw_wide_compare_leaves(w, bw_wide_leaves_at(a, b, best.pair));
        pairs = ALL_PAIRS;
    }
    put(c, &(choice){item, ALL_PAIRS, 0.0f, false});
    return true;
}

/* Whether the best pair of children is likely to meet: not of few leaves beside many, nor where bodies barely touch.
 * Oriented boxes of leaves do not decide this either. */
static bool may_dive(const bw_traversal *w)
{
    const uint64_t a = w->a->leaf_count, b = w->b->leaf_count;
    if (w->self || w->sat != NULL || a >= UNEQUAL * b || b >= UNEQUAL * a)
        return false;
    const bw_box *box_a = &w->a->bounds, *box_b = &w->b->bounds;
    double distance2 = 0, size2 = 0; /* of the middles; of both boxes, doubled */
    for (int i = 0; i < 3; i++) {
        const double *m = w->pose->map.m[i];
        double d = 2 * m[3] - ((double)box_a->min[i] + (double)box_a->max[i]),
               side = (double)box_a->max[i] - (double)box_a->min[i];
        size2 += side * side;
        for (int j = 0; j < 3; j++) {
            d += m[j] * ((double)box_b->min[j] + (double)box_b->max[j]);
            side = m[j] * ((double)box_b->max[j] - (double)box_b->min[j]);
            size2 += side * side;
        }
        distance2 += d * d;
    }
    return distance2 < DEEP * size2;
}

/* Of two nodes, the pairs that count and may meet. */
static bw_wide_meeting visit(bw_traversal *w, const bw_wide_item *item, uint64_t pairs)
{
    const bw_wide_meeting all = bw_traversal_visit(w, item);
    return (bw_wide_meeting){all.leaves & pairs, all.others & pairs};
}

/* Looks at what item names, then at the best that waits, and so on. Leaves come from afar where there are
 * many: while they do, the pairs of nodes are sorted in, and while they are compared the next two nodes come.
 */
static bool run(bw_traversal *w, choices *c, bw_wide_item item)
{
    const bool far = w->a->leaf_count > MANY_LEAVES || w->b->leaf_count > MANY_LEAVES;
    const uint32_t dives = may_dive(w) ? DIVES : 0;
    uint32_t visits = 0;
    uint64_t pairs = ALL_PAIRS;
    do {
        if (visits < dives) {
            if (!dive(w, c, item, pairs))
                return false;
            continue;
        }
        bw_wide_meeting meeting = visit(w, &item, pairs);
        if (far && meeting.leaves != 0)
            fetch_leaves(w, &item, meeting.leaves);
        if (meeting.others != 0)
            put_pairs(w, c, &item, meeting.others);
        if (meeting.leaves == 0)
            continue;
        if (far && c->count > 0 && !c->items[0].visited)
            prefetch_item(w, &c->items[0].item);
        if (!compare_leaves(w, &item, meeting.leaves))
            return false;
    } while (++visits < VISITS && next_item(w, c, &item, &pairs));
    return true;
}

/* Leaves what still waits to the stack, the best on top. */
static bool hand_over(bw_traversal *w, choices *c)
{
    uint32_t count = c->count;
    while (c->count > 0) { /* the least is taken off and goes to the place that this frees */
        choice top = c->items[0];
        drop_top(c);
        c->items[c->count] = top;
    }
    for (uint32_t k = 0; k < count; k++) {
        const choice *waits = &c->items[k];
        if (!waits->visited && waits->pairs == ALL_PAIRS) {
            if (!bw_traversal_push(w, &waits->item))
                return false;
            continue;
        }
        bw_wide_meeting meeting = {0, waits->pairs};
        if (waits->visited)
            w->kernels->map(w->frame, &w->b->nodes[waits->item.b], &w->mapped);
        else
            meeting = visit(w, &waits->item, waits->pairs);
        if ((meeting.leaves != 0 && !bw_traversal_leaves(w, &waits->item, meeting.leaves)) ||
            (meeting.others != 0 && !bw_traversal_nodes(w, &waits->item, meeting.others)))
            return false;
    }
    return true;
}

bool bw_traversal_best_first(bw_traversal *w)
{
    const bw_wide_item *top = bw_stack_pop(&w->stack);
    choices c;
    c.count = 0;
    return top == NULL || (run(w, &c, *top) && hand_over(w, &c));
}
