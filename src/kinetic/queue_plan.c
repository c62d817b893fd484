/* Flight-plan updates (section 4): a vertex with another plan puts the certificates that it takes part in out
 * of date. They stand on the paths from its leaves to the root, as far up as it realises an extent or did. */
#include "kinetic/kinetic.h"

#include <math.h>

static void replan_extent(bw_kinetic *k, uint32_t lane, uint32_t extent, uint32_t stamp)
{
    for (;;) {
        bool changed = bw_queue_decide(k, lane, extent, k->now);
        k->total.updates += changed;
        uint32_t winner = k->queue.winner[lane * BW_EXTENTS + extent];
        bool replanned = k->reach.vertex_stamp[winner] == stamp;
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
    double t = INFINITY;
    if (k->reach.vertex_stamp[winner] == stamp ||
        bw_contest_challenge(&(bw_contest){&k->flight, extent, 1, &v}, winner, k->now, &t)) {
        replan_extent(k, lane, extent, stamp);
        return;
    }
    if (t == INFINITY)
        return;
    bool pending = bw_heap_has(&k->queue.heap, id);
    double key = pending ? bw_heap_key(&k->queue.heap, id) : INFINITY;
    if (t < key && pending)
        bw_heap_update(&k->queue.heap, id, t);
    else if (t < key)
        bw_heap_insert(&k->queue.heap, id, t);
}

void bw_queue_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count)
{
    const bw_wide *wide = &k->tree->wide;
    bw_reach *reach = &k->reach;
    uint32_t stamp = bw_reach_stamp(reach, vertices, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++) {
            const bw_wide_leaf *leaf = &wide->leaves[reach->leaf[j]];
            uint32_t lane = leaf->parent * BW_WIDTH + leaf->lane;
            for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
                replan_leaf(k, lane, extent, vertices[i], stamp);
        }
}
