/* The calls that cast rays: one, or many. */
#include "collide/ray/cast.h"

#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/distance/distance.h"
#include "collide/ray/fallback.h"
#include "collide/ray/kernels.h"
#include "tree/tree.h"
#include "tree/wide/deferred.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* A ray that meets nothing. */
static const bw_ray_hit no_hit = {BW_NONE, BW_CONTACT_NONE, (double)INFINITY};

/* Whether each of the six coordinates is zero or from 2^-300 to 2^300 in magnitude: the bits of a
 * number without its sign are in its order. */
static bool within(const bw_vec3 *a, const bw_vec3 *b)
{
    enum { EXPONENT = 300 };
    const double given[6] = {a->x, a->y, a->z, b->x, b->y, b->z};
    const uint64_t least = (uint64_t)(1023 - EXPONENT) << 53, most = (uint64_t)(1023 + EXPONENT) << 53;
    uint64_t bits[6], outside = 0;
    memcpy(bits, given, sizeof bits);
    for (int i = 0; i < 6; i++)
        outside |= (uint64_t)(bits[i] << 1 != 0) & (uint64_t)((bits[i] << 1) - least > most - least);
    return outside == 0;
}

/* Whether a ray is finite and in the exact range. */
static bw_result check_ray(const bw_vec3 *origin, const bw_vec3 *through)
{
    if (within(origin, through))
        return BW_OK;
    const bool finite = isfinite(origin->x) && isfinite(origin->y) && isfinite(origin->z) &&
                        isfinite(through->x) && isfinite(through->y) && isfinite(through->z);
    return finite ? BW_ERROR_RANGE : BW_ERROR_NOT_FINITE;
}

/* One ray that is for the fallback, after its numbers are checked. */
static bw_result trace_other(bw_ray_state *s, int mode, const bw_allocator *allocator)
{
    s->nodes = s->leaves = 0;
    bw_ray_state_line(s);
    const bw_result result = check_ray(s->origin, s->through);
    if (result != BW_OK)
        return result;
    const bw_allocator used = bw_allocator_or_heap(allocator);
    return bw_ray_trace_any(s, mode, &used);
}

/* One ray of ordinary size; false where it is not. */
static inline bool trace_known(const bw_ray_kernels *kernels, bw_ray_state *s, int mode)
{
    const bw_ray_target *t = s->target;
    return t->ordinary && kernels->trace[t->layout != NULL][mode](s);
}

/* One ray. */
static inline bw_result trace(const bw_ray_kernels *kernels, bw_ray_state *s, int mode,
                              const bw_allocator *allocator)
{
    return trace_known(kernels, s, mode) ? s->result : trace_other(s, mode, allocator);
}

bw_result bw_ray_contacts(const bw_ray_target *target, bw_simd level, const bw_vec3 *origin,
                          const bw_vec3 *through, const bw_allocator *allocator, bw_ray_visitor *visit,
                          void *user)
{
    bw_ray_state s = {.target = target,
                      .origin = origin,
                      .through = through,
                      .unit = 1.0,
                      .best = no_hit,
                      .visit = visit,
                      .user = user};
    return trace(bw_ray_kernels_for(level), &s, BW_RAY_EACH, allocator);
}

typedef struct hit_counter {
    const bw_raycast_desc *desc;
    const bw_ray_state *state;
    uint64_t hits;
} hit_counter;

static bool count_hit(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3])
{
    (void)corners;
    hit_counter *counter = user;
    counter->hits++;
    const bw_ray_hit told = {hit->primitive, hit->kind, hit->t * counter->state->unit};
    return counter->desc->on_hit == NULL || counter->desc->on_hit(counter->desc->user, &told);
}

static int wanted(bw_ray_mode mode)
{
    return mode == BW_RAY_NEAREST ? BW_RAY_NEAR : mode == BW_RAY_ANY ? BW_RAY_SOME : BW_RAY_EACH;
}

static const bw_raycast_desc defaults = {0};

