/* The calls that cast rays: one, or many. */
#include "base/tasks.h"
#include "collide/near_query.h"
#include "collide/ray_plain.h"
#include "tree/tree.h"
#include "tree/wide_lazy.h"

#include <math.h>
#include <string.h>

typedef struct cast_query {
    bw_ray_query base; /* first, so that a pointer to it is one to the whole */
    const bw_ray_desc *desc;
    bw_ray_report report;
} cast_query;

/* A ray that meets nothing. */
static const bw_ray_hit no_hit = {BW_NONE, BW_CONTACT_NONE, (double)INFINITY};

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

/* Whether the six coordinates are finite and in the exact range: the bits of a number without its sign are in
 * its order. */
static bw_result check_ray(const bw_vec3 *origin, const bw_vec3 *through)
{
    const double given[6] = {origin->x, origin->y, origin->z, through->x, through->y, through->z};
    const uint64_t least = (uint64_t)(1023 - 300) << 53, most = (uint64_t)(1023 + 300) << 53;
    uint64_t bits[6], outside = 0;
    memcpy(bits, given, sizeof bits);
    for (int i = 0; i < 6; i++)
        outside |= (uint64_t)(bits[i] << 1 != 0) & (uint64_t)((bits[i] << 1) - least > most - least);
    if (outside == 0)
        return BW_OK;
    for (int i = 0; i < 6; i++)
        if (!isfinite(given[i]))
            return BW_ERROR_NOT_FINITE;
    return BW_ERROR_RANGE;
}

/* By the descent that takes any ray. */
static bw_result cast_any_ray(bw_simd level, const bw_body *body, const bw_ray_desc *desc,
                              bw_ray_report *report)
{
    bw_result result = check_ray(&desc->origin, &desc->through);
    if (result != BW_OK)
        return result;
    bw_metric_side side;
    result = bw_metric_prepare_lazily(body, &side);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    cast_query q = {.base = {.origin = desc->origin,
                             .through = desc->through,
                             .limit = desc->limit > 0.0 ? desc->limit : INFINITY,
                             .visit = take_hit,
                             .level = level},
                    .desc = desc,
                    .report.hit = no_hit};
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

bw_result bw_ray_cast_at(bw_simd level, const bw_body *body, const bw_ray_desc *desc, bw_ray_report *report)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL || desc == NULL || report == NULL ||
        (unsigned)desc->mode > BW_RAY_ALL || !(desc->limit >= 0.0))
        return BW_ERROR_ARGUMENT;
    bw_plain plain;
    if (desc->mode == BW_RAY_ALL || !bw_plain_begin(body, desc->mode == BW_RAY_ANY, &plain))
        return cast_any_ray(level, body, desc, report);
    bw_result result = bw_tree_accepts_lazily(body->tree, body->mesh);
    if (result != BW_OK)
        return result;
    bw_ray_hit hit;
    if (!bw_plain_kernels_for(bw_simd_level(level))
             ->cast(&plain, &desc->origin, &desc->through, desc->limit > 0.0 ? desc->limit : INFINITY, &hit))
        return cast_any_ray(level, body, desc, report);
    const bool found = hit.primitive != BW_NONE;
    report->hits = found;
    report->hit = found ? hit : no_hit;
    report->nodes_visited = plain.nodes_visited;
    report->box_tests = plain.box_tests;
    report->primitive_tests = plain.primitive_tests;
    return BW_OK;
}

bw_result bw_ray_cast(const bw_body *body, const bw_ray_desc *desc, bw_ray_report *report)
{
    return bw_ray_cast_at(BW_SIMD_AUTO, body, desc, report);
}

/* ---- many ---- */

enum { GRAIN = 1024 }; /* rays */
/* Up to so many nodes and leaves (some 2 MB, with the corners) rays for the nearest contact are faster one
 * after another than in flight together: they wait for little, and what they have to do next is not to be
 * listed. */
enum { NEAR_TREE = 8192 };

typedef struct many_worker {
    uint64_t found, nodes_visited, box_tests, primitive_tests;
    bw_result result;
    char apart[24]; /* from the next one's cache line */
} many_worker;

