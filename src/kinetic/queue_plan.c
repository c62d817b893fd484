/* Flight-plan updates (section 4): a vertex with another plan puts the certificates that it takes part in out
 * of date. They stand on the paths from its leaves to the root, as far up as it realises an extent or did. */
#include "kinetic/kinetic.h"

#include <math.h>
#include <string.h>

static void fill(const bw_wide *wide, uint32_t vertices, bw_reach *reach)
{
    uint32_t *first = reach->first;
    memset(first, 0, ((size_t)vertices + 1) * sizeof *first);
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        for (uint32_t j = 0; j < wide->leaves[i].vertex_count; j++)
            first[wide->vertices[wide->vertex_first[i] + j] + 1]++;
    for (uint32_t v = 0; v < vertices; v++)
        first[v + 1] += first[v];
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        for (uint32_t j = 0; j < wide->leaves[i].vertex_count; j++)
            reach->leaf[first[wide->vertices[wide->vertex_first[i] + j]]++] = i;
    for (uint32_t v = vertices; v > 0; v--) /* each was moved to the start of the next */
        first[v] = first[v - 1];
    first[0] = 0;
}

bw_result bw_queue_reserve_plans(bw_kinetic *k)
{
    const bw_wide *wide = &k->tree->wide;
    bw_reach reach = {0};
    size_t vertices = k->flight.motion.vertex_count;
    if (k->queue.reach.first != NULL)
        return BW_OK;
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        reach.uses += wide->leaves[i].vertex_count;
    reach.first = bw_allocate(&k->allocator, vertices + 1, sizeof *reach.first);
    reach.leaf = bw_allocate(&k->allocator, reach.uses, sizeof *reach.leaf);
    reach.vertex_stamp = bw_allocate_zero(&k->allocator, vertices, sizeof *reach.vertex_stamp);
    if (reach.first == NULL || reach.leaf == NULL || reach.vertex_stamp == NULL) {
        bw_release(&k->allocator, reach.first, vertices + 1, sizeof *reach.first);
        bw_release(&k->allocator, reach.leaf, reach.uses, sizeof *reach.leaf);
        bw_release(&k->allocator, reach.vertex_stamp, vertices, sizeof *reach.vertex_stamp);
        return BW_ERROR_MEMORY;
    }
    fill(wide, (uint32_t)vertices, &reach);
    k->queue.reach = reach;
    return BW_OK;
}

/* Another number than any in the stamps. */
static uint32_t new_stamp(bw_kinetic *k)
{
    bw_reach *reach = &k->queue.reach;
    if (reach->stamp == UINT32_MAX) {
        memset(reach->vertex_stamp, 0, k->flight.motion.vertex_count * sizeof *reach->vertex_stamp);
        reach->stamp = 0;
    }
    return ++reach->stamp;
}

static void replan_extent(bw_kinetic *k, uint32_t lane, uint32_t extent, uint32_t stamp)
{
    for (;;) {
        bool changed = bw_queue_decide(k, lane, extent, k->now);
        k->total.updates += changed;
        uint32_t winner = k->queue.winner[lane * BW_EXTENTS + extent];
        bool replanned = k->queue.reach.vertex_stamp[winner] == stamp;
        if (replanned && !changed && k->queue.changed != NULL)
            k->queue.changed(k->queue.changed_user, lane, extent, k->now);
        if (lane == bw_kinetic_root(k) || !(changed || replanned))
            return;
        lane = bw_kinetic_parent(k, lane);
    }
}

/* A vertex with a new plan in a leaf: as long as another one whose plan is old stays ahead of it, the entry
 * need only not come later than the new vertex may overtake. */
static void replan_leaf(bw_kinetic *k, uint32_t lane, uint32_t extent, uint32_t v, uint32_t stamp)
{
    uint32_t id = lane * BW_EXTENTS + extent, winner = k->queue.winner[id];
    if (k->queue.reach.vertex_stamp[winner] == stamp ||
        bw_kinetic_reach_out(k, v, extent, k->now) > bw_kinetic_reach_out(k, winner, extent, k->now)) {
        replan_extent(k, lane, extent, stamp);
        return;
    }
    bool pending = bw_heap_has(&k->queue.heap, id);
    double key = pending ? bw_heap_key(&k->queue.heap, id) : INFINITY;
    bw_race race = {winner, v, (int)(extent / 2), bw_extent_sign(extent)};
    double t = bw_flight_leave(&k->flight, &race, k->now, key);
    if (t < key && pending)
        bw_heap_update(&k->queue.heap, id, t);
    else if (t < key)
        bw_heap_insert(&k->queue.heap, id, t);
}

void bw_queue_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count)
{
    const bw_wide *wide = &k->tree->wide;
    bw_reach *reach = &k->queue.reach;
    uint32_t stamp = new_stamp(k);
    for (uint32_t i = 0; i < count; i++)
        reach->vertex_stamp[vertices[i]] = stamp;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++) {
            const bw_wide_leaf *leaf = &wide->leaves[reach->leaf[j]];
            uint32_t lane = leaf->parent * BW_WIDTH + leaf->lane;
            for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
                replan_leaf(k, lane, extent, vertices[i], stamp);
        }
}
