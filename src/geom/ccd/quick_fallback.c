/* Single continuous queries that the quick stages (geom/ccd/quick.h) leave open. Two lanes hold the two ends
 * of time (base/simd/f64x2.h); branches are few, because nobody can foretell them.
 *
 * 1. For coordinates beyond the range of the quick stages, what these begin with: along each axis the
 *    differences have one sign at both ends, or the cubic's coefficients have one sign beyond their error.
 * 2. The cubic is cut at its extrema; a root that is alone in its part is bracketed by values of certain
 * sign, and the signs of the areas over the bracket tell inside from outside: in doubles, then in twofold
 * ones.
 * 3. The later stages: geom/ccd/late.c.
 */
#include "geom/ccd/late.h"
#include "geom/ccd/quick.h"

/* Errors, in units of 2^-53 times the sum of products that bounds the terms: derived in the idea page. */
#define VOLUME_ERROR (48 * BW_ROUNDOFF)
#define VOLUME_VALUE_ERROR (112 * BW_ROUNDOFF)

/* Whether the points of one side are below those of the other along an axis, or above, at both ends. */
static inline bool axis_apart(bool edges, const bw_ccd_points *points)
{
    m2 apart = d2_all(0) > d2_all(0);
    for (int k = 0; k < 3; k++) {
        d2 a = points->p[0][k], b = points->p[1][k], c = points->p[2][k], d = points->p[3][k];
        d2 low = edges ? d2_min(a, b) : a, high = edges ? d2_max(a, b) : a;
        d2 other_low = d2_min(c, d), other_high = d2_max(c, d);
        if (!edges) {
            other_low = d2_min(other_low, b);
            other_high = d2_max(other_high, b);
        }
        m2 under = other_low > high, over = low > other_high;
        apart |= m2_lows(under, over) & m2_highs(under, over);
    }
    return m2_bits(apart) != 0;
}

