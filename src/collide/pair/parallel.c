/* The top of the traversal is unrolled into a list of parts, in the order in which one walk would meet them:
 * pairs of nodes still to be opened, and pairs of leaves still to be compared. The parts are walked by any
 * threads in any order, each range of them into its own list of hits, and the lists are given to the sink in
 * order. What a walk finds does not depend on what was walked before it, so nothing depends on the threads.
 */
#include "collide/pair/parallel.h"

#include <string.h>

#include "base/array.h"
#include "base/tasks.h"

/* Stop unrolling at so many parts, or so deep. A query that does not come to so many is over sooner than a
 * second thread wakes up. */
enum { PARTS = 128, ROUNDS = 16, RANGES = 96 };

typedef struct part {
    bw_wide_item item;
    uint64_t leaves; /* pairs of children that are leaves, to be compared; 0: the item is to be visited */
} part;

/* Hits of one range of parts, kept at the place of its first. */
typedef struct range_result {
    bw_collide_report report;
    bw_array hits;
    bw_result result;
} range_result;

typedef struct job {
    const bw_wide_plan *plan;
    const bw_collide_desc *desc;
    const part *parts;
    range_result *results;
    bw_cancel *cancel;
} job;

static bool keep_hit(void *user, const bw_hit *hit)
{
    range_result *r = user;
    bw_hit *slot = bw_array_push(&r->hits);
    if (slot == NULL) {
        r->result = BW_ERROR_MEMORY;
        return false;
    }
    *slot = *hit;
    return true;
}

static void walk_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *j = context;
    range_result *r = &j->results[begin];
    bw_collide_desc desc = {.mode = j->desc->mode, .on_hit = keep_hit, .user = r};
    bw_hit_sink sink = {.desc = &desc, .cancel = j->cancel};
    bw_traversal walk;
    bw_traversal_init(&walk, j->plan, &sink);
    walk.gathers = !j->plan->self;
    bool go_on = bw_hit_sink_wanted(&sink);
    for (uint32_t k = begin; k < end && go_on; k++) {
        const part *p = &j->parts[k];
        go_on = p->leaves != 0 ? bw_traversal_leaves(&walk, &p->item, p->leaves)
                               : bw_traversal_push(&walk, &p->item) && bw_traversal_descend(&walk);
    }
    if (go_on)
        bw_traversal_finish(&walk);
    bw_traversal_deliver(&walk);
    bw_traversal_release(&walk);
    if (r->result == BW_OK)
        r->result = walk.result;
    r->report = sink.report;
}

/* The parts of one item, in order. */
static bool unroll(bw_traversal *walk, const bw_wide_item *item, bw_array *out)
{
    bw_wide_meeting meeting = bw_traversal_visit(walk, item);
    if (meeting.leaves != 0) {
        part *p = bw_array_push(out);
        if (p == NULL)
            return false;
        *p = (part){*item, meeting.leaves};
    }
    if (meeting.others != 0 && !bw_traversal_nodes(walk, item, meeting.others))
        return false;
    const bw_wide_item *top;
    while ((top = bw_stack_pop(&walk->stack)) != NULL) {
        part *p = bw_array_push(out);
        if (p == NULL)
            return false;
        *p = (part){*top, 0};
    }
    return true;
}

/* Unrolls every part that can be, into `other`. */
static bool unroll_all(bw_traversal *walk, const bw_array *parts, bw_array *other)
{
    for (size_t k = 0; k < parts->count; k++) {
        const part *p = bw_array_at(parts, k);
        if (p->leaves != 0) {
            part *copy = bw_array_push(other);
            if (copy == NULL)
                return false;
            *copy = *p;
        } else if (!unroll(walk, &p->item, other)) {
            return false;
        }
    }
    return true;
}

static bool list_parts(bw_traversal *walk, bw_array *parts, bw_array *spare)
{
    part *root = bw_array_push(parts);
    if (root == NULL)
        return false;
    *root = (part){{0, 0, 0xFFu, 0xFFu}, 0};
    for (int round = 0; round < ROUNDS && parts->count < PARTS; round++) {
        spare->count = 0;
        if (!unroll_all(walk, parts, spare))
            return false;
        bw_array swap = *parts;
        *parts = *spare;
        *spare = swap;
    }
    return true;
}

