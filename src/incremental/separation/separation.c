/* The public face of separation lists. */
#include "incremental/separation/separation.h"
#include "base/fault.h"
#include "base/sized.h"

#include "base/tasks.h"
#include "mesh/view.h"

#include <math.h>

static bw_result check_moving(const bw_moving *moving)
{
    if (moving->mesh == NULL || moving->motion == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = bw_motion_validate(moving->motion, NULL);
    if (result != BW_OK)
        return result;
    if (moving->mesh->vertex_count != moving->motion->vertex_count)
        return BW_ERROR_MISMATCH;
    return bw_mesh_view_primitives(moving->mesh) == 0 ? BW_ERROR_EMPTY : BW_OK;
}

static bw_result check_arguments(const bw_separation_desc *desc, const bw_moving *a, const bw_moving *b)
{
    if (a == NULL || (unsigned)desc->method > BW_SEPARATION_TRAVERSE || isnan(desc->time) ||
        (unsigned)desc->builder > BW_BUILDER_QUALITY || bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    bw_result result = check_moving(a);
    if (result == BW_OK && b != NULL)
        result = check_moving(b);
    if (result != BW_OK)
        return result;
    return desc->builder != BW_BUILDER_MIDPOINT ? BW_OK : BW_ERROR_UNSUPPORTED;
}

static bw_result make_list(bw_separation *s, const bw_separation_desc *desc, const bw_moving *a,
                           const bw_moving *b)
{
    bw_kinetic_desc kinetic = {.method = BW_KINETIC_QUEUE,
                               .builder = desc->builder,
                               .time = s->now,
                               .allocator = &s->allocator,
                               .tasks = desc->tasks};
    bw_kinetic *first = NULL, *second = NULL;
    bw_result result = bw_kinetic_create(&kinetic, a->mesh, a->motion, &first, NULL);
    if (result == BW_OK && b != NULL)
        result = bw_kinetic_create(&kinetic, b->mesh, b->motion, &second, NULL);
    if (result != BW_OK) {
        bw_kinetic_destroy(first);
        return result;
    }
    return bw_list_create(&s->allocator, first, b == NULL ? first : second, &s->list);
}

static bw_mover *second_mover(bw_separation *s)
{
    return &s->movers[s->self ? 0 : 1];
}

static bool can_compile(const bw_separation *s)
{
    return s->method == BW_SEPARATION_AUTO || s->method == BW_SEPARATION_COMPILED;
}

static bw_result make_movers(bw_separation *s, const bw_separation_desc *desc, const bw_moving *a,
                             const bw_moving *b)
{
    bw_result result = bw_mover_create(&s->allocator, desc->builder, desc->tasks, a, s->now, &s->movers[0]);
    if (result == BW_OK && b != NULL)
        result = bw_mover_create(&s->allocator, desc->builder, desc->tasks, b, s->now, &s->movers[1]);
    if (result == BW_OK && can_compile(s))
        result = bw_schedule_create(&s->allocator, &s->movers[0], second_mover(s), &s->schedule);
    return result;
}

static bw_result go_to(bw_separation *s, double time, bw_separation_report *report);

bw_result bw_separation_create(const bw_separation_desc *desc, const bw_moving *a, const bw_moving *b,
                               bw_separation **out, bw_fault *fault)
{
    static const bw_separation_desc defaults = {.method = BW_SEPARATION_AUTO};
    if (desc == NULL)
        desc = &defaults;
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    bw_result result = out == NULL ? BW_ERROR_ARGUMENT : check_arguments(desc, a, b);
    if (result != BW_OK)
        return bw_fail(fault, result);
    double begin, end;
    bw_motion_span(a->motion, &begin, &end);
    if (b != NULL) {
        double from, to;
        bw_motion_span(b->motion, &from, &to);
        begin = fmax(begin, from);
        end = fmin(end, to);
    }
    if (begin > end)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_separation *s = bw_allocate_zero(&allocator, 1, sizeof *s);
    if (s == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    s->allocator = allocator;
    s->method = desc->method;
    s->self = b == NULL;
    s->begin = begin;
    s->end = end;
    s->now = fmin(fmax(desc->time, begin), end);
    if (desc->tasks != NULL) {
        s->hook = *desc->tasks;
        s->tasks = &s->hook;
    }
    result = s->method == BW_SEPARATION_EVENTS ? make_list(s, desc, a, b) : make_movers(s, desc, a, b);
    if (result == BW_OK && s->method != BW_SEPARATION_EVENTS)
        result = go_to(s, s->now, &(bw_separation_report){0});
    if (result != BW_OK) {
        bw_separation_destroy(s);
        return bw_fail(fault, result);
    }
    *out = s;
    return bw_fail(fault, BW_OK);
}

void bw_separation_destroy(bw_separation *s)
{
    if (s == NULL)
        return;
    bw_schedule_release(&s->schedule);
    bw_mover_release(&s->movers[0]);
    bw_mover_release(&s->movers[1]);
    bw_list_release(&s->list);
    bw_allocator allocator = s->allocator;
    bw_release(&allocator, s, 1, sizeof *s);
}

double bw_separation_time(const bw_separation *s)
{
    return s->now;
}

/* ---- the methods with movers ---- */

/* Velocities alone are cut into eight parts: boxes at the ends of a long way have little to do with those in
 * between. */
static void part_of(double begin, double end, double time, double *from, double *to)
{
    double length = end - begin, part = fmin(floor((time - begin) / length * 8), 7);
    double first = begin + length * (part / 8), last = begin + length * ((part + 1) / 8);
    *from = first <= time ? first : begin;
    *to = part < 7 && last > time ? last : end;
}

/* The span around a time in which all vertices move on straight lines, or nearly so. */
static void span_of(bw_separation *s, double time, double *from, double *to)
{
    bool keyed = false;
    *from = s->begin;
    *to = s->end;
    for (int i = 0; i < (s->self ? 1 : 2); i++) {
        const bw_mover *m = &s->movers[i];
        if (m->motion.kind == BW_MOTION_VELOCITY || m->still)
            continue;
        double begin, end;
        bw_mover_piece(m, time, &begin, &end);
        *from = fmax(*from, begin);
        *to = fmin(*to, end);
        keyed = true;
    }
    if (!keyed && s->end > s->begin)
        part_of(s->begin, s->end, time, from, to);
}

/* How many steps to expect from a time to another, that at the time itself included, if they go on as the
 * last one: 0 where none was made yet. A hair more, as times are rounded. */
static double steps_to(const bw_separation *s, double time, double to)
{
    return s->step > 0 ? (to - time) / s->step + 1 + 1e-6 : 0;
}

static bool worthwhile(const bw_separation *s, double time, double to)
{
    return s->method == BW_SEPARATION_COMPILED || bw_policy_compile(&s->policy, steps_to(s, time, to));
}

/* AUTO: one of the trees at a time. */
static void follow(bw_separation *s, bw_mover *m, double time)
{
    if (m->still)
        return;
    if (!bw_mover_holds(m, time)) {
        double from, to;
        bw_mover_piece(m, time, &from, &to);
        if (m->motion.kind == BW_MOTION_VELOCITY && from < to)
            part_of(m->begin, m->end, time, &from, &to);
        if (time == from || time == to || !bw_policy_blend(&s->policy, steps_to(s, time, to))) {
            bw_mover_fit(m, time);
            return;
        }
        bw_mover_span(m, from, to);
    }
    if (s->policy.doubt || s->policy.wary > 0)
        bw_mover_fit(m, time);
    else
        bw_mover_blend(m, time);
}

static bool blended(const bw_separation *s)
{
    return s->movers[0].blended || (!s->self && s->movers[1].blended);
}

static bw_result prepare(bw_separation *s, double from, double to)
{
    bw_sweep_counts before = s->schedule.sweep.counts;
    bw_result result = bw_schedule_prepare(&s->schedule, from, to);
    if (result == BW_OK)
        bw_policy_compiled(&s->policy, &s->schedule.sweep, &before);
    return result;
}

static bw_result go_to(bw_separation *s, double time, bw_separation_report *report)
{
    bw_result result = BW_OK;
    s->scheduled = false;
    s->step = time > s->now ? time - s->now : s->step;
    if (can_compile(s)) {
        bool holds = bw_schedule_holds(&s->schedule, time);
        double from, to;
        span_of(s, time, &from, &to);
        if (!holds && from < to && worthwhile(s, time, to)) {
            result = prepare(s, from, to);
            report->compiled++;
            holds = result == BW_OK;
        }
        if (holds)
            result = bw_schedule_advance(&s->schedule, time);
        s->scheduled = holds && result == BW_OK;
    }
    if (!s->scheduled) { /* also where memory ran out: the answer needs none */
        for (int i = 0; i < (s->self ? 1 : 2); i++)
            if (s->method == BW_SEPARATION_AUTO && can_compile(s))
                follow(s, &s->movers[i], time);
            else
                bw_mover_fit(&s->movers[i], time);
        bw_policy_stepped(&s->policy, !blended(s));
        report->traversed = true;
    }
    return result == BW_ERROR_MEMORY && s->method == BW_SEPARATION_AUTO ? BW_OK : result;
}

bw_result bw_separation_advance(bw_separation *s, double time, bw_separation_report *report, bw_fault *fault)
{
    if (bw_report_check(report) != BW_OK)
        return bw_fail(fault, BW_ERROR_LAYOUT);
    if (s == NULL || !(time >= s->begin && time <= s->end))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_separation_report step = {.restarted = time < s->now};
    bw_result result;
    if (s->method == BW_SEPARATION_EVENTS) {
        bool replanned = s->list.trees[0]->flight.plans != NULL || s->list.trees[1]->flight.plans != NULL;
        if (step.restarted && replanned)
            return bw_fail(fault, BW_ERROR_UNSUPPORTED);
        result = bw_list_advance(&s->list, time, &step);
    } else
        result = go_to(s, time, &step);
    s->now = time;
    bw_separation_report *total = &s->total;
    total->events += step.events;
    total->overlaps += step.overlaps;
    total->fathers += step.fathers;
    total->leaves += step.leaves;
    total->box_changes += step.box_changes;
    total->checks += step.checks;
    total->tree_events += step.tree_events;
    total->compiled += step.compiled;
    total->traversed = total->traversed || step.traversed;
    total->restarted = total->restarted || step.restarted;
    if (report != NULL && result == BW_OK)
        bw_report_set(report, step);
    return bw_fail(fault, result);
}

bw_result bw_separation_set_plans(bw_separation *s, uint32_t side, const uint32_t *vertices,
                                  const bw_plan *plans, uint32_t count, bw_fault *fault)
{
    if (s == NULL || side > (s->self ? 0u : 1u))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (s->method != BW_SEPARATION_EVENTS)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_separation_report step = {0};
    bw_result result = bw_list_set_plans(&s->list, side, vertices, plans, count, &step);
    s->total.events += step.events;
    s->total.overlaps += step.overlaps;
    s->total.fathers += step.fathers;
    s->total.leaves += step.leaves;
    s->total.box_changes += step.box_changes;
    s->total.checks += step.checks;
    return bw_fail(fault, result);
}

/* ---- questions ---- */

static bw_result list_ready(bw_separation *s)
{
    return s->list.valid ? BW_OK : bw_list_start(&s->list);
}

static bw_result collide_trees(bw_separation *s, const bw_collide_desc *desc, bw_collide_report *report)
{
    const bw_mover *a = &s->movers[0], *b = second_mover(s);
    bw_body body_a = {.tree = a->tree, .mesh = &a->mesh}, body_b = {.tree = b->tree, .mesh = &b->mesh};
    bw_result result = s->self ? bw_collide_self(&body_a, desc, report, NULL)
                               : bw_collide(&body_a, &body_b, desc, report, NULL);
    uint32_t nodes = a->still ? 0 : a->tree->wide.node_count;
    nodes += s->self || b->still ? 0 : b->tree->wide.node_count;
    if (result == BW_OK)
        bw_policy_asked(&s->policy, report, blended(s), nodes);
    return result;
}

bw_result bw_separation_collide(bw_separation *s, const bw_collide_desc *given, bw_collide_report *report,
                                bw_fault *fault)
{
    static const bw_collide_desc defaults = {.mode = BW_COLLIDE_ANY};
    if (s == NULL || report == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_sizes_check(given, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(given, report));
    bw_collide_desc desc = given == NULL ? defaults : *given;
    if ((unsigned)desc.mode > BW_COLLIDE_COUNT || bw_tasks_check(desc.tasks) != BW_OK)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    desc.containment = false;
    desc.witness = NULL;
    desc.axis_exits = NULL;
    desc.box_test = BW_BOX_TEST_DEFAULT;
    bw_hit_sink sink = {.desc = &desc};
    if (s->method == BW_SEPARATION_EVENTS) {
        bw_result result = list_ready(s);
        if (result != BW_OK)
            return bw_fail(fault, result);
        bw_list_collide(&s->list, &sink);
    } else if (s->scheduled) {
        bw_schedule_collide(&s->schedule, s->now, &sink);
    } else {
        desc.tasks = desc.tasks == NULL ? s->tasks : desc.tasks;
        return bw_fail(fault, collide_trees(s, &desc, report));
    }
    bw_report_set(report, sink.report);
    return bw_fail(fault, BW_OK);
}

bw_result bw_separation_visit(bw_separation *s, bw_separation_visitor *visitor, void *user, bw_fault *fault)
{
    if (s == NULL || visitor == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (s->method == BW_SEPARATION_TRAVERSE)
        return bw_fail(fault, bw_cut_visit(&s->allocator, &s->movers[0].tree->wide,
                                           &second_mover(s)->tree->wide, s->self, visitor, user));
    if (s->method != BW_SEPARATION_EVENTS)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result result = list_ready(s);
    for (int i = 0; i < 2 && result == BW_OK; i++) {
        result = bw_kinetic_body(s->list.trees[i], &(bw_body){0}, NULL);
        bw_wide_complete(&s->list.trees[i]->tree->wide); /* the visitor is shown boxes */
    }
    if (result == BW_OK)
        bw_list_visit(&s->list, visitor, user);
    return bw_fail(fault, result);
}

static bool count_entry(void *user, const bw_separation_entry *entry)
{
    bw_separation_stats *stats = user;
    stats->inner_apart += !entry->leaves;
    stats->leaves_apart += entry->leaves && !entry->meeting;
    stats->leaves_meeting += entry->meeting;
    return true;
}

void bw_separation_get_stats(const bw_separation *s, bw_separation_stats *out)
{
    bw_separation_stats stats = {.method = s->method,
                                 .next_event = INFINITY,
                                 .bytes = sizeof *s + bw_mover_bytes(&s->movers[0]) +
                                          bw_mover_bytes(&s->movers[1]) + bw_schedule_bytes(&s->schedule) +
                                          bw_list_bytes(&s->list)};
    if (s->method == BW_SEPARATION_EVENTS && s->list.valid) {
        bw_list_visit(&s->list, count_entry, &stats);
        bw_heap_item top = {INFINITY, 0};
        bw_heap_top(&s->list.heap, &top);
        stats.next_event = top.key;
        stats.pending = s->list.heap.count;
    }
    if (s->scheduled) {
        stats.leaves_meeting = s->schedule.active.count;
        stats.pending = s->schedule.sweep.pairs.count;
    }
    bw_report_set(out, stats);
}

void bw_separation_get_total(const bw_separation *s, bw_separation_report *out)
{
    bw_report_set(out, s->total);
}

const char *bw_separation_check(bw_separation *s)
{
    if (s->method == BW_SEPARATION_EVENTS)
        return s->list.valid ? bw_list_check(&s->list) : "the list was lost to a lack of memory";
    return s->scheduled ? bw_schedule_check(&s->schedule, s->now) : NULL;
}
