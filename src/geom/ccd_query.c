/* Vertex against face and edge against edge under linear motion: the floating-point stages, with proven
 * bounds, and the public functions. Two lanes hold the two ends of time (geom/d2.h); branches are few,
 * because nobody can foretell them.
 *
 * 1. Along each axis the differences have one sign at both ends, so always: apart. Comparisons, no rounding.
 * 2. The cubic of geom/ccd.h has Bernstein coefficients of one sign beyond their error: never coplanar,
 *    apart.
 * 3. The cubic is cut at its extrema; a root that is alone in its part is bracketed by values of certain
 * sign, and the signs of the areas over the bracket tell inside from outside: in doubles, then in twofold
 * ones.
 * 4. Where any of this is unsure, directions across the polygon's edges may still prove that it keeps away,
 *    or the cubic in twofold precision.
 * 5. Exact integers.
 */
#include "geom/ccd_moving.h"

/* Errors, in units of 2^-53 times the sum of products that bounds the terms: derived in the idea page. */
#define VOLUME_ERROR (48 * BW_ROUNDOFF)
#define VOLUME_VALUE_ERROR (112 * BW_ROUNDOFF)
#define AREA_ERROR (40 * BW_ROUNDOFF)

static inline double below(double a, double b)
{
    return a < b ? a : b;
}

static inline double above(double a, double b)
{
    return a > b ? a : b;
}

/* ---- Stages 1 and 2 ---- */

/* Every coordinate zero or within the exact range, for certain: the sum of all magnitudes is not above the
 * largest allowed, and no number but zero is below the smallest. */
static inline bool surely_sound(const bw_ccd_points *points)
{
    const d2 zero = d2_all(0), smallest = d2_all(BW_EXACT_MIN);
    d2 sum = zero;
    m2 good = d2_equal(zero, zero);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            d2 size = d2_abs(points->p[i][k]);
            sum = d2_add(sum, size);
            good = m2_and(good, m2_or(d2_at_least(size, smallest), d2_equal(size, zero)));
        }
    return m2_bits(m2_and(good, d2_at_least(d2_all(BW_EXACT_MAX), sum))) == 3;
}

/* Whether the points of one side are below those of the other along an axis, or above, at both ends. */
static inline bool axis_apart(bool edges, const bw_ccd_points *points)
{
    m2 apart = d2_greater(d2_all(0), d2_all(0));
    for (int k = 0; k < 3; k++) {
        d2 a = points->p[0][k], b = points->p[1][k], c = points->p[2][k], d = points->p[3][k];
        d2 low = edges ? d2_min(a, b) : a, high = edges ? d2_max(a, b) : a;
        d2 other_low = d2_min(c, d), other_high = d2_max(c, d);
        if (!edges) {
            other_low = d2_min(other_low, b);
            other_high = d2_max(other_high, b);
        }
        m2 under = d2_greater(other_low, high), over = d2_greater(low, other_high);
        apart = m2_or(apart, m2_and(m2_lows(under, over), m2_highs(under, over)));
    }
    return m2_bits(apart) != 0;
}

static inline void cross(const d2 a[3], const d2 b[3], d2 out[3])
{
    out[0] = d2_sub(d2_mul(a[1], b[2]), d2_mul(a[2], b[1]));
    out[1] = d2_sub(d2_mul(a[2], b[0]), d2_mul(a[0], b[2]));
    out[2] = d2_sub(d2_mul(a[0], b[1]), d2_mul(a[1], b[0]));
}

static inline d2 dot(const d2 a[3], const d2 b[3])
{
    return d2_add(d2_add(d2_mul(a[0], b[0]), d2_mul(a[1], b[1])), d2_mul(a[2], b[2]));
}

static inline void difference(const bw_ccd_points *points, int from, int to, d2 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = d2_sub(points->p[from][k], points->p[to][k]);
}

