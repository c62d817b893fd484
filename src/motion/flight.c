/* Motions of which single vertices have plans of their own; when the order of two vertices is certain. */
#include "motion/flight.h"

#include <string.h>

bw_flight bw_flight_of(const bw_motion *motion, const bw_allocator *allocator)
{
    bw_flight flight = {.motion = *motion, .allocator = allocator};
    bw_motion_span(motion, &flight.begin, &flight.end);
    return flight;
}

void bw_flight_release(bw_flight *flight)
{
    bw_release(flight->allocator, flight->plans, flight->room, sizeof *flight->plans);
    bw_release(flight->allocator, flight->planned, flight->room, 1);
    flight->plans = NULL;
    flight->planned = NULL;
    flight->room = 0;
}

/* Moves what there is to arrays of so many. */
static bw_result resize(bw_flight *flight, uint32_t room)
{
    bw_plan *plans = bw_allocate(flight->allocator, room, sizeof *plans);
    uint8_t *planned = bw_allocate_zero(flight->allocator, room, 1);
    if (plans == NULL || planned == NULL) {
        bw_release(flight->allocator, plans, room, sizeof *plans);
        bw_release(flight->allocator, planned, room, 1);
        return BW_ERROR_MEMORY;
    }
    if (flight->plans != NULL) {
        memcpy(plans, flight->plans, flight->room * sizeof *plans);
        memcpy(planned, flight->planned, flight->room);
    }
    bw_flight_release(flight);
    flight->plans = plans;
    flight->planned = planned;
    flight->room = room;
    return BW_OK;
}

bw_result bw_flight_reserve(bw_flight *flight)
{
    return flight->plans != NULL ? BW_OK : resize(flight, flight->motion.vertex_count);
}

bw_result bw_flight_grow(bw_flight *flight, uint32_t vertices)
{
    if (flight->plans == NULL || vertices <= flight->room)
        return BW_OK;
    uint64_t room = (uint64_t)flight->room + flight->room / 2;
    return resize(flight, room < vertices || room > UINT32_MAX ? vertices : (uint32_t)room);
}

void bw_flight_set(bw_flight *flight, uint32_t v, const bw_plan *plan)
{
    const bw_vec3 *c = plan->c;
    bool straight = c[2].x == 0 && c[2].y == 0 && c[2].z == 0 && c[3].x == 0 && c[3].y == 0 && c[3].z == 0;
    flight->plans[v] = *plan;
    flight->planned[v] = straight ? BW_FLIGHT_STRAIGHT : 1;
}

double bw_flight_at(const bw_flight *flight, uint32_t v, int axis, double t)
{
    if (!bw_flight_planned(flight, v))
        return bw_motion_coordinate(&flight->motion, v, axis, t);
    bw_curve curve = bw_plan_curve(&flight->plans[v], axis);
    return bw_motion_round(flight->motion.scalar, bw_curve_at(&curve, t));
}

void bw_flight_sample_range(const bw_flight *flight, double t, uint32_t first, uint32_t count,
                            void *positions)
{
    bw_motion_sample_range(&flight->motion, t, first, count, positions);
    if (flight->planned == NULL)
        return;
    for (uint32_t v = first; v < first + count; v++)
        for (int axis = 0; axis < 3 && flight->planned[v]; axis++) {
            size_t i = 3 * (size_t)v + (size_t)axis;
            double x = bw_flight_at(flight, v, axis, t);
            if (flight->motion.scalar == BW_F64)
                ((double *)positions)[i] = x;
            else
                ((float *)positions)[i] = (float)x;
        }
}

void bw_flight_sample(const bw_flight *flight, double t, void *positions)
{
    bw_flight_sample_range(flight, t, 0, flight->motion.vertex_count, positions);
}

/* ---- pairs that follow keyframes ---- */

/* The difference at both ends of a segment, and how far rounding may lead astray in between. As (1 - s) a + s
 * b is monotone, two differences of one sign settle the order of the whole segment without any bound. */
typedef struct chord {
    double d0, d1, slack;
    double from, span; /* of the segment */
} chord;

