/* Contact changes only at roots of the volumes; of areas and of differences along the axes, where all volumes
 * are zero for ever. Between two roots one time of the grid decides for all of them. At a root itself the
 * answer matters only where both sides are apart: an instant. There the signs are taken in a cell of 2^-256
 * around it, and what may be zero in that is zero. */
#include "timeline/exact/contact_times.h"

#include "timeline/exact/moving_points.h"

#include <math.h>
#include <string.h>

/* Of fifteen volumes nine roots each; or of 60 areas six each and of 45 differences three each. */
enum { EVENTS = 60 * 6 + 45 * 3 + 2 };

/* The time low, or something within the cell from low to low + 1. */
typedef struct event {
    uint64_t low;
    bool cell;
} event;

struct bw_exact_scratch {
    bw_pair_kind kind;
    bw_big_points points;
    bw_big_polynomial volume[BW_PAIR_VOLUMES];
    bool zero[BW_PAIR_VOLUMES]; /* the volume is, for ever */
    bool planar;                /* all of them are */
    bw_big_polynomial other, visited;
    bw_big_room room;
    bw_big_time time; /* where signs are taken */
    event events[EVENTS];
    int count;
};

size_t bw_exact_scratch_size(void)
{
    return sizeof(bw_exact_scratch);
}

/* ---- signs ---- */

static int volume_sign(void *context, int i)
{
    bw_exact_scratch *s = context;
    return s->zero[i] ? 0 : bw_big_sign(&s->volume[i], &s->time, &s->room);
}

static int area_sign(void *context, int p, int q, int r, int axis)
{
    bw_exact_scratch *s = context;
    bw_big_area(&s->points, p, q, r, axis, &s->other);
    return bw_big_sign(&s->other, &s->time, &s->room);
}

static int order_sign(void *context, int p, int q, int axis)
{
    bw_exact_scratch *s = context;
    bw_big_order(&s->points, p, q, axis, &s->other);
    return bw_big_sign(&s->other, &s->time, &s->room);
}

static bool decide(bw_exact_scratch *s)
{
    return bw_decide(s->kind, &(bw_sign_source){volume_sign, area_sign, order_sign, s});
}

static void set_time(bw_exact_scratch *s, uint64_t low, bool cell)
{
    bw_integer_set(&s->time.index, (int64_t)low, 0);
    s->time.bits = BW_BIG_GRID_BITS;
    s->time.cell = cell;
}

static bool contact_at(bw_exact_scratch *s, uint64_t at)
{
    set_time(s, at, false);
    return decide(s);
}

/* ---- events ---- */

static bool event_less(const event *a, const event *b)
{
    return a->low != b->low ? a->low < b->low : a->cell < b->cell;
}

/* They stay in order, each once. */
static void add_event(void *context, uint64_t low, bool cell)
{
    bw_exact_scratch *s = context;
    const event added = {low, cell};
    int i = s->count;
    while (i > 0 && event_less(&added, &s->events[i - 1]))
        i--;
    if (i > 0 && !event_less(&s->events[i - 1], &added))
        return;
    assert(s->count < EVENTS);
    memmove(&s->events[i + 1], &s->events[i], (size_t)(s->count - i) * sizeof *s->events);
    s->events[i] = added;
    s->count++;
}

/* Gives every polynomial at whose roots contact may change, not zero for ever, to a function, until that
 * returns true. */
typedef bool polynomial_fn(bw_exact_scratch *s, const bw_big_polynomial *p, void *context);

static bool each_planar(bw_exact_scratch *s, polynomial_fn *visit, void *context)
{
    const int count = s->points.count;
    bw_big_polynomial *p = &s->visited;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++) {
                bw_big_order(&s->points, i, j, axis, p);
                if (!bw_big_is_zero(p) && visit(s, p, context))
                    return true;
                for (int k = j + 1; k < count; k++) {
                    bw_big_area(&s->points, i, j, k, axis, p);
                    if (!bw_big_is_zero(p) && visit(s, p, context))
                        return true;
                }
            }
    return false;
}

static bool each_polynomial(bw_exact_scratch *s, polynomial_fn *visit, void *context)
{
    for (int i = 0; i < bw_pair_volumes_of[s->kind].volumes; i++)
        if (!s->zero[i] && visit(s, &s->volume[i], context))
            return true;
    return s->planar && each_planar(s, visit, context);
}

