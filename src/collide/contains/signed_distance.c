/* Distances with a sign: the nearest point, its place on the surface, and the side that the point is on. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/contains/point.h"
#include "collide/contains/surface.h"
#include "collide/distance/distance.h"

#include <math.h>

enum { GRAIN = 256 };

typedef struct signed_query {
    bw_metric_side side;
    double hand;
    const bw_nearest_hit *nearest;
    const bw_location *locations;
    bw_signed_hit *out;
    bw_result results[BW_MAX_WORKERS];
} signed_query;

static void put_together(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    signed_query *q = context;
    for (uint32_t i = begin; i < end && q->results[worker] == BW_OK; i++) {
        const bw_nearest_hit *nearest = &q->nearest[i];
        bw_signed_hit hit = {.distance = nearest->distance, .location = q->locations[i]};
        if (hit.location.side == BW_SIDE_INSIDE)
            hit.distance = -hit.distance;
        q->results[worker] =
            bw_surface_find(&q->side, q->hand, nearest->primitive, &nearest->point, &hit.nearest);
        hit.nearest.point = nearest->primitive != BW_NONE ? nearest->point : hit.nearest.point;
        if (q->results[worker] == BW_OK)
            q->out[i] = hit;
    }
}

static bw_result find(const bw_body *body, const bw_vec3 *points, uint32_t count, const bw_signed_desc *desc,
                      bw_nearest_hit *nearest, bw_location *locations, bw_signed_hit *out,
                      bw_contains_report *report, uint32_t *bad)
{
    const bw_nearest_desc to_nearest = {.max_distance = desc->max_distance,
                                        .max_distances = desc->max_distances,
                                        .tasks = desc->tasks,
                                        .allocator = desc->allocator};
    const bw_contains_desc to_side = {
        .cache = desc->cache, .tasks = desc->tasks, .allocator = desc->allocator};
    bw_contains_report sides = {0};
    signed_query q = {.nearest = nearest, .locations = locations, .out = out};
    bw_result result = bw_nearest_many_at(BW_SIMD_AUTO, body, points, count, &to_nearest, nearest, NULL, bad);
    if (result == BW_OK)
        result = bw_contains_find(body, points, count, &to_side, locations, &sides, bad);
    if (result == BW_OK)
        result = bw_metric_prepare(body, &q.side);
    if (result != BW_OK)
        return result;
    q.hand = bw_pose_hand(q.side.map);
    bw_parallel(desc->tasks, put_together, &q, count, GRAIN);
    for (uint32_t w = 0; w < bw_workers(desc->tasks); w++)
        result = q.results[w] != BW_OK ? q.results[w] : result;
    if (result == BW_OK && report != NULL)
        bw_report_set(report, sides);
    return result;
}

static const bw_signed_desc defaults = {0};

bw_result bw_signed_distance_many(const bw_body *body, const bw_vec3 *points, uint32_t point_count,
                                  const bw_signed_desc *desc, bw_signed_hit *out, bw_contains_report *report,
                                  bw_fault *fault)
{
    uint32_t bad = BW_NONE;
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK && point_count > 0 && out == NULL)
        result = BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (desc == NULL)
        desc = &defaults;
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_nearest_hit *nearest = bw_allocate(&allocator, point_count, sizeof *nearest);
    bw_location *locations = bw_allocate(&allocator, point_count, sizeof *locations);
    result = point_count > 0 && (nearest == NULL || locations == NULL)
                 ? BW_ERROR_MEMORY
                 : find(body, points, point_count, desc, nearest, locations, out, report, &bad);
    bw_release(&allocator, nearest, point_count, sizeof *nearest);
    bw_release(&allocator, locations, point_count, sizeof *locations);
    return bw_fail_at(fault, result, bad);
}

bw_result bw_signed_distance(const bw_body *body, const bw_vec3 *point, const bw_signed_desc *desc,
                             bw_signed_hit *out, bw_contains_report *report, bw_fault *fault)
{
    bw_nearest_hit nearest;
    bw_location location;
    bw_signed_hit hit;
    uint32_t bad;
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK && (point == NULL || out == NULL))
        result = BW_ERROR_ARGUMENT;
    if (result == BW_OK)
        result =
            find(body, point, 1, desc != NULL ? desc : &defaults, &nearest, &location, &hit, report, &bad);
    if (result == BW_OK)
        *out = hit;
    return bw_fail(fault, result);
}
