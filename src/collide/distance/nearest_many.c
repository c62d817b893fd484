/* Nearest points of many points in one call: along a curve through them, each from the primitive that was
 * nearest to the last one. */
#include "base/fault.h"
#include "base/radix_sort.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/distance/distance.h"
#include "collide/distance/nearest.h"
#include "geom/vec.h"
#include "tree/build/hilbert.h"

#include <math.h>

/* Points after each other on the curve, of which each knows the answer of the last one: the same sets, and so
 * the same counts, for any number of threads. */
enum { RUN = 256 };

typedef struct many_worker {
    bw_nearest_report sum;
    bw_result result;
    char apart[28]; /* from the next one's cache line */
} many_worker;

typedef struct many_query {
    const bw_nearest_desc *desc;
    const bw_vec3 *points;
    uint32_t count;
    bw_nearest_hit *hits;
    bw_nearest_place place;
    bw_simd level;
    bw_allocator allocator;
    const uint32_t *order;
    many_worker *workers;
} many_query;

/* The corner of a primitive that is nearest to a point. Not the point of it that was nearest to another: that
 * is rounded, and by what the other is far away. */
static bw_vec3 nearest_corner(const bw_vec3 corners[3], const bw_vec3 *point)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const bw_vec3 d = bw_vec3_sub(corners[i], *point);
        const double square = bw_vec3_dot(d, d);
        best = square < least ? i : best;
        least = fmin(square, least);
    }
    return corners[best];
}

static void search_run(const many_query *q, uint32_t begin, uint32_t end, many_worker *worker)
{
    bw_vec3 last[3]; /* corners of the nearest primitive of the point before */
    bool known = false;
    for (uint32_t i = begin; i < end && worker->result == BW_OK; i++) {
        const uint32_t index = q->order[i];
        bw_nearest_hit *out = &q->hits[index];
        const double most =
            q->desc->max_distances != NULL ? q->desc->max_distances[index] : q->desc->max_distance;
        const bw_vec3 *point = &q->points[index];
        const bw_vec3 corner = known ? nearest_corner((const bw_vec3 *)last, point) : *point;
        worker->result = bw_nearest_find(&q->place, q->level, point, most, known ? &corner : NULL,
                                         &q->allocator, out, &worker->sum);
        if (worker->result == BW_OK && out->primitive != BW_NONE)
            known = bw_metric_corners(q->place.side, out->primitive, last);
    }
}

static void search_runs(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    const many_query *q = context;
    for (uint32_t run = first; run < last; run++) {
        const uint32_t begin = run * RUN, left = q->count - begin;
        search_run(q, begin, begin + (left < RUN ? left : RUN), &q->workers[worker]);
    }
}

/* *bad: the first point at fault. */
static bw_result check_points(const bw_vec3 *points, uint32_t count, const bw_nearest_desc *desc,
                              uint32_t *bad)
{
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        result = desc->max_distances != NULL && !(desc->max_distances[i] >= 0.0)
                     ? BW_ERROR_ARGUMENT
                     : bw_nearest_check_point(&points[i]);
        *bad = result != BW_OK ? i : BW_NONE;
    }
    return result;
}

/* Bits per axis of a curve through so many points: at least eight cells for each, where it has so many. */
static unsigned curve_bits(uint32_t count)
{
    unsigned bits = 2;
    while (bits < BW_HILBERT_MAX_BITS && (UINT64_C(1) << 3 * (bits - 1)) < count)
        bits++;
    return bits;
}

/* Cells of a cube around all points, along the curve. */
static void make_keys(const bw_vec3 *points, uint32_t count, uint64_t *keys, uint32_t *order)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
    const unsigned bits = curve_bits(count);
    for (uint32_t i = 0; i < count; i++) {
        const double p[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++)
        size = fmax(size, high[k] - low[k]);
    const double scale = size > 0.0 ? ((1 << bits) - 0.5) / size : 0.0;
    for (uint32_t first = 0; first < count; first += 8) {
        uint32_t cells[3][8] = {{0}}, codes[8];
        const uint32_t some = count - first < 8 ? count - first : 8;
        for (uint32_t i = 0; i < some; i++) {
            const bw_vec3 *p = &points[first + i];
            cells[0][i] = (uint32_t)((p->x - low[0]) * scale);
            cells[1][i] = (uint32_t)((p->y - low[1]) * scale);
            cells[2][i] = (uint32_t)((p->z - low[2]) * scale);
        }
        bw_hilbert_code_eight((const uint32_t(*)[8])cells, bits, codes);
        for (uint32_t i = 0; i < some; i++) {
            keys[first + i] = codes[i];
            order[first + i] = first + i;
        }
    }
}

