#include "collide/ray.h"

#include "base/stack.h"
#include "geom/predicates.h"
#include "geom/vec.h"
#include "tree/wide_lazy.h"

#include <math.h>

typedef struct ray_ref {
    double near; /* where the ray enters the box, or less */
    uint32_t ref;
} ray_ref;

/* Where the ray o + t d is within each box: t_near <= t <= t_far, empty where t_near > t_far.
 * d is the rounded difference of two points and each bound takes three more roundings, so a computed t is off
 * by less than a relative 2^-50; t_near is lowered and t_far raised by more than that, and by a trifle
 * against underflow. By so much more that t_near is below the computed t of every contact in the box too: no
 * limit on t then depends on how the primitives are spread over boxes. */
static void clip(const bw_metric_boxes *boxes, const double o[3], const double d[3], double near[BW_WIDTH],
                 double far[BW_WIDTH])
{
    for (int i = 0; i < BW_WIDTH; i++) {
        near[i] = 0.0;
        far[i] = INFINITY;
    }
    for (int k = 0; k < 3; k++) {
        const float *min = boxes->min[k], *max = boxes->max[k];
        if (d[k] == 0.0) {
            for (int i = 0; i < BW_WIDTH; i++)
                far[i] = (double)min[i] <= o[k] && o[k] <= (double)max[i] ? far[i] : -1.0;
            continue;
        }
        const float *first = d[k] > 0.0 ? min : max, *last = d[k] > 0.0 ? max : min;
        for (int i = 0; i < BW_WIDTH; i++) {
            double enter = ((double)first[i] - o[k]) / d[k], leave = ((double)last[i] - o[k]) / d[k];
            enter -= fabs(enter) * 0x1p-40 + 0x1p-1000;
            leave += fabs(leave) * 0x1p-40 + 0x1p-1000;
            near[i] = enter > near[i] ? enter : near[i];
            far[i] = leave < far[i] ? leave : far[i];
        }
    }
}

/* The children that the ray meets within the limit, the farthest first, so that a stack gives the nearest
 * first. */
static uint32_t list_children(bw_ray_query *q, const bw_metric_boxes *boxes, const double o[3],
                              const double d[3], ray_ref out[BW_WIDTH])
{
    double near[BW_WIDTH], far[BW_WIDTH];
    clip(boxes, o, d, near, far);
    q->box_tests += boxes->count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < boxes->count; i++) {
        if (near[i] > far[i] || near[i] > q->limit)
            continue;
        uint32_t at = count++;
        for (; at > 0 && out[at - 1].near < near[i]; at--)
            out[at] = out[at - 1];
        out[at] = (ray_ref){near[i], boxes->child[i]};
    }
    return count;
}

/* The sign of u . (v x w) if floating point is sure of it, else 0: the filter of bw_orient3d. */
static int sure_sign(bw_vec3 u, bw_vec3 v, bw_vec3 w)
{
    double vywz = v.y * w.z, vzwy = v.z * w.y, vzwx = v.z * w.x, vxwz = v.x * w.z, vxwy = v.x * w.y,
           vywx = v.y * w.x;
    double det = u.x * (vywz - vzwy) + u.y * (vzwx - vxwz) + u.z * (vxwy - vywx);
    double permanent = fabs(u.x) * (fabs(vywz) + fabs(vzwy)) + fabs(u.y) * (fabs(vzwx) + fabs(vxwz)) +
                       fabs(u.z) * (fabs(vxwy) + fabs(vywx));
    if (fabs(det) > BW_ORIENT3D_ERROR * permanent && permanent >= BW_PERMANENT_MIN)
        return det > 0 ? 1 : -1;
    return 0;
}

/* Whether the ray's line certainly passes the triangle by: it does if it passes two edges on different sides.
 */
static bool surely_misses(const bw_ray_query *q, bw_vec3 d, const bw_vec3 corners[3])
{
    bw_vec3 a = bw_vec3_sub(corners[0], q->origin), b = bw_vec3_sub(corners[1], q->origin),
            c = bw_vec3_sub(corners[2], q->origin);
    int ab = sure_sign(d, a, b), bc = sure_sign(d, b, c);
    if (ab * bc < 0)
        return true;
    int ca = sure_sign(d, c, a);
    return ab * ca < 0 || bc * ca < 0;
}

