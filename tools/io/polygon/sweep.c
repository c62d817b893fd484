/* Triangulation by a sweep from left to right: S. Hertel, K. Mehlhorn, "Fast triangulation of simple
 * polygons", 1983; that no two edges meet is seen on the way: M. Shamos, D. Hoey, "Geometric intersection
 * problems", 1976.
 *
 * Where the vertical line meets the inside, an interval has a chain of corners from its lower to its upper
 * edge, left of which everything is cut. At every inner corner of a chain the inside has at least a straight
 * angle, so that nothing can be cut before the next corner comes. All decisions are exact turns; corners
 * above each other are in order of their height, as if the line were slightly turned. */
#include "io/polygon/sweep.h"

#include "fault.h"
#include "io/polygon/status.h"

#include <stdlib.h>

typedef struct link {
    uint32_t corner, beside[2]; /* towards the lower and the upper edge */
} link;

typedef struct event {
    double x, y;
    uint32_t corner;
} event;

typedef struct sweep {
    plane_polygon *p;
    event *events;
    uint32_t *rank;     /* of a corner among the events */
    uint32_t *interval; /* of an edge that the line meets */
    status status;
    link *links;
    uint32_t link_count;
    uint32_t *chain; /* room for a whole one */
} sweep;

static int by_place(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    return x->y < y->y ? -1 : x->y > y->y;
}

static uint32_t left_end(const sweep *s, uint32_t edge)
{
    uint32_t next = plane_next(s->p, edge);
    return s->rank[edge] < s->rank[next] ? edge : next;
}

/* 1: the corner is above the edge, -1: below, 0: on it. */
static int height(const sweep *s, uint32_t edge, uint32_t corner)
{
    uint32_t next = plane_next(s->p, edge), left = left_end(s, edge);
    return plane_side(s->p, left, left == edge ? next : edge, corner);
}

static bool between(const sweep *s, uint32_t edge, uint32_t corner)
{
    uint32_t a = s->rank[edge], b = s->rank[plane_next(s->p, edge)], c = s->rank[corner];
    return (a <= c && c <= b) || (b <= c && c <= a);
}

/* How two edges meet that are neighbours on the line. Where they share a corner, its event has looked. */
static sweep_answer meet(const sweep *s, uint32_t e, uint32_t f)
{
    uint32_t e1 = plane_next(s->p, e), f1 = plane_next(s->p, f);
    if (e1 == f || f1 == e)
        return SWEEP_CUT;
    int ef = plane_side(s->p, e, e1, f), ef1 = plane_side(s->p, e, e1, f1);
    if (ef == ef1 && ef != 0)
        return SWEEP_CUT;
    int fe = plane_side(s->p, f, f1, e), fe1 = plane_side(s->p, f, f1, e1);
    if (ef * ef1 < 0 && fe * fe1 < 0)
        return SWEEP_CROSSES;
    bool touch = (ef == 0 && between(s, e, f)) || (ef1 == 0 && between(s, e, f1)) ||
                 (fe == 0 && between(s, f, e)) || (fe1 == 0 && between(s, f, e1));
    return touch ? SWEEP_TOUCHES : SWEEP_CUT;
}

/* The upper edge of one interval and the lower edge of the next, where both are. */
static sweep_answer meet_outside(const sweep *s, uint32_t below, uint32_t above)
{
    if (below == BW_NONE || above == BW_NONE)
        return SWEEP_CUT;
    return meet(s, s->status.all[below].upper, s->status.all[above].lower);
}

static sweep_answer meet_inside(const sweep *s, uint32_t it)
{
    return meet(s, s->status.all[it].lower, s->status.all[it].upper);
}

static sweep_answer worse(sweep_answer a, sweep_answer b)
{
    return a > b ? a : b;
}

static void set_edge(sweep *s, uint32_t it, bool upper, uint32_t edge)
{
    *(upper ? &s->status.all[it].upper : &s->status.all[it].lower) = edge;
    s->interval[edge] = it;
}

static uint32_t new_link(sweep *s, uint32_t corner)
{
    s->links[s->link_count] = (link){corner, {BW_NONE, BW_NONE}};
    return s->link_count++;
}

