/* The traversal that takes every ray. */
#include "collide/ray/fallback.h"

#include "base/stack.h"

#include <math.h>

typedef struct met_box {
    double enter;
    uint32_t ref;
} met_box;

/* Whether the ray meets a box up to t = limit, and from where on. Planes are moved outward by 2^-47 of what
 * was subtracted, which covers the roundings of the direction, the difference and the quotient. */
static bool meets_box(const bw_ray_state *s, const bw_metric_boxes *boxes, uint32_t lane, double *enter)
{
    const double o[3] = {s->origin->x, s->origin->y, s->origin->z};
    const double p[3] = {s->through->x, s->through->y, s->through->z};
    double in = 0.0, out = s->best.t + 0x1p-40 * s->best.t;
    for (int k = 0; k < 3; k++) {
        const double low = (double)boxes->min[k][lane], high = (double)boxes->max[k][lane], d = p[k] - o[k];
        const double margin = 0x1p-47 * (fabs(o[k]) + fmax(fabs(low), fabs(high)));
        const double below = (low - o[k]) - margin, above = (high - o[k]) + margin;
        if (d == 0.0) {
            if (below > 0.0 || above < 0.0)
                return false;
            continue;
        }
        in = fmax(in, (d > 0.0 ? below : above) / d);
        out = fmin(out, (d > 0.0 ? above : below) / d);
    }
    *enter = in;
    return in <= out;
}

/* Appends the boxes that are met, the nearest last. */
static bool push_children(bw_ray_state *s, uint32_t ref, bw_stack *stack)
{
    bw_metric_boxes boxes;
    bw_metric_children(&s->target->side, ref, &boxes);
    if (!bw_stack_grow(stack, boxes.count))
        return false;
    met_box *items = (met_box *)(void *)stack->items;
    const size_t first = stack->count;
    for (uint32_t i = 0; i < boxes.count; i++) {
        met_box met = {.ref = boxes.child[i]};
        if (!meets_box(s, &boxes, i, &met.enter))
            continue;
        size_t at = stack->count++;
        for (; at > first && items[at - 1].enter < met.enter; at--)
            items[at] = items[at - 1];
        items[at] = met;
    }
    return true;
}

static bool decide_leaf(bw_ray_state *s, int mode, uint32_t ref)
{
    bw_metric_boxes boxes;
    double enter;
    bw_metric_children(&s->target->side, ref, &boxes);
    s->leaves++;
    for (uint32_t i = 0; i < boxes.count; i++)
        if (meets_box(s, &boxes, i, &enter) && !bw_ray_decide(s, mode, boxes.child[i], false, NULL))
            return false;
    return true;
}

bw_result bw_ray_trace_any(bw_ray_state *s, int mode, const bw_allocator *allocator)
{
    met_box first[64];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    bool go_on = s->target->side.tree->node_count > 0;
    uint32_t ref = 0;
    while (go_on) {
        if ((ref & BW_WIDE_LEAF) != 0) {
            if (!decide_leaf(s, mode, ref))
                break;
        } else {
            s->nodes++;
            if (!push_children(s, ref, &stack)) {
                s->result = BW_ERROR_MEMORY;
                break;
            }
        }
        const met_box *next;
        do {
            next = bw_stack_pop(&stack);
        } while (next != NULL && next->enter > s->best.t + 0x1p-40 * s->best.t);
        go_on = next != NULL;
        ref = go_on ? next->ref : 0;
    }
    bw_stack_release(&stack);
    return s->result;
}