static chord chord_of(const bw_flight *flight, const bw_race *race, uint32_t segment)
{
    const bw_motion *m = &flight->motion;
    double a0 = bw_motion_stored(m, m->frames[segment], race->first, race->axis);
    double b0 = bw_motion_stored(m, m->frames[segment], race->second, race->axis);
    double a1 = bw_motion_stored(m, m->frames[segment + 1], race->first, race->axis);
    double b1 = bw_motion_stored(m, m->frames[segment + 1], race->second, race->axis);
    return (chord){race->sign * (a0 - b0), race->sign * (a1 - b1),
                   0x1p-48 * (fabs(a0) + fabs(a1) + fabs(b0) + fabs(b1)) + 4 * BW_EXACT_MIN,
                   m->times[segment], m->times[segment + 1] - m->times[segment]};
}

/* Where the open time around the crossing of a chord whose ends differ in sign begins and ends. */
static double chord_open(const chord *c)
{
    double s = (fabs(c->d0) - c->slack) / (fabs(c->d0) + fabs(c->d1));
    double t = nextafter(c->from + s * c->span, -INFINITY);
    return s > 0 && t > c->from ? t : c->from;
}

static double chord_shut(const chord *c, double end)
{
    double s = (fabs(c->d0) + c->slack) / (fabs(c->d0) + fabs(c->d1));
    double t = s < 1 ? nextafter(c->from + s * c->span, INFINITY) : end;
    return t < end ? t : end;
}

/* INFINITY where the first is certain to stay ahead to the end of the segment. */
static double keyed_leave(const bw_flight *flight, const bw_race *race, uint32_t segment, double now)
{
    chord c = chord_of(flight, race, segment);
    if (c.d0 >= 0 && c.d1 >= 0)
        return INFINITY;
    if (c.d1 >= 0)
        return now >= chord_shut(&c, flight->motion.times[segment + 1]) ? INFINITY : now;
    return c.d0 >= 0 ? chord_open(&c) : now;
}

static double keyed_settle(const bw_flight *flight, const bw_race *race, uint32_t segment, double from,
                           int *order)
{
    chord c = chord_of(flight, race, segment);
    *order = c.d1 >= 0 ? 1 : -1;
    if ((c.d0 >= 0) == (c.d1 >= 0))
        return from;
    if (from < chord_open(&c)) { /* the order before the crossing is still certain */
        *order = -*order;
        return from;
    }
    double shut = chord_shut(&c, flight->motion.times[segment + 1]);
    return shut > from ? shut : from;
}

/* ---- pairs of curves ---- */

static bw_curve curve_of(const bw_flight *flight, uint32_t v, const bw_race *race, uint32_t segment)
{
    const bw_motion *m = &flight->motion;
    double sign = race->sign;
    if (m->kind == BW_MOTION_VELOCITY && !bw_flight_planned(flight, v))
        return (bw_curve){m->begin,
                          {sign * bw_motion_stored(m, m->positions, v, race->axis),
                           sign * bw_motion_stored(m, m->velocities, v, race->axis)}};
    bw_curve curve = bw_flight_planned(flight, v) ? bw_plan_curve(&flight->plans[v], race->axis)
                                                  : bw_motion_curve(m, v, race->axis, segment);
    for (int i = 0; i < 4; i++)
        curve.c[i] *= sign;
    return curve;
}

/* Equal curves are evaluated alike, but for keyframes beside a plan: those are rounded another way. */
static bool alike(const bw_curve *a, const bw_curve *b, uint32_t segment)
{
    return segment == UINT32_MAX && bw_curve_equal(a, b);
}

/* Two straight lines, the common case, without the detour over polynomials: the difference d + d1 x after x
 * units of time, and the same bound on roundings as motion/gap.c has. */
typedef struct straight {
    double d, d1, e, e1;
} straight;

static bool straight_of(const bw_curve *a, const bw_curve *b, double now, straight *out)
{
    if (a->c[2] != 0 || a->c[3] != 0 || b->c[2] != 0 || b->c[3] != 0)
        return false;
    double ua = now - a->origin, ub = now - b->origin;
    out->d = (a->c[0] + a->c[1] * ua) - (b->c[0] + b->c[1] * ub);
    out->d1 = a->c[1] - b->c[1];
    out->e = BW_GAP_ROUNDING * (fabs(a->c[0]) + fabs(a->c[1] * ua) + fabs(b->c[0]) + fabs(b->c[1] * ub)) +
             BW_GAP_TINY;
    out->e1 = BW_GAP_ROUNDING * (fabs(a->c[1]) + fabs(b->c[1]));
    return true;
}

