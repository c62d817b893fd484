/* The point of a body nearest to a point. */
#include "base/stack.h"
#include "collide/metric.h"
#include "geom/box.h"

#include <math.h>

typedef struct near_ref {
    double bound;
    uint32_t ref;
} near_ref;

typedef struct point_query {
    const bw_metric_side *side;
    bw_vec3 point;
    bw_metric_boxes box; /* around the point */
    double limit2;
    bw_nearest best;
} point_query;

static void set_point(point_query *q)
{
    double p[3] = {q->point.x, q->point.y, q->point.z};
    q->box.count = 1;
    for (int k = 0; k < 3; k++) {
        q->box.min[k][0] = bw_float_down(p[k]);
        q->box.max[k][0] = bw_float_up(p[k]);
    }
}

/* The children within the limit, farthest first, so that a stack gives the nearest first. */
static uint32_t list_children(point_query *q, const bw_metric_boxes *boxes, near_ref out[BW_WIDTH])
{
    uint32_t count = 0;
    q->best.box_tests += boxes->count;
    for (uint32_t i = 0; i < boxes->count; i++) {
        near_ref r = {bw_metric_bound(boxes, i, &q->box, 0), boxes->child[i]};
        if (r.bound > q->limit2)
            continue;
        uint32_t at = count++;
        for (; at > 0 && out[at - 1].bound < r.bound; at--)
            out[at] = out[at - 1];
        out[at] = r;
    }
    return count;
}

static bw_result take_primitive(point_query *q, uint32_t primitive)
{
    bw_vec3 corners[3], point;
    if (!bw_metric_corners(q->side, primitive, corners))
        return BW_ERROR_RANGE;
    double d2 = bw_point_triangle_distance2(&q->point, corners, &point);
    q->best.primitive_tests++;
    if (d2 > q->limit2 || (q->best.found && d2 == q->limit2 && primitive > q->best.primitive))
        return BW_OK;
    q->limit2 = d2;
    q->best.found = true;
    q->best.primitive = primitive;
    q->best.point = point;
    q->best.distance = sqrt(d2);
    return BW_OK;
}

bw_result bw_nearest_point(const bw_body *body, const bw_vec3 *point, double max_distance,
                           const bw_allocator *allocator, bw_nearest *out)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL || point == NULL || out == NULL ||
        !(max_distance >= 0.0))
        return BW_ERROR_ARGUMENT;
    if (!isfinite(point->x) || !isfinite(point->y) || !isfinite(point->z))
        return BW_ERROR_NOT_FINITE;
    if (!bw_exact_range(point, 1) ||
        fmax(fabs(point->x), fmax(fabs(point->y), fabs(point->z))) > BW_COORDINATE_MAX)
        return BW_ERROR_RANGE;
    bw_metric_side side;
    bw_result result = bw_metric_prepare_lazily(body, &side);
    if (result != BW_OK)
        return result;
    point_query q = {.side = &side,
                     .point = *point,
                     .limit2 = max_distance > 0.0 && max_distance < 0x1p500 ? max_distance * max_distance
                                                                            : INFINITY};
    set_point(&q);
    bw_allocator hook = bw_allocator_or_heap(allocator);
    near_ref first[128], children[BW_WIDTH], *top;
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &hook);
    if (side.tree->node_count > 0)
        *(near_ref *)bw_stack_push(&stack) = (near_ref){0.0, 0};
    while (result == BW_OK && (top = bw_stack_pop(&stack)) != NULL) {
        near_ref r = *top;
        if (r.bound > q.limit2)
            continue;
        q.best.nodes_visited++;
        bw_metric_boxes boxes;
        bw_metric_children(&side, r.ref, &boxes);
        uint32_t count = list_children(&q, &boxes, children);
        if ((r.ref & BW_WIDE_LEAF) != 0) {
            while (result == BW_OK && count-- > 0)
                if (children[count].bound <= q.limit2)
                    result = take_primitive(&q, children[count].ref);
        } else if (!bw_stack_grow(&stack, count)) {
            result = BW_ERROR_MEMORY;
        } else {
            for (uint32_t i = 0; i < count; i++)
                *(near_ref *)bw_stack_push(&stack) = children[i];
        }
    }
    bw_stack_release(&stack);
    if (result == BW_OK)
        *out = q.best;
    return result;
}
