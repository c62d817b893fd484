/* Which of several moving candidates is farthest out along an axis, until when, and from when again. */
#include "kinetic/extent_order.h"

static bw_race race_of(const bw_extent_order *c, uint32_t first, uint32_t second)
{
    return (bw_race){first, second, (int)(c->extent / 2), bw_extent_sign(c->extent)};
}

static inline uint32_t lowest(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

/* ---- straight courses: uniform motion, by far the most common, without a call a pair ---- */

/* The courses of all candidates: those given, or read into *room; NULL where one is not straight. */
static const bw_linear_tracks *courses_of(const bw_extent_order *c, bw_linear_tracks *room)
{
    if (c->courses != NULL)
        return c->courses;
    bool straight =
        c->count <= BW_COURSES && bw_linear_tracks_load(c->flight, c->extent, c->candidate, c->count, room);
    return straight ? room : NULL;
}

static bool course_of(const bw_extent_order *c, uint32_t v, double now, bw_linear_track *out)
{
    bw_linear_tracks one;
    bw_places at;
    const bw_linear_tracks *all = c->courses;
    for (uint32_t i = 0; all != NULL && i < all->count; i++)
        if (c->candidate[i] == v) {
            double way = (now - all->origin[i]) * all->slope[i];
            *out = (bw_linear_track){all->origin[i], all->at[i], all->slope[i], all->at[i] + way,
                                     fabs(all->at[i]) + fabs(way)};
            return true;
        }
    if (!bw_linear_tracks_load(c->flight, c->extent, &v, 1, &one))
        return false;
    bw_linear_tracks_place(&one, now, c->flight->motion.scalar, c->simd, &at);
    *out = bw_linear_tracks_one(&one, &at, 0);
    return true;
}

/* bw_flight_settle for straight courses. */
static double settle_of(const bw_linear_track *first, const bw_linear_track *second, double from, double end,
                        int *order)
{
    double d = first->x - second->x, e = bw_linear_track_doubt(first, second);
    *order = d > 1.5 * e ? 1 : d < -1.5 * e ? -1 : 0;
    if (*order != 0)
        return from;
    if (bw_linear_track_same(first, second)) {
        *order = 1;
        return from;
    }
    double apart = first->slope - second->slope;
    double opening = fabs(apart) - 2 * (BW_GAP_ROUNDING * (fabs(first->slope) + fabs(second->slope)));
    if (!(opening > 0))
        return INFINITY;
    int sign = apart > 0 ? 1 : -1;
    double t = nextafter(from + (2 * e - sign * d) / opening * (1 + 0x1p-50), INFINITY);
    if (t > end)
        return INFINITY;
    *order = sign;
    return t;
}

/* Whether the first of two that are equally far out at a time is behind the second: from then on, which sets
 * *open where it is not yet certain, or where open is NULL already. */
static bool straight_behind(const bw_extent_order *c, const bw_linear_tracks *line, const bw_places *at,
                            uint32_t i, uint32_t j, double now, bool *open)
{
    bw_linear_track first = bw_linear_tracks_one(line, at, i), second = bw_linear_tracks_one(line, at, j);
    int order = 1;
    if (bw_linear_track_same(&first, &second))
        return false;
    bool later = settle_of(&first, &second, now, c->flight->end, &order) > now;
    if (order < 0 && later && open != NULL)
        *open = true;
    return order < 0 && !(later && open == NULL);
}

static uint32_t straight_first(const bw_extent_order *c, const bw_linear_tracks *line, const bw_places *at,
                               uint32_t farthest, uint32_t best, double now, bool *open)
{
    for (; farthest != 0; farthest &= farthest - 1)
        if (straight_behind(c, line, at, best, lowest(farthest), now, open))
            best = lowest(farthest);
    return best;
}

/* The winner among straight courses, as bw_extent_order_winner has it; *at has them all at the time. */
static uint32_t straight_winner(const bw_extent_order *c, const bw_linear_tracks *line, uint32_t present,
                                double now, bw_places *at)
{
    uint32_t farthest = bw_linear_tracks_place(line, now, c->flight->motion.scalar, c->simd, at);
    uint32_t start = lowest(farthest), others = farthest & (farthest - 1);
    if (others == 0)
        return start;
    for (; others != 0; others &= others - 1)
        start = c->candidate[lowest(others)] == present ? lowest(others) : start;
    bool open = false;
    uint32_t best = straight_first(c, line, at, farthest, start, now, &open);
    for (uint32_t left = farthest; open && left != 0; left &= left - 1)
        if (straight_behind(c, line, at, best, lowest(left), now, NULL))
            return straight_first(c, line, at, farthest, start, now, NULL);
    return best;
}

uint32_t bw_extent_order_decide(const bw_extent_order *c, uint32_t present, double now, double *failure)
{
    bw_linear_tracks room;
    const bw_linear_tracks *line = courses_of(c, &room);
    if (line == NULL) {
        uint32_t winner = bw_extent_order_winner(c, present, now);
        *failure = bw_extent_order_failure(c, winner, now);
        return winner;
    }
    bw_places at;
    uint32_t best = straight_winner(c, line, present, now, &at);
    bw_linear_track first = bw_linear_tracks_one(line, &at, best);
    *failure =
        bw_linear_track_failure(now, bw_linear_tracks_closest(line, &at, &first, c->simd), c->flight->end);
    return c->candidate[best];
}

bool bw_extent_order_challenge(const bw_extent_order *c, uint32_t winner, double now, double *failure)
{
    bw_linear_tracks pair;
    bw_places at;
    uint32_t both[2] = {winner, c->candidate[0]};
    if (!bw_linear_tracks_load(c->flight, c->extent, both, 2, &pair)) {
        *failure = bw_extent_order_failure(c, winner, now);
        return bw_flight_out(c->flight, c->candidate[0], c->extent, now) >
               bw_flight_out(c->flight, winner, c->extent, now);
    }
    uint32_t farthest = bw_linear_tracks_place(&pair, now, c->flight->motion.scalar, c->simd, &at);
    bw_linear_track first = bw_linear_tracks_one(&pair, &at, 0);
    *failure =
        bw_linear_track_failure(now, bw_linear_tracks_closest(&pair, &at, &first, c->simd), c->flight->end);
    return (farthest & 1) == 0;
}

/* ---- any course ---- */

/* Whether one that is as far out as another at a time is behind it: from then on, which sets *open where it
 * is not yet certain, or where open is NULL already. */
static bool is_behind(const bw_extent_order *c, uint32_t first, uint32_t second, double now, bool *open)
{
    int order;
    bw_race race = race_of(c, first, second);
    bool later = bw_flight_settle(c->flight, &race, now, &order) > now;
    if (order < 0 && later && open != NULL)
        *open = true;
    return order < 0 && !(later && open == NULL);
}

static uint32_t first_of(const bw_extent_order *c, uint32_t best, double now, bool *open)
{
    double reach = bw_flight_out(c->flight, best, c->extent, now);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == best)
            continue;
        double other = bw_flight_out(c->flight, c->candidate[i], c->extent, now);
        if (other > reach || (other == reach && is_behind(c, best, c->candidate[i], now, open))) {
            best = c->candidate[i];
            reach = other;
        }
    }
    return best;
}

