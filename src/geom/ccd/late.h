/* What the stages in doubles share: values of the cubic, and whether the origin is inside at a root. Included
 * by geom/ccd/query.c and geom/ccd/late.c only. */
#ifndef BW_GEOM_CCD_LATE_H
#define BW_GEOM_CCD_LATE_H

#include "geom/ccd/moving.h"

/* In units of 2^-53 times the sum of products that bounds an area: derived in the idea page. */
#define AREA_ERROR (40 * BW_ROUNDOFF)

static inline double below(double a, double b)
{
    return a < b ? a : b;
}

static inline double above(double a, double b)
{
    return a > b ? a : b;
}

/* The signs of the coefficients beyond the error: bits 0 to 3. */
typedef struct signs {
    unsigned positive, negative;
} signs;

static inline signs signs_of(const double b[4], double error)
{
    signs s = {0, 0};
    for (int i = 0; i < 4; i++) {
        s.positive |= (unsigned)(b[i] > error) << i;
        s.negative |= (unsigned)(b[i] < -error) << i;
    }
    return s;
}

/* The cubic at two times, by de Casteljau's algorithm. */
static inline d2 values(const double b[4], d2 t)
{
    d2 s = d2_all(1) - t, b0 = d2_all(b[0]), b1 = d2_all(b[1]), b2 = d2_all(b[2]), b3 = d2_all(b[3]);
    d2 c0 = b0 * s + b1 * t, c1 = b1 * s + b2 * t, c2 = b2 * s + b3 * t;
    c0 = c0 * s + c1 * t;
    c1 = c1 * s + c2 * t;
    return c0 * s + c1 * t;
}

/* From the areas N, and A and B in the lanes, and how far each may be off. */
static inline verdict decide_areas(bool edges, double own, double own_doubt, d2 area, d2 doubt)
{
    double sign = own < 0 ? -1.0 : 1.0;
    area *= d2_all(sign);
    own *= sign;
    d2 zero = d2_all(0), rest = d2_all(own) - area, rest_doubt = d2_all(own_doubt) + doubt;
    if (!edges) {
        rest -= d2_swap(area);
        rest_doubt += d2_swap(doubt);
    }
    /* An area that is always zero has no doubt, and the boundary belongs to the polygon. */
    m2 more = (area >= doubt) & (rest >= rest_doubt);
    m2 less = (zero - doubt > area) | (zero - rest_doubt > rest);
    bool oriented = own > own_doubt;
    if ((oriented & (m2_bits(less) != 0)) != 0)
        return OUTSIDE;
    return (oriented & (m2_bits(more) == 3)) != 0 ? INSIDE : UNSURE;
}

/* Is the origin inside the polygon at any time of [low, high], or at all of them, given that it is in the
 * plane then? */
static inline verdict inclusion(const bw_ccd_moving *m, double low, double high)
{
    double t = 0.5 * (low + high), half = 0.5 * (high - low);
    d2 weight = d2_of(1 - t, t), edge[3], corner[3], area[3];
    double own[3];
    for (int k = 0; k < 3; k++) {
        d2 first = m->first[k] * weight, last = m->last[k] * weight, c = m->corner[k] * weight;
        edge[k] = d2_lows(first, last) + d2_highs(first, last);
        corner[k] = c + d2_swap(c);
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        d2 products = d2_swap(edge[i]) * edge[j];
        own[k] = d2_low(products) - d2_high(products);
        area[k] = corner[i] * edge[j] - corner[j] * edge[i];
    }
    int k = fabs(own[1]) > fabs(own[0]);
    k = fabs(own[2]) > fabs(own[k]) ? 2 : k;
    /* Over a change of time of h a product of two linear functions below their maxima changes by at most
     * 4 h times the product of these. */
    double spread = 4.125 * half + AREA_ERROR;
    return decide_areas(m->edges, own[k], spread * bw_ccd_own_bound(m, k), area[k],
                        d2_all(spread) * bw_ccd_area_bounds(m, k));
}

/* The cubic in powers of time, for guesses: these need no bound. */
typedef struct powers {
    double a[4];
} powers;

static inline powers powers_of(const double b[4])
{
    return (powers){
        {b[0], 3 * (b[1] - b[0]), 3 * (b[2] - 2 * b[1] + b[0]), (b[3] - b[0]) - 3 * (b[2] - b[1])}};
}

/* Inside at the root of a bracket? */
static verdict inside_at(const bw_ccd_moving *m, const bw_ccd_points *points, const bw_ccd_cubic *cubic,
                         bw_ccd_bracket *root)
{
    verdict here = inclusion(m, root->low, root->high);
    return here == UNSURE ? bw_ccd_inside_twofold(m, points, cubic, root) : here;
}

/* One root and no more between coefficients of these signs; the signs at the ends are certain. */
static inline bool one_root(unsigned positive, unsigned negative)
{
    bool rising = (negative & 1) && (positive & 8) && ((negative & 2) || (positive & 4));
    bool falling = (positive & 1) && (negative & 8) && ((positive & 2) || (negative & 4));
    return rising | falling;
}

/* Stages 4 and 5, for the few that reach them. */
bw_ccd_result bw_ccd_decide_late(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                 const bw_ccd_moving *m, const bw_ccd_points *points, double tolerance);

#endif