/* The signs of the coefficients beyond the error: bits 0 to 3. */
typedef struct signs {
    unsigned positive, negative;
} signs;

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
        bound = d2_add(bound, d2_mul(d2_swap(out->edge_max[k]), bw_ccd_area_bounds(out, k)));
    bound = d2_lows(bound, bound);
    cross(out->first, out->last, normal);
    cross(out->first, swapped, mixed);
    for (int k = 0; k < 3; k++) {
        mixed[k] = d2_add(mixed[k], d2_swap(mixed[k]));
        crossed[k] = d2_swap(normal[k]);
    }
    /* Coefficients 0 and 3, and 1 and 2. */
    d2 ends = d2_mul(d2_all(3), dot(out->corner, normal));
    d2 inner = d2_add(dot(out->corner, mixed), d2_swap(dot(out->corner, crossed)));
    d2 error = d2_mul(bound, d2_all(VOLUME_ERROR)), minus = d2_sub(d2_all(0), error);
    out->bound = d2_low(bound);
    out->cubic.error = VOLUME_VALUE_ERROR * out->bound;
    out->cubic.coefficient_error = VOLUME_ERROR * out->bound;
    out->cubic.b[0] = d2_low(ends);
    out->cubic.b[1] = d2_low(inner);
    out->cubic.b[2] = d2_high(inner);
    out->cubic.b[3] = d2_high(ends);
    d2 low = d2_lows(ends, inner), high = d2_lows(d2_swap(inner), d2_swap(ends));
    return (signs){m2_bits(d2_greater(low, error)) | m2_bits(d2_greater(high, error)) << 2,
                   m2_bits(d2_greater(minus, low)) | m2_bits(d2_greater(minus, high)) << 2};
}

/* ---- Stage 3: roots ---- */

/* The cubic at two times, by de Casteljau's algorithm. */
static inline d2 values(const double b[4], d2 t)
{
    d2 s = d2_sub(d2_all(1), t), b0 = d2_all(b[0]), b1 = d2_all(b[1]), b2 = d2_all(b[2]), b3 = d2_all(b[3]);
    d2 c0 = d2_add(d2_mul(b0, s), d2_mul(b1, t)), c1 = d2_add(d2_mul(b1, s), d2_mul(b2, t)),
       c2 = d2_add(d2_mul(b2, s), d2_mul(b3, t));
    c0 = d2_add(d2_mul(c0, s), d2_mul(c1, t));
    c1 = d2_add(d2_mul(c1, s), d2_mul(c2, t));
    return d2_add(d2_mul(c0, s), d2_mul(c1, t));
}

/* From the areas N, and A and B in the lanes, and how far each may be off. */
static inline verdict decide_areas(bool edges, double own, double own_doubt, d2 area, d2 doubt)
{
    double sign = own < 0 ? -1.0 : 1.0;
    area = d2_mul(area, d2_all(sign));
    own *= sign;
    d2 zero = d2_all(0), rest = d2_sub(d2_all(own), area), rest_doubt = d2_add(d2_all(own_doubt), doubt);
    if (!edges) {
        rest = d2_sub(rest, d2_swap(area));
        rest_doubt = d2_add(rest_doubt, d2_swap(doubt));
    }
    /* An area that is always zero has no doubt, and the boundary belongs to the polygon. */
    m2 more = m2_and(d2_at_least(area, doubt), d2_at_least(rest, rest_doubt));
    m2 less = m2_or(d2_greater(d2_sub(zero, doubt), area), d2_greater(d2_sub(zero, rest_doubt), rest));
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
        d2 first = d2_mul(m->first[k], weight), last = d2_mul(m->last[k], weight),
           c = d2_mul(m->corner[k], weight);
        edge[k] = d2_add(d2_lows(first, last), d2_highs(first, last));
        corner[k] = d2_add(c, d2_swap(c));
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        d2 products = d2_mul(d2_swap(edge[i]), edge[j]);
        own[k] = d2_low(products) - d2_high(products);
        area[k] = d2_sub(d2_mul(corner[i], edge[j]), d2_mul(corner[j], edge[i]));
    }
    int k = fabs(own[1]) > fabs(own[0]);
    k = fabs(own[2]) > fabs(own[k]) ? 2 : k;
    /* Over a change of time of h a product of two linear functions below their maxima changes by at most
     * 4 h times the product of these. */
    double spread = 4.125 * half + AREA_ERROR;
    return decide_areas(m->edges, own[k], spread * bw_ccd_own_bound(m, k), area[k],
                        d2_mul(d2_all(spread), bw_ccd_area_bounds(m, k)));
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
    d2 f = d2_mul(values(cubic->b, d2_of(low, high)), d2_of(-h->rising, h->rising));
    unsigned sure = m2_bits(d2_greater(f, d2_all(cubic->error)));
    sure |= (unsigned)(low == h->low) | (unsigned)(high == h->high) << 1;
    *out = (bw_ccd_bracket){low, high, h->t};
    return sure == 3;
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

