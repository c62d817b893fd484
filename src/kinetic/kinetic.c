/* The public face of the kinetic trees. */
#include "kinetic/kinetic.h"
#include "base/fault.h"
#include "base/sized.h"
#include "kinetic/kind.h"

#include "base/tasks.h"
#include "mesh/view.h"
#include "motion/validate.h"

#include <math.h>
#include <string.h>

static size_t scalar_size(const bw_kinetic *k)
{
    return k->flight.motion.scalar == BW_F64 ? sizeof(double) : sizeof(float);
}

bw_result bw_kinetic_make_method(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    const bw_kinetic_kind *kind = bw_kind_of(k);
    k->missing = false;
    bw_result result = kind->create == NULL ? BW_OK : kind->create(k);
    return result == BW_OK && kind->start != NULL ? kind->start(k, time, report) : result;
}

/* After edits. Without memory for it the next use tries again. */
static bw_result make_again(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    const uint64_t updates = report->updates; /* those before were counted */
    bw_result result = bw_kinetic_make_method(k, time, report);
    report->updates = updates;
    if (result != BW_OK)
        bw_kinetic_drop_method(k);
    k->missing = result != BW_OK;
    return result;
}

void bw_kinetic_drop_method(bw_kinetic *k)
{
    if (bw_kind_of(k)->release != NULL)
        bw_kind_of(k)->release(k);
    k->queue = (bw_queue){0};
    k->lines = (bw_segment){.segment = BW_NONE};
}

static bw_result build(bw_kinetic *k, const bw_kinetic_desc *desc)
{
    size_t coordinates = 3 * (size_t)k->mesh.vertex_count;
    k->positions = bw_allocate(&k->allocator, coordinates, scalar_size(k));
    if (k->positions == NULL)
        return BW_ERROR_MEMORY;
    k->positions_room = k->mesh.vertex_count;
    bw_flight_sample(&k->flight, k->now, k->positions);
    k->mesh.positions = k->positions;
    k->positions_fresh = k->boxes_fresh = true;
    bw_tree_desc tree = {
        .builder = desc->builder, .compact = true, .allocator = &k->allocator, .tasks = desc->tasks};
    bw_result result = bw_tree_create(&tree, &k->mesh, &k->tree, NULL);
    if (result == BW_OK) {
        k->tree->kinetic = k->tree->ordered = true;
        k->pieces = bw_pieces_of(&k->flight.motion, &k->tree->wide, k->least_pieces);
    }
    if (result == BW_OK && k->policy.on)
        result = bw_policy_create(k);
    if (result == BW_OK)
        result = bw_kinetic_make_method(k, k->now, &k->total);
    if (result != BW_OK)
        return result;
    k->policy.seen_compared = k->compared; /* the start is not a frame */
    /* Interpolated and implied boxes are not those of the builder. */
    k->boxes_fresh = bw_kind_of(k)->tight_start;
    return BW_OK;
}