static bool find_events(bw_exact_scratch *s, const bw_big_polynomial *p, void *context)
{
    (void)context;
    bw_big_roots(p, add_event, s, &s->room);
    return false;
}

/* No time of the grid is between two events that follow each other. */
static bool next_to(const event *a, const event *b)
{
    uint64_t after = a->low + 1, before = b->cell ? b->low + 1 : b->low;
    return after >= before;
}

/* ---- instants ---- */

static bool decide_at(void *context, const bw_big_time *time)
{
    bw_exact_scratch *s = context;
    if (s->time.bits == time->bits && s->time.cell == time->cell && s->time.index.sign == time->index.sign &&
        bw_integer_compare_magnitude(&s->time.index, &time->index) == 0)
        return false; /* the same root, of another polynomial */
    s->time = *time;
    return decide(s);
}

static bool look_for_instant(bw_exact_scratch *s, const bw_big_polynomial *p, void *context)
{
    const uint64_t *low = context;
    return bw_big_deep_roots(p, *low, decide_at, s, &s->room);
}

/* With the triangles apart before and after the cell: whether they meet in it. */
static bool instant_within(bw_exact_scratch *s, uint64_t low)
{
    /* If but one of the polynomials that decide has a root here, and a simple one, then all signs are known
     * at that root. */
    set_time(s, low, true);
    s->room.roots = 0;
    bool contact = decide(s);
    if (s->room.roots <= 1)
        return contact;
    s->time.bits = 0;
    return each_polynomial(s, look_for_instant, &low);
}

/* ---- all of it ---- */

static void make_volumes(bw_exact_scratch *s)
{
    const bw_pair_volumes *table = &bw_pair_volumes_of[s->kind];
    s->planar = true;
    for (int i = 0; i < table->volumes; i++) {
        bw_big_volume(&s->points, table->volume[i], &s->volume[i]);
        s->zero[i] = bw_big_is_zero(&s->volume[i]);
        s->planar = s->planar && s->zero[i];
    }
}

uint32_t bw_exact_contact_times(const bw_moving_triangles *pair, bw_pair_kind kind, const uint8_t *corners,
                                bw_contact_span out[BW_SPANS])
{
    bw_exact_scratch *s = pair->scratch;
    s->kind = kind;
    s->count = 0;
    bw_big_points_load(pair, corners, bw_pair_volumes_of[kind].corners, &s->points);
    make_volumes(s);
    add_event(s, 0, false);
    add_event(s, BW_BIG_GRID, false);
    each_polynomial(s, find_events, NULL);
    uint32_t count = 0;
    bool before = false; /* in contact up to here */
    for (int first = 0, last; first < s->count; first = last + 1) {
        last = first;
        while (last + 1 < s->count && next_to(&s->events[last], &s->events[last + 1]))
            last++;
        const event *from = &s->events[first], *to = &s->events[last];
        bool after = false, here;
        if (last + 1 < s->count) {
            uint64_t low = to->low + 1, high = to[1].cell ? to[1].low : to[1].low - 1;
            after = contact_at(s, low + (high - low) / 2);
        }
        here = before || after;
        for (int i = first; i <= last && !here; i++)
            here = s->events[i].cell ? instant_within(s, s->events[i].low) : contact_at(s, s->events[i].low);
        if (!before && here)
            out[count++] = (bw_contact_span){ldexp((double)from->low, -BW_BIG_GRID_BITS), 1, !after};
        if (here && !after)
            out[count - 1].to = ldexp((double)(to->low + to->cell), -BW_BIG_GRID_BITS);
        before = after;
    }
    return count;
}

bool bw_exact_has_area(const bw_moving_triangles *pair)
{
    bw_exact_scratch *s = pair->scratch;
    bw_big_points_load(pair, (const uint8_t[]){0, 1, 2}, 3, &s->points);
    for (int axis = 0; axis < 3; axis++) {
        bw_big_area(&s->points, 0, 1, 2, axis, &s->other);
        if (!bw_big_is_zero(&s->other))
            return true;
    }
    return false;
}