uint32_t bw_extent_order_winner(const bw_extent_order *c, uint32_t present, double now)
{
    uint32_t start = c->candidate[0];
    for (uint32_t i = 1; i < c->count; i++)
        start = c->candidate[i] == present ? present : start;
    bool open = false;
    uint32_t best = first_of(c, start, now, &open);
    double reach = open ? bw_flight_out(c->flight, best, c->extent, now) : 0;
    for (uint32_t i = 0; i < c->count && open; i++)
        if (bw_flight_out(c->flight, c->candidate[i], c->extent, now) == reach &&
            is_behind(c, best, c->candidate[i], now, NULL))
            return first_of(c, start, now, NULL);
    return best;
}

double bw_extent_order_failure(const bw_extent_order *c, uint32_t winner, double now)
{
    double first = INFINITY;
    bw_linear_tracks room;
    bw_linear_track mine;
    const bw_linear_tracks *line = courses_of(c, &room);
    if (line != NULL && course_of(c, winner, now, &mine)) {
        bw_places at;
        bw_linear_tracks_place(line, now, c->flight->motion.scalar, c->simd, &at);
        return bw_linear_track_failure(now, bw_linear_tracks_closest(line, &at, &mine, c->simd),
                                       c->flight->end);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        bw_race race = race_of(c, winner, c->candidate[i]);
        double t = bw_flight_leave(c->flight, &race, now, first);
        first = t < first ? t : first;
    }
    return first;
}

/* What is open between the winner and another one, into what is known. */
static bw_standing worse(bw_standing standing, double from, double t, int order, double *until)
{
    if ((order > 0 && t <= from) || (standing != BW_STANDING_CERTAIN && !(t < *until)))
        return standing;
    *until = t;
    return order < 0 ? BW_STANDING_LOST : BW_STANDING_OPEN;
}

/* Of straight courses; false where one is not. */
static bool straight_standing(const bw_extent_order *c, const bw_linear_track *mine, double from,
                              bw_standing *standing, double *until)
{
    bw_linear_tracks room;
    const bw_linear_tracks *line = courses_of(c, &room);
    if (line == NULL)
        return false;
    bw_places at;
    bw_linear_tracks_place(line, from, c->flight->motion.scalar, c->simd, &at);
    for (uint32_t open = bw_linear_tracks_open(line, &at, mine, c->simd); open != 0; open &= open - 1) {
        bw_linear_track other = bw_linear_tracks_one(line, &at, lowest(open));
        int order;
        double t = settle_of(mine, &other, from, c->flight->end, &order);
        *standing = worse(*standing, from, t, order, until);
    }
    return true;
}

bw_standing bw_extent_order_standing(const bw_extent_order *c, uint32_t winner, double from, double *until)
{
    bw_standing standing = BW_STANDING_CERTAIN;
    bw_linear_track mine = {0};
    bool straight = course_of(c, winner, from, &mine);
    *until = INFINITY;
    for (uint32_t first = 0; first < c->count; first += BW_COURSES) {
        bw_extent_order part = *c;
        part.candidate += first;
        part.count = c->count - first < BW_COURSES ? c->count - first : BW_COURSES;
        if (straight && straight_standing(&part, &mine, from, &standing, until))
            continue;
        for (uint32_t i = 0; i < part.count; i++) {
            int order;
            bw_race race = race_of(c, winner, part.candidate[i]);
            double t = bw_flight_settle(c->flight, &race, from, &order);
            if (part.candidate[i] != winner)
                standing = worse(standing, from, t, order, until);
        }
    }
    return standing;
}
