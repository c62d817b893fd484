/* The traversal of two trees by distance, nearest pairs first. */
#include "collide/distance/traverse.h"

#include "collide/distance/distance.h"
#include "tree/wide/deferred.h"

#include <math.h>
#include <string.h>

enum { BW_DISTANCE_PROGRESS = 64 };

/* What a pair of children (lane of a, row of b above it) is: leaves, nodes, or one that is kept while the
 * other is unfolded. */
static bw_distance_item child_pair(const bw_distance_state *w, const bw_distance_item *parent, uint32_t bit,
                                   float bound)
{
    const bw_wide *a = w->a.side->tree, *b = w->b.side->tree;
    uint32_t lane = bit & 7, row = bit >> 3;
    uint32_t child_a = a->nodes[parent->a].child[lane], child_b = b->nodes[parent->b].child[row];
    bool leaf_a = (child_a & BW_WIDE_LEAF) != 0, leaf_b = (child_b & BW_WIDE_LEAF) != 0;
    if (leaf_a && leaf_b)
        return (bw_distance_item){bound, child_a & ~BW_WIDE_LEAF, child_b & ~BW_WIDE_LEAF, 0, 0};
    bw_distance_item out = {bound, parent->a, parent->b, (uint8_t)(1u << lane), (uint8_t)(1u << row)};
    if (!leaf_a) {
        out.a = child_a;
        out.lanes = (uint8_t)((1u << a->nodes[child_a].count) - 1);
    }
    if (!leaf_b) {
        out.b = child_b;
        out.rows = (uint8_t)((1u << b->nodes[child_b].count) - 1);
    }
    return out;
}

static uint64_t bound_children(bw_distance_state *w, const bw_distance_item *p,
                               float bound[BW_WIDTH * BW_WIDTH])
{
    const bw_distance_boxes *a = bw_distance_boxes_of(w, &w->a, p->a),
                            *b = bw_distance_boxes_of(w, &w->b, p->b);
    w->query->nodes_visited++;
    w->query->box_tests += (uint64_t)bw_wide_bits(p->lanes) * bw_wide_bits(p->rows);
    return w->kernels->pairs(a, p->lanes, b, p->rows, w->limit2, bound);
}

/* Whether the pairs are most of those that their two sets of children make. */
static bool is_dense(uint64_t mask)
{
    uint32_t lanes = 0, rows = 0, pairs = 0;
    for (; mask != 0; mask >>= 8) {
        uint32_t row = (uint32_t)mask & 0xFFu;
        lanes |= row;
        rows += row != 0;
        pairs += bw_wide_bits(row);
    }
    return pairs > 1 && 2 * pairs >= rows * bw_wide_bits(lanes);
}

static bool push_children(bw_distance_state *w, const bw_distance_item *p)
{
    float bound[BW_WIDTH * BW_WIDTH];
    uint64_t sorted[BW_WIDTH * BW_WIDTH], mask = bound_children(w, p, bound);
    if (w->query->nearest && is_dense(mask)) {
        bool done, go_on = bw_distance_group(w, p, mask, &done);
        if (done || !go_on)
            return go_on;
    }
    uint32_t count = bw_distance_sort(mask, bound, sorted);
    if (w->stack.capacity - w->stack.count < count && !bw_stack_grow(&w->stack, count)) {
        w->query->result = BW_ERROR_MEMORY;
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bit = (uint32_t)sorted[i] & 63;
        *(bw_distance_item *)bw_stack_push(&w->stack) = child_pair(w, p, bit, bound[bit]);
    }
    return true;
}

bool bw_distance_may_continue(bw_distance_state *w)
{
    if (w->query->progress.go_on == NULL || --w->until_progress > 0)
        return true;
    w->until_progress = BW_DISTANCE_PROGRESS;
    w->query->cancelled = !w->query->progress.go_on(w->query->progress.user);
    return !w->query->cancelled;
}

/* How far two boxes are from each other, squared and doubled, once both are drawn in to a quarter of their size:
 * between what is possible, by which large boxes always seem near, and what is likely, by their middles. */
