/* The nearest pair of two bodies, and all pairs within a distance. */
#include "collide/distance/distance.h"
#include "base/fault.h"
#include "base/sized.h"
#include "collide/clearance/bodies.h"
#include "collide/distance/traverse.h"
#include "geom/closest.h"
#include "geom/exact/triangle.h"

#include <math.h>

static bool is_body(const bw_body *body)
{
    return body != NULL && body->tree != NULL && body->mesh != NULL;
}

static bw_result prepare(const bw_body *a, const bw_body *b, bw_metric_side sides[2])
{
    if (!is_body(a) || !is_body(b))
        return BW_ERROR_ARGUMENT;
    bw_result result = bw_metric_prepare_lazily(a, &sides[0]);
    return result == BW_OK ? bw_metric_prepare_lazily(b, &sides[1]) : result;
}

/* Not negative and not NaN. */
static bool is_distance(double d)
{
    return d >= 0.0;
}

/* The largest double whose square does not overflow: farther than any two coordinates are apart. */
static double square_limit(double d)
{
    return d > 0.0 && d < 0x1p500 ? d * d : d > 0.0 ? INFINITY : 0.0;
}

typedef struct nearest_query {
    bw_distance_query base; /* first, so that a pointer to it is one to the whole */
    const bw_metric_side *a, *b;
    double stop2;
    bw_distance_report best;
    bool found;
} nearest_query;

/* Of pairs at the same distance the first by number is kept: which are met first does not matter then. */
static bool is_nearer(const nearest_query *q, double d2, uint32_t a, uint32_t b)
{
    if (!q->found || d2 != q->base.limit2)
        return d2 <= q->base.limit2;
    return a != q->best.a ? a < q->best.a : b < q->best.b;
}

static bool keep_nearest(bw_distance_query *base, uint32_t a, uint32_t b, bool apart)
{
    nearest_query *q = (nearest_query *)base;
    bw_vec3 corners_a[3], corners_b[3], point_a, point_b;
    if (!bw_metric_corners(q->a, a, corners_a) || !bw_metric_corners(q->b, b, corners_b)) {
        base->result = BW_ERROR_RANGE;
        return false;
    }
    double d2 = apart ? bw_triangle_distance2_disjoint(corners_a, corners_b, &point_a, &point_b)
                      : bw_triangle_distance2(corners_a, corners_b, &point_a, &point_b);
    if (!is_nearer(q, d2, a, b))
        return true;
    base->limit2 = d2;
    base->on_a = point_a;
    base->on_b = point_b;
    q->found = true;
    q->best.distance = sqrt(d2);
    q->best.a = a;
    q->best.b = b;
    q->best.point_a = point_a;
    q->best.point_b = point_b;
    if (d2 < q->stop2)
        q->best.status = BW_FOUND;
    return d2 > 0.0 && !(d2 < q->stop2);
}

bw_result bw_distance_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_distance_desc *desc,
                         bw_distance_report *report)
{
    static const bw_distance_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (report == NULL || !is_distance(desc->max_distance) || !is_distance(desc->stop_below))
        return BW_ERROR_ARGUMENT;
    bw_metric_side sides[2];
    bw_result result = prepare(a, b, sides);
    if (result != BW_OK)
        return result;
    if (desc->max_distance > 0.0 && bw_clearance_beyond(level, a, b, desc->max_distance)) {
        bw_report_set(report, (bw_distance_report){
                                  .status = BW_LIMIT, .distance = INFINITY, .a = BW_NONE, .b = BW_NONE});
        return BW_OK;
    }
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    nearest_query q = {
        .base = {.limit2 = desc->max_distance > 0.0 ? square_limit(desc->max_distance) : INFINITY,
                 .nearest = true,
                 .visit = keep_nearest,
                 .progress = desc->progress,
                 .witness = desc->witness},
        .a = &sides[0],
        .b = &sides[1],
        .stop2 = square_limit(desc->stop_below)};
    result = bw_distance_traverse(&sides[0], &sides[1], level, &allocator, &q.base);
    if (result != BW_OK)
        return result;
    if (q.base.cancelled)
        q.best.status = BW_STOPPED;
    else if (!q.found)
        q.best.status = BW_LIMIT;
    else if (q.best.distance == 0.0)
        q.best.status = BW_DONE; /* nothing can be nearer, whatever made the search stop */
    if (!q.found) {
        q.best.a = q.best.b = BW_NONE;
        q.best.distance = INFINITY;
    }
    q.best.nodes_visited = q.base.nodes_visited;
    q.best.box_tests = q.base.box_tests;
    q.best.primitive_tests = q.base.primitive_tests;
    bw_report_set(report, q.best);
    return BW_OK;
}

bw_result bw_distance(const bw_body *a, const bw_body *b, const bw_distance_desc *desc,
                      bw_distance_report *report, bw_fault *fault)
{
    const bw_result sizes = bw_sizes_check(desc, report);
    return bw_fail(fault, sizes != BW_OK ? sizes : bw_distance_at(BW_SIMD_AUTO, a, b, desc, report));
}

typedef struct within_query {
    bw_distance_query base;
    const bw_metric_side *a, *b;
    const bw_within_desc *desc;
    bw_within_report report;
} within_query;

static bool take_within(bw_distance_query *base, uint32_t a, uint32_t b, bool apart)
{
    within_query *q = (within_query *)base;
    bw_vec3 corners_a[3], corners_b[3];
    if (!bw_metric_corners(q->a, a, corners_a) || !bw_metric_corners(q->b, b, corners_b)) {
        base->result = BW_ERROR_RANGE;
        return false;
    }
    double d2 = apart ? bw_triangle_distance2_disjoint(corners_a, corners_b, NULL, NULL)
                      : bw_triangle_distance2(corners_a, corners_b, NULL, NULL);
    if (d2 > base->limit2)
        return true;
    bw_near pair = {a, b, sqrt(d2)};
    uint64_t index = q->report.pair_count++;
    if (q->desc->pairs != NULL) {
        if (index < q->desc->pair_capacity)
            q->desc->pairs[index] = pair;
        else
            q->report.status = BW_FULL;
    }
    if (q->desc->on_pair != NULL && !q->desc->on_pair(q->desc->user, &pair)) {
        q->report.status = BW_STOPPED;
        return false;
    }
    return true;
}

bw_result bw_within_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_within_desc *desc,
                       bw_within_report *report)
{
    if (report == NULL || desc == NULL || !is_distance(desc->distance) ||
        (desc->pairs == NULL && desc->pair_capacity > 0))
        return BW_ERROR_ARGUMENT;
    bw_metric_side sides[2];
    bw_result result = prepare(a, b, sides);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    within_query q = {
        .base = {.limit2 = square_limit(desc->distance), .visit = take_within, .progress = desc->progress},
        .a = &sides[0],
        .b = &sides[1],
        .desc = desc};
    result = bw_distance_traverse(&sides[0], &sides[1], level, &allocator, &q.base);
    if (result != BW_OK)
        return result;
    if (q.base.cancelled)
        q.report.status = BW_STOPPED;
    q.report.nodes_visited = q.base.nodes_visited;
    q.report.box_tests = q.base.box_tests;
    q.report.primitive_tests = q.base.primitive_tests;
    bw_report_set(report, q.report);
    return BW_OK;
}

bw_result bw_within(const bw_body *a, const bw_body *b, const bw_within_desc *desc, bw_within_report *report,
                    bw_fault *fault)
{
    const bw_result sizes = bw_sizes_check(desc, report);
    return bw_fail(fault, sizes != BW_OK ? sizes : bw_within_at(BW_SIMD_AUTO, a, b, desc, report));
}
