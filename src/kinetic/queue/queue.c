/* The kinetic AABB tree of Zachmann and Weller 2006, section 4, on a tree of eight children a node: every
 * extent of every box knows the vertex that realises it, and the queue when that may end.
 *
 * Order. An entry's time is early by a bound on all roundings (motion/gap.h): before it nothing can be wrong.
 * At it the crossing is open, so the entry waits for the time at which the new order is certain, and only
 * then hands the extent on: in the right order among all other events, and never back. Where the time asked
 * for falls into such an open moment, the positions at that very time decide. So the boxes are exactly tight
 * at every time asked for, and every entry that is looked at moves on by at least one step of the clock. */
#include "kinetic/queue/queue.h"
#include "kinetic/kinetic.h"

#include <math.h>

bw_result bw_queue_create(bw_kinetic *k)
{
    k->queue = (bw_queue){.heap = bw_heap_over(&k->allocator)};
    return bw_queue_reserve(k, k->tree->wide.node_count);
}

void bw_queue_release(bw_kinetic *k)
{
    bw_release(&k->allocator, k->queue.winner, k->queue.room, sizeof *k->queue.winner);
    bw_release(&k->allocator, k->queue.touched, k->queue.room / BW_EXTENTS, sizeof *k->queue.touched);
    bw_release(&k->allocator, k->queue.marks, bw_queue_words(k->queue.room), sizeof *k->queue.marks);
    bw_heap_release(&k->queue.heap);
}

size_t bw_queue_bytes(const bw_kinetic *k)
{
    size_t touched = k->queue.room / BW_EXTENTS, marks = bw_queue_words(k->queue.room) * sizeof(uint64_t);
    return k->queue.room * sizeof *k->queue.winner + touched + marks + bw_heap_bytes(&k->queue.heap);
}

const uint32_t *bw_queue_candidates(const bw_kinetic *k, uint32_t lane, uint32_t extent,
                                    uint32_t room[BW_WIDTH], uint32_t *count)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t child = bw_kinetic_child(k, lane);
    if (child & BW_WIDE_LEAF) {
        uint32_t leaf = child & ~BW_WIDE_LEAF;
        *count = wide->leaves[leaf].vertex_count;
        return wide->vertices + wide->vertex_first[leaf];
    }
    *count = wide->nodes[child].count;
    const uint32_t *winner = k->queue.winner + (size_t)child * BW_WIDTH * BW_EXTENTS + extent;
    for (uint32_t i = 0; i < *count; i++)
        room[i] = winner[i * BW_EXTENTS];
    return room;
}

static bool decide(bw_kinetic *k, uint32_t lane, const bw_extent_order *order, double now)
{
    uint32_t id = lane * BW_EXTENTS + order->extent, present = k->queue.winner[id];
    double failure;
    uint32_t best = bw_extent_order_decide(order, present, now, &failure);
    k->queue.winner[id] = best;
    bw_heap_set(&k->queue.heap, id, failure);
    k->compared += order->count;
    if (best != present && k->queue.changed != NULL)
        k->queue.changed(k->queue.changed_user, lane, order->extent, now);
    return best != present;
}

bool bw_queue_decide(bw_kinetic *k, uint32_t lane, uint32_t extent, double now)
{
    uint32_t room[BW_WIDTH], count;
    const uint32_t *candidate = bw_queue_candidates(k, lane, extent, room, &count);
    bw_extent_order order = bw_queue_order(k, extent, candidate, count);
    return decide(k, lane, &order, now);
}

bw_result bw_queue_start(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    const bw_wide *wide = &k->tree->wide;
    (void)report;
    k->now = time;
    bw_heap_clear(&k->queue.heap);
    for (uint32_t i = 0; i < k->queue.room; i++)
        k->queue.winner[i] = BW_NONE;
    if (wide->node_count == 0)
        return BW_OK;
    for (uint32_t node = wide->node_count; node-- > 0;) /* children come after their parent */
        for (uint32_t lane = 0; lane < wide->nodes[node].count; lane++)
            for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
                bw_queue_decide(k, node * BW_WIDTH + lane, extent, k->now);
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
        bw_queue_decide(k, bw_kinetic_root(k), extent, k->now);
    return BW_OK;
}

void bw_queue_not_after(bw_kinetic *k, uint32_t id, double t)
{
    bw_heap *heap = &k->queue.heap;
    if (t != INFINITY && !(bw_heap_has(heap, id) && bw_heap_key(heap, id) <= t))
        bw_heap_set(heap, id, t);
}