typedef struct many_query {
    const bw_body *body;
    const bw_rays_desc *desc;
    bw_plain plain;
    bool may_be_plain;
    bw_simd level;
    many_worker *workers;
} many_query;

typedef struct many_part {
    bw_plain_job job; /* first, so that a pointer to it is one to the whole */
    const many_query *query;
    many_worker *worker;
} many_part;

static bool cast_other(bw_plain_job *job, uint32_t index)
{
    many_part *part = (many_part *)job;
    const many_query *q = part->query;
    const bw_ray *ray = &job->rays[index];
    const bw_ray_desc desc = {.origin = ray->origin,
                              .through = ray->through,
                              .limit = ray->limit,
                              .mode = q->desc->mode,
                              .allocator = q->desc->allocator};
    bw_ray_report report;
    const bw_result result = cast_any_ray(q->level, q->body, &desc, &report);
    if (result != BW_OK) {
        part->worker->result = result;
        return false;
    }
    job->hits[index] = report.hit;
    job->found += report.hits;
    part->worker->nodes_visited += report.nodes_visited;
    part->worker->box_tests += report.box_tests;
    part->worker->primitive_tests += report.primitive_tests;
    return true;
}

static void cast_part(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    const many_query *q = context;
    bw_plain plain = q->plain;
    many_part part = {
        {&plain, q->desc->rays, q->desc->hits, first, last, 0, cast_other}, q, &q->workers[worker]};
    if (part.worker->result != BW_OK)
        return;
    if (q->may_be_plain) {
        bw_plain_kernels_for(q->level)->stream(&part.job);
        part.worker->nodes_visited += plain.nodes_visited;
        part.worker->box_tests += plain.box_tests;
        part.worker->primitive_tests += plain.primitive_tests;
    } else {
        for (uint32_t i = first; i < last && cast_other(&part.job, i); i++) {
        }
    }
    part.worker->found += part.job.found;
}

bw_result bw_ray_cast_many_at(bw_simd level, const bw_body *body, const bw_rays_desc *desc,
                              bw_rays_report *report)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL || desc == NULL || report == NULL ||
        (desc->mode != BW_RAY_NEAREST && desc->mode != BW_RAY_ANY) ||
        (desc->count > 0 && (desc->rays == NULL || desc->hits == NULL)) ||
        bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    bw_metric_side side;
    bw_result result = bw_metric_prepare_lazily(body, &side);
    for (uint32_t i = 0; i < desc->count && result == BW_OK; i++)
        result = desc->rays[i].limit >= 0.0 ? check_ray(&desc->rays[i].origin, &desc->rays[i].through)
                                            : BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return result;
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const uint32_t workers = bw_workers(desc->tasks);
    many_query q = {.body = body, .desc = desc, .level = bw_simd_level(level)};
    many_worker one = {0};
    q.workers = workers == 1 ? &one : bw_allocate_zero(&allocator, workers, sizeof *q.workers);
    if (q.workers == NULL)
        return BW_ERROR_MEMORY;
    q.may_be_plain = bw_plain_begin(body, desc->mode == BW_RAY_ANY, &q.plain);
    if (q.may_be_plain && desc->mode == BW_RAY_NEAREST)
        q.plain.near = side.tree->node_count < NEAR_TREE && side.tree->leaf_count < NEAR_TREE;
    bw_parallel(desc->tasks, cast_part, &q, desc->count, GRAIN);
    bw_rays_report sum = {0};
    for (uint32_t w = 0; w < workers; w++) {
        result = q.workers[w].result != BW_OK ? q.workers[w].result : result;
        sum.hits += q.workers[w].found;
        sum.nodes_visited += q.workers[w].nodes_visited;
        sum.box_tests += q.workers[w].box_tests;
        sum.primitive_tests += q.workers[w].primitive_tests;
    }
    if (workers > 1)
        bw_release(&allocator, q.workers, workers, sizeof *q.workers);
    if (result == BW_OK)
        *report = sum;
    return result;
}

bw_result bw_ray_cast_many(const bw_body *body, const bw_rays_desc *desc, bw_rays_report *report)
{
    return bw_ray_cast_many_at(BW_SIMD_AUTO, body, desc, report);
}