static double straight_leave(const straight *l, double now, double until)
{
    if (!(l->d > l->e))
        return now;
    double closing = l->e1 - l->d1; /* how fast the margin shrinks */
    if (!(closing > 0))
        return INFINITY;
    double t = nextafter(now + (l->d - l->e) / closing * (1 - 0x1p-50), -INFINITY);
    return t > until ? INFINITY : t > now ? t : now;
}

static double straight_settle(const straight *l, double from, double until, int *order)
{
    *order = l->d > 1.5 * l->e ? 1 : l->d < -1.5 * l->e ? -1 : 0;
    if (*order != 0)
        return from;
    double opening = fabs(l->d1) - 2 * l->e1;
    if (!(opening > 0))
        return INFINITY;
    int sign = l->d1 > 0 ? 1 : -1;
    double t = nextafter(from + (2 * l->e - sign * l->d) / opening * (1 + 0x1p-50), INFINITY);
    if (t > until)
        return INFINITY;
    *order = sign;
    return t;
}

static double curved_leave(const bw_flight *flight, const bw_race *race, uint32_t segment, double now,
                           double until)
{
    bw_curve a = curve_of(flight, race->first, race, segment);
    bw_curve b = curve_of(flight, race->second, race, segment);
    if (alike(&a, &b, segment))
        return INFINITY;
    straight line;
    if (straight_of(&a, &b, now, &line))
        return straight_leave(&line, now, until);
    bw_gap gap;
    bw_gap_make(&a, &b, now, until, &gap);
    return bw_gap_order(&gap) > 0 ? bw_gap_leave(&gap) : now;
}

static double curved_settle(const bw_flight *flight, const bw_race *race, uint32_t segment, double from,
                            double until, int *order)
{
    bw_curve a = curve_of(flight, race->first, race, segment);
    bw_curve b = curve_of(flight, race->second, race, segment);
    *order = 1;
    if (alike(&a, &b, segment))
        return from;
    straight line;
    if (straight_of(&a, &b, from, &line))
        return straight_settle(&line, from, until, order);
    bw_gap gap;
    bw_gap_make(&a, &b, from, until, &gap);
    return bw_gap_settle(&gap, order);
}

/* ---- both ---- */

static bool keyed(const bw_flight *flight, const bw_race *race)
{
    return !bw_flight_planned(flight, race->first) && !bw_flight_planned(flight, race->second);
}

/* The last segment, or none for motions without. */
static uint32_t segments(const bw_flight *flight, const bw_race *race, double t, uint32_t *last)
{
    bool both_planned = bw_flight_planned(flight, race->first) && bw_flight_planned(flight, race->second);
    if (flight->motion.kind != BW_MOTION_KEYFRAMES || both_planned)
        return *last = UINT32_MAX;
    *last = flight->motion.frame_count - 2;
    return bw_motion_segment(&flight->motion, t);
}

double bw_flight_leave(const bw_flight *flight, const bw_race *race, double now, double horizon)
{
    if (race->first == race->second || now >= flight->end)
        return INFINITY;
    uint32_t last, segment = segments(flight, race, now, &last);
    double after = nextafter(now, INFINITY), from = now;
    for (;;) {
        double until = segment == UINT32_MAX ? flight->end : flight->motion.times[segment + 1];
        double t = segment != UINT32_MAX && keyed(flight, race)
                       ? keyed_leave(flight, race, segment, from)
                       : curved_leave(flight, race, segment, from, until);
        if (t <= until)
            return t > after ? t : after;
        if (segment == last || until >= horizon)
            return INFINITY;
        segment++;
        from = until;
    }
}

double bw_flight_settle(const bw_flight *flight, const bw_race *race, double from, int *order)
{
    *order = 1;
    if (race->first == race->second)
        return from;
    uint32_t last, segment = segments(flight, race, from, &last);
    for (;;) {
        double until = segment == UINT32_MAX ? flight->end : flight->motion.times[segment + 1];
        if (segment != UINT32_MAX && keyed(flight, race))
            return keyed_settle(flight, race, segment, from, order);
        double t = curved_settle(flight, race, segment, from, until, order);
        if (*order != 0)
            return t;
        if (segment == last)
            return INFINITY;
        segment++;
        from = until;
    }
}
