/* The later stages of single continuous queries: directions over the whole time, roots of the cubic in
 * twofold precision, isolated by halving, directions over their brackets and over parts of the time; exact
 * integers last. */
#include "geom/ccd/late.h"

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
        d2 f = values(b, d2_of(l, h)) * d2_of(-rising, rising);
        unsigned sure = m2_bits(f > d2_all(error));
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

/* What the late stages work on. */
typedef struct query {
    const bw_ccd_moving *moving;
    const bw_ccd_points *points;
    const bw_ccd_kind *kind;
    const bw_vec3 *start, *end;
    bw_ccd_polygon polygon; /* made when first needed */
    bool has_polygon;
    bw_ccd_cubic cubic; /* in twofold precision */
    double tolerance;
    bool isolated; /* what is unsure is so at one root */
} query;

static bool apart_by_directions(query *q, double low, double high)
{
    if (!q->has_polygon)
        bw_ccd_polygon_make(q->kind, q->start, q->end, &q->polygon);
    q->has_polygon = true;
    return bw_ccd_separated(&q->polygon, low, high);
}

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
    return bw_ccd_areas_twofold(q->moving, q->points, at_start ? 0 : 1, reach) == OUTSIDE;
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
            if (here == OUTSIDE || (here == UNSURE && apart_by_directions(q, root.low, root.high)))
                continue;
            q->isolated = true;
            *out = root;
            return here;
        }
        double middle = 0.5 * (p.low + p.high);
        if (p.high - p.low < 1.5 / (1 << DEEPEST)) {
            if (inclusion(q->moving, p.low, p.high) == OUTSIDE || apart_by_directions(q, p.low, p.high))
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
static bool apart_in_parts(query *q, double low, double high, int depth)
{
    if (apart_by_directions(q, low, high))
        return true;
    double middle = 0.5 * (low + high);
    return depth > 0 && apart_in_parts(q, low, middle, depth - 1) &&
           apart_in_parts(q, middle, high, depth - 1);
}

static verdict inside_cell(const void *context, double low, double high)
{
    const query *q = context;
    return bw_ccd_areas_twofold(q->moving, q->points, low, high - low);
}

bw_ccd_result bw_ccd_decide_late(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                 const bw_ccd_moving *m, const bw_ccd_points *points, double tolerance)
{
    query q;
    q.moving = m;
    q.points = points;
    q.kind = kind;
    q.start = start;
    q.end = end;
    q.tolerance = tolerance;
    q.has_polygon = q.isolated = false;
    if (m->bound >= BW_CCD_VOLUME_MIN) {
        bw_ccd_bracket root = {0, 0, 0};
        bw_ccd_cubic_twofold(m, points, &q.cubic);
        verdict answer = through_halves(&q, &root);
        if (answer == OUTSIDE)
            return bw_ccd_never(false);
        if (answer == INSIDE)
            return (bw_ccd_result){BW_CCD_CONTACT, false, root.low, root.high};
    }
    /* Where one root is open, directions over its bracket have failed. */
    if (!q.isolated && apart_in_parts(&q, 0, 1, 3))
        return bw_ccd_never(false);
    return bw_ccd_decide_exact(kind, start, end, &(bw_ccd_guide){inside_cell, &q});
}
