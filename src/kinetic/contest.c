#include "kinetic/contest.h"

#include <math.h>

static bw_race race_of(const bw_contest *c, uint32_t first, uint32_t second)
{
    return (bw_race){first, second, (int)(c->extent / 2), bw_extent_sign(c->extent)};
}

/* ---- straight courses: uniform motion, by far the most common, without a call a pair ---- */

/* A coordinate outward at a time, how fast it grows, and the sum of the terms' magnitudes, which bounds all
 * roundings as motion/gap.h has it. The rest tells equal plans. */
typedef struct course {
    double x, slope, size;
    double origin, at_origin;
} course;

static inline bool course_of(const bw_contest *c, uint32_t v, double now, course *out)
{
    const bw_flight *flight = c->flight;
    const bw_motion *m = &flight->motion;
    const int axis = (int)(c->extent / 2);
    double origin, at, slope;
    if (bw_flight_planned(flight, v) || m->kind == BW_MOTION_PLANS) {
        bw_curve curve = bw_plan_curve(bw_flight_planned(flight, v) ? &flight->plans[v] : &m->plans[v], axis);
        if (curve.c[2] != 0 || curve.c[3] != 0)
            return false;
        origin = curve.origin;
        at = curve.c[0];
        slope = curve.c[1];
    } else if (m->kind == BW_MOTION_VELOCITY) {
        origin = m->begin;
        at = bw_motion_stored(m, m->positions, v, axis);
        slope = bw_motion_stored(m, m->velocities, v, axis);
    } else
        return false;
    double sign = bw_extent_sign(c->extent), way = (now - origin) * slope;
    *out = (course){sign * (at + way), sign * slope, fabs(at) + fabs(way), origin, sign * at};
    return true;
}

static inline bool same_course(const course *a, const course *b)
{
    return a->origin == b->origin && a->at_origin == b->at_origin && a->slope == b->slope;
}

static inline double doubt(const course *a, const course *b)
{
    return BW_GAP_ROUNDING * (a->size + b->size) + BW_GAP_TINY;
}

/* The earliest time after now at which one of the candidates' courses may overtake that of the winner. */
static double failure_of(const bw_contest *c, const course *first, const course *line, uint32_t winner,
                         double now)
{
    const double end = c->flight->end;
    double soonest = INFINITY;
    for (uint32_t i = 0; i < c->count && now < end; i++) {
        const course *other = &line[i];
        double closing =
            BW_GAP_ROUNDING * (fabs(first->slope) + fabs(other->slope)) - (first->slope - other->slope);
        double margin = (first->x - other->x) - doubt(first, other);
        if ((margin > 0 && !(closing > 0)) || c->candidate[i] == winner || same_course(first, other))
            continue; /* ahead, and not slower */
        double t = margin > 0 ? now + margin / closing * (1 - 0x1p-50) : now;
        soonest = t < soonest ? t : soonest;
    }
    if (soonest == INFINITY)
        return INFINITY;
    double t = nextafter(soonest, -INFINITY), after = nextafter(now, INFINITY);
    t = t > after ? t : after;
    return t <= end ? t : INFINITY;
}

/* bw_flight_settle for straight courses. */
static double settle_of(const course *first, const course *second, double from, double end, int *order)
{
    double d = first->x - second->x, e = doubt(first, second);
    *order = d > 1.5 * e ? 1 : d < -1.5 * e ? -1 : 0;
    if (*order != 0)
        return from;
    if (same_course(first, second)) {
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

/* The winner among straight courses, as bw_contest_winner has it. */
static uint32_t straight_winner(const bw_contest *c, const course *line, uint32_t present, double now)
{
    bw_scalar scalar = c->flight->motion.scalar;
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->count; i++)
        best = c->candidate[i] == present ? i : best;
    double reach = bw_motion_round(scalar, line[best].x);
    for (uint32_t i = 0; i < c->count; i++) {
        double other = bw_motion_round(scalar, line[i].x);
        if (!(other >= reach) || c->candidate[i] == c->candidate[best])
            continue;
        bool better = other > reach;
        if (!better && !same_course(&line[i], &line[best])) {
            int order;
            settle_of(&line[best], &line[i], now, c->flight->end, &order);
            better = order < 0;
        }
        if (better) {
            best = i;
            reach = other;
        }
    }
    return best;
}

uint32_t bw_contest_decide(const bw_contest *c, uint32_t present, double now, double *failure)
{
    course line[3 * 8];
    line[0] = (course){0};
    bool straight = c->count <= sizeof line / sizeof *line && c->flight->motion.kind != BW_MOTION_KEYFRAMES;
    for (uint32_t i = 0; i < c->count && straight; i++)
        straight = course_of(c, c->candidate[i], now, &line[i]);
    if (!straight) {
        uint32_t winner = bw_contest_winner(c, present, now);
        *failure = bw_contest_failure(c, winner, now);
        return winner;
    }
    uint32_t best = straight_winner(c, line, present, now);
    *failure = failure_of(c, &line[best], line, c->candidate[best], now);
    return c->candidate[best];
}

bool bw_contest_challenge(const bw_contest *c, uint32_t winner, double now, double *failure)
{
    course mine, other;
    if (!course_of(c, winner, now, &mine) || !course_of(c, c->candidate[0], now, &other)) {
        *failure = bw_contest_failure(c, winner, now);
        return bw_flight_out(c->flight, c->candidate[0], c->extent, now) >
               bw_flight_out(c->flight, winner, c->extent, now);
    }
    bw_scalar scalar = c->flight->motion.scalar;
    *failure = failure_of(c, &mine, &other, winner, now);
    return bw_motion_round(scalar, other.x) > bw_motion_round(scalar, mine.x);
}

uint32_t bw_contest_winner(const bw_contest *c, uint32_t present, double now)
{
    uint32_t best = c->candidate[0];
    for (uint32_t i = 1; i < c->count; i++)
        best = c->candidate[i] == present ? present : best;
    double reach = bw_flight_out(c->flight, best, c->extent, now);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == best)
            continue;
        double other = bw_flight_out(c->flight, c->candidate[i], c->extent, now);
        bool better = other > reach;
        if (other == reach) {
            int order;
            bw_race race = race_of(c, best, c->candidate[i]);
            bw_flight_settle(c->flight, &race, now, &order);
            better = order < 0;
        }
        if (better) {
            best = c->candidate[i];
            reach = other;
        }
    }
    return best;
}

double bw_contest_failure(const bw_contest *c, uint32_t winner, double now)
{
    double first = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        bw_race race = race_of(c, winner, c->candidate[i]);
        double t = bw_flight_leave(c->flight, &race, now, first);
        first = t < first ? t : first;
    }
    return first;
}

bw_standing bw_contest_standing(const bw_contest *c, uint32_t winner, double from, double *until)
{
    bw_standing standing = BW_STANDING_CERTAIN;
    course mine = {0}, other;
    bool straight = course_of(c, winner, from, &mine);
    *until = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == winner)
            continue;
        int order;
        double t;
        if (straight && course_of(c, c->candidate[i], from, &other))
            t = settle_of(&mine, &other, from, c->flight->end, &order);
        else {
            bw_race race = race_of(c, winner, c->candidate[i]);
            t = bw_flight_settle(c->flight, &race, from, &order);
        }
        if (order > 0 && t <= from)
            continue;
        if (standing == BW_STANDING_CERTAIN || t < *until) {
            standing = order < 0 ? BW_STANDING_LOST : BW_STANDING_OPEN;
            *until = t;
        }
    }
    return standing;
}