static float guess2(const bw_distance_boxes *a, const bw_distance_boxes *b, uint32_t pair)
{
    const uint32_t lane = pair & 7, row = pair >> 3;
    float sum = 0.0f;
    for (int k = 0; k < 3; k++) {
        const float d = (a->low[k][lane] + a->high[k][lane]) - (b->low[k][row] + b->high[k][row]);
        const float size = (a->high[k][lane] - a->low[k][lane]) + (b->high[k][row] - b->low[k][row]);
        float gap = (d < 0.0f ? -d : d) - 0.25f * size;
        gap = gap > 0.0f ? gap : 0.0f;
        sum += gap * gap;
    }
    return sum;
}

/* From the top straight down to two leaves, by children that are likely the nearest. The start may have been led to a
 * part of a body that faces the other one but is not the nearest. False when the walk ends. */
static bool dive(bw_distance_state *w, bw_distance_item p)
{
    float bound[BW_WIDTH * BW_WIDTH];
    while ((p.lanes | p.rows) != 0) {
        const uint64_t mask = bound_children(w, &p, bound);
        if (mask == 0)
            return true;
        const bw_distance_boxes *a = bw_distance_boxes_of(w, &w->a, p.a),
                                *b = bw_distance_boxes_of(w, &w->b, p.b);
        uint32_t best = bw_wide_lowest(mask);
        float least = guess2(a, b, best);
        for (uint64_t left = mask & (mask - 1); left != 0; left &= left - 1) {
            const uint32_t pair = bw_wide_lowest(left);
            const float value = guess2(a, b, pair);
            best = value < least ? pair : best;
            least = value < least ? value : least;
        }
        p = child_pair(w, &p, best, bound[best]);
    }
    return bw_distance_compare(w, p.a, p.b);
}

static void run(bw_distance_state *w, bw_distance_item root)
{
    if (w->query->nearest && !(bw_distance_seed(w) && dive(w, root)))
        return;
    *(bw_distance_item *)bw_stack_push(&w->stack) = root;
    bw_distance_item *top;
    while ((top = bw_stack_pop(&w->stack)) != NULL) {
        bw_distance_item p = *top;
        if (p.bound > w->limit2)
            continue;
        bool go_on = (p.lanes | p.rows) == 0 ? bw_distance_compare(w, p.a, p.b) : push_children(w, &p);
        if (!go_on || !bw_distance_may_continue(w))
            return;
    }
}

bw_result bw_distance_traverse(const bw_metric_side *a, const bw_metric_side *b, bw_simd level,
                               const bw_allocator *allocator, bw_distance_query *query)
{
    if (a->tree->node_count == 0 || b->tree->node_count == 0)
        return BW_OK;
    bw_distance_state w;
    w.query = query;
    w.level = bw_simd_level(level);
    w.kernels = bw_distance_kernels_for(w.level);
    w.turn = 0;
    w.last.valid = false;
    w.known2 = NAN;
    w.a.side = a;
    w.b.side = b;
    w.until_progress = BW_DISTANCE_PROGRESS;
    w.stack = bw_stack_over(w.room, sizeof w.room, sizeof *w.room, allocator);
    memset(w.compared, 0, sizeof w.compared);
    memset(w.a.node, 0, sizeof w.a.node);
    memset(w.a.leaf, 0, sizeof w.a.leaf);
    memset(w.b.node, 0, sizeof w.b.node);
    memset(w.b.leaf, 0, sizeof w.b.leaf);
    bw_distance_frame_set(&w.frame, a, b, NULL);
    if (query->nearest)
        bw_distance_frame_toward(&w.frame, b);
    else
        bw_distance_frame_align(&w.frame, a);
    bw_distance_take_frame(&w);
    bw_distance_take_limit(&w);
    bw_distance_item root = {0.0f, 0, 0, (uint8_t)((1u << a->tree->nodes[0].count) - 1),
                             (uint8_t)((1u << b->tree->nodes[0].count) - 1)};
    run(&w, root);
    if (query->witness != NULL)
        *query->witness = w.last;
    bw_stack_release(&w.stack);
    bw_wide_tell_visits(a->tree, query->nodes_visited);
    bw_wide_tell_visits(b->tree, query->nodes_visited);
    return query->result;
}
