/* The kinetic AABB tree of Zachmann and Weller 2006, section 4, on a tree of eight children a node: every
 * extent of every box knows the vertex that realises it, and the queue when that may end.
 *
 * Order. An entry's time is early by a bound on all roundings (motion/gap.h): before it nothing can be wrong.
 * At it the crossing is open, so the entry waits for the time at which the new order is certain, and only
 * then hands the extent on: in the right order among all other events, and never back. Where the time asked
 * for falls into such an open moment, the positions at that very time decide. So the boxes are exactly tight
 * at every time asked for, and every entry that is looked at moves on by at least one step of the clock. */
#include "kinetic/kinetic.h"

#include <math.h>

bw_result bw_queue_create(bw_kinetic *k)
{
    bw_queue *queue = &k->queue;
    uint64_t extents = ((uint64_t)k->tree->wide.node_count * BW_WIDTH + 1) * BW_EXTENTS;
    *queue = (bw_queue){.heap = bw_heap_over(&k->allocator)};
    if (extents >= BW_NONE)
        return BW_ERROR_SIZE;
    queue->winner = bw_allocate(&k->allocator, (size_t)extents, sizeof *queue->winner);
    bool room = queue->winner != NULL && bw_heap_reserve(&queue->heap, (uint32_t)extents);
    return room ? BW_OK : BW_ERROR_MEMORY;
}

void bw_queue_release(bw_kinetic *k)
{
    bw_queue *queue = &k->queue;
    size_t vertices = k->flight.motion.vertex_count;
    bw_release(&k->allocator, queue->winner, ((size_t)bw_kinetic_root(k) + 1) * BW_EXTENTS,
               sizeof *queue->winner);
    bw_heap_release(&queue->heap);
    bw_release(&k->allocator, queue->reach.first, vertices + 1, sizeof *queue->reach.first);
    bw_release(&k->allocator, queue->reach.leaf, queue->reach.uses, sizeof *queue->reach.leaf);
    bw_release(&k->allocator, queue->reach.vertex_stamp, vertices, sizeof *queue->reach.vertex_stamp);
}

size_t bw_queue_bytes(const bw_kinetic *k)
{
    const bw_queue *queue = &k->queue;
    size_t extents = ((size_t)bw_kinetic_root(k) + 1) * BW_EXTENTS;
    size_t vertices = k->flight.motion.vertex_count;
    size_t bytes = extents * sizeof *queue->winner + bw_heap_bytes(&queue->heap);
    if (k->flight.plans != NULL)
        bytes += vertices * (sizeof(bw_plan) + 1);
    if (queue->reach.first != NULL)
        bytes += (2 * vertices + 1 + queue->reach.uses) * sizeof(uint32_t);
    return bytes;
}

uint32_t bw_queue_candidates(const bw_kinetic *k, uint32_t lane, uint32_t extent, uint32_t out[3 * BW_WIDTH])
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t child = bw_kinetic_child(k, lane);
    if (child & BW_WIDE_LEAF) {
        uint32_t leaf = child & ~BW_WIDE_LEAF, count = wide->leaves[leaf].vertex_count;
        for (uint32_t i = 0; i < count; i++)
            out[i] = wide->vertices[wide->vertex_first[leaf] + i];
        return count;
    }
    uint32_t count = wide->nodes[child].count;
    const uint32_t *winner = k->queue.winner + (size_t)child * BW_WIDTH * BW_EXTENTS + extent;
    for (uint32_t i = 0; i < count; i++)
        out[i] = winner[i * BW_EXTENTS];
    return count;
}

static void date(bw_kinetic *k, uint32_t id, double key)
{
    bw_heap *heap = &k->queue.heap;
    bool there = bw_heap_has(heap, id);
    if (key == INFINITY) {
        if (there)
            bw_heap_remove(heap, id);
    } else if (there)
        bw_heap_update(heap, id, key);
    else
        bw_heap_insert(heap, id, key);
}

/* The earliest time at which a candidate may overtake the winner. */
static double failure(const bw_kinetic *k, uint32_t winner, uint32_t extent, const uint32_t *candidate,
                      uint32_t count, double now)
{
    double first = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        bw_race race = {winner, candidate[i], (int)(extent / 2), bw_extent_sign(extent)};
        double t = bw_flight_leave(&k->flight, &race, now, first);
        first = t < first ? t : first;
    }
    return first;
}

