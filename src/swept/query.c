/* The public queries of a step: what the search (search.h) finds, in the order of features and numbers. */
#include "base/fault.h"
#include "base/sized.h"
#include "swept/cache.h"

#include "base/radix_sort.h"
#include "base/tasks.h"

/* What sorting a contact takes: where it is, its key, its place in the order, and room for both. */
enum { SORT_BYTES = sizeof(void *) + 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) };

typedef struct order {
    const bw_swept_contact **at;
    uint64_t *keys, *key_room;
    uint32_t *places, *place_room;
    uint32_t count;
} order;

/* Contacts of one feature after those of another, each by a and b. */
static void sort_contacts(const bw_swept_search *s, order *o)
{
    uint32_t count[BW_CCD_EDGE_EDGE + 2] = {0}, next = 0;
    for (uint32_t i = 0; i < s->part_count; i++)
        for (size_t j = 0; j < s->parts[i].contacts.count; j++) {
            o->at[next] = bw_array_at(&s->parts[i].contacts, j);
            count[o->at[next++]->feature + 1]++;
        }
    for (int f = 1; f <= BW_CCD_EDGE_EDGE + 1; f++)
        count[f] += count[f - 1]; /* where feature f begins */
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t slot = count[o->at[i]->feature]++;
        o->keys[slot] = (uint64_t)o->at[i]->a << 32 | o->at[i]->b;
        o->places[slot] = i;
    }
    for (int f = 0; f <= BW_CCD_EDGE_EDGE; f++) {
        uint32_t begin = f > 0 ? count[f - 1] : 0;
        bw_sort_u64(o->keys + begin, o->places + begin, o->key_room, o->place_room, count[f] - begin);
    }
}

static bw_status deliver(const order *o, const bw_swept_query *query)
{
    bw_status status = BW_DONE;
    for (uint32_t i = 0; i < o->count; i++) {
        const bw_swept_contact *contact = o->at[o->places[i]];
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

static bw_result deliver_contacts(bw_swept_search *s)
{
    uint64_t count = s->report.contact_count;
    if (count == 0 || s->query->mode != BW_SWEPT_ALL ||
        (s->query->contacts == NULL && s->query->on_contact == NULL))
        return BW_OK;
    if (count > UINT32_MAX)
        return BW_ERROR_SIZE;
    char *room = bw_allocate(s->allocator, count, SORT_BYTES);
    if (room == NULL)
        return BW_ERROR_MEMORY;
    order o = {.at = (const bw_swept_contact **)(void *)room, .count = (uint32_t)count};
    o.keys = (uint64_t *)(void *)(o.at + count);
    o.key_room = o.keys + count;
    o.places = (uint32_t *)(void *)(o.key_room + count);
    o.place_room = o.places + count;
    sort_contacts(s, &o);
    s->report.status = deliver(&o, s->query);
    bw_release(s->allocator, room, count, SORT_BYTES);
    return BW_OK;
}

static void deliver_candidates(bw_swept_search *s)
{
    uint64_t found = s->report.vertex_face_candidates + s->report.edge_edge_candidates, given = 0,
             capacity = s->query->candidate_capacity;
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
    return (unsigned)query->mode <= BW_SWEPT_CANDIDATES &&
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
                         .grow = bw_swept_growth(a, b, query->separation),
                         .listed = query->candidate_capacity,
                         .list = bw_workers(query->tasks) == 1 ? query->candidates : NULL};
    bw_result result = query->cache == NULL ? BW_OK : bw_swept_cache_serve(query->cache, &s);
    if (result == BW_OK)
        result = bw_swept_search_run(&s);
    if (result == BW_OK)
        result = deliver_contacts(&s);
    if (result == BW_OK) {
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