/* ---- The later stages, for the few that reach them ---- */

/* The one root in [low, high], at whose ends the signs are certain, to within the tolerance. */
static bool bracket_root(const bw_ccd_cubic *cubic, double low, double high, double rising, double tolerance,
                         bw_ccd_bracket *out)
{
    const double *b = cubic->b;
    double error = cubic->error;
    powers p = powers_of(b);
    double x0 = low, x1 = high, t = 0.5 * (low + high), slope = 0;
    for (int step = 0; step < 60; step++) {
        if (!(t > x0 && t < x1))
            t = 0.5 * (x0 + x1);
        double f = rising * (p.a[0] + t * (p.a[1] + t * (p.a[2] + t * p.a[3])));
        slope = rising * (p.a[1] + t * (2 * p.a[2] + t * 3 * p.a[3]));
        if (f < 0)
            x0 = t;
        else
            x1 = t;
        double next = slope > 0 ? t - f / slope : 0.5 * (x0 + x1);
        /* So near a simple root one more of Newton's steps is the last. */
        if (slope > 0 && fabs(next - t) < 0x1p-24 && next > x0 && next < x1) {
            t = next;
            break;
        }
        if (x1 - x0 < 0x1p-48 || (slope > 0 && fabs(f) < 0.25 * error))
            break;
        /* Newton's steps that hardly shrink the bracket give way to halving. */
        t = step > 6 && (step & 1) != 0 ? 0.5 * (x0 + x1) : next;
    }
    /* As narrow as the error lets it be, so that as little as possible changes within. */
    double reach = slope > 0 ? above(4 * error / slope, 0x1p-50) : 0.125 * tolerance;
    for (; reach <= 0.5 * tolerance; reach *= 8) {
        double l = above(low, t - reach), h = below(high, t + reach);
        d2 f = d2_mul(values(b, d2_of(l, h)), d2_of(-rising, rising));
        unsigned sure = m2_bits(d2_greater(f, d2_all(error)));
        sure |= (unsigned)(l == low) | (unsigned)(h == high) << 1;
        if (sure == 3) {
            *out = (bw_ccd_bracket){l, h, t};
            return true;
        }
    }
    return false;
}

typedef struct part {
    double b[4];
    double low, high;
} part;

static inline signs signs_of(const double b[4], double error)
{
    signs s = {0, 0};
    for (int i = 0; i < 4; i++) {
        s.positive |= (unsigned)(b[i] > error) << i;
        s.negative |= (unsigned)(b[i] < -error) << i;
    }
    return s;
}

/* What the late stages work on. */
typedef struct query {
    const bw_ccd_moving *moving;
    const bw_ccd_points *points;
    bw_ccd_polygon polygon;
    bw_ccd_cubic cubic; /* in twofold precision */
    double tolerance;
    bool isolated; /* what is unsure is so at one root */
} query;

/* All coefficients but the first, or the last, have one sign for certain. A root can only be so near to that
 * end that its term outweighs the next: is the origin outside there? */
