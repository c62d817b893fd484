/* The public query: hits of bw_collide, their geometry, regions, and depth and volume where wanted. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "contact/depth/depth.h"
#include "contact/hits.h"
#include "contact/regions.h"
#include "tree/kind.h"

#include <math.h>
#include <stdatomic.h>

/* Every hit, each to its slot. */
typedef struct measuring {
    const bw_contact_query *query;
    const uint32_t *slots;
    bool *flush; /* of each slot */
    atomic_bool out_of_range;
} measuring;

static void measure(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    measuring *m = context;
    const bw_contact_query *query = m->query;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t slot = m->slots[i];
        if (!bw_contact_of_hit(&query->frame, &query->hits[i], &query->contacts[slot], &m->flush[slot]))
            atomic_store(&m->out_of_range, true);
    }
}

enum { GRAIN = 256 };

static bw_result measure_contacts(bw_contact_query *query, const uint32_t *slots, bool *flush)
{
    measuring m = {.query = query, .slots = slots, .flush = flush};
    atomic_init(&m.out_of_range, false);
    bw_parallel(query->desc->tasks, measure, &m, query->contact_count, GRAIN);
    if (atomic_load(&m.out_of_range))
        return BW_ERROR_RANGE;
    for (uint32_t r = 0; r < query->region_count; r++) {
        const bw_contact_region *region = &query->regions[r];
        for (uint64_t i = region->first; i < region->first + region->count; i++) {
            query->contacts[i].region = r;
            query->flush[r] |= flush[i];
        }
    }
    bw_regions_average(query->contacts, query->regions, query->region_count);
    return BW_OK;
}

/* From hits to regions and contacts. */
static bw_result find_contacts(bw_contact_query *query)
{
    const uint32_t count = query->contact_count;
    if (count == 0)
        return BW_OK;
    uint32_t *region_of = bw_allocate(&query->allocator, count, sizeof *region_of);
    bool *flush = bw_allocate(&query->allocator, count, sizeof *flush);
    query->contacts = bw_allocate(&query->allocator, count, sizeof *query->contacts);
    bw_result result =
        region_of == NULL || flush == NULL || query->contacts == NULL ? BW_ERROR_MEMORY : BW_OK;
    if (result == BW_OK)
        result = bw_regions_find(query->frame.a->mesh, query->frame.b->mesh, &query->allocator, query->hits,
                                 count, region_of, &query->region_count);
    if (result == BW_OK) {
        query->regions = bw_allocate(&query->allocator, query->region_count, sizeof *query->regions);
        query->flush = bw_allocate_zero(&query->allocator, query->region_count, sizeof *query->flush);
        query->deepest = bw_allocate_zero(&query->allocator, query->region_count, sizeof *query->deepest);
        result = query->regions == NULL || query->flush == NULL || query->deepest == NULL ? BW_ERROR_MEMORY
                                                                                          : BW_OK;
    }
    if (result == BW_OK) {
        bw_regions_arrange(region_of, count, query->regions, query->region_count);
        result = measure_contacts(query, region_of, flush);
    }
    bw_release(&query->allocator, region_of, count, sizeof *region_of);
    bw_release(&query->allocator, flush, count, sizeof *flush);
    return result;
}

static bool wants_inside(const bw_contacts_desc *desc)
{
    return desc->depth || desc->volume || desc->tolerance > 0.0;
}

/* Depth and volume. An empty tree meets nothing, and has no inside. */
static bw_result find_inside(bw_contact_query *query)
{
    const bw_body *a = query->frame.a, *b = query->frame.b;
    bw_result result = bw_tree_accepts(a->tree, a->mesh);
    if (result == BW_OK)
        result = bw_tree_accepts(b->tree, b->mesh);
    if (result != BW_OK)
        return result;
    if (a->tree->primitives == 0 || b->tree->primitives == 0) {
        query->report.depth_upper = 0.0;
        return BW_OK;
    }
    result = bw_immersion_find(&query->frame, query->hits, query->contact_count, &query->allocator,
                               query->desc->tasks, &query->immersion);
    query->report.closed_a = query->immersion.a.closed;
    query->report.closed_b = query->immersion.b.closed;
    if (query->desc->volume) {
        query->report.volume = query->immersion.volume;
        query->report.volume_error = query->immersion.volume_error;
    }
    if (result == BW_OK && (query->desc->depth || query->desc->tolerance > 0.0) &&
        bw_contact_query_goes_on(query))
        result = bw_depths_find(query);
    bw_immersion_release(&query->immersion);
    return result;
}

/* Whether the bodies are deeper than the tolerance where no region is known to be. */
static bool is_deep_elsewhere(const bw_contact_query *query)
{
    const double tolerance = query->desc->tolerance;
    bool deep = query->report.depth_lower > tolerance;
    for (uint32_t r = 0; r < query->region_count; r++)
        deep = deep && query->deepest[r] <= tolerance;
    return deep;
}