/* False when the walk ends, by the visitor's wish or for *result. */
static bool take_primitive(bw_ray_query *q, const bw_metric_side *side, bw_vec3 d, uint32_t primitive,
                           bw_result *result)
{
    bw_vec3 corners[3];
    bool in_range = bw_metric_corners(side, primitive, corners);
    q->primitive_tests++;
    if (surely_misses(q, d, corners))
        return true;
    if (!in_range) {
        *result = BW_ERROR_RANGE;
        return false;
    }
    bw_ray_hit hit = {.primitive = primitive};
    hit.kind = bw_ray_triangle(&q->origin, &q->through, corners, &hit.t);
    if (hit.kind == BW_CONTACT_NONE || hit.t > q->limit)
        return true;
    return q->visit(q, &hit, corners);
}

bw_result bw_ray_walk(const bw_metric_side *side, const bw_allocator *allocator, bw_ray_query *q)
{
    bw_vec3 d = bw_vec3_sub(q->through, q->origin);
    double o[3] = {q->origin.x, q->origin.y, q->origin.z}, along[3] = {d.x, d.y, d.z};
    ray_ref first[128], children[BW_WIDTH], *top;
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    if (side->tree->node_count > 0)
        *(ray_ref *)bw_stack_push(&stack) = (ray_ref){0.0, 0};
    bw_result result = BW_OK;
    bool go_on = true;
    while (go_on && (top = bw_stack_pop(&stack)) != NULL) {
        ray_ref r = *top;
        if (r.near > q->limit)
            continue;
        q->nodes_visited++;
        if ((r.ref & BW_WIDE_LEAF) != 0) {
            const uint32_t leaf = r.ref & ~BW_WIDE_LEAF;
            bw_wide_need_leaf(side->tree, leaf);
            for (uint32_t i = 0; i < side->tree->leaves[leaf].count && go_on; i++)
                go_on =
                    take_primitive(q, side, d, side->tree->primitives[(size_t)leaf * BW_WIDTH + i], &result);
            continue;
        }
        bw_metric_boxes boxes;
        bw_metric_children(side, r.ref, &boxes);
        uint32_t count = list_children(q, &boxes, o, along, children);
        if (!bw_stack_grow(&stack, count)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        for (uint32_t i = 0; i < count; i++)
            *(ray_ref *)bw_stack_push(&stack) = children[i];
    }
    bw_stack_release(&stack);
    return result;
}

typedef struct cast_query {
    bw_ray_query base; /* first, so that a pointer to it is one to the whole */
    const bw_ray_desc *desc;
    bw_ray_report report;
} cast_query;

static bool take_hit(bw_ray_query *base, const bw_ray_hit *hit, const bw_vec3 corners[3])
{
    (void)corners;
    cast_query *q = (cast_query *)base;
    if (q->desc->mode == BW_RAY_ALL) {
        q->report.hits++;
        return q->desc->on_hit == NULL || q->desc->on_hit(q->desc->user, hit);
    }
    bool first = q->report.hits == 0;
    if (first || hit->t < q->report.hit.t ||
        (hit->t == q->report.hit.t && hit->primitive < q->report.hit.primitive)) {
        q->report.hit = *hit;
        base->limit = hit->t; /* a contact as near may have a lower number */
    }
    q->report.hits = 1;
    return q->desc->mode != BW_RAY_ANY;
}

bw_result bw_ray_cast(const bw_body *body, const bw_ray_desc *desc, bw_ray_report *report)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL || desc == NULL || report == NULL ||
        (unsigned)desc->mode > BW_RAY_ALL || !(desc->limit >= 0.0))
        return BW_ERROR_ARGUMENT;
    bw_vec3 points[2] = {desc->origin, desc->through};
    for (int i = 0; i < 2; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return BW_ERROR_NOT_FINITE;
    if (!bw_exact_range(points, 2))
        return BW_ERROR_RANGE;
    bw_metric_side side;
    bw_result result = bw_metric_prepare_lazily(body, &side);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    cast_query q = {.base = {.origin = desc->origin,
                             .through = desc->through,
                             .limit = desc->limit > 0.0 ? desc->limit : INFINITY,
                             .visit = take_hit},
                    .desc = desc};
    result = bw_ray_walk(&side, &allocator, &q.base);
    if (result != BW_OK)
        return result;
    bw_wide_tell_visits(side.tree, q.base.nodes_visited);
    q.report.nodes_visited = q.base.nodes_visited;
    q.report.box_tests = q.base.box_tests;
    q.report.primitive_tests = q.base.primitive_tests;
    *report = q.report;
    return BW_OK;
}
