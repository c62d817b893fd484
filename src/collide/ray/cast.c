/* The calls that cast rays: one, or many. */
#include "collide/ray/cast.h"

#include "base/tasks.h"
#include "collide/distance/distance.h"
#include "collide/ray/fallback.h"
#include "collide/ray/kernels.h"
#include "tree/tree.h"
#include "tree/wide/deferred.h"

#include <math.h>
#include <string.h>

/* A ray that meets nothing. */
static const bw_ray_hit no_hit = {BW_NONE, BW_CONTACT_NONE, (double)INFINITY};

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

/* One ray. Its numbers are checked where that is still to be done. */
static bw_result trace(const bw_ray_kernels *kernels, bw_ray_state *s, int mode,
                       const bw_allocator *allocator)
{
    const bw_ray_target *t = s->target;
    if (t->ordinary && kernels->trace[t->layout != NULL][mode](s))
        return s->result;
    const bw_result result = check_ray(s->origin, s->through);
    if (result != BW_OK)
        return result;
    const bw_allocator used = bw_allocator_or_heap(allocator);
    return bw_ray_trace_any(s, mode, &used);
}

bw_result bw_ray_contacts(const bw_metric_side *side, const bw_vec3 *origin, const bw_vec3 *through,
                          const bw_allocator *allocator, bw_ray_visitor *visit, void *user)
{
    const bw_simd level = bw_simd_level(BW_SIMD_AUTO);
    bw_ray_target target;
    bw_ray_target_of_side(side, level, &target);
    bw_ray_state s = {.target = &target,
                      .origin = origin,
                      .through = through,
                      .best = no_hit,
                      .visit = visit,
                      .user = user};
    return trace(bw_ray_kernels_for(level), &s, BW_RAY_EACH, allocator);
}

typedef struct hit_counter {
    const bw_ray_desc *desc;
    uint64_t hits;
} hit_counter;

static bool count_hit(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3])
{
    (void)corners;
    hit_counter *counter = user;
    counter->hits++;
    return counter->desc->on_hit == NULL || counter->desc->on_hit(counter->desc->user, hit);
}

static int wanted(bw_ray_mode mode)
{
    return mode == BW_RAY_NEAREST ? BW_RAY_NEAR : mode == BW_RAY_ANY ? BW_RAY_SOME : BW_RAY_EACH;
}

bw_result bw_ray_cast_at(bw_simd level, const bw_body *body, const bw_ray_desc *desc, bw_ray_report *report)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL || desc == NULL || report == NULL ||
        (unsigned)desc->mode > BW_RAY_ALL || !(desc->limit >= 0.0))
        return BW_ERROR_ARGUMENT;
    level = bw_simd_level(level);
    bw_ray_target target;
    bw_result result = bw_ray_target_set(body, level, &target);
    if (result != BW_OK) { /* a defect of the ray is told first */
        const bw_result of_ray = check_ray(&desc->origin, &desc->through);
        return of_ray != BW_OK ? of_ray : result;
    }
    hit_counter counter = {desc, 0};
    bw_ray_state s = {.target = &target,
                      .origin = &desc->origin,
                      .through = &desc->through,
                      .best = no_hit,
                      .visit = count_hit,
                      .user = &counter};
    if (desc->limit > 0.0)
        s.best.t = desc->limit;
    result = trace(bw_ray_kernels_for(level), &s, wanted(desc->mode), desc->allocator);
    if (result != BW_OK)
        return result;
    const bool found = s.best.primitive != BW_NONE;
    bw_wide_tell_visits(target.side.tree, s.nodes + s.leaves);
    report->hits = desc->mode == BW_RAY_ALL ? counter.hits : found;
    /* In pieces, as they were written: a copy of the whole would wait for them. */
    report->hit.primitive = s.best.primitive;
    report->hit.kind = s.best.kind;
    report->hit.t = found ? s.best.t : (double)INFINITY;
    report->nodes_visited = s.nodes + s.leaves;
    report->box_tests = s.nodes * BW_WIDTH;
    report->primitive_tests = s.leaves * BW_WIDTH;
    return BW_OK;
}

bw_result bw_ray_cast(const bw_body *body, const bw_ray_desc *desc, bw_ray_report *report)
{
    return bw_ray_cast_at(BW_SIMD_AUTO, body, desc, report);
}

/* ---- many ---- */

enum { GRAIN = 1024 }; /* rays */
/* So many rays per leaf pay for a layout that is used for one call only. */
enum { RAYS_PER_LEAF = 4 };

typedef struct many_worker {
    uint64_t found, nodes, leaves;
    bw_result result;
    char apart[32]; /* from the next one's cache line */
} many_worker;