/* Fills order, which has room for twice as many numbers as there are points. */
static bw_result order_points(const bw_vec3 *points, uint32_t count, const bw_allocator *allocator,
                              uint32_t *order)
{
    uint64_t *keys = bw_allocate(allocator, count, 2 * sizeof *keys);
    if (keys == NULL)
        return BW_ERROR_MEMORY;
    make_keys(points, count, keys, order);
    bw_sort_u64(keys, order, keys + count, order + count, count);
    bw_release(allocator, keys, count, 2 * sizeof *keys);
    return BW_OK;
}

static bw_result search_all(many_query *q, uint32_t workers, bw_nearest_report *report)
{
    bw_result result = BW_OK;
    bw_nearest_report sum = {0};
    const uint32_t count = q->count;
    bw_parallel(q->desc->tasks, search_runs, q, count / RUN + (count % RUN != 0), 1);
    for (uint32_t w = 0; w < workers; w++) {
        result = q->workers[w].result != BW_OK ? q->workers[w].result : result;
        sum.hit_count += q->workers[w].sum.hit_count;
        sum.nodes_visited += q->workers[w].sum.nodes_visited;
        sum.box_tests += q->workers[w].sum.box_tests;
        sum.primitive_tests += q->workers[w].sum.primitive_tests;
    }
    if (result == BW_OK && report != NULL)
        bw_report_set(report, sum);
    return result;
}

bw_result bw_nearest_many_at(bw_simd level, const bw_body *body, const bw_vec3 *points, uint32_t count,
                             const bw_nearest_desc *desc, bw_nearest_hit *hits, bw_nearest_report *report,
                             uint32_t *bad)
{
    static const bw_nearest_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    *bad = BW_NONE;
    if (body == NULL || body->tree == NULL || body->mesh == NULL || !(desc->max_distance >= 0.0) ||
        (count > 0 && (points == NULL || hits == NULL)) || bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    bw_metric_side side;
    bw_result result = check_points(points, count, desc, bad);
    if (result == BW_OK)
        result = bw_metric_prepare_lazily(body, &side);
    if (result != BW_OK)
        return result;
    many_query q = {.desc = desc,
                    .points = points,
                    .count = count,
                    .hits = hits,
                    .level = bw_simd_level(level),
                    .allocator = bw_allocator_or_heap(desc->allocator)};
    const uint32_t workers = bw_workers(desc->tasks);
    uint32_t *order = bw_allocate(&q.allocator, count, 2 * sizeof *order);
    q.workers = bw_allocate_zero(&q.allocator, workers, sizeof *q.workers);
    q.order = order;
    result = (order != NULL || count == 0) && q.workers != NULL ? BW_OK : BW_ERROR_MEMORY;
    if (result == BW_OK && count > 0)
        result = order_points(points, count, &q.allocator, order);
    if (result == BW_OK) {
        bw_nearest_place_set(&q.place, &side);
        result = search_all(&q, workers, report);
    }
    bw_release(&q.allocator, q.workers, workers, sizeof *q.workers);
    bw_release(&q.allocator, order, count, 2 * sizeof *order);
    return result;
}

bw_result bw_nearest_many(const bw_body *body, const bw_vec3 *points, uint32_t point_count,
                          const bw_nearest_desc *desc, bw_nearest_hit *hits, bw_nearest_report *report,
                          bw_fault *fault)
{
    uint32_t bad = BW_NONE;
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK)
        result = bw_nearest_many_at(BW_SIMD_AUTO, body, points, point_count, desc, hits, report, &bad);
    return bw_fail_at(fault, result, bad);
}