/* Puts a corner at the lower (0) or upper (1) end of a chain and cuts what it sees. */
static bool extend(sweep *s, uint32_t it, int end, uint32_t corner)
{
    interval *in = &s->status.all[it];
    uint32_t *last = end ? &in->back : &in->front;
    for (;;) {
        uint32_t inner = s->links[*last].beside[1 - end];
        if (inner == BW_NONE)
            break;
        uint32_t b = s->links[*last].corner, a = s->links[inner].corner;
        uint32_t first = end ? corner : a, third = end ? a : corner;
        if (plane_side(s->p, first, b, third) <= 0)
            break;
        if (!plane_emit(s->p, first, b, third))
            return false;
        *last = inner;
    }
    uint32_t added = new_link(s, corner);
    s->links[added].beside[1 - end] = *last;
    s->links[*last].beside[end] = added;
    *last = in->rightmost = added;
    return true;
}

/* A fan of triangles from a corner over p, c[from], ..., c[to]; counter-clockwise where `up`, which is the
 * other way along the chain. */
static bool fan(sweep *s, uint32_t apex, uint32_t p, const uint32_t *c, uint32_t from, uint32_t to, bool up)
{
    uint32_t last = p;
    for (uint32_t i = from;; i = from < to ? i + 1 : i - 1) {
        if (!(up ? plane_emit(s->p, last, apex, c[i]) : plane_emit(s->p, last, c[i], apex)))
            return false;
        if (i == to)
            return true;
        last = c[i];
    }
}

/* The last corner of an interval sees its whole chain. Where the first or the last corners of that lie on one
 * line with it, another takes them, so that no triangle is without area. */
static bool close_chain(sweep *s, uint32_t it, uint32_t p)
{
    const interval *in = &s->status.all[it];
    uint32_t *c = s->chain, last = 0;
    for (uint32_t at = in->front; at != BW_NONE; at = s->links[at].beside[1])
        c[last++] = s->links[at].corner;
    last--;
    uint32_t low = 0, high = last;
    while (low < last && plane_side(s->p, p, c[low + 1], c[low]) == 0)
        low++;
    if (low == last)
        return false;
    while (plane_side(s->p, p, c[high], c[high - 1]) == 0)
        high--;
    if (low > 0 && high < last && high == low + 1) /* a triangle with corners on two sides */
        return fan(s, c[last], p, c, 0, low, true) && fan(s, c[low], c[last], c, last - 1, high, false);
    uint32_t from = low > 0 ? low + 1 : 0, to = high < last ? high - 1 : last;
    return (low == 0 || fan(s, c[from], p, c, 0, low, true)) &&
           (high == last || fan(s, c[to], p, c, last, high, false)) &&
           (from == to || fan(s, p, c[to], c, to - 1, from, false));
}

/* The interval that the corner is in, or BW_NONE and the one below it; *touches: it is on an edge. */
static uint32_t find(const sweep *s, uint32_t corner, uint32_t *below, bool *touches)
{
    *below = BW_NONE;
    for (uint32_t at = s->status.root; at != BW_NONE;) {
        const interval *in = &s->status.all[at];
        int lower = height(s, in->lower, corner), upper = lower > 0 ? height(s, in->upper, corner) : -1;
        if (lower == 0 || upper == 0) {
            *touches = true;
            return BW_NONE;
        }
        if (lower > 0 && upper < 0)
            return at;
        if (upper > 0)
            *below = at;
        at = in->child[upper > 0];
    }
    return BW_NONE;
}

/* Both edges of the corner go to the right. */
static sweep_answer begin(sweep *s, uint32_t corner, uint32_t before, bool convex)
{
    uint32_t below;
    bool touches = false;
    uint32_t in = find(s, corner, &below, &touches);
    if (touches)
        return SWEEP_TOUCHES;
    if (convex == (in != BW_NONE))
        return SWEEP_CROSSES;
    if (convex) {
        uint32_t it = status_insert(&s->status, below);
        set_edge(s, it, false, corner);
        set_edge(s, it, true, before);
        interval *made = &s->status.all[it];
        made->front = made->back = made->rightmost = new_link(s, corner);
        return worse(meet_outside(s, below, it), meet_outside(s, it, made->neighbour[1]));
    }
    /* The corner sees the rightmost of the chain, which is divided there. */
    uint32_t above = status_insert(&s->status, in);
    interval *low = &s->status.all[in], *high = &s->status.all[above];
    uint32_t old = low->rightmost, copy = new_link(s, s->links[old].corner), up = s->links[old].beside[1];
    s->links[copy].beside[1] = up;
    if (up != BW_NONE)
        s->links[up].beside[0] = copy;
    s->links[old].beside[1] = BW_NONE;
    high->front = copy;
    high->back = up == BW_NONE ? copy : low->back;
    low->back = old;
    set_edge(s, above, true, low->upper);
    set_edge(s, above, false, corner);
    set_edge(s, in, true, before);
    if (!extend(s, in, 1, corner) || !extend(s, above, 0, corner))
        return SWEEP_CROSSES;
    return worse(meet_inside(s, in), meet_inside(s, above));
}