typedef struct many_query {
    const bw_ray_target *target;
    const bw_ray_kernels *kernels;
    const bw_rays_desc *desc;
    many_worker *workers;
} many_query;

typedef struct many_part {
    bw_ray_job job; /* first, so that a pointer to it is one to the whole */
    const many_query *query;
} many_part;

/* One ray of many, by itself. */
static bool cast_one(bw_ray_job *job, uint32_t index)
{
    const many_query *q = ((many_part *)job)->query;
    const bw_ray *ray = &job->rays[index];
    bw_ray_state s = {.target = q->target, .origin = &ray->origin, .through = &ray->through, .best = no_hit};
    if (ray->limit > 0.0)
        s.best.t = ray->limit;
    job->result = trace(q->kernels, &s, wanted(q->desc->mode), q->desc->allocator);
    const bool found = s.best.primitive != BW_NONE;
    job->found += found;
    job->nodes += s.nodes;
    job->leaves += s.leaves;
    job->hits[index] = found ? s.best : no_hit;
    return job->result == BW_OK;
}

static void cast_part(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    const many_query *q = context;
    many_worker *w = &q->workers[worker];
    const bw_ray_target *t = q->target;
    many_part part = {{.target = t,
                       .rays = q->desc->rays,
                       .hits = q->desc->hits,
                       .next = first,
                       .last = last,
                       .cast_other = cast_one},
                      q};
    if (w->result != BW_OK)
        return;
    if (t->ordinary && t->layout != NULL && t->layout->depth <= BW_RAY_STREAM_DEPTH)
        q->kernels->stream[wanted(q->desc->mode)](&part.job);
    else
        for (uint32_t i = first; i < last && cast_one(&part.job, i); i++) {
        }
    w->result = part.job.result;
    w->found += part.job.found;
    w->nodes += part.job.nodes;
    w->leaves += part.job.leaves;
}

bw_result bw_ray_cast_many_at(bw_simd level, const bw_body *body, const bw_rays_desc *desc,
                              bw_rays_report *report)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL || desc == NULL || report == NULL ||
        (desc->mode != BW_RAY_NEAREST && desc->mode != BW_RAY_ANY) ||
        (desc->count > 0 && (desc->rays == NULL || desc->hits == NULL)) ||
        bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    level = bw_simd_level(level);
    bw_ray_target target;
    bw_result result = bw_ray_target_set(body, level, &target);
    for (uint32_t i = 0; i < desc->count && result == BW_OK; i++)
        result = desc->rays[i].limit >= 0.0 ? check_ray(&desc->rays[i].origin, &desc->rays[i].through)
                                            : BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return result;
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const bw_wide *tree = target.side.tree;
    struct bw_ray_layout *own = NULL;
    if (target.ordinary && tree->rays == NULL && desc->count / RAYS_PER_LEAF >= tree->leaf_count) {
        bw_wide_complete(tree);
        own = bw_ray_layout_make(tree, body->mesh, &allocator, desc->tasks);
        if (own == NULL)
            return BW_ERROR_MEMORY;
        bw_ray_target_take(&target, own, level);
    }
    const uint32_t workers = bw_workers(desc->tasks);
    many_query q = {.target = &target, .kernels = bw_ray_kernels_for(level), .desc = desc};
    many_worker one = {0};
    q.workers = workers == 1 ? &one : bw_allocate_zero(&allocator, workers, sizeof *q.workers);
    if (q.workers == NULL) {
        bw_ray_layout_release(own, &allocator);
        return BW_ERROR_MEMORY;
    }
    bw_parallel(desc->tasks, cast_part, &q, desc->count, GRAIN);
    bw_rays_report sum = {0};
    for (uint32_t w = 0; w < workers; w++) {
        const many_worker *done = &q.workers[w];
        result = done->result != BW_OK ? done->result : result;
        sum.hits += done->found;
        sum.nodes_visited += done->nodes + done->leaves;
        sum.box_tests += done->nodes * BW_WIDTH;
        sum.primitive_tests += done->leaves * BW_WIDTH;
    }
    bw_ray_layout_release(own, &allocator);
    if (workers > 1)
        bw_release(&allocator, q.workers, workers, sizeof *q.workers);
    if (result != BW_OK)
        return result;
    bw_wide_tell_visits(tree, sum.nodes_visited);
    *report = sum;
    return BW_OK;
}

bw_result bw_ray_cast_many(const bw_body *body, const bw_rays_desc *desc, bw_rays_report *report)
{
    return bw_ray_cast_many_at(BW_SIMD_AUTO, body, desc, report);
}
