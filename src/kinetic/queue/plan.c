/* Flight-plan updates (section 4), of one vertex or of many at once: a vertex with another plan puts the
 * certificates that it takes part in out of date. They stand on the paths from its leaves to the root, as far
 * up as it realises an extent or did.
 *
 * In its leaves a vertex challenges all six extents at once: as long as another one whose plan is old stays
 * ahead of it, the entry need only not come later than it may overtake. Whatever must be decided again is
 * marked first and decided then, from below, once each however many vertices have changed. */
#include "kinetic/kinetic.h"
#include "kinetic/queue/queue.h"

static void touch(bw_kinetic *k, uint32_t lane, uint32_t extents)
{
    uint32_t node = lane / BW_WIDTH;
    k->queue.touched[lane] |= (uint8_t)extents;
    k->queue.marks[node / 64] |= (uint64_t)1 << node % 64;
}

/* The extents of a leaf's box that a vertex with a new course takes from others. */
static uint32_t challenge(bw_kinetic *k, uint32_t lane, uint32_t v, const bw_linear_tracks *course,
                          uint32_t old)
{
    double soonest[BW_BOX_COURSES];
    const uint32_t first = lane * BW_EXTENTS, *winner = k->queue.winner + first;
    bw_linear_tracks box;
    uint32_t taken = 0;
    if (course == NULL || !bw_linear_tracks_load_box(&k->flight, winner, &box)) {
        for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
            if ((old >> extent & 1) != 0 && bw_queue_challenge(k, first + extent, v, k->now))
                taken |= 1u << extent;
        return taken;
    }
    taken = bw_linear_tracks_meet(&box, course, k->now, k->flight.motion.scalar, k->simd, soonest) & old;
    k->compared += BW_EXTENTS;
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
        if (((old & ~taken) >> extent & 1) != 0)
            bw_queue_not_after(k, first + extent,
                               bw_linear_track_failure(k->now, soonest[extent], k->flight.end));
    return taken;
}

static void replan_leaf(bw_kinetic *k, uint32_t leaf, uint32_t v, const bw_linear_tracks *course,
                        uint32_t stamp)
{
    const bw_wide_leaf *l = &k->tree->wide.leaves[leaf];
    uint32_t lane = l->parent * BW_WIDTH + l->lane, old = 0;
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
        old |= (uint32_t)(k->reach.vertex_stamp[k->queue.winner[lane * BW_EXTENTS + extent]] != stamp)
               << extent;
    old &= ~(uint32_t)k->queue.touched[lane];
    uint32_t all = (1u << BW_EXTENTS) - 1, taken = old == 0 ? 0 : challenge(k, lane, v, course, old);
    if ((taken | (all & ~old)) != 0)
        touch(k, lane, taken | (all & ~old));
}

/* An extent was handed on, or its vertex has a new plan: so is the one above, if it is the same, or else the
 * vertex challenges it. */
static void touch_above(bw_kinetic *k, uint32_t lane, uint32_t extent, uint32_t before)
{
    uint32_t above = bw_kinetic_parent(k, lane), id = above * BW_EXTENTS + extent;
    uint32_t after = k->queue.winner[lane * BW_EXTENTS + extent];
    if ((k->queue.touched[above] >> extent & 1) == 0 &&
        (k->queue.winner[id] == before || bw_queue_challenge(k, id, after, k->now)))
        touch(k, above, 1u << extent);
}

static void settle_lane(bw_kinetic *k, uint32_t lane, uint32_t stamp)
{
    for (uint32_t left = k->queue.touched[lane]; left != 0; left &= left - 1) {
        uint32_t extent = (uint32_t)__builtin_ctz(left), id = lane * BW_EXTENTS + extent;
        uint32_t before = k->queue.winner[id];
        bool changed = bw_queue_decide(k, lane, extent, k->now);
        bool replanned = k->reach.vertex_stamp[k->queue.winner[id]] == stamp;
        k->total.updates += changed;
        if (replanned && !changed && k->queue.changed != NULL)
            k->queue.changed(k->queue.changed_user, lane, extent, k->now);
        if (lane != bw_kinetic_root(k) && (changed || replanned))
            touch_above(k, lane, extent, before);
    }
    k->queue.touched[lane] = 0;
}

/* Decides what is marked, from the last node to the first: children come after their parent. The root's own
 * box is numbered behind all of them, and comes last. */
static void settle(bw_kinetic *k, uint32_t stamp)
{
    uint64_t *marks = k->queue.marks;
    uint32_t root = bw_kinetic_root(k), root_node = root / BW_WIDTH;
    for (uint32_t word = root_node / 64 + 1; word-- > 0;)
        while (marks[word] != 0) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(marks[word]), node = word * 64 + bit;
            marks[word] &= ~((uint64_t)1 << bit);
            for (uint32_t lane = node * BW_WIDTH; lane < (node + 1) * BW_WIDTH && node != root_node; lane++)
                settle_lane(k, lane, stamp);
        }
    settle_lane(k, root, stamp);
    marks[root_node / 64] &= ~((uint64_t)1 << root_node % 64);
}

/* What a few vertices will ask for. */
static void look_forward(const bw_kinetic *k, const uint32_t *vertices, uint32_t count)
{
    BW_ONLY_PREFETCHES;
    const bw_vertex_leaves *reach = &k->reach;
    const bw_wide *wide = &k->tree->wide;
    for (uint32_t i = 0; i < count; i++)
        BW_PREFETCH(&reach->leaf[reach->first[vertices[i]]]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++)
            BW_PREFETCH(&wide->leaves[reach->leaf[j]]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++) {
            const bw_wide_leaf *leaf = &wide->leaves[reach->leaf[j]];
            uint32_t id = (leaf->parent * BW_WIDTH + leaf->lane) * BW_EXTENTS;
            BW_PREFETCH(&k->queue.winner[id]);
            BW_PREFETCH(&k->queue.heap.place[id]);
            BW_PREFETCH(&k->queue.touched[id / BW_EXTENTS]);
            BW_PREFETCH(&wide->vertices[wide->vertex_first[reach->leaf[j]]]);
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++) {
            const bw_wide_leaf *leaf = &wide->leaves[reach->leaf[j]];
            const uint32_t *winner = k->queue.winner + (leaf->parent * BW_WIDTH + leaf->lane) * BW_EXTENTS;
            for (uint32_t extent = 0; extent < BW_EXTENTS; extent++) {
                BW_PREFETCH(&reach->vertex_stamp[winner[extent]]);
                bw_flight_prefetch(&k->flight, winner[extent]);
            }
        }
}

void bw_queue_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count)
{
    enum { AHEAD = 8 };
    bw_vertex_leaves *reach = &k->reach;
    uint32_t stamp = bw_vertex_leaves_stamp(reach, vertices, count);
    for (uint32_t i = 0; i < count; i++) {
        bw_linear_tracks course;
        if (i % AHEAD == 0)
            look_forward(k, vertices + i, count - i < AHEAD ? count - i : AHEAD);
        bool straight = bw_linear_tracks_load_vertex(&k->flight, vertices[i], &course);
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++)
            replan_leaf(k, reach->leaf[j], vertices[i], straight ? &course : NULL, stamp);
    }
    if (k->tree->wide.node_count > 0)
        settle(k, stamp);
}