static uint32_t farthest(const bw_kinetic *k, uint32_t present, uint32_t extent, const uint32_t *candidate,
                         uint32_t count, double now)
{
    uint32_t best = candidate[0];
    for (uint32_t i = 1; i < count; i++)
        best = candidate[i] == present ? present : best;
    double reach = bw_kinetic_reach_out(k, best, extent, now);
    for (uint32_t i = 0; i < count; i++) {
        if (candidate[i] == best)
            continue;
        double other = bw_kinetic_reach_out(k, candidate[i], extent, now);
        bool better = other > reach;
        if (other == reach) {
            int order;
            bw_race race = {best, candidate[i], (int)(extent / 2), bw_extent_sign(extent)};
            bw_flight_settle(&k->flight, &race, now, &order);
            better = order < 0;
        }
        if (better) {
            best = candidate[i];
            reach = other;
        }
    }
    return best;
}

bool bw_queue_decide(bw_kinetic *k, uint32_t lane, uint32_t extent, double now)
{
    uint32_t candidate[3 * BW_WIDTH], count = bw_queue_candidates(k, lane, extent, candidate);
    uint32_t id = lane * BW_EXTENTS + extent, present = k->queue.winner[id];
    uint32_t best = farthest(k, present, extent, candidate, count, now);
    k->queue.winner[id] = best;
    date(k, id, failure(k, best, extent, candidate, count, now));
    if (best != present && k->queue.changed != NULL)
        k->queue.changed(k->queue.changed_user, lane, extent, now);
    return best != present;
}

void bw_queue_start(bw_kinetic *k)
{
    const bw_wide *wide = &k->tree->wide;
    bw_heap_clear(&k->queue.heap);
    for (size_t i = 0; i < ((size_t)bw_kinetic_root(k) + 1) * BW_EXTENTS; i++)
        k->queue.winner[i] = BW_NONE;
    for (uint32_t node = wide->node_count; node-- > 0;) /* children come after their parent */
        for (uint32_t lane = 0; lane < wide->nodes[node].count; lane++)
            for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
                bw_queue_decide(k, node * BW_WIDTH + lane, extent, k->now);
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
        bw_queue_decide(k, bw_kinetic_root(k), extent, k->now);
}

/* The change of a box is a change for all above that compare it. */
static void propagate(bw_kinetic *k, uint32_t lane, uint32_t extent, double now, bw_kinetic_report *report)
{
    do {
        report->updates++;
        if (lane == bw_kinetic_root(k))
            return;
        lane = bw_kinetic_parent(k, lane);
    } while (bw_queue_decide(k, lane, extent, now));
}

/* How things stand between the winner of an extent and its candidates from a time on: CERTAIN, or open until
 * *until (not above the time: lost). */
static bool certain(const bw_kinetic *k, uint32_t winner, uint32_t extent, const uint32_t *candidate,
                    uint32_t count, double from, double *until)
{
    bool good = true;
    *until = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        if (candidate[i] == winner)
            continue;
        int order;
        bw_race race = {winner, candidate[i], (int)(extent / 2), bw_extent_sign(extent)};
        double t = bw_flight_settle(&k->flight, &race, from, &order);
        if (order > 0 && t <= from)
            continue;
        good = false;
        *until = t < *until ? t : *until;
    }
    return good;
}

/* An entry that has come to the front of the queue. */
static void process(bw_kinetic *k, uint32_t id, double time, double target, bw_kinetic_report *report)
{
    uint32_t lane = id / BW_EXTENTS, extent = id % BW_EXTENTS, candidate[3 * BW_WIDTH];
    uint32_t count = bw_queue_candidates(k, lane, extent, candidate), winner = k->queue.winner[id];
    for (;;) {
        double until;
        if (certain(k, winner, extent, candidate, count, time, &until)) {
            date(k, id, failure(k, winner, extent, candidate, count, time));
            report->checks++;
            return;
        }
        if (until <= time || time >= target) {
            if (bw_queue_decide(k, lane, extent, time)) {
                report->events++;
                report->leaf_events += (bw_kinetic_child(k, lane) & BW_WIDE_LEAF) != 0;
                propagate(k, lane, extent, time, report);
            } else
                report->checks++;
            return;
        }
        time = until < target ? until : target;
        bw_heap_item next;
        if (bw_heap_top(&k->queue.heap, &next) && next.key <= time) {
            date(k, id, time); /* others come first */
            return;
        }
    }
}

bool bw_queue_step(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_heap_item top;
    if (!bw_heap_top(&k->queue.heap, &top) || top.key > time)
        return false;
    bw_heap_pop(&k->queue.heap, &top);
    process(k, top.id, top.key, time, report);
    return true;
}

void bw_queue_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    while (bw_queue_step(k, time, report))
        continue;
}
