/* The primitives of a body that a region of space meets: down the tree, whole subtrees at once where they are
 * inside. */
#include "base/cancel.h"
#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "collide/region/solid.h"
#include "tree/wide/deferred.h"

#include <math.h>

typedef struct region_query {
    const bw_region_desc *desc;
    const bw_metric_side *side;
    bw_solid solid;
    bw_region_report report;
    bw_cancel *cancel;
    uint32_t until_question;
} region_query;

/* A node or leaf, with the planes that cut it. */
typedef struct region_item {
    uint32_t ref, mask;
    bool inside; /* all of it */
} region_item;

/* False when the query is to stop, with the status set. */
static bool add_hit(region_query *q, uint32_t primitive, bool inside)
{
    const bw_region_desc *desc = q->desc;
    bw_region_report *report = &q->report;
    if (desc->inside_only && !inside)
        return true;
    const uint64_t index = report->hit_count++;
    report->inside_count += inside;
    if (desc->mode == BW_COLLIDE_COUNT)
        return true;
    const bw_region_hit hit = {primitive, inside};
    if (desc->hits != NULL) {
        if (index < desc->hit_capacity)
            desc->hits[index] = hit;
        else
            report->status = BW_FULL;
    }
    if (desc->on_hit != NULL && !desc->on_hit(desc->user, &hit)) {
        report->status = BW_STOPPED;
        return false;
    }
    if (desc->mode == BW_COLLIDE_ANY)
        report->status = BW_FOUND;
    return desc->mode != BW_COLLIDE_ANY;
}

/* *stop: the query is to end. */
static bw_result test_leaf(region_query *q, const region_item *item, bool *stop)
{
    const uint32_t leaf = item->ref & ~BW_WIDE_LEAF, count = q->side->tree->leaves[leaf].count;
    bw_wide_need_leaf(q->side->tree, leaf);
    for (uint32_t i = 0; i < count && !*stop; i++) {
        const uint32_t primitive = q->side->tree->primitives[(size_t)leaf * BW_WIDTH + i];
        bw_overlap overlap = BW_OVERLAP_ALL;
        if (!item->inside) {
            bw_vec3 corners[3];
            bool exact = false;
            if (!bw_metric_corners(q->side, primitive, corners))
                return BW_ERROR_RANGE;
            overlap = bw_solid_triangle(&q->solid, corners, item->mask, &exact);
            q->report.primitive_tests++;
            q->report.exact_tests += exact;
        }
        *stop = overlap != BW_OVERLAP_NONE && !add_hit(q, primitive, overlap == BW_OVERLAP_ALL);
    }
    return BW_OK;
}

/* Pushes the children that may have a part in the region, the first last. */
static bool push_children(region_query *q, const region_item *item, bw_stack *stack)
{
    bw_metric_boxes boxes;
    bw_metric_children(q->side, item->ref, &boxes);
    q->report.nodes_visited++;
    q->report.box_tests += item->inside ? 0 : boxes.count;
    for (uint32_t i = boxes.count; i-- > 0;) {
        region_item child = {boxes.child[i], item->mask, item->inside};
        if (!item->inside) {
            const bw_overlap overlap = bw_solid_box(&q->solid, &boxes, i, &child.mask);
            if (overlap == BW_OVERLAP_NONE)
                continue;
            child.inside = overlap == BW_OVERLAP_ALL;
        }
        region_item *top = bw_stack_push(stack);
        if (top == NULL)
            return false;
        *top = child;
    }
    return true;
}

static bw_result traverse(region_query *q, const bw_allocator *allocator)
{
    region_item first[256];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    bw_result result = BW_OK;
    bool stop = q->side->tree->node_count == 0;
    region_item item = {0, q->solid.all, !q->solid.round && q->solid.all == 0};
    while (!stop && result == BW_OK) {
        if (q->cancel != NULL && !bw_cancel_step(q->cancel, &q->until_question)) {
            q->report.status = BW_STOPPED;
            break;
        }
        if ((item.ref & BW_WIDE_LEAF) != 0)
            result = test_leaf(q, &item, &stop);
        else
            result = push_children(q, &item, &stack) ? BW_OK : BW_ERROR_MEMORY;
        const region_item *next = bw_stack_pop(&stack);
        stop |= next == NULL;
        if (next != NULL)
            item = *next;
    }
    bw_stack_release(&stack);
    return result;
}

/* The body in coordinates of the region. */
static bw_result into_region(const bw_body *body, const bw_region *region, bw_transform *map, bw_body *out)
{
    *out = *body;
    if (region->pose == NULL)
        return BW_OK;
    const bw_result result = bw_transform_invert(region->pose, map);
    if (result != BW_OK)
        return result;
    if (body->pose != NULL)
        *map = bw_transform_multiply(map, body->pose);
    out->pose = map;
    return BW_OK;
}

bw_result bw_collide_region(const bw_body *body, const bw_region *region, const bw_region_desc *desc,
                            bw_region_report *report, bw_fault *fault)
{
    static const bw_region_desc defaults = {0};
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK)
        result = bw_desc_check(region);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL || region == NULL || report == NULL ||
        (unsigned)desc->mode > BW_COLLIDE_COUNT || (desc->hits == NULL && desc->hit_capacity > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_transform map;
    bw_body local;
    bw_metric_side side;
    bw_cancel cancel;
    region_query q = {
        .desc = desc, .side = &side, .cancel = bw_cancel_init(&cancel, desc->progress), .until_question = 0};
    result = bw_solid_set(region, &q.solid);
    if (result == BW_OK)
        result = into_region(body, region, &map, &local);
    if (result == BW_OK)
        result = bw_metric_prepare_lazily(&local, &side);
    if (result != BW_OK)
        return bw_fail(fault, result);
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    result = traverse(&q, &allocator);
    bw_wide_tell_visits(side.tree, q.report.nodes_visited);
    if (result == BW_OK)
        bw_report_set(report, q.report);
    return bw_fail(fault, result);
}