static inline void cross(const d2 a[3], const d2 b[3], d2 out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline d2 dot(const d2 a[3], const d2 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void difference(const bw_ccd_points *points, int from, int to, d2 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = points->p[from][k] - points->p[to][k];
}

/* The polygon and its cubic; the error is that of the coefficients in the signs, of values in the cubic. */
static inline signs make_moving(bool edges, const bw_ccd_points *points, bw_ccd_moving *out)
{
    d2 swapped[3], normal[3], mixed[3], crossed[3];
    out->edges = edges;
    difference(points, BW_CCD_CORNER_FROM(edges), out->corner);
    difference(points, BW_CCD_FIRST_FROM(edges), out->first);
    difference(points, BW_CCD_LAST_FROM(edges), out->last);
    for (int k = 0; k < 3; k++) {
        d2 corner = d2_abs(out->corner[k]), first = d2_abs(out->first[k]), last = d2_abs(out->last[k]);
        out->corner_max[k] = d2_max(corner, d2_swap(corner));
        out->edge_max[k] = d2_max(d2_lows(first, last), d2_highs(first, last));
        swapped[k] = d2_swap(out->last[k]);
    }
    d2 bound = d2_all(0);
    for (int k = 0; k < 3; k++)
        bound += d2_swap(out->edge_max[k]) * bw_ccd_area_bounds(out, k);
    bound = d2_lows(bound, bound);
    cross(out->first, out->last, normal);
    cross(out->first, swapped, mixed);
    for (int k = 0; k < 3; k++) {
        mixed[k] += d2_swap(mixed[k]);
        crossed[k] = d2_swap(normal[k]);
    }
    /* Coefficients 0 and 3, and 1 and 2. */
    d2 ends = d2_all(3) * dot(out->corner, normal);
    d2 inner = dot(out->corner, mixed) + d2_swap(dot(out->corner, crossed));
    d2 error = bound * d2_all(VOLUME_ERROR), minus = d2_all(0) - error;
    out->bound = d2_low(bound);
    out->cubic.error = VOLUME_VALUE_ERROR * out->bound;
    out->cubic.coefficient_error = VOLUME_ERROR * out->bound;
    out->cubic.b[0] = d2_low(ends);
    out->cubic.b[1] = d2_low(inner);
    out->cubic.b[2] = d2_high(inner);
    out->cubic.b[3] = d2_high(ends);
    d2 low = d2_lows(ends, inner), high = d2_lows(d2_swap(inner), d2_swap(ends));
    return (signs){m2_bits(low > error) | m2_bits(high > error) << 2,
                   m2_bits(minus > low) | m2_bits(minus > high) << 2};
}

/* ---- Roots ---- */

/* A search for the one root in [low, high], where the cubic is known to have other signs at the ends. */
typedef struct hunt {
    double low, high, rising;
    double after, before;  /* about between which times the root is */
    double t, step, slope; /* where it is, the last step there, and the slope before it */
} hunt;

/* From the line between about the values at the ends. */
static inline hunt hunt_from(double low, double high, double f_low, double f_high)
{
    double rising = f_high > f_low ? 1.0 : -1.0, t = low - f_low * (high - low) / (f_high - f_low);
    return (hunt){low, high, rising, low, high, t, 0, 0};
}

/* Two of Halley's steps: the number does not depend on the query, so no branch is mistaken. */
static inline void two_steps(const powers *p, hunt *h)
{
    const double *a = p->a;
    for (int step = 0; step < 2; step++) {
        double f = a[0] + h->t * (a[1] + h->t * (a[2] + h->t * a[3]));
        double curve = a[2] + 3 * a[3] * h->t, last = h->t;
        bool early = f * h->rising < 0;
        h->slope = a[1] + h->t * (2 * a[2] + h->t * 3 * a[3]);
        h->after = early ? last : h->after;
        h->before = early ? h->before : last;
        double next = last - f * h->slope / (h->slope * h->slope - f * curve);
        double middle = 0.5 * (h->after + h->before);
        h->t = ((next >= h->after) & (next <= h->before)) != 0 ? next : middle;
        h->step = h->t - last;
    }
}

/* Whether values of certain sign enclose the root: near a root the next step would be far shorter than the
 * square of the last. */
static inline bool enclose(const bw_ccd_cubic *cubic, const hunt *h, bw_ccd_bracket *out)
{
    double reach = above(4 * h->step * h->step, above(4 * cubic->error / fabs(h->slope), 0x1p-44));
    double low = above(h->low, h->t - reach), high = below(h->high, h->t + reach);
    d2 f = values(cubic->b, d2_of(low, high)) * d2_of(-h->rising, h->rising);
    unsigned sure = m2_bits(f > d2_all(cubic->error));
    sure |= (unsigned)(low == h->low) | (unsigned)(high == h->high) << 1;
    *out = (bw_ccd_bracket){low, high, h->t};
    return sure == 3;
}

static inline double between(double a, double b, double t)
{
    return a * (1 - t) + b * t;
}

/* The coefficients over a part, each by three steps of de Casteljau's algorithm. */
static inline void part_of(const double b[4], double low, double high, double out[4])
{
    double p0 = between(b[0], b[1], low), p1 = between(b[1], b[2], low), p2 = between(b[2], b[3], low);
    double q0 = between(p0, p1, low), q1 = between(p1, p2, low);
    double r0 = between(p0, p1, high), r1 = between(p1, p2, high);
    d2 ends = values(b, d2_of(low, high));
    out[0] = d2_low(ends);
    out[1] = between(q0, q1, high);
    out[2] = between(r0, r1, high);
    out[3] = d2_high(ends);
}

/* The ends of the parts: 0, the extrema of the cubic within, about, and 1; returns how many parts. */
static inline int cuts_of(const powers *p, double out[4])
{
    const double *a = p->a;
    double q = a[2] * a[2] - 3 * a[1] * a[3];
    int count = 0;
    out[count++] = 0;
    if (q > 0) {
        double w = -(a[2] + copysign(sqrt(q), a[2])), x = w / (3 * a[3]), y = a[1] / w;
        double low = below(x, y), high = above(x, y);
        if (low > 0x1p-20 && low < 1 - 0x1p-20)
            out[count++] = low;
        if (high > out[count - 1] + 0x1p-20 && high < 1 - 0x1p-20)
            out[count++] = high;
    }
    out[count] = 1;
    return count;
}

/* The one root in [low, high]: in or out? A miss hardly ever needs the root to the last bit. */
static inline verdict at_root(const bw_ccd_moving *m, const bw_ccd_points *points, const powers *p, hunt h,
                              double tolerance, bw_ccd_bracket *out)
{
    two_steps(p, &h);
    if (enclose(&m->cubic, &h, out) && inclusion(m, out->low, out->high) == OUTSIDE)
        return OUTSIDE;
    for (int more = 0; more < 3; more++) {
        two_steps(p, &h);
        if (enclose(&m->cubic, &h, out) && out->high - out->low <= tolerance)
            return inside_at(m, points, &m->cubic, out);
    }
    return UNSURE;
}

/* Looks for the first contact through the roots of the cubic, where these are simple. */
static verdict through_roots(const bw_ccd_moving *m, const bw_ccd_points *points, signs s, double tolerance,
                             bw_ccd_bracket *out)
{
    const bw_ccd_cubic *cubic = &m->cubic;
    const double *b = cubic->b;
    powers p = powers_of(b);
    if (one_root(s.positive, s.negative))
        return at_root(m, points, &p, hunt_from(0, 1, b[0], b[3]), tolerance, out);
    double cut[4];
    int parts = cuts_of(&p, cut);
    for (int i = 0; i < parts; i++) {
        double c[4];
        unsigned positive = 0, negative = 0;
        part_of(b, cut[i], cut[i + 1], c);
        for (int k = 0; k < 4; k++) {
            positive |= (unsigned)(c[k] > cubic->error) << k;
            negative |= (unsigned)(c[k] < -cubic->error) << k;
        }
        if (positive == 15 || negative == 15)
            continue;
        if (!one_root(positive, negative))
            return UNSURE;
        verdict here = at_root(m, points, &p, hunt_from(cut[i], cut[i + 1], c[0], c[3]), tolerance, out);
        if (here != OUTSIDE)
            return here;
    }
    return OUTSIDE;
}

/* ---- All of it ---- */

/* What the quick stages leave: inlined for either kind, so that indices are constants. */
static inline bw_ccd_result decide(bool edges, const bw_ccd_kind *kind, const bw_vec3 start[4],
                                   const bw_vec3 end[4], double tolerance, bw_ccd_quick_answer quick,
                                   bw_ccd_bracket *root)
{
    bw_ccd_points points = bw_ccd_points_of(start, end);
    if (quick == BW_CCD_QUICK_RANGE && axis_apart(edges, &points))
        return bw_ccd_never(false);
    bw_ccd_moving m;
    signs s = make_moving(edges, &points, &m);
    if (m.bound >= BW_CCD_VOLUME_MIN) {
        if ((s.positive == 15) | (s.negative == 15))
            return bw_ccd_never(false);
        /* Where a sign at an end is not certain no root can be told from none. */
        verdict answer = UNSURE;
        if (quick == BW_CCD_QUICK_ONE)
            answer = bw_ccd_inside_twofold(&m, &points, &m.cubic, root);
        else if (((s.positive | s.negative) & 9) == 9)
            answer = through_roots(&m, &points, s, tolerance, root);
        if (answer == OUTSIDE)
            return bw_ccd_never(false);
        if (answer == INSIDE)
            return (bw_ccd_result){BW_CCD_CONTACT, false, root->low, root->high};
    }
    return bw_ccd_decide_late(kind, start, end, &m, &points, tolerance);
}

bw_ccd_result bw_ccd_decide_slowly(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                   double tolerance, bw_ccd_quick_answer quick, bw_ccd_bracket *root)
{
    return kind == &bw_ccd_edge_edge_kind ? decide(true, kind, start, end, tolerance, quick, root)
                                          : decide(false, kind, start, end, tolerance, quick, root);
}
