/* Ear cutting (Meisters, "Polygons have ears", 1975) with exact turns, so that collinear and touching corners
 * are decided as they are: rounding never lets a triangle cover what the polygon does not.
 *
 * A corner that is no ear since another lies in its triangle waits for that one to go: it is looked at again
 * only then, or when a neighbour of its own has gone. Others in its own place are in the way where an edge of
 * theirs goes into its triangle. */
#include "io/polygon/ears.h"

#include "fault.h"
#include "io/polygon/index.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner {
    uint32_t before, after;           /* in what is left of the polygon */
    uint32_t first_waiting;           /* for this one to go */
    uint32_t waits_for;               /* BW_NONE: for none */
    uint32_t wait_before, wait_after; /* others that wait for the same */
    uint32_t copy;                    /* the next corner in the same place, in a ring */
    bool queued, gone;
    bool copy_in_way; /* waits for others in its place */
} corner;

typedef struct ears {
    plane_polygon *p;
    corner *all;
    uint32_t left;
    uint32_t *queue, queue_first, queue_count; /* a ring of corners to look at */
    uint32_t *fresh;                           /* corners with new neighbours */
    size_t fresh_count, fresh_capacity;
    uint32_t *straight; /* corners that were straight when they were looked at */
    size_t straight_count, straight_capacity;
    corner_index index;
} ears;

static void enqueue(ears *e, uint32_t it)
{
    if (e->all[it].queued || e->all[it].gone)
        return;
    e->all[it].queued = true;
    e->queue[(e->queue_first + (uint64_t)e->queue_count++) % e->p->count] = it;
}

static uint32_t dequeue(ears *e)
{
    uint32_t it = e->queue[e->queue_first];
    e->queue_first = plane_next(e->p, e->queue_first);
    e->queue_count--;
    e->all[it].queued = false;
    return it;
}

static void stop_waiting(ears *e, uint32_t it)
{
    corner *c = &e->all[it];
    if (c->waits_for == BW_NONE)
        return;
    if (c->wait_before == BW_NONE)
        e->all[c->waits_for].first_waiting = c->wait_after;
    else
        e->all[c->wait_before].wait_after = c->wait_after;
    if (c->wait_after != BW_NONE)
        e->all[c->wait_after].wait_before = c->wait_before;
    c->waits_for = BW_NONE;
}

static void wait_for(ears *e, uint32_t it, uint32_t other)
{
    corner *c = &e->all[it];
    c->waits_for = other;
    c->wait_before = BW_NONE;
    c->wait_after = e->all[other].first_waiting;
    if (c->wait_after != BW_NONE)
        e->all[c->wait_after].wait_before = it;
    e->all[other].first_waiting = it;
}

/* Its neighbours are others now: it may be an ear, and out of the way of others in its place. */
static void look_again(ears *e, uint32_t it)
{
    e->fresh = tool_grow(e->fresh, e->fresh_count, &e->fresh_capacity, sizeof *e->fresh);
    e->fresh[e->fresh_count++] = it;
    enqueue(e, it);
    for (uint32_t other = e->all[it].copy; other != it; other = e->all[other].copy)
        if (e->all[other].copy_in_way)
            enqueue(e, other);
}

static bool cut(ears *e, uint32_t it)
{
    corner *c = &e->all[it];
    if (!plane_emit(e->p, c->before, it, c->after))
        return false;
    e->all[c->before].after = c->after;
    e->all[c->after].before = c->before;
    c->gone = true;
    e->left--;
    index_take(&e->index, it);
    stop_waiting(e, it);
    while (c->first_waiting != BW_NONE) {
        uint32_t waiting = c->first_waiting;
        stop_waiting(e, waiting);
        enqueue(e, waiting);
    }
    look_again(e, c->before);
    look_again(e, c->after);
    for (uint32_t other = c->copy; other != it; other = e->all[other].copy)
        if (e->all[other].copy_in_way)
            enqueue(e, other);
    return true;
}

static int turn(const ears *e, uint32_t it)
{
    return plane_side(e->p, e->all[it].before, it, e->all[it].after);
}

/* Whether a corner without a turn is a straight one: its neighbours lie on both sides of it. */
static bool is_straight(const ears *e, uint32_t it)
{
    const bw_vec3 *at = &e->p->at[it], *a = &e->p->at[e->all[it].before], *b = &e->p->at[e->all[it].after];
    return (a->x < at->x && at->x < b->x) || (a->x > at->x && at->x > b->x) ||
           (a->y < at->y && at->y < b->y) || (a->y > at->y && at->y > b->y);
}