static bool outside_at_end(const query *q, signs s)
{
    const double *b = q->cubic.b;
    bool at_start = s.positive == 14 || s.negative == 14;
    if (!at_start && s.positive != 7 && s.negative != 7)
        return false;
    double here = fabs(b[at_start ? 0 : 3]), next = fabs(b[at_start ? 1 : 2]),
           error = q->cubic.coefficient_error;
    /* b0 (1-t)^3 + 3 b1 (1-t)^2 t: t is below (1-t) b0 / (3 b1). */
    double reach = (here + error) / (3 * (next - error)) * (1 + 8 * BW_ROUNDOFF);
    if (!(reach < 0x1p-20))
        return false;
    return bw_ccd_outside_twofold(q->moving, q->points, at_start ? 0 : 1, reach);
}

/* Looks for the first contact through the roots of the cubic, which are isolated by halving. */
static verdict through_halves(query *q, bw_ccd_bracket *out)
{
    enum { DEEPEST = 6 };
    const double *b = q->cubic.b;
    signs s = signs_of(b, q->cubic.coefficient_error);
    if (outside_at_end(q, s))
        return OUTSIDE;
    part waiting[DEEPEST + 1] = {{{b[0], b[1], b[2], b[3]}, 0, 1}};
    int count = 1;
    while (count > 0) {
        part p = waiting[--count];
        if (p.high - p.low < 1)
            s = signs_of(p.b, q->cubic.error);
        if (s.positive == 15 || s.negative == 15)
            continue;
        if (one_root(s.positive, s.negative)) {
            bw_ccd_bracket root;
            double rising = s.positive & 8 ? 1.0 : -1.0;
            if (!bracket_root(&q->cubic, p.low, p.high, rising, q->tolerance, &root))
                return UNSURE;
            verdict here = inside_at(q->moving, q->points, &q->cubic, &root);
            if (here == OUTSIDE || (here == UNSURE && bw_ccd_apart(&q->polygon, root.low, root.high)))
                continue;
            q->isolated = true;
            *out = root;
            return here;
        }
        double middle = 0.5 * (p.low + p.high);
        if (p.high - p.low < 1.5 / (1 << DEEPEST)) {
            if (inclusion(q->moving, p.low, p.high) == OUTSIDE || bw_ccd_apart(&q->polygon, p.low, p.high))
                continue;
            return UNSURE;
        }
        double c01 = 0.5 * (p.b[0] + p.b[1]), c12 = 0.5 * (p.b[1] + p.b[2]), c23 = 0.5 * (p.b[2] + p.b[3]);
        double c012 = 0.5 * (c01 + c12), c123 = 0.5 * (c12 + c23), c = 0.5 * (c012 + c123);
        waiting[count++] = (part){{c, c123, c23, p.b[3]}, middle, p.high};
        waiting[count++] = (part){{p.b[0], c01, c012, c}, p.low, middle};
    }
    return OUTSIDE;
}

/* Whether directions prove it away in each of a few parts of the interval. */
static bool apart_in_parts(const bw_ccd_polygon *polygon, double low, double high, int depth)
{
    if (bw_ccd_apart(polygon, low, high))
        return true;
    double middle = 0.5 * (low + high);
    return depth > 0 && apart_in_parts(polygon, low, middle, depth - 1) &&
           apart_in_parts(polygon, middle, high, depth - 1);
}

static bw_ccd_result decide_late(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                 const bw_ccd_moving *m, const bw_ccd_points *points, double tolerance)
{
    query q = {.moving = m, .points = points, .tolerance = tolerance};
    bw_ccd_polygon_make(kind, start, end, &q.polygon);
    if (bw_ccd_apart(&q.polygon, 0, 1))
        return bw_ccd_never(false);
    if (m->bound >= BW_CCD_VOLUME_MIN) {
        bw_ccd_bracket root = {0, 0, 0};
        bw_ccd_cubic_twofold(m, points, &q.cubic);
        verdict answer = through_halves(&q, &root);
        if (answer == OUTSIDE)
            return bw_ccd_never(false);
        if (answer == INSIDE)
            return (bw_ccd_result){BW_CCD_CONTACT, false, root.low, root.high};
    }
    if (!q.isolated && apart_in_parts(&q.polygon, 0, 0.5, 2) && apart_in_parts(&q.polygon, 0.5, 1, 2))
        return bw_ccd_never(false);
    return bw_ccd_decide_exact(kind, start, end);
}

