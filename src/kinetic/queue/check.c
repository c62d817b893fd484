/* The boxes that the winners of the extents make, and the proof that they are the right ones (Theorem 1). */
#include "geom/box.h"
#include "kinetic/kinetic.h"
#include "kinetic/queue/queue.h"

static float bound(const bw_kinetic *k, uint32_t lane, uint32_t extent)
{
    double x =
        bw_flight_at(&k->flight, k->queue.winner[lane * BW_EXTENTS + extent], (int)(extent / 2), k->now);
    return (extent % 2 == 0 ? bw_float_down(x) : bw_float_up(x)) + 0.0f; /* no -0 */
}

bw_result bw_queue_fit(bw_kinetic *k)
{
    bw_wide *wide = &k->tree->wide;
    for (uint32_t n = 0; n < wide->node_count; n++)
        for (uint32_t lane = 0; lane < wide->nodes[n].count; lane++)
            for (uint32_t axis = 0; axis < 3; axis++) {
                wide->nodes[n].min[axis][lane] = bound(k, n * BW_WIDTH + lane, 2 * axis);
                wide->nodes[n].max[axis][lane] = bound(k, n * BW_WIDTH + lane, 2 * axis + 1);
            }
    for (uint32_t axis = 0; axis < 3 && wide->node_count > 0; axis++) {
        wide->bounds.min[axis] = bound(k, bw_kinetic_root(k), 2 * axis);
        wide->bounds.max[axis] = bound(k, bw_kinetic_root(k), 2 * axis + 1);
    }
    return BW_OK;
}

static inline void set_lane(const bw_kinetic *k, bw_wide_node *node, uint32_t lane, const uint32_t *winner)
{
    const float *p = k->positions;
    for (uint32_t axis = 0; axis < 3; axis++) {
        node->min[axis][lane] = p[3 * (size_t)winner[2 * axis] + axis];
        node->max[axis][lane] = p[3 * (size_t)winner[2 * axis + 1] + axis];
    }
}

void bw_queue_fit_node(bw_kinetic *k, uint32_t n)
{
    bw_wide_node *node = &k->tree->wide.nodes[n];
    struct bw_wide_deferred *lazy = &k->lazy.wide;
    const uint32_t *winner = k->queue.winner + (size_t)n * BW_WIDTH * BW_EXTENTS;
    for (uint32_t i = 0; i < node->count * BW_EXTENTS; i++)
        if (atomic_load_explicit(&lazy->blocks[winner[i] / BW_DEFERRED_BLOCK], memory_order_acquire) !=
            lazy->blocks_now)
            bw_wide_deferred_block(lazy, winner[i] / BW_DEFERRED_BLOCK);
    for (uint32_t lane = 0; lane < node->count; lane++)
        if (k->mesh.scalar == BW_F32) /* positions are never -0 */
            set_lane(k, node, lane, winner + lane * BW_EXTENTS);
        else
            for (uint32_t axis = 0; axis < 3; axis++) {
                node->min[axis][lane] = bound(k, n * BW_WIDTH + lane, 2 * axis);
                node->max[axis][lane] = bound(k, n * BW_WIDTH + lane, 2 * axis + 1);
            }
}

/* One extent: its winner is a candidate, no candidate is farther out, now and half-way to the entry's time.
 * With winners of all lanes below proven before, no vertex below is. */
static const char *check_extent(const bw_kinetic *k, uint32_t lane, uint32_t extent)
{
    uint32_t room[BW_WIDTH], count;
    const uint32_t *candidate = bw_queue_candidates(k, lane, extent, room, &count);
    uint32_t id = lane * BW_EXTENTS + extent, winner = k->queue.winner[id];
    bool among = false;
    for (uint32_t i = 0; i < count; i++)
        among = among || candidate[i] == winner;
    if (!among)
        return "an extent is realised by a vertex that is not below it";
    bool pending = bw_heap_has(&k->queue.heap, id);
    double key = pending ? bw_heap_key(&k->queue.heap, id) : k->flight.end;
    if (pending && !(key > k->now && key <= k->flight.end))
        return "an entry of the queue is not in the future";
    double later = k->now + 0.5 * (key - k->now);
    for (uint32_t i = 0; i < count; i++) {
        if (bw_kinetic_reach_out(k, candidate[i], extent, k->now) >
            bw_kinetic_reach_out(k, winner, extent, k->now))
            return "a vertex is outside its box";
        if (later < key && bw_kinetic_reach_out(k, candidate[i], extent, later) >
                               bw_kinetic_reach_out(k, winner, extent, later))
            return "a vertex will leave its box before the queue knows";
    }
    return NULL;
}

/* A lane that holds nothing, or a number beyond all lanes. */
static const char *check_unused(const bw_kinetic *k, uint32_t id)
{
    if (k->queue.winner[id] != BW_NONE || bw_heap_has(&k->queue.heap, id))
        return "a lane that is not in use has a vertex or waits for an event";
    return NULL;
}

const char *bw_queue_check(const bw_kinetic *k)
{
    const bw_wide *wide = &k->tree->wide;
    const char *fault = bw_heap_check(&k->queue.heap);
    bool empty = wide->node_count == 0;
    for (uint32_t id = 0; id < k->queue.room && fault == NULL; id++) {
        uint32_t lane = id / BW_EXTENTS, node = lane / BW_WIDTH;
        bool used = lane == bw_kinetic_root(k) ||
                    (node < wide->node_count && lane % BW_WIDTH < wide->nodes[node].count);
        fault = used && !empty ? check_extent(k, lane, id % BW_EXTENTS) : check_unused(k, id);
    }
    return fault;
}