static uint32_t next_straight(ears *e)
{
    while (e->straight_count > 0) {
        uint32_t it = e->straight[--e->straight_count];
        if (!e->all[it].gone && turn(e, it) == 0)
            return it;
    }
    return BW_NONE;
}

/* Whether an edge of another corner in the place of b goes between those to a and to c. */
static bool copy_in_way(const void *user, uint32_t a, uint32_t b, uint32_t c, uint32_t copy)
{
    const ears *e = user;
    uint32_t ends[2] = {e->all[copy].before, e->all[copy].after};
    for (int k = 0; k < 2; k++)
        if (plane_side(e->p, a, b, ends[k]) > 0 && plane_side(e->p, b, c, ends[k]) > 0)
            return true;
    return false;
}

/* Cuts it if it is an ear: it turns left and no other corner lies in its triangle, unless where a corner of
 * the triangle itself lies. */
static bool look_at(ears *e, uint32_t it)
{
    if (e->all[it].gone)
        return true;
    stop_waiting(e, it);
    e->all[it].copy_in_way = false;
    int side = turn(e, it);
    if (side == 0) {
        e->straight = tool_grow(e->straight, e->straight_count, &e->straight_capacity, sizeof *e->straight);
        e->straight[e->straight_count++] = it;
    }
    if (side <= 0)
        return true;
    uint32_t inside = index_inside(&e->index, e->all[it].before, it, e->all[it].after, copy_in_way, e);
    if (inside == BW_NONE)
        return cut(e, it);
    if (plane_same(e->p, it, inside))
        e->all[it].copy_in_way = true;
    else
        wait_for(e, it, inside);
    return true;
}

/* Tips of spikes, where the polygon turns back, and corners that stand twice in a row go at once: on both
 * sides of them is the same, and what is left of a spike must not be taken for an ear. */
static bool cut_tips(ears *e)
{
    while (e->fresh_count > 0 && e->left > 3) {
        uint32_t it = e->fresh[--e->fresh_count];
        if (!e->all[it].gone && turn(e, it) == 0 && !is_straight(e, it) && !cut(e, it))
            return false;
    }
    return true;
}

/* Straight corners are cut when there is no ear: too early, one can take a point that a later ear needs away
 * from its edge. */
static bool run(ears *e)
{
    while (e->left > 3) {
        if (!cut_tips(e))
            return false;
        if (e->left == 3)
            break;
        if (e->queue_count > 0) {
            if (!look_at(e, dequeue(e)))
                return false;
            continue;
        }
        uint32_t straight = next_straight(e);
        if (straight == BW_NONE || !cut(e, straight))
            return false;
    }
    uint32_t it = 0;
    while (e->all[it].gone)
        it++;
    return turn(e, it) >= 0 && plane_emit(e->p, e->all[it].before, it, e->all[it].after);
}

typedef struct place {
    double x, y;
    uint32_t corner;
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return x->corner < y->corner ? -1 : x->corner > y->corner;
}

/* Joins the corners of each place in a ring. */
static void join_copies(ears *e)
{
    uint32_t count = e->p->count, first = 0;
    place *places = tool_alloc(count, sizeof *places);
    for (uint32_t i = 0; i < count; i++)
        places[i] = (place){e->p->at[i].x, e->p->at[i].y, i};
    qsort(places, count, sizeof *places, by_place);
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count || !plane_same(e->p, places[i].corner, places[i + 1].corner);
        e->all[places[i].corner].copy = places[last ? first : i + 1].corner;
        if (last)
            first = i + 1;
    }
    free(places);
}

bool ears_cut(plane_polygon *p)
{
    ears e = {.p = p,
              .all = tool_alloc(p->count, sizeof *e.all),
              .left = p->count,
              .queue = tool_alloc(p->count, sizeof *e.queue),
              .index = index_create(p)};
    p->done = 0;
    for (uint32_t i = 0; i < p->count; i++)
        e.all[i] = (corner){.before = plane_previous(p, i),
                            .after = plane_next(p, i),
                            .first_waiting = BW_NONE,
                            .waits_for = BW_NONE};
    join_copies(&e);
    for (uint32_t i = 0; i < p->count; i++)
        look_again(&e, i);
    bool whole = run(&e);
    free(e.all);
    free(e.queue);
    free(e.fresh);
    free(e.straight);
    index_free(&e.index);
    return whole;
}