/* ---- All stages ---- */

/* Inlined for either kind, so that indices are constants. */
static inline bw_ccd_result decide(bool edges, const bw_ccd_kind *kind, const bw_vec3 start[4],
                                   const bw_vec3 end[4], const bw_ccd_points *points, double tolerance)
{
    if (axis_apart(edges, points))
        return bw_ccd_never(false);
    bw_ccd_moving m;
    signs s = make_moving(edges, points, &m);
    if (m.bound >= BW_CCD_VOLUME_MIN) {
        if ((s.positive == 15) | (s.negative == 15))
            return bw_ccd_never(false);
        bw_ccd_bracket root = {0, 0, 0};
        verdict answer = through_roots(&m, points, s, tolerance, &root);
        if (answer == OUTSIDE)
            return bw_ccd_never(false);
        if (answer == INSIDE)
            return (bw_ccd_result){BW_CCD_CONTACT, false, root.low, root.high};
    }
    return decide_late(kind, start, end, &m, points, tolerance);
}

bw_ccd_result bw_ccd_decide(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                            double tolerance)
{
    bw_ccd_points points = bw_ccd_points_of(start, end);
    return kind == &bw_ccd_edge_edge_kind ? decide(true, kind, start, end, &points, tolerance)
                                          : decide(false, kind, start, end, &points, tolerance);
}

/* ---- Public functions ---- */

static bool sound(double x)
{
    return (fabs(x) >= BW_EXACT_MIN && fabs(x) <= BW_EXACT_MAX) || x == 0;
}

/* Which points are not as they must be: looked for only where the quick test was not sure. */
static bw_result check_points(const bw_vec3 start[4], const bw_vec3 end[4])
{
    bw_result result = BW_OK;
    for (int i = 0; i < 8; i++) {
        const bw_vec3 *p = i < 4 ? &start[i] : &end[i - 4];
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
            return BW_ERROR_NOT_FINITE;
        if (!sound(p->x) || !sound(p->y) || !sound(p->z))
            result = BW_ERROR_RANGE;
    }
    return result;
}

static bool good_descriptor(const bw_ccd_desc *desc)
{
    return desc->separation >= 0 && desc->separation <= BW_EXACT_MAX &&
           (desc->tolerance == 0 || (desc->tolerance >= 0x1p-50 && desc->tolerance <= 1));
}

static inline bw_result answer(bool edges, const bw_ccd_kind *kind, const bw_vec3 start[4],
                               const bw_vec3 end[4], const bw_ccd_desc *desc, bw_ccd_result *out)
{
    if (start == NULL || end == NULL || out == NULL || (desc != NULL && !good_descriptor(desc)))
        return BW_ERROR_ARGUMENT;
    bw_ccd_points points = bw_ccd_points_of(start, end);
    bw_result result = surely_sound(&points) ? BW_OK : check_points(start, end);
    if (result != BW_OK)
        return result;
    double tolerance = desc == NULL || desc->tolerance == 0 ? BW_CCD_TOLERANCE : desc->tolerance;
    if (desc != NULL && desc->separation > 0)
        *out = bw_ccd_decide_near(kind, start, end, desc->separation, tolerance);
    else
        *out = decide(edges, kind, start, end, &points, tolerance);
    return BW_OK;
}

bw_result bw_ccd_vertex_face(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                             bw_ccd_result *out)
{
    return answer(false, &bw_ccd_vertex_face_kind, start, end, desc, out);
}

bw_result bw_ccd_edge_edge(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                           bw_ccd_result *out)
{
    return answer(true, &bw_ccd_edge_edge_kind, start, end, desc, out);
}
