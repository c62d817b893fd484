/* The public queries for points inside a body: whether it is closed, its boundary, then point after point. */
#include "collide/contains/point.h"

#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/contains/closed.h"
#include "collide/contains/locate.h"
#include "collide/distance/nearest.h"
#include "collide/span/pair_cache.h"

enum { GRAIN = 64 };

typedef struct located_worker {
    uint64_t inside, on;
    bw_result result;
    char apart[40]; /* from the next one's cache line */
} located_worker;

typedef struct located_points {
    bw_locator locator;
    const bw_vec3 *points;
    bw_location *out;
    bw_allocator allocator;
    located_worker *workers;
} located_points;

static void locate_some(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const located_points *q = context;
    located_worker *w = &q->workers[worker];
    for (uint32_t i = begin; i < end && w->result == BW_OK; i++) {
        w->result = bw_locate(&q->locator, &q->points[i], &q->allocator, &q->out[i]);
        if (w->result == BW_OK) {
            w->inside += q->out[i].side == BW_SIDE_INSIDE;
            w->on += q->out[i].side == BW_SIDE_ON;
        }
    }
}

static bw_result locate_all(located_points *q, uint32_t count, const bw_tasks *tasks,
                            bw_contains_report *report)
{
    const uint32_t workers = bw_workers(tasks);
    located_worker one = {0};
    q->workers = workers == 1 ? &one : bw_allocate_zero(&q->allocator, workers, sizeof *q->workers);
    if (q->workers == NULL)
        return BW_ERROR_MEMORY;
    bw_parallel(tasks, locate_some, q, count, GRAIN);
    bw_result result = BW_OK;
    for (uint32_t w = 0; w < workers; w++) {
        result = q->workers[w].result != BW_OK ? q->workers[w].result : result;
        report->inside_count += q->workers[w].inside;
        report->on_count += q->workers[w].on;
    }
    if (workers > 1)
        bw_release(&q->allocator, q->workers, workers, sizeof *q->workers);
    return result;
}

static bw_result check_points(const bw_vec3 *points, uint32_t count, uint32_t *bad)
{
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        result = bw_nearest_check_point(&points[i]);
        *bad = result != BW_OK ? i : BW_NONE;
    }
    return result;
}

/* The cache's boundary, or one found into *own: a cache without memory keeps none. */
static bw_result find_boundary(const bw_body *body, bw_pair_cache *cache, bw_array *own, const bw_array **out)
{
    *out = own;
    if (cache != NULL && bw_pair_cache_boundary(cache, body, out) == BW_OK)
        return BW_OK;
    return bw_boundary_find(body, own->allocator, own);
}

bw_result bw_contains_find(const bw_body *body, const bw_vec3 *points, uint32_t count,
                           const bw_contains_desc *desc, bw_location *out, bw_contains_report *report,
                           uint32_t *bad)
{
    static const bw_contains_desc defaults = {0};
    *bad = BW_NONE;
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL ||
        (count > 0 && (points == NULL || out == NULL)) || bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    bw_metric_side side;
    bw_result result = check_points(points, count, bad);
    if (result == BW_OK)
        result = bw_metric_prepare(body, &side);
    if (result != BW_OK)
        return result;
    located_points q = {.points = points, .out = out, .allocator = bw_allocator_or_heap(desc->allocator)};
    bw_array own = bw_array_of(sizeof(bw_boundary_edge), &q.allocator);
    const bw_array *boundary = NULL;
    bw_contains_report sum = {.closed = desc->cache != NULL ? bw_pair_cache_closed(desc->cache, 0, body)
                                                            : bw_body_closed(body)};
    if (!sum.closed)
        result = find_boundary(body, desc->cache, &own, &boundary);
    if (result == BW_OK) {
        for (size_t i = 0; boundary != NULL && i < boundary->count; i++)
            sum.boundary_count += ((const bw_boundary_edge *)bw_array_at(boundary, i))->weight;
        bw_locator_set(&q.locator, &side, boundary);
        result = locate_all(&q, count, desc->tasks, &sum);
    }
    bw_array_release(&own);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, sum);
    return result;
}

bw_result bw_contains_many(const bw_body *body, const bw_vec3 *points, uint32_t point_count,
                           const bw_contains_desc *desc, bw_location *out, bw_contains_report *report,
                           bw_fault *fault)
{
    uint32_t bad = BW_NONE;
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK)
        result = bw_contains_find(body, points, point_count, desc, out, report, &bad);
    return bw_fail_at(fault, result, bad);
}

bw_result bw_contains(const bw_body *body, const bw_vec3 *point, const bw_contains_desc *desc,
                      bw_location *out, bw_contains_report *report, bw_fault *fault)
{
    uint32_t bad;
    bw_result result = bw_sizes_check(desc, report);
    bw_location location;
    if (result == BW_OK)
        result = point != NULL && out != NULL
                     ? bw_contains_find(body, point, 1, desc, &location, report, &bad)
                     : BW_ERROR_ARGUMENT;
    if (result == BW_OK)
        *out = location;
    return bw_fail(fault, result);
}
