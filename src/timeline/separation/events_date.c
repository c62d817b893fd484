/* Certificates of pairs of boxes: overlap intervals for every kind of motion.
 *
 * Two boxes overlap where six inequalities hold: along each axis, the maximum of one is not below the minimum
 * of the other. Inequality axis * 2 + s compares the maximum of side s with the minimum of side 1 - s. Each
 * is the difference of two curves with a bound on everything that rounding may do to it (motion/gap.h), here
 * wide enough for the rounding to floats as well: beyond the bound the order of the float boxes is certain,
 * within it the boxes at the very time decide. */
#include "geom/box.h"
#include "timeline/separation/events.h"

#include <math.h>

/* 2^-22 of the terms' magnitudes instead of 2^-47: positions and boxes are rounded to floats. */
#define FLOATS 0x1p25

/* Keyframe segments to look ahead: beyond them an entry of the queue looks again. */
enum { AHEAD = 8 };

typedef struct duel {
    const bw_flight *flight[2]; /* of the maximum, of the minimum */
    uint32_t vertex[2];
    int axis;
} duel;

static duel duel_of(const bw_list *list, const bw_list_pair *pair, uint32_t inequality)
{
    uint32_t axis = inequality / 2, high = inequality % 2, low = 1 - high;
    const bw_kinetic *top = list->trees[high], *bottom = list->trees[low];
    size_t max = (size_t)pair->box[high] * BW_EXTENTS + axis * 2 + 1;
    size_t min = (size_t)pair->box[low] * BW_EXTENTS + axis * 2;
    return (duel){
        {&top->flight, &bottom->flight}, {top->queue.winner[max], bottom->queue.winner[min]}, (int)axis};
}

/* The curve of a vertex from a time on, and until when it is the same. */
static bw_curve curve_from(const bw_flight *flight, uint32_t v, int axis, double time, double *until)
{
    *until = flight->end;
    if (bw_flight_planned(flight, v))
        return bw_plan_curve(&flight->plans[v], axis);
    if (flight->motion.kind != BW_MOTION_KEYFRAMES)
        return bw_motion_curve(&flight->motion, v, axis, UINT32_MAX);
    uint32_t segment = bw_motion_segment(&flight->motion, time);
    *until = flight->motion.times[segment + 1];
    return bw_motion_curve(&flight->motion, v, axis, segment);
}

/* The difference of the two from a time to the next breakpoint. */
static void gap_from(const duel *d, double time, double *until, bw_gap *out)
{
    double end[2];
    bw_curve a = curve_from(d->flight[0], d->vertex[0], d->axis, time, &end[0]);
    bw_curve b = curve_from(d->flight[1], d->vertex[1], d->axis, time, &end[1]);
    *until = fmin(end[0], end[1]);
    bw_gap_make(&a, &b, time, *until, out);
    for (int i = 0; i < 4; i++)
        out->e[i] *= FLOATS;
}

static double last_time(const duel *d)
{
    return fmin(d->flight[0]->end, d->flight[1]->end);
}

/* The order at a time (1: overlapping), 0 where open, and until when it is certain, or when it may be
 * settled. INFINITY: to the end. */
static int order_from(const duel *d, double now, double *until)
{
    double end, time = now, stop = last_time(d);
    bw_gap gap;
    gap_from(d, time, &end, &gap);
    int order = bw_gap_order(&gap);
    *until = INFINITY;
    for (int i = 0; now < stop; i++) {
        int settled = 0;
        double t = order != 0 ? bw_gap_leave(&gap) : bw_gap_settle(&gap, &settled);
        if (t <= end) {
            *until = fmax(t, nextafter(now, INFINITY));
            break;
        }
        time = end;
        if (time >= stop)
            break;
        if (i == AHEAD) {
            *until = time;
            break;
        }
        gap_from(d, time, &end, &gap);
        if (order != 0 && bw_gap_order(&gap) != order) { /* rounded differently on the other side */
            *until = fmax(time, nextafter(now, INFINITY));
            break;
        }
    }
    return order;
}

bw_list_status bw_list_classify(const bw_list *list, const bw_list_pair *pair, double now, double *until,
                                uint8_t *witness)
{
    double apart = -INFINITY, soon = INFINITY;
    bool open = false;
    for (uint32_t i = 0; i < 6; i++) {
        duel d = duel_of(list, pair, i);
        double t;
        int order = order_from(&d, now, &t);
        if (order < 0 && t > apart) {
            apart = t;
            *witness = (uint8_t)i;
        }
        if (order < 0)
            continue;
        open = open || order == 0;
        soon = fmin(soon, t);
    }
    *until = apart > -INFINITY ? apart : soon;
    return apart > -INFINITY ? BW_LIST_APART : open ? BW_LIST_OPEN : BW_LIST_MEETING;
}

double bw_list_hold(const bw_list *list, const bw_list_pair *pair, uint32_t inequality, double now)
{
    duel d = duel_of(list, pair, inequality);
    double until;
    return order_from(&d, now, &until) > 0 ? until : now;
}

bool bw_list_overlap(const bw_list *list, const bw_list_pair *pair, double now)
{
    for (uint32_t i = 0; i < 6; i++) {
        duel d = duel_of(list, pair, i);
        float max = bw_float_up(bw_flight_at(d.flight[0], d.vertex[0], d.axis, now));
        float min = bw_float_down(bw_flight_at(d.flight[1], d.vertex[1], d.axis, now));
        if (max < min)
            return false;
    }
    return true;
}
