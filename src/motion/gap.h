/* The difference of two plans along an axis, as a polynomial with a bound on everything that rounding may do
 * to it. Where the difference exceeds the bound, the order of the evaluated positions is certain; in between
 * it is open, and whoever asks must compare the positions at the very time.
 *
 * Why so: crossing times and evaluated positions disagree by rounding, and a structure that trusts the one
 * while it is asked about the other is wrong near every event, or loops for ever. */
#ifndef BW_MOTION_GAP_H
#define BW_MOTION_GAP_H

#include <boxwood/motion.h>

/* Roundings that the bound covers, each of at most 2^-53 of the sum of the terms' magnitudes: evaluating a
 * plan (nine, those of t - origin included), moving it to another origin (eight), scaling it to the span
 * (four), evaluating the polynomial here (seven), and the same for the other plan, which has a sum of its
 * own. Fewer than 32 a plan; twice that leaves room for the critical points, which are rounded too. */
#define BW_GAP_ROUNDING 0x1p-47
/* Positions below BW_EXACT_MIN become zero, and products may underflow. */
#define BW_GAP_TINY (4 * BW_EXACT_MIN)

/* One coordinate of a plan: the sum of c[i] (t - origin)^i. */
typedef struct bw_curve {
    double origin;
    double c[4];
} bw_curve;

static inline double bw_curve_at(const bw_curve *curve, double t)
{
    double u = t - curve->origin;
    return curve->c[0] + u * (curve->c[1] + u * (curve->c[2] + u * curve->c[3]));
}

static inline bool bw_curve_equal(const bw_curve *a, const bw_curve *b)
{
    return a->origin == b->origin && a->c[0] == b->c[0] && a->c[1] == b->c[1] && a->c[2] == b->c[2] &&
           a->c[3] == b->c[3];
}

/* a - b over [start, until]: d[0] + d[1] x + d[2] x^2 + d[3] x^3 with t = start + x (until - start), off by
 * at most e[0] + e[1] x + e[2] x^2 + e[3] x^3. */
typedef struct bw_gap {
    double d[4], e[4];
    double start, span;
} bw_gap;

void bw_gap_make(const bw_curve *a, const bw_curve *b, double start, double until, bw_gap *out);

/* The sign of a - b at the start, 0 where it is open. */
int bw_gap_order(const bw_gap *gap);

/* A time such that the order at the start (which must not be open) is certain before it, or INFINITY where it
 * is certain to the end. Not below start. */
double bw_gap_leave(const bw_gap *gap);

/* The first time from the start on at which the order is certain by a margin, *order: what leave has just
 * left is not, and what settles is not left at once, although both are computed with rounding. INFINITY and 0
 * where it stays open to the end. */
double bw_gap_settle(const bw_gap *gap, int *order);

#endif
