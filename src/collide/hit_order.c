/* Collects the hits of a query and hands them on in ascending order. */
#include "collide/hit_order.h"

#include "base/radix_sort.h"
#include "tree/tree.h"

static bool collect(void *user, const bw_hit *hit)
{
    bw_hit_order *order = user;
    bw_hit *slot = bw_array_push(&order->hits);
    order->failed = slot == NULL;
    if (slot != NULL)
        *slot = *hit;
    return slot != NULL;
}

void bw_hit_order_begin(bw_hit_order *order, bw_hit_sink *sink)
{
    order->desc = *sink->desc;
    order->desc.hits = NULL;
    order->desc.hit_capacity = 0;
    order->desc.on_hit = collect;
    order->desc.user = order;
    order->allocator = bw_allocator_or_heap(sink->desc->allocator);
    order->hits = bw_array_of(sizeof(bw_hit), &order->allocator);
    order->failed = false;
    sink->desc = &order->desc;
}

static void deliver(const bw_hit *hits, const uint32_t *order, uint32_t count, bw_hit_sink *sink)
{
    bw_status status = sink->report.status; /* stopped by progress, or complete */
    sink->report.hit_count = sink->report.touching_count = sink->report.near_count = 0;
    bool go_on = true;
    for (uint32_t i = 0; i < count && go_on; i++) {
        const bw_hit *hit = &hits[order[i]];
        go_on = bw_hit_sink_add(sink, hit->a, hit->b, hit->kind);
    }
    if (status == BW_STOPPED)
        sink->report.status = status;
}

bw_result bw_hit_order_end(bw_hit_order *order, const bw_collide_desc *desc, bw_hit_sink *sink,
                           bw_result result)
{
    size_t count = order->hits.count;
    sink->desc = desc;
    if (result == BW_OK && order->failed)
        result = BW_ERROR_MEMORY;
    if (result == BW_OK && count >= BW_NONE)
        result = BW_ERROR_SIZE;
    if (result == BW_OK && count > 0) {
        uint64_t *keys = bw_allocate(&order->allocator, 2 * count, sizeof *keys);
        uint32_t *places = bw_allocate(&order->allocator, 2 * count, sizeof *places);
        const bw_hit *hits = bw_array_at(&order->hits, 0);
        if (keys != NULL && places != NULL) {
            for (uint32_t i = 0; i < count; i++) {
                keys[i] = (uint64_t)hits[i].a << 32 | hits[i].b;
                places[i] = i;
            }
            bw_sort_u64(keys, places, keys + count, places + count, (uint32_t)count);
            deliver(hits, places, (uint32_t)count, sink);
        } else
            result = BW_ERROR_MEMORY;
        bw_release(&order->allocator, keys, 2 * count, sizeof *keys);
        bw_release(&order->allocator, places, 2 * count, sizeof *places);
    }
    bw_array_release(&order->hits);
    return result;
}

bw_result bw_traverse_in_order(const bw_cache_query *query, bw_traverse_fn *traverse, bw_hit_sink *sink)
{
    const bw_collide_desc *desc = sink->desc;
    if (!(query->a->tree->ordered || query->b->tree->ordered) || !bw_hit_order_matters(desc))
        return traverse(query, sink);
    bw_hit_order order;
    bw_hit_order_begin(&order, sink);
    return bw_hit_order_end(&order, desc, sink, traverse(query, sink));
}
