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

/* bw_contest_failure; false where a course is not straight. */
static bool straight_failure(const bw_contest *c, uint32_t winner, double now, double *out)
{
    const double end = c->flight->end;
    course first, other;
    if (!course_of(c, winner, now, &first))
        return false;
    *out = INFINITY;
    if (now >= end)
        return true;
    double soonest = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == winner)
            continue;
        if (!course_of(c, c->candidate[i], now, &other))
            return false;
        double closing =
            BW_GAP_ROUNDING * (fabs(first.slope) + fabs(other.slope)) - (first.slope - other.slope);
        double margin = (first.x - other.x) - doubt(&first, &other);
        if (margin > 0 && !(closing > 0))
            continue; /* ahead, and not slower */
        if (same_course(&first, &other))
            continue;
        double t = margin > 0 ? now + margin / closing * (1 - 0x1p-50) : now;
        soonest = t < soonest ? t : soonest;
    }
    if (soonest == INFINITY)
        return true;
    double t = nextafter(soonest, -INFINITY), after = nextafter(now, INFINITY);
    t = t > after ? t : after;
    *out = t <= end ? t : INFINITY;
    return true;
}

uint32_t bw_contest_winner(const bw_contest *c, uint32_t present, double now)
{
    uint32_t best = c->candidate[0];
    for (uint32_t i = 1; i < c->count; i++)
        best = c->candidate[i] == present ? present : best;
    course line;
    bw_scalar scalar = c->flight->motion.scalar;
    double reach = course_of(c, best, now, &line) ? bw_motion_round(scalar, line.x)
                                                  : bw_flight_out(c->flight, best, c->extent, now);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == best)
            continue;
        double other = course_of(c, c->candidate[i], now, &line)
                           ? bw_motion_round(scalar, line.x)
                           : bw_flight_out(c->flight, c->candidate[i], c->extent, now);
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
    if (straight_failure(c, winner, now, &first))
        return first;
    first = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        bw_race race = race_of(c, winner, c->candidate[i]);
        double t = bw_flight_leave(c->flight, &race, now, first);
        first = t < first ? t : first;
    }
    return first;
}

bool bw_contest_certain(const bw_contest *c, uint32_t winner, double from, double *until)
{
    bool good = true;
    course mine = {0}, other;
    bool straight = course_of(c, winner, from, &mine);
    *until = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == winner)
            continue;
        if (straight && course_of(c, c->candidate[i], from, &other) &&
            mine.x - other.x > 1.5 * doubt(&mine, &other))
            continue; /* settled */
        int order;
        bw_race race = race_of(c, winner, c->candidate[i]);
        double t = bw_flight_settle(c->flight, &race, from, &order);
        if (order > 0 && t <= from)
            continue;
        good = false;
        *until = t < *until ? t : *until;
    }
    return good;
}