static void add_counts(bw_collide_report *sum, const bw_collide_report *part_report)
{
    sum->nodes_visited += part_report->nodes_visited;
    sum->box_tests += part_report->box_tests;
    sum->primitive_tests += part_report->primitive_tests;
    sum->exact_tests += part_report->exact_tests;
}

/* All hits of a range at once, where only a buffer wants them. */
static void copy_hits(const range_result *r, bw_hit_sink *sink)
{
    bw_collide_report *report = &sink->report;
    uint64_t room =
        sink->desc->hit_capacity > report->hit_count ? sink->desc->hit_capacity - report->hit_count : 0;
    size_t fit = r->hits.count < room ? r->hits.count : (size_t)room;
    if (fit > 0)
        memcpy(sink->desc->hits + report->hit_count, r->hits.items, fit * sizeof(bw_hit));
    if (fit < r->hits.count && sink->desc->hits != NULL)
        report->status = BW_FULL;
    report->hit_count += r->hits.count;
    report->touching_count += r->report.touching_count;
    report->near_count += r->report.near_count;
}

/* Gives the hits of all ranges to the sink, in order. */
static void collect(const range_result *results, size_t count, bw_hit_sink *sink)
{
    bool go_on = true;
    for (size_t k = 0; k < count; k++) {
        const range_result *r = &results[k];
        add_counts(&sink->report, &r->report);
        if (sink->desc->mode == BW_COLLIDE_COUNT) {
            sink->report.hit_count += r->report.hit_count;
            sink->report.touching_count += r->report.touching_count;
            sink->report.near_count += r->report.near_count;
        } else if (sink->desc->on_hit == NULL) {
            copy_hits(r, sink);
            continue;
        }
        for (size_t i = 0; i < r->hits.count && go_on; i++) {
            const bw_hit *hit = bw_array_at(&r->hits, i);
            go_on = bw_hit_sink_add(sink, hit->a, hit->b, hit->kind);
        }
    }
}

static bw_result walk_all(const bw_wide_plan *plan, const bw_tasks *tasks, const bw_array *parts,
                          bw_hit_sink *sink)
{
    size_t count = parts->count;
    range_result *results = bw_allocate(&plan->allocator, count, sizeof *results);
    if (results == NULL)
        return count == 0 ? BW_OK : BW_ERROR_MEMORY;
    for (size_t k = 0; k < count; k++)
        results[k] = (range_result){.hits = bw_array_of(sizeof(bw_hit), &plan->allocator)};
    job j = {plan, sink->desc, (const part *)(const void *)parts->items, results, sink->cancel};
    bw_parallel(count < PARTS ? NULL : tasks, walk_parts, &j, (uint32_t)count,
                (uint32_t)(count / RANGES + 1));
    bw_result result = BW_OK;
    for (size_t k = 0; k < count && result == BW_OK; k++)
        result = results[k].result;
    if (result == BW_OK)
        collect(results, count, sink);
    if (sink->cancel != NULL && atomic_load(&sink->cancel->cancelled))
        sink->report.status = BW_STOPPED;
    for (size_t k = 0; k < count; k++)
        bw_array_release(&results[k].hits);
    bw_release(&plan->allocator, results, count, sizeof *results);
    return result;
}

bw_result bw_wide_parallel(const bw_wide_plan *plan, const bw_tasks *tasks, bw_hit_sink *sink)
{
    bw_array parts = bw_array_of(sizeof(part), &plan->allocator);
    bw_array spare = bw_array_of(sizeof(part), &plan->allocator);
    bw_traversal walk;
    bw_traversal_init(&walk, plan, sink);
    bool listed = list_parts(&walk, &parts, &spare);
    bw_traversal_release(&walk);
    bw_result result = listed ? walk_all(plan, tasks, &parts, sink) : BW_ERROR_MEMORY;
    bw_array_release(&parts);
    bw_array_release(&spare);
    return result;
}