static bw_result check_arguments(const bw_kinetic_desc *desc, const bw_mesh *mesh, const bw_motion *motion,
                                 bw_fault *where)
{
    if (bw_desc_check(desc) != BW_OK)
        return bw_desc_check(desc);
    if (mesh == NULL || motion == NULL || (unsigned)desc->method > BW_KINETIC_AUTO || isnan(desc->time) ||
        bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    if ((unsigned)desc->builder > BW_BUILDER_QUALITY)
        return BW_ERROR_ARGUMENT;
    if (desc->method == BW_KINETIC_BOXTREE && !BW_RESEARCH)
        return BW_ERROR_NOT_BUILT;
    bw_result result = bw_motion_validate_from(motion, 0, where);
    if (result != BW_OK)
        return result;
    if (mesh->vertex_count != motion->vertex_count)
        return BW_ERROR_MISMATCH;
    if (bw_mesh_view_primitives(mesh) == 0)
        return BW_ERROR_EMPTY;
    bool fits = desc->method != BW_KINETIC_COMPILED || motion->kind == BW_MOTION_KEYFRAMES;
    return desc->builder == BW_BUILDER_MIDPOINT || !fits ? BW_ERROR_UNSUPPORTED : BW_OK;
}

bw_result bw_kinetic_create(const bw_kinetic_desc *desc, const bw_mesh *mesh, const bw_motion *motion,
                            bw_kinetic **out, bw_fault *fault)
{
    return bw_kinetic_create_for(&(bw_kinetic_use){0}, desc, mesh, motion, out, fault);
}

bw_result bw_kinetic_create_for(const bw_kinetic_use *use, const bw_kinetic_desc *desc, const bw_mesh *mesh,
                                const bw_motion *motion, bw_kinetic **out, bw_fault *fault)
{
    /* Boxes at both ends of a long way have little to do with those in between. */
    enum { LEAST = 8 };
    static const bw_kinetic_desc defaults = {.method = BW_KINETIC_DEFAULT};
    if (desc == NULL)
        desc = &defaults;
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = out == NULL ? BW_ERROR_ARGUMENT : check_arguments(desc, mesh, motion, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_kinetic *k = bw_allocate_zero(&allocator, 1, sizeof *k);
    if (k == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    k->allocator = allocator;
    k->method = desc->method == BW_KINETIC_DEFAULT ? BW_KINETIC_QUEUE : desc->method;
    k->simd = bw_simd_level(BW_SIMD_AUTO);
    k->flight = bw_flight_of(motion, &k->allocator);
    k->paired = use->paired;
    k->least_pieces = use->least_pieces == 0 ? LEAST : use->least_pieces;
    k->policy.on = desc->method == BW_KINETIC_AUTO;
    if (k->policy.on)
        k->method = bw_policy_first(k);
    k->now = fmin(fmax(desc->time, k->flight.begin), k->flight.end);
    k->mesh = (bw_mesh){.scalar = motion->scalar,
                        .vertex_count = mesh->vertex_count,
                        .indices = mesh->indices,
                        .triangle_count = mesh->triangle_count};
    result = build(k, desc);
    if (result != BW_OK) {
        bw_kinetic_destroy(k);
        return bw_fail(fault, result);
    }
    *out = k;
    return bw_fail(fault, BW_OK);
}

void bw_kinetic_destroy(bw_kinetic *k)
{
    if (k == NULL)
        return;
    if (k->tree != NULL)
        bw_kinetic_drop_method(k);
    bw_policy_release(k);
    bw_deferred_release(k);
    bw_vertex_leaves_drop(&k->reach, &k->allocator);
    bw_flight_release(&k->flight);
    bw_release(&k->allocator, k->positions, 3 * (size_t)k->positions_room, scalar_size(k));
    bw_tree_destroy(k->tree);
    bw_allocator allocator = k->allocator;
    bw_release(&allocator, k, 1, sizeof *k);
}

double bw_kinetic_time(const bw_kinetic *k)
{
    return k->now;
}

static void out_of_date(bw_kinetic *k)
{
    bw_deferred_end(k);
    k->boxes_fresh = k->positions_fresh = false;
    bw_kinetic_changed(k);
}

bw_result bw_kinetic_advance(bw_kinetic *k, double time, bw_kinetic_report *report, bw_fault *fault)
{
    if (bw_report_check(report) != BW_OK)
        return bw_fail(fault, BW_ERROR_LAYOUT);
    if (k == NULL || !(time >= k->flight.begin && time <= k->flight.end))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (time < k->now && k->flight.plans != NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_kinetic_report step = {.restarted = time < k->now};
    uint64_t compared = k->compared;
    bool moved = time != k->now;
    bw_result result = BW_OK;
    if (moved && k->policy.on)
        bw_policy_step(k, time);
    if (moved)
        out_of_date(k);
    if (k->missing)
        result = make_again(k, time, &step);
    else if (bw_kind_of(k)->advance != NULL)
        result = (step.restarted ? bw_kind_of(k)->start : bw_kind_of(k)->advance)(k, time, &step);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (step.restarted && k->policy.on)
        bw_policy_restarted(k);
    step.compared = k->compared - compared;
    k->now = time;
    k->total.events += step.events;
    k->total.leaf_events += step.leaf_events;
    k->total.updates += step.updates;
    k->total.checks += step.checks;
    k->total.compared += step.compared;
    k->total.segments += step.segments;
    k->total.restarted = k->total.restarted || step.restarted;
    if (report != NULL)
        bw_report_set(report, step);
    return bw_fail(fault, BW_OK);
}

bw_result bw_kinetic_set_plans(bw_kinetic *k, const uint32_t *vertices, const bw_plan *plans, uint32_t count,
                               bw_fault *fault)
{
    if (k == NULL || (count > 0 && (vertices == NULL || plans == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_kinetic_has_lines(k) && !k->policy.on)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    for (uint32_t i = 0; i < count; i++) {
        if (vertices[i] >= k->mesh.vertex_count)
            return bw_fail_at(fault, BW_ERROR_INDEX, i);
        bw_fault where = bw_plan_fault_of(&plans[i], k->now, k->flight.end);
        where.vertex = vertices[i];
        if (where.defect != BW_DEFECT_NONE)
            return bw_fail_with(fault, bw_defect_result(where.defect), &where);
    }
    if (k->policy.on && count > 0)
        bw_policy_change(k, count);
    bw_result result =
        k->method != BW_KINETIC_REFIT
            ? bw_vertex_leaves_make(&k->reach, &k->tree->wide, k->mesh.vertex_count, &k->allocator)
            : BW_OK;
    if (result == BW_OK)
        result = bw_flight_reserve(&k->flight);
    if (result != BW_OK)
        return bw_fail(fault, result);
    for (uint32_t i = 0; i < count; i++)
        bw_flight_set(&k->flight, vertices[i], &plans[i]);
    if (bw_kind_of(k)->replan != NULL && !k->missing)
        bw_kind_of(k)->replan(k, vertices, count);
    k->edition++;
    out_of_date(k);
    return bw_fail(fault, BW_OK);
}

bw_result bw_kinetic_set_plan(bw_kinetic *k, uint32_t vertex, const bw_plan *plan, bw_fault *fault)
{
    return bw_fail(fault, bw_kinetic_set_plans(k, &vertex, plan, 1, fault));
}

const void *bw_kinetic_keyframe(const bw_kinetic *k)
{
    const bw_motion *motion = &k->flight.motion;
    if (bw_kind_of(k)->own_reading || motion->kind != BW_MOTION_KEYFRAMES || k->flight.plans != NULL)
        return NULL;
    uint32_t segment = bw_motion_segment(motion, k->now);
    if (motion->times[segment] == k->now)
        return motion->frames[segment];
    return motion->times[segment + 1] == k->now ? motion->frames[segment + 1] : NULL;
}

void bw_kinetic_own_positions(bw_kinetic *k)
{
    if (k->mesh.positions == k->positions)
        return;
    bw_kinetic_show(k, NULL);
    bw_flight_sample(&k->flight, k->now, k->positions);
}

/* Everything at once, for the methods that can do no less, and where there is no memory to do less. */
static bw_result fit_all(bw_kinetic *k)
{
    if (!k->positions_fresh) {
        const void *keyframe = bw_kinetic_keyframe(k);
        bw_kinetic_show(k, keyframe);
        if (keyframe == NULL)
            bw_flight_sample(&k->flight, k->now, k->positions);
    }
    k->positions_fresh = true;
    if (!k->boxes_fresh) {
        bw_wide_changed(&k->tree->wide);
        bw_result result = bw_kind_of(k)->fit(k);
        if (result != BW_OK)
            return result;
    }
    k->boxes_fresh = true;
    return BW_OK;
}

/* Whether the boxes of single nodes can be told. */
static bool may_be_lazy(const bw_kinetic *k)
{
    return bw_kind_of(k)->fit_node != NULL && k->tree->wide.node_count > 0;
}

/* all: every box and position now, so that queries write nothing; otherwise what they look at, and count. */
static bw_result show(bw_kinetic *k, bool all, bw_body *out)
{
    if (k == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = k->missing ? make_again(k, k->now, &k->total) : BW_OK;
    if (result == BW_OK && bw_kinetic_has_lines(k)) /* that may have been lost to a lack of memory */
        result = bw_segment_advance(k, k->now, &(bw_kinetic_report){0});
    if (result != BW_OK)
        return result;
    bool lazy = may_be_lazy(k) && bw_deferred_begin(k);
    if (!lazy)
        result = fit_all(k);
    else if (all)
        bw_deferred_all(k);
    k->lazy.wide.counts = !all;
    if (result == BW_OK)
        *out = (bw_body){.tree = k->tree, .mesh = &k->mesh};
    return result;
}

bw_result bw_kinetic_body(bw_kinetic *k, bw_body *out, bw_fault *fault)
{
    return bw_fail(fault, show(k, true, out));
}

bw_result bw_kinetic_query_body(bw_kinetic *k, bw_body *out, bw_fault *fault)
{
    return bw_fail(fault, show(k, false, out));
}

bw_result bw_kinetic_fit(bw_kinetic *k)
{
    bw_body body;
    return show(k, true, &body);
}

void bw_kinetic_get_stats(const bw_kinetic *k, bw_kinetic_stats *out)
{
    bw_tree_stats tree = {0};
    bw_tree_get_stats(k->tree, &tree);
    size_t extra = bw_kind_of(k)->bytes == NULL ? 0 : bw_kind_of(k)->bytes(k);
    extra += bw_vertex_leaves_bytes(&k->reach) + bw_deferred_bytes(k) + bw_policy_bytes(k);
    if (k->flight.plans != NULL)
        extra += k->flight.room * (sizeof(bw_plan) + 1);
    const bw_heap none = {0}, *heap = bw_kind_of(k)->heap != NULL ? bw_kind_of(k)->heap(k) : &none;
    bw_heap_item next = {INFINITY, 0};
    bw_heap_top(heap, &next);
    const bw_kinetic_stats all = {.method = k->policy.on ? BW_KINETIC_AUTO : k->method,
                                  .pending = heap->count,
                                  .boxes = tree.nodes + tree.leaves,
                                  .bytes = sizeof *k + tree.bytes +
                                           3 * (size_t)k->positions_room * scalar_size(k) + extra,
                                  .extra = extra,
                                  .next_event = next.key};
    bw_report_set(out, all);
}

void bw_kinetic_get_total(const bw_kinetic *k, bw_kinetic_report *out)
{
    bw_report_set(out, k->total);
}

void bw_kinetic_get_choice(const bw_kinetic *k, bw_kinetic_choice *out)
{
    bw_report_set(out, k->policy.choice);
    out->method = k->method;
    if (!k->policy.on)
        out->reason = "asked for";
}

const char *bw_kinetic_check(const bw_kinetic *k)
{
    return bw_kind_of(k)->check == NULL ? NULL : bw_kind_of(k)->check(k);
}