static __attribute__((noinline)) bw_result cast(bw_simd level, const bw_body *body, const bw_ray *ray,
                                                const bw_raycast_desc *desc, bw_ray_hit *hit,
                                                bw_raycast_report *report)
{
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL || ray == NULL ||
        (unsigned)desc->mode > BW_RAY_ALL || (hit == NULL && desc->mode != BW_RAY_ALL) ||
        !(ray->t_max >= 0.0))
        return BW_ERROR_ARGUMENT;
    level = bw_simd_level(level);
    bw_ray_target target;
    bw_result result = bw_ray_target_set(body, level, &target);
    if (result != BW_OK) { /* a defect of the ray is told first */
        if (!bw_ray_has_length(ray))
            return BW_ERROR_ARGUMENT;
        const bw_ray_line line = bw_ray_line_of(ray);
        const bw_result of_ray = check_ray(&line.origin, &line.through);
        return of_ray != BW_OK ? of_ray : result;
    }
    bw_ray_state s;
    bw_ray_state_set(&s, &target, ray);
    hit_counter counter = {desc, &s, 0};
    s.visit = count_hit;
    s.user = &counter;
    /* A ray of no length is none of a kernel's, so that others need not be looked at for it. */
    result = trace_known(bw_ray_kernels_for(level), &s, wanted(desc->mode)) ? s.result
             : !bw_ray_has_length(ray)                                      ? BW_ERROR_ARGUMENT
                                       : trace_other(&s, wanted(desc->mode), desc->allocator);
    if (result != BW_OK)
        return result;
    const bool found = s.best.primitive != BW_NONE;
    bw_wide_tell_visits(target.side.tree, s.nodes + s.leaves);
    if (hit != NULL) { /* in pieces, as they were written: a copy of the whole would wait for them */
        hit->primitive = s.best.primitive;
        hit->kind = s.best.kind;
        hit->t = found ? s.best.t * s.unit : (double)INFINITY;
    }
    if (report != NULL) {
        report->hit_count = desc->mode == BW_RAY_ALL ? counter.hits : found;
        report->nodes_visited = s.nodes + s.leaves;
        report->box_tests = s.nodes * BW_WIDTH;
        report->primitive_tests = s.leaves * BW_WIDTH;
    }
    return BW_OK;
}

/* Of the best level, once a ray was cast. */
static _Atomic(const bw_ray_kernels *) best_kernels;

/* Whether a mesh can be read, and can be that of a layout: what bw_ray_target_set finds out, the short way. */
static inline bool is_usual(const struct bw_ray_layout *layout, const bw_mesh *mesh)
{
    return layout->usual && mesh->scalar == BW_F32 && mesh->positions != NULL && mesh->indices != NULL &&
           mesh->vertex_count == layout->vertices && mesh->triangle_count == layout->triangles &&
           (((uintptr_t)mesh->positions | (uintptr_t)mesh->indices | mesh->stride) & 3) == 0 &&
           (mesh->stride == 0 || mesh->stride >= 12);
}

/* What casts the usual ray: one contact with a body without a pose, whose tree is prepared. What only others
 * need took a seventh of its time. NULL where the ray is another, or the kernels (or NULL) have nothing. */
static inline bw_ray_usual_fn *usual_of(const bw_ray_kernels *kernels, const bw_body *body, const bw_ray *ray,
                                        const bw_raycast_desc *desc, const bw_ray_hit *hit,
                                        const bw_raycast_report *report)
{
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL || body->pose != NULL || ray == NULL ||
        hit == NULL || report != NULL || (unsigned)desc->mode > BW_RAY_ANY ||
        (desc->size != 0 && desc->size != sizeof *desc) || !(ray->t_max >= 0.0))
        return NULL;
    const bw_tree *tree = body->tree;
    if (kernels == NULL || tree->kind != &bw_kind_wide || tree->wide.rays == NULL ||
        tree->wide.lazy != NULL || !is_usual(tree->wide.rays, body->mesh))
        return NULL;
    return kernels->usual[desc->mode];
}

bw_result bw_raycast_other(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                           bw_ray_hit *hit, bw_raycast_report *report, bw_fault *fault)
{
    atomic_store_explicit(&best_kernels, bw_ray_kernels_for(bw_simd_level(BW_SIMD_AUTO)),
                          memory_order_relaxed);
    const bw_result sizes = bw_sizes_check(desc, report);
    return bw_fail(fault, sizes != BW_OK ? sizes : cast(BW_SIMD_AUTO, body, ray, desc, hit, report));
}

/* Nothing is called but for the last: so nothing needs to be saved. */
bw_result bw_raycast(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc, bw_ray_hit *hit,
                     bw_raycast_report *report, bw_fault *fault)
{
    bw_ray_usual_fn *usual =
        usual_of(atomic_load_explicit(&best_kernels, memory_order_relaxed), body, ray, desc, hit, report);
    return usual != NULL ? usual(body, ray, desc, hit, report, fault)
                         : bw_raycast_other(body, ray, desc, hit, report, fault);
}

bw_result bw_raycast_at(bw_simd level, const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                        bw_ray_hit *hit, bw_raycast_report *report)
{
    bw_ray_usual_fn *usual = usual_of(bw_ray_kernels_for(bw_simd_level(level)), body, ray, desc, hit, report);
    return usual != NULL ? usual(body, ray, desc, hit, report, NULL)
                         : cast(level, body, ray, desc, hit, report);
}

