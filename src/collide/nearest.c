/* The point of a body nearest to a point. The frame lies along the body's axes, so that for any rotation and
 * scale its boxes are as tight there as in the tree. */
#include "base/stack.h"
#include "collide/near_kernels.h"
#include "collide/near_query.h"
#include "collide/wide_kernels.h"
#include "collide/wide_leaf.h"
#include "geom/box.h"
#include "tree/wide_lazy.h"

#include <math.h>
#include <string.h>

typedef struct point_query {
    const bw_metric_side *side;
    const bw_near_kernels *kernels;
    bw_near_frame frame;
    bw_near_map map;
    bw_vec3 point;
    double at[3];          /* the point in the frame */
    float low[3], high[3]; /* around it */
    double limit2;         /* in the common frame */
    double limit;          /* in the frame */
    float bound;           /* its square */
    bw_nearest best;
} point_query;

static void take_limit(point_query *q)
{
    q->limit = q->limit2 < INFINITY ? bw_near_frame_limit(&q->frame, sqrt(q->limit2)) : INFINITY;
    q->bound = bw_near_up(q->limit * q->limit * (1.0 + 0x1p-20));
}

static void prepare(point_query *q, bw_simd level)
{
    const double p[3] = {q->point.x, q->point.y, q->point.z};
    bw_near_frame_set(&q->frame, q->side, NULL, p);
    bw_near_frame_align(&q->frame, q->side);
    bw_near_map_set(&q->map, &q->frame, q->side);
    bw_near_frame_point(&q->frame, p, q->at);
    for (int k = 0; k < 3; k++) {
        double error = (double)q->map.slack + 0x1p-45 * fabs(q->at[k]);
        q->low[k] = bw_float_down(q->at[k] - error);
        q->high[k] = bw_float_up(q->at[k] + error);
    }
    q->kernels = bw_near_kernels_for(bw_simd_level(level));
    take_limit(q);
}

static bw_result take_primitive(point_query *q, uint32_t primitive)
{
    bw_vec3 corners[3], point;
    if (!bw_metric_corners(q->side, primitive, corners))
        return BW_ERROR_RANGE;
    double d2 = bw_point_triangle_distance2(&q->point, corners, &point);
    if (d2 > q->limit2 || (q->best.found && d2 == q->limit2 && primitive > q->best.primitive))
        return BW_OK;
    q->limit2 = d2;
    q->best.found = true;
    q->best.primitive = primitive;
    q->best.point = point;
    q->best.distance = sqrt(d2);
    take_limit(q);
    return BW_OK;
}

/* The triangles of a leaf that may be within the limit, the nearest first. */
static bw_result visit_leaf(point_query *q, uint32_t leaf)
{
    const bw_wide *tree = q->side->tree;
    bw_wide_corners gathered;
    const bw_wide_corners *corners = &gathered;
    if (tree->corners != NULL)
        corners = &tree->corners[leaf];
    else
        bw_wide_leaf_gather(tree, q->side->mesh, leaf, &gathered);
    bw_near_leaf mapped;
    float to[3], distance2[BW_WIDTH], size = 0.0f;
    uint32_t count = tree->leaves[leaf].count;
    q->kernels->leaf(&q->map, corners, tree->primitives + leaf * (size_t)BW_WIDTH, count, &mapped);
    for (int k = 0; k < 3; k++) {
        to[k] = (float)(q->at[k] - mapped.origin[k]);
        size = fabsf(to[k]) > size ? fabsf(to[k]) : size;
    }
    q->kernels->point_triangles(&mapped, to, distance2);
    q->best.primitive_tests += count;
    size += mapped.size;
    float delta = mapped.error + q->map.slack + 0x1p-22f * size;
    for (uint32_t left = (1u << count) - 1; left != 0;) {
        uint32_t nearest = bw_wide_lowest(left);
        for (uint32_t i = nearest + 1; i < count; i++)
            if ((left >> i & 1) != 0 && distance2[i] < distance2[nearest])
                nearest = i;
        left &= ~(1u << nearest);
        if (distance2[nearest] > bw_near_cut(q->limit, size, 2.0f * mapped.size, delta))
            return BW_OK; /* as are all others */
        bw_result result = take_primitive(q, mapped.primitives[nearest]);
        if (result != BW_OK)
            return result;
    }
    return BW_OK;
}

/* The children within the limit join the stack, the farthest first. Bounds are not negative: their bits are
 * in the order of their values. */
static bw_result visit_node(point_query *q, uint32_t index, bw_stack *stack)
{
    const bw_wide_node *node = &q->side->tree->nodes[index];
    bw_near_boxes boxes;
    float bound[BW_WIDTH];
    if (stack->capacity - stack->count < BW_WIDTH && !bw_stack_grow(stack, BW_WIDTH))
        return BW_ERROR_MEMORY;
    bw_wide_need_node(q->side->tree, index);
    q->kernels->boxes(&q->map, node, &boxes);
    uint32_t mask =
        q->kernels->point_boxes(&boxes, q->low, q->high, q->bound, bound) & ((1u << node->count) - 1);
    uint64_t *top = (uint64_t *)(void *)stack->items + stack->count;
    uint32_t count = 0;
    q->best.box_tests += node->count;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t lane = bw_wide_lowest(mask), bits, at = count++;
        memcpy(&bits, &bound[lane], sizeof bits);
        uint64_t key = (uint64_t)bits << 32 | node->child[lane];
        for (; at > 0 && top[at - 1] < key; at--)
            top[at] = top[at - 1];
        top[at] = key;
    }
    stack->count += count;
    return BW_OK;
}

static bw_result descend(point_query *q, const bw_allocator *allocator)
{
    uint64_t room[128], *top;
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, allocator);
    bw_result result = BW_OK;
    *(uint64_t *)bw_stack_push(&stack) = 0;
    while (result == BW_OK && (top = bw_stack_pop(&stack)) != NULL) {
        uint32_t ref = (uint32_t)*top, bits = (uint32_t)(*top >> 32);
        float bound;
        memcpy(&bound, &bits, sizeof bound);
        if (bound > q->bound)
            continue;
        q->best.nodes_visited++;
        result = (ref & BW_WIDE_LEAF) != 0 ? visit_leaf(q, ref & ~BW_WIDE_LEAF) : visit_node(q, ref, &stack);
    }
    bw_stack_release(&stack);
    return result;
}

bw_result bw_nearest_point_at(bw_simd level, const bw_body *body, const bw_vec3 *point, double max_distance,
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
                     .best = {.primitive = BW_NONE, .distance = INFINITY},
                     .limit2 = max_distance > 0.0 && max_distance < 0x1p500 ? max_distance * max_distance
                                                                            : INFINITY};
    bw_allocator hook = bw_allocator_or_heap(allocator);
    if (side.tree->node_count > 0) {
        prepare(&q, level);
        result = descend(&q, &hook);
    }
    bw_wide_tell_visits(side.tree, q.best.nodes_visited);
    if (result == BW_OK)
        *out = q.best;
    return result;
}

bw_result bw_nearest_point(const bw_body *body, const bw_vec3 *point, double max_distance,
                           const bw_allocator *allocator, bw_nearest *out)
{
    return bw_nearest_point_at(BW_SIMD_AUTO, body, point, max_distance, allocator, out);
}