/* Whether a region is deeper than the tolerance, by points or, where these tell nothing, by translation. */
static bool counts(const bw_contact_query *query, uint32_t r)
{
    const double tolerance = query->desc->tolerance;
    const bool by_upper = query->flush[r] || (!query->report.closed_a && !query->report.closed_b);
    return query->deepest[r] > tolerance || (by_upper && query->regions[r].depth_upper > tolerance);
}

/* Gives out the regions that count, numbered without the others, and their contacts. */
static void give_out(bw_contact_query *query, bw_contact *contacts, uint64_t capacity)
{
    bw_contacts_report *report = &query->report;
    const bw_contacts_desc *desc = query->desc;
    const bool all = desc->tolerance == 0.0 || is_deep_elsewhere(query);
    for (uint32_t r = 0; r < query->region_count; r++) {
        const bw_contact_region *region = &query->regions[r];
        if (!all && !counts(query, r)) {
            report->shallow_region_count++;
            report->shallow_contact_count += region->count;
            continue;
        }
        const uint64_t first = report->contact_count;
        for (uint64_t i = 0; i < region->count; i++) {
            bw_contact *contact = &query->contacts[region->first + i];
            contact->region = (uint32_t)report->region_count;
            report->touching_count += contact->kind == BW_CONTACT_TOUCHING;
            if (first + i < capacity)
                contacts[first + i] = *contact;
        }
        if (desc->regions != NULL && report->region_count < desc->region_capacity) {
            bw_contact_region *out = &desc->regions[report->region_count];
            *out = *region;
            out->first = first;
        }
        report->contact_count += region->count;
        report->region_count++;
    }
    if (report->contact_count > capacity ||
        (desc->regions != NULL && report->region_count > desc->region_capacity))
        report->status = BW_FULL;
}

static bw_result run(bw_contact_query *query)
{
    bw_array hits = bw_array_of(sizeof(bw_hit), &query->allocator);
    bw_result result = bw_hits_collect(query->frame.a, query->frame.b, query->desc->tasks,
                                       query->desc->progress, &hits, &query->stopped);
    query->hits = (bw_hit *)(void *)hits.items;
    query->contact_count = (uint32_t)hits.count;
    if (result == BW_OK && !query->stopped)
        result = find_contacts(query);
    if (result == BW_OK && !query->stopped && wants_inside(query->desc))
        result = find_inside(query);
    bw_array_release(&hits);
    return result;
}

static bw_result check(const bw_body *a, const bw_body *b, const bw_contacts_desc *desc,
                       const bw_contact *contacts, uint64_t capacity, const bw_contacts_report *report)
{
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_sizes_check(desc, report);
    if (a == NULL || a->tree == NULL || a->mesh == NULL || b == NULL || b->tree == NULL || b->mesh == NULL ||
        report == NULL || (contacts == NULL && capacity > 0) ||
        (desc->regions == NULL && desc->region_capacity > 0) || !(desc->tolerance >= 0.0) ||
        bw_tasks_check(desc->tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    if (wants_inside(desc) && (a->tree->kind != &bw_kind_wide || b->tree->kind != &bw_kind_wide))
        return BW_ERROR_UNSUPPORTED;
    bw_result result = bw_tree_accepts_lazily(a->tree, a->mesh);
    return result == BW_OK ? bw_tree_accepts_lazily(b->tree, b->mesh) : result;
}

bw_result bw_contacts(const bw_body *a, const bw_body *b, const bw_contacts_desc *desc, bw_contact *contacts,
                      uint64_t contact_capacity, bw_contacts_report *report, bw_fault *fault)
{
    static const bw_contacts_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    bw_result result = check(a, b, desc, contacts, contact_capacity, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_contact_query query = {.desc = desc, .allocator = bw_allocator_or_heap(desc->allocator)};
    query.report.depth_upper = query.report.volume_error = INFINITY;
    result = bw_contact_frame_init(a, b, &query.frame);
    if (result == BW_OK)
        result = run(&query);
    if (result == BW_OK && query.stopped)
        query.report =
            (bw_contacts_report){.status = BW_STOPPED, .depth_upper = INFINITY, .volume_error = INFINITY};
    else if (result == BW_OK)
        give_out(&query, contacts, contact_capacity);
    bw_release(&query.allocator, query.contacts, query.contact_count, sizeof *query.contacts);
    bw_release(&query.allocator, query.regions, query.region_count, sizeof *query.regions);
    bw_release(&query.allocator, query.deepest, query.region_count, sizeof *query.deepest);
    bw_release(&query.allocator, query.flush, query.region_count, sizeof *query.flush);
    if (result == BW_OK)
        bw_report_set(report, query.report);
    return bw_fail(fault, result);
}
