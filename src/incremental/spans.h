/* When two triangles that move on straight lines or on cubic curves are in contact: all times, not only the
 * first.
 *
 * Whether two triangles meet depends on the signs of the volumes of four of their corners (a corner of one
 * and the other's three, two of each: fifteen cubics in time, for curves of degree nine), and, only where
 * those are zero, of areas and lengths of what they become along the axes. So it can change only at roots of
 * these. Between two roots that
 * follow each other one exact test decides. */
#ifndef BW_INCREMENTAL_SPANS_H
#define BW_INCREMENTAL_SPANS_H

#include <boxwood/math.h>

/* 15 volumes, 54 areas and 27 lengths, of degree 9 at most, and there are two ends. */
enum { BW_SPLITS = (15 + 54 + 27) * 9 + 2, BW_SPANS = BW_SPLITS };

/* Parts of the time from 0 to 1, closed; from == to before rounding: an instant. */
typedef struct bw_contact_span {
    double from, to;
    bool instant;
} bw_contact_span;

typedef struct bw_span_pair {
    const bw_vec3 (*a)[3], (*b)[3]; /* corners at time 0, and at time 1 */
    /* Corners that move on curves instead: by corner, the factors of 1, t, t^2 and t^3. NULL: straight. */
    const bw_vec3 (*curves_a)[4], (*curves_b)[4];
    double error;                            /* no coordinate of a curve is farther from the true one */
    const uint32_t *vertices_a, *vertices_b; /* by index, where both are of one mesh: what they share does not
                                                count. NULL otherwise */
} bw_span_pair;

/* The spans within [from, to], in order; outside it the triangles must be apart, or the time at an end. */
uint32_t bw_contact_spans(const bw_span_pair *pair, double from, double to, bw_contact_span out[BW_SPANS]);

#endif
