/* The public face of separation lists. */
#include "timeline/separation/separation.h"
#include "base/fault.h"
#include "base/sized.h"

#include "base/tasks.h"
#include "collide/hit_order.h"
#include "mesh/view.h"

#include <math.h>

static bw_result check_arguments(const bw_separation_desc *desc, const bw_moving *a, const bw_moving *b)
{
    if (a == NULL || (unsigned)desc->method > BW_SEPARATION_TRAVERSE || isnan(desc->time) ||
        (unsigned)desc->builder > BW_BUILDER_QUALITY || bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    bw_result result = bw_moving_check(a);
    if (result == BW_OK && b != NULL)
        result = bw_moving_check(b);
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

static bool has_cache(const bw_separation *s)
{
    return s->method == BW_SEPARATION_AUTO || s->method == BW_SEPARATION_COMPILED;
}

static bw_result make_bodies(bw_separation *s, const bw_separation_desc *desc, const bw_moving *a,
                             const bw_moving *b)
{
    static const bw_kinetic_method methods[] = {[BW_SEPARATION_AUTO] = BW_KINETIC_AUTO,
                                                [BW_SEPARATION_COMPILED] = BW_KINETIC_INTERPOLATED,
                                                [BW_SEPARATION_TRAVERSE] = BW_KINETIC_REFIT};
    bw_kinetic_desc kinetic = {.method = methods[s->method],
                               .builder = desc->builder,
                               .time = s->now,
                               .allocator = &s->allocator,
                               .tasks = desc->tasks};
    bw_kinetic_use use = {.paired = true};
    bw_result result = bw_moving_body_create(&use, &kinetic, a, &s->bodies[0]);
    if (result == BW_OK && b != NULL)
        result = bw_moving_body_create(&use, &kinetic, b, &s->bodies[1]);
    return result;
}

/* Both bodies at the present time. self: the first twice. */
static bw_result show(bw_separation *s, bw_body bodies[2], bw_cache_query *query)
{
    bw_result result = bw_moving_body_show(&s->bodies[0], &bodies[0]);
    if (result == BW_OK && !s->self)
        result = bw_moving_body_show(&s->bodies[1], &bodies[1]);
    *query = (bw_cache_query){&bodies[0], &bodies[s->self ? 0 : 1], NULL};
    return result;
}

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
    bw_pair_cache_init(&s->cache, &s->allocator);
    s->cache.eager = s->method == BW_SEPARATION_COMPILED;
    if (desc->tasks != NULL) {
        s->hook = *desc->tasks;
        s->tasks = &s->hook;
    }
    result = s->method == BW_SEPARATION_EVENTS ? make_list(s, desc, a, b) : make_bodies(s, desc, a, b);
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
    bw_pair_cache_release(&s->cache);
    bw_moving_body_release(&s->bodies[0]);
    bw_moving_body_release(&s->bodies[1]);
    bw_list_release(&s->list);
    bw_allocator allocator = s->allocator;
    bw_release(&allocator, s, 1, sizeof *s);
}

double bw_separation_time(const bw_separation *s)
{
    return s->now;
}

/* The methods with bodies: to a time, and, COMPILED, the list for it. */
static bw_result go_to(bw_separation *s, double time, bw_separation_report *report)
{
    bw_result result = BW_OK;
    for (int i = 0; i < (s->self ? 1 : 2) && result == BW_OK; i++)
        result = bw_moving_body_advance(&s->bodies[i], time);
    bw_body bodies[2];
    bw_cache_query query;
    if (result == BW_OK)
        result = show(s, bodies, &query);
    if (result != BW_OK)
        return result;
    s->listed = s->cache.eager ? bw_pair_cache_prepare(&s->cache, &query, false)
                               : has_cache(s) && bw_pair_cache_holds(&s->cache, &query);
    report->compiled = (uint32_t)(s->cache.list.fillings - s->fillings);
    s->fillings = s->cache.list.fillings;
    report->traversed = !s->listed;
    return BW_OK;
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
    total->parents += step.parents;
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
    s->total.parents += step.parents;
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

static bw_result collide_bodies(bw_separation *s, const bw_collide_desc *desc, bw_collide_report *report)
{
    bw_body bodies[2];
    bw_cache_query query;
    bw_result result = show(s, bodies, &query);
    if (result == BW_OK)
        result = s->self ? bw_collide_self(&bodies[0], desc, report, NULL)
                         : bw_collide(&bodies[0], &bodies[1], desc, report, NULL);
    s->listed = result == BW_OK && has_cache(s) && bw_pair_cache_holds(&s->cache, &query);
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
    desc.progress = (bw_progress){0};
    desc.box_test = BW_BOX_TEST_DEFAULT;
    bw_hit_sink sink = {.desc = &desc};
    if (s->method == BW_SEPARATION_EVENTS) {
        bw_result result = list_ready(s);
        if (result != BW_OK)
            return bw_fail(fault, result);
        bw_hit_order order;
        bool ordered = bw_hit_order_matters(&desc);
        if (ordered)
            bw_hit_order_begin(&order, &sink);
        result = bw_list_collide(&s->list, &sink);
        if (ordered)
            result = bw_hit_order_end(&order, &desc, &sink, result);
        if (result != BW_OK)
            return bw_fail(fault, result);
    } else {
        desc.tasks = desc.tasks == NULL ? s->tasks : desc.tasks;
        desc.cache = has_cache(s) ? &s->cache : NULL;
        return bw_fail(fault, collide_bodies(s, &desc, report));
    }
    bw_report_set(report, sink.report);
    return bw_fail(fault, BW_OK);
}

bw_result bw_separation_visit(bw_separation *s, bw_separation_visitor *visitor, void *user, bw_fault *fault)
{
    if (s == NULL || visitor == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (s->method == BW_SEPARATION_TRAVERSE) {
        bw_body bodies[2];
        bw_cache_query query;
        bw_result result = show(s, bodies, &query);
        if (result == BW_OK)
            result = bw_cut_visit(&s->allocator, &query.a->tree->wide, &query.b->tree->wide, s->self, visitor,
                                  user);
        return bw_fail(fault, result);
    }
    if (s->method != BW_SEPARATION_EVENTS)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result result = list_ready(s);
    for (int i = 0; i < 2 && result == BW_OK; i++)
        result = bw_kinetic_body(s->list.trees[i], &(bw_body){0}, NULL); /* the visitor is shown boxes */
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
                                 .bytes = sizeof *s + bw_moving_body_bytes(&s->bodies[0]) +
                                          bw_moving_body_bytes(&s->bodies[1]) +
                                          bw_pair_cache_bytes(&s->cache) + bw_list_bytes(&s->list)};
    if (s->method == BW_SEPARATION_EVENTS && s->list.valid) {
        bw_list_visit(&s->list, count_entry, &stats);
        bw_heap_item top = {INFINITY, 0};
        bw_heap_top(&s->list.heap, &top);
        stats.next_event = top.key;
        stats.pending = s->list.heap.count;
    }
    if (s->listed) {
        stats.leaves_meeting = s->cache.list.active;
        stats.pending = s->cache.list.pairs.count;
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
    bw_body bodies[2];
    bw_cache_query query;
    return s->listed && show(s, bodies, &query) == BW_OK ? bw_pair_cache_check(&s->cache, &query) : NULL;
}