bool bw_queue_challenge(bw_kinetic *k, uint32_t id, uint32_t v, double now)
{
    double t = INFINITY;
    bw_extent_order order = bw_queue_order(k, id % BW_EXTENTS, &v, 1);
    k->compared++;
    if (bw_extent_order_challenge(&order, k->queue.winner[id], now, &t))
        return true;
    bw_queue_not_after(k, id, t);
    return false;
}

/* The change of a box is a change for all above that compare it: those that had the same vertex are decided
 * again; the others only need to know when the new one may overtake theirs. */
static void propagate(bw_kinetic *k, uint32_t lane, uint32_t extent, uint32_t before, double now,
                      bw_kinetic_report *report)
{
    for (;;) {
        report->updates++;
        uint32_t after = k->queue.winner[lane * BW_EXTENTS + extent];
        if (lane == bw_kinetic_root(k))
            return;
        lane = bw_kinetic_parent(k, lane);
        uint32_t id = lane * BW_EXTENTS + extent, present = k->queue.winner[id];
        if (present != before && !bw_queue_challenge(k, id, after, now))
            return;
        if (!bw_queue_decide(k, lane, extent, now))
            return;
        before = present;
    }
}

/* The entry at the front of the queue, which gets another date or none. */
static void process(bw_kinetic *k, uint32_t id, double time, double target, bw_kinetic_report *report)
{
    uint32_t lane = id / BW_EXTENTS, extent = id % BW_EXTENTS, winner = k->queue.winner[id];
    uint32_t room[BW_WIDTH], count;
    const uint32_t *candidate = bw_queue_candidates(k, lane, extent, room, &count);
    bw_extent_order order = bw_queue_order(k, extent, candidate, count);
    bw_linear_tracks courses;
    if (bw_linear_tracks_load(&k->flight, extent, candidate, count, &courses))
        order.courses = &courses;
    for (;;) {
        double until;
        k->compared += count;
        bw_standing standing = bw_extent_order_standing(&order, winner, time, &until);
        if (standing == BW_STANDING_CERTAIN) {
            bw_heap_set(&k->queue.heap, id, bw_extent_order_failure(&order, winner, time));
            report->checks++;
            return;
        }
        bool now = until <= time || time >= target;
        if (!now) {
            bw_heap_item next;
            now = standing == BW_STANDING_LOST && until <= target;
            time = until < target ? until : target;
            if (bw_heap_second(&k->queue.heap, &next) && next.key <= time) {
                bw_heap_set(&k->queue.heap, id, time); /* others come first */
                return;
            }
        }
        if (now) {
            if (decide(k, lane, &order, time)) {
                report->events++;
                report->leaf_events += (bw_kinetic_child(k, lane) & BW_WIDE_LEAF) != 0;
                propagate(k, lane, extent, winner, time, report);
            } else
                report->checks++;
            return;
        }
    }
}

bool bw_queue_step(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_heap_item top;
    if (!bw_heap_top(&k->queue.heap, &top) || top.key > time)
        return false;
    process(k, top.id, top.key, time, report);
    return true;
}

/* What the next entries will read is asked for in time, in the order in which one leads to the other: nodes,
 * leaves, lists of vertices, vertices. The entries stand all over the tree, and each would wait for its own.
 */
static uint32_t look_forward(const bw_kinetic *k, double time)
{
    enum { AHEAD = 16 };
    const bw_wide *wide = &k->tree->wide;
    uint32_t ids[AHEAD], count = bw_heap_until(&k->queue.heap, time, ids, AHEAD), leaves[AHEAD], found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t lane = ids[i] / BW_EXTENTS;
        BW_PREFETCH(&k->queue.winner[ids[i]]);
        BW_PREFETCH(&wide->nodes[lane / BW_WIDTH].child[lane % BW_WIDTH]);
        BW_PREFETCH(&wide->nodes[lane / BW_WIDTH].parent);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = bw_kinetic_child(k, ids[i] / BW_EXTENTS);
        if ((child & BW_WIDE_LEAF) == 0)
            continue;
        leaves[found] = child & ~BW_WIDE_LEAF;
        BW_PREFETCH(&wide->leaves[leaves[found]]);
        BW_PREFETCH(&wide->vertex_first[leaves[found++]]);
    }
    for (uint32_t i = 0; i < found; i++)
        BW_PREFETCH(&wide->vertices[wide->vertex_first[leaves[i]]]);
    for (uint32_t i = 0; i < found; i++)
        for (uint32_t j = 0; j < wide->leaves[leaves[i]].vertex_count; j++)
            bw_flight_prefetch(&k->flight, wide->vertices[wide->vertex_first[leaves[i]] + j]);
    return count;
}

bw_result bw_queue_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    for (uint32_t count; (count = look_forward(k, time)) > 0;)
        for (uint32_t i = 0; i < count && bw_queue_step(k, time, report); i++)
            continue;
    return BW_OK;
}