/* Both edges of the corner come from the left. */
static sweep_answer end(sweep *s, uint32_t corner, uint32_t before, bool convex)
{
    /* The edge to the corner has the inside above it, the one from it below. */
    uint32_t above = s->interval[before], below = s->interval[corner];
    interval *all = s->status.all;
    if (above == BW_NONE || below == BW_NONE || all[above].lower != before || all[below].upper != corner ||
        convex != (above == below))
        return SWEEP_CROSSES;
    if (convex) {
        uint32_t under = all[above].neighbour[0], over = all[above].neighbour[1];
        if (!close_chain(s, above, corner))
            return SWEEP_CROSSES;
        status_remove(&s->status, above);
        return meet_outside(s, under, over);
    }
    if (all[below].neighbour[1] != above || !extend(s, below, 1, corner) || !extend(s, above, 0, corner))
        return SWEEP_CROSSES;
    /* One chain of both: the corner ends the one and begins the other. */
    uint32_t second = s->links[all[above].front].beside[1];
    s->links[all[below].back].beside[1] = second;
    s->links[second].beside[0] = all[below].back;
    all[below].back = all[above].back;
    set_edge(s, below, true, all[above].upper);
    status_remove(&s->status, above);
    return meet_inside(s, below);
}

/* One edge ends, the next begins: on a lower edge to the right, on an upper edge to the left. */
static sweep_answer pass(sweep *s, uint32_t corner, uint32_t before, bool upper)
{
    uint32_t ends = upper ? corner : before, begins = upper ? before : corner, it = s->interval[ends];
    if (it == BW_NONE || (upper ? s->status.all[it].upper : s->status.all[it].lower) != ends)
        return SWEEP_CROSSES;
    set_edge(s, it, upper, begins);
    if (!extend(s, it, upper, corner))
        return SWEEP_CROSSES;
    const interval *in = &s->status.all[it];
    return worse(meet_inside(s, it),
                 upper ? meet_outside(s, it, in->neighbour[1]) : meet_outside(s, in->neighbour[0], it));
}

static sweep_answer step(sweep *s, uint32_t corner)
{
    uint32_t before = plane_previous(s->p, corner), after = plane_next(s->p, corner);
    bool from_left = s->rank[before]<s->rank[corner], to_right = s->rank[after]> s->rank[corner];
    if (from_left == to_right)
        return pass(s, corner, before, !from_left);
    int turn = plane_side(s->p, before, corner, after);
    if (turn == 0)
        return SWEEP_TOUCHES; /* a spike: its edges lie on each other */
    return from_left ? end(s, corner, before, turn > 0) : begin(s, corner, before, turn > 0);
}

static sweep_answer run(sweep *s)
{
    uint32_t count = s->p->count;
    for (uint32_t i = 0; i < count; i++) {
        s->events[i] = (event){s->p->at[i].x, s->p->at[i].y, i};
        s->interval[i] = BW_NONE;
    }
    qsort(s->events, count, sizeof *s->events, by_place);
    for (uint32_t i = 0; i < count; i++) {
        s->rank[s->events[i].corner] = i;
        if (i > 0 && by_place(&s->events[i - 1], &s->events[i]) == 0)
            return SWEEP_TOUCHES;
    }
    for (uint32_t i = 0; i < count; i++) {
        sweep_answer answer = step(s, s->events[i].corner);
        if (answer != SWEEP_CUT)
            return answer;
    }
    return s->p->done == count - 2 ? SWEEP_CUT : SWEEP_CROSSES;
}

sweep_answer sweep_cut(plane_polygon *p)
{
    uint32_t count = p->count;
    /* A corner begins one interval at most, and makes three links at most. */
    sweep s = {.p = p,
               .events = tool_alloc(count, sizeof *s.events),
               .rank = tool_alloc(count, sizeof *s.rank),
               .interval = tool_alloc(count, sizeof *s.interval),
               .status = {tool_alloc(count, sizeof *s.status.all), 0, BW_NONE, BW_NONE},
               .links = tool_alloc(3 * (size_t)count, sizeof *s.links),
               .chain = tool_alloc(count, sizeof *s.chain)};
    p->done = 0;
    sweep_answer answer = run(&s);
    free(s.events);
    free(s.rank);
    free(s.interval);
    free(s.status.all);
    free(s.links);
    free(s.chain);
    return answer;
}
