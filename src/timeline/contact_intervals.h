/* When two triangles that move on straight lines or on cubic curves are in contact: all times, not only the
 * first.
 *
 * Whether two triangles meet depends on the signs of the volumes of four of their corners (a corner of one
 * and the other's three, two of each: fifteen cubics in time, for curves of degree nine), and, only where
 * those are zero, of areas and lengths of what they become along the axes. So it can change only at roots of
 * these. Between two roots that follow each other the signs at any time decide. */
#ifndef BW_TIMELINE_CONTACT_INTERVALS_H
#define BW_TIMELINE_CONTACT_INTERVALS_H

#include <boxwood/motion.h>

enum { BW_SPANS = 512 }; /* more than there are roots (exact/contact_times.c) */

/* Parts of the time from 0 to 1, closed; from == to before rounding: an instant. */
typedef struct bw_contact_span {
    double from, to;
    bool instant;
} bw_contact_span;

/* Room for deciding in integers, of bw_exact_scratch_size bytes. */
typedef struct bw_exact_scratch bw_exact_scratch;

typedef struct bw_moving_triangles {
    const bw_vec3 (*a)[3], (*b)[3]; /* corners at time 0, and at time 1 */
    /* Corners that move on curves instead: by corner, the factors of 1, t, t^2 and t^3. NULL: straight. */
    const bw_vec3 (*curves_a)[4], (*curves_b)[4];
    double error; /* no coordinate of a curve is farther from the true one */
    /* What the curves are of, by corner, the time from begin to end being 0 to 1. NULL: straight. */
    const bw_plan *const *plans_a, *const *plans_b;
    double begin, end;
    /* Neighbours, of one mesh: their vertices by index, of which at least one is shared, and what they share
     * does not count. NULL otherwise. */
    const uint32_t *vertices_a, *vertices_b;
    bw_exact_scratch *scratch;
} bw_moving_triangles;

/* The spans within [from, to], in order; outside it the triangles must be apart, or the time at an end.
 * Neighbours are decided exactly over all of [0, 1] (exact/neighbours.h). */
uint32_t bw_contact_spans(const bw_moving_triangles *pair, double from, double to,
                          bw_contact_span out[BW_SPANS]);

#endif
