/* The public queries of a step: what the search (search.h) finds, in the order of features and numbers. */
#include "base/fault.h"
#include "base/sized.h"
#include "swept/cache.h"
#include "swept/search/narrow_phase.h"
#include "swept/search/order.h"

#include "base/tasks.h"

static bw_status deliver(const bw_swept_order *o, const bw_swept_query *query)
{
    bw_status status = BW_DONE;
    for (uint32_t i = 0; i < o->count; i++) {
        const bw_swept_contact *contact = bw_swept_order_at(o, i);
        if (query->contacts != NULL) {
            if (i < query->contact_capacity)
                query->contacts[i] = *contact;
            else
                status = BW_FULL;
        }
        if (query->on_contact != NULL && !query->on_contact(query->user, contact))
            return BW_STOPPED;
    }
    return status;
}

/* The one that counts. */
static bw_status deliver_earliest(const bw_swept_search *s)
{
    const bw_swept_contact *earliest = &s->report.earliest;
    const bw_swept_query *query = s->query;
    if (s->report.contact_count == 0)
        return BW_DONE;
    if (query->contact_capacity > 0)
        query->contacts[0] = *earliest;
    if (query->on_contact != NULL && !query->on_contact(query->user, earliest))
        return BW_STOPPED;
    return query->contacts != NULL && query->contact_capacity == 0 ? BW_FULL : BW_DONE;
}

static bw_result deliver_contacts(bw_swept_search *s)
{
    if (s->query->mode == BW_SWEPT_EARLIEST)
        s->report.status = deliver_earliest(s);
    if (s->query->mode != BW_SWEPT_ALL || (s->query->contacts == NULL && s->query->on_contact == NULL))
        return BW_OK;
    bw_swept_order order;
    bw_result result = bw_swept_order_make(s, &order);
    if (result == BW_OK)
        s->report.status = deliver(&order, s->query);
    bw_swept_order_release(s, &order);
    return result;
}

static void deliver_candidates(bw_swept_search *s)
{
    uint64_t found = s->report.candidate_count, given = 0, capacity = s->query->candidate_capacity;
    for (uint32_t i = 0; s->list == NULL && i < s->part_count; i++) {
        const bw_array *from = &s->parts[i].candidates;
        uint64_t count = from->count < capacity - given ? from->count : capacity - given;
        if (count > 0)
            memcpy(s->query->candidates + given, from->items, count * from->element);
        given += count;
    }
    if (s->query->candidates != NULL && capacity < found)
        s->report.status = BW_FULL;
}

static bool good_query(const bw_swept_query *query)
{
    return (unsigned)query->mode <= BW_SWEPT_EARLIEST &&
           (query->contacts != NULL || query->contact_capacity == 0) &&
           (query->candidates != NULL || query->candidate_capacity == 0) &&
           (query->candidates == NULL || query->mode == BW_SWEPT_CANDIDATES) &&
           bw_tasks_check(query->tasks) == BW_OK &&
           (query->separation >= 0 && query->separation <= BW_COORDINATE_MAX) &&
           (query->tolerance == 0 || (query->tolerance >= 0x1p-50 && query->tolerance <= 1));
}

static bw_result run(const bw_swept *a, const bw_swept *b, const bw_swept_query *query,
                     bw_swept_report *report)
{
    static const bw_swept_query defaults = {.mode = BW_SWEPT_COUNT};
    if (query == NULL)
        query = &defaults;
    if (bw_sizes_check(query, report) != BW_OK)
        return bw_sizes_check(query, report);
    if (a == NULL || b == NULL || report == NULL || !good_query(query))
        return BW_ERROR_ARGUMENT;
    bw_allocator allocator = bw_allocator_or_heap(query->allocator);
    bw_swept_search s = {.a = a,
                         .b = b,
                         .query = query,
                         .allocator = &allocator,
                         .take = query->mode == BW_SWEPT_CANDIDATES ? bw_swept_take_candidates
                                                                    : bw_swept_take_contacts,
                         .element = sizeof(bw_swept_contact),
                         .to = 1,
                         .latest = 1,
                         .grow = bw_swept_growth(a, b, query->separation),
                         .listed = query->candidate_capacity,
                         .list = bw_workers(query->tasks) == 1 ? query->candidates : NULL};
    bw_result result = query->cache == NULL ? BW_OK : bw_swept_cache_serve(query->cache, &s);
    if (result == BW_OK && !s.stopped)
        result = bw_swept_search_run(&s);
    if (s.stopped)
        s.report = (bw_swept_report){.status = BW_STOPPED};
    else if (result == BW_OK)
        result = deliver_contacts(&s);
    if (result == BW_OK) {
        if (!s.stopped)
            deliver_candidates(&s);
        bw_report_set(report, s.report);
    }
    bw_swept_search_release(&s);
    return result;
}

bw_result bw_swept_self(const bw_swept *sweep, const bw_swept_query *query, bw_swept_report *report,
                        bw_fault *fault)
{
    return bw_fail(fault, run(sweep, sweep, query, report));
}

bw_result bw_swept_pair(const bw_swept *a, const bw_swept *b, const bw_swept_query *query,
                        bw_swept_report *report, bw_fault *fault)
{
    return bw_fail(fault, a == b ? BW_ERROR_ARGUMENT : run(a, b, query, report));
}