/* ---- many ---- */

enum { GRAIN = 1024 }; /* rays of a task */
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
    const bw_raycast_desc *desc;
    const bw_ray *rays;
    bw_ray_hit *hits;
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
    bw_ray_state s;
    bw_ray_state_set(&s, q->target, ray);
    job->result = trace(q->kernels, &s, wanted(q->desc->mode), q->desc->allocator);
    const bool found = s.best.primitive != BW_NONE;
    job->found += found;
    job->nodes += s.nodes;
    job->leaves += s.leaves;
    bw_ray_hit *hit = &job->hits[index];
    hit->primitive = s.best.primitive;
    hit->kind = s.best.kind;
    hit->t = found ? s.best.t * s.unit : (double)INFINITY;
    return job->result == BW_OK;
}

static void cast_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    const many_query *q = context;
    many_worker *w = &q->workers[worker];
    const bw_ray_target *t = q->target;
    if (w->result != BW_OK)
        return;
    many_part part = {
        {.target = t, .rays = q->rays, .hits = q->hits, .next = first, .last = last, .cast_other = cast_one},
        q};
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

/* The first ray at fault goes to *bad. */
static bw_result check_rays(const bw_ray_kernels *kernels, const bw_ray *rays, uint32_t count, uint32_t *bad)
{
    bw_result result = BW_OK;
    if (kernels->all_ordinary(rays, count))
        return BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        const bw_ray_line line = bw_ray_line_of(&rays[i]);
        result = rays[i].t_max >= 0.0 && bw_ray_has_length(&rays[i]) ? check_ray(&line.origin, &line.through)
                                                                     : BW_ERROR_ARGUMENT;
        *bad = result != BW_OK ? i : BW_NONE;
    }
    return result;
}

bw_result bw_raycast_many_at(bw_simd level, const bw_body *body, const bw_ray *rays, uint32_t count,
                             const bw_raycast_desc *desc, bw_ray_hit *hits, bw_raycast_report *report,
                             uint32_t *bad)
{
    *bad = BW_NONE;
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL ||
        (desc->mode != BW_RAY_NEAREST && desc->mode != BW_RAY_ANY) ||
        (count > 0 && (rays == NULL || hits == NULL)) || bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    level = bw_simd_level(level);
    bw_ray_target target;
    bw_result result = bw_ray_target_set(body, level, &target);
    const bw_ray_kernels *kernels = bw_ray_kernels_for(level);
    if (result == BW_OK)
        result = check_rays(kernels, rays, count, bad);
    if (result != BW_OK)
        return result;
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const bw_wide *tree = target.side.tree;
    struct bw_ray_layout *own = NULL;
    if (target.ordinary && tree->rays == NULL && count / RAYS_PER_LEAF >= tree->leaf_count) {
        bw_wide_complete(tree);
        own = bw_ray_layout_make(tree, body->mesh, &allocator, desc->tasks);
        if (own == NULL)
            return BW_ERROR_MEMORY;
        bw_ray_target_take(&target, own, level);
    }
    const uint32_t workers = bw_workers(desc->tasks);
    many_query q = {.target = &target, .kernels = kernels, .desc = desc, .rays = rays, .hits = hits};
    q.workers = bw_allocate_zero(&allocator, workers, sizeof *q.workers);
    if (q.workers != NULL)
        bw_parallel(desc->tasks, cast_range, &q, count, GRAIN);
    else
        result = BW_ERROR_MEMORY;
    bw_raycast_report sum = {0};
    for (uint32_t w = 0; w < workers && q.workers != NULL; w++) {
        const many_worker *done = &q.workers[w];
        result = done->result != BW_OK ? done->result : result;
        sum.hit_count += done->found;
        sum.nodes_visited += done->nodes + done->leaves;
        sum.box_tests += done->nodes * BW_WIDTH;
        sum.primitive_tests += done->leaves * BW_WIDTH;
    }
    bw_ray_layout_release(own, &allocator);
    bw_release(&allocator, q.workers, workers, sizeof *q.workers);
    if (result != BW_OK)
        return result;
    bw_wide_tell_visits(tree, sum.nodes_visited);
    if (report != NULL)
        bw_report_set(report, sum);
    return BW_OK;
}

bw_result bw_raycast_many(const bw_body *body, const bw_ray *rays, uint32_t ray_count,
                          const bw_raycast_desc *desc, bw_ray_hit *hits, bw_raycast_report *report,
                          bw_fault *fault)
{
    uint32_t bad = BW_NONE;
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK)
        result = bw_raycast_many_at(BW_SIMD_AUTO, body, rays, ray_count, desc, hits, report, &bad);
    return bw_fail_at(fault, result, bad);
}
