/* The roots of the coplanarity cubic, and the areas there, with about 106 bits (geom/exact/twofold.h): what
 * decides nearly every contact and every miss that doubles leave open. docs/lab/continuous.md has the
 * bounds. */
#include "geom/ccd/moving.h"
#include "geom/exact/twofold.h"

#define U2 (BW_ROUNDOFF * BW_ROUNDOFF)
#define CUBIC_ERROR (256 * U2)  /* of a coefficient, over the bound of the moving polygon */
#define VOLUME_ERROR (512 * U2) /* three times the determinant at a time, the same */
#define AREA_ERROR (128 * U2)   /* of an area at a time, over the sum of products that bounds it */
#define SMALLEST_BOUND 0x1p-850 /* above, nothing that counts is lost to underflow */

typedef struct exact_vectors {
    twofold corner[3], first[3], last[3];
} exact_vectors;

static inline void difference(const bw_ccd_points *points, int from, int to, twofold out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = twofold_difference(points->p[from][k], points->p[to][k]);
}

static inline void vectors_of(bool edges, const bw_ccd_points *points, exact_vectors *out)
{
    difference(points, BW_CCD_CORNER_FROM(edges), out->corner);
    difference(points, BW_CCD_FIRST_FROM(edges), out->first);
    difference(points, BW_CCD_LAST_FROM(edges), out->last);
}

static inline void cross(const twofold a[3], const twofold b[3], twofold out[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = twofold_sub(twofold_mul(a[i], b[j]), twofold_mul(a[j], b[i]));
    }
}

static inline twofold dot(const twofold a[3], const twofold b[3])
{
    return twofold_add(twofold_add(twofold_mul(a[0], b[0]), twofold_mul(a[1], b[1])),
                       twofold_mul(a[2], b[2]));
}

void bw_ccd_cubic_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points, bw_ccd_cubic *out)
{
    exact_vectors v;
    twofold other[3], normal[3], mixed[3], crossed[3];
    vectors_of(moving->edges, points, &v);
    for (int k = 0; k < 3; k++)
        other[k] = twofold_swap(v.last[k]);
    cross(v.first, v.last, normal);
    cross(v.first, other, mixed);
    for (int k = 0; k < 3; k++) {
        mixed[k] = twofold_add(mixed[k], twofold_swap(mixed[k]));
        crossed[k] = twofold_swap(normal[k]);
    }
    twofold ends = twofold_times(dot(v.corner, normal), d2_all(3));
    twofold inner = twofold_add(dot(v.corner, mixed), twofold_swap(dot(v.corner, crossed)));
    out->b[0] = d2_low(ends.high);
    out->b[1] = d2_low(inner.high);
    out->b[2] = d2_high(inner.high);
    out->b[3] = d2_high(ends.high);
    double largest = 0;
    for (int i = 0; i < 4; i++)
        largest = fabs(out->b[i]) > largest ? fabs(out->b[i]) : largest;
    out->coefficient_error = CUBIC_ERROR * moving->bound;
    out->error = 64 * BW_ROUNDOFF * largest + out->coefficient_error;
}

/* The vectors at a time, the two edges in the two lanes, and how fast they change, rounded. */
typedef struct instant {
    twofold corner[3]; /* the same in both lanes */
    twofold edge[3];
    d2 corner_speed[3], edge_speed[3];
} instant;

static inline twofold at_time(twofold path, d2 t, d2 *speed)
{
    /* Path at 0 and at 1 in the lanes: both lanes of the result are the same. */
    twofold start = twofold_lows(path, path), change = twofold_sub(twofold_highs(path, path), start);
    *speed = change.high;
    return twofold_add(start, twofold_times(change, t));
}

static inline void at_instant(const exact_vectors *v, double time, instant *out)
{
    d2 t = d2_all(time);
    for (int k = 0; k < 3; k++) {
        out->corner[k] = at_time(v->corner[k], t, &out->corner_speed[k]);
        twofold start = twofold_lows(v->first[k], v->last[k]);
        twofold change = twofold_sub(twofold_highs(v->first[k], v->last[k]), start);
        out->edge_speed[k] = change.high;
        out->edge[k] = twofold_add(start, twofold_times(change, t));
    }
}

static inline twofold lanes_difference(twofold a)
{
    return twofold_sub(a, twofold_swap(a));
}

/* The three areas at an instant along the axis in which the polygon has most, and how fast they change. */
typedef struct areas {
    int axis;
    twofold parts, own; /* A and B in the lanes; N in both */
    d2 parts_slope;
    double own_slope;
} areas;

static inline void areas_at(const instant *now, areas *out)
{
    double size[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        d2 products = d2_swap(now->edge[i].high) * now->edge[j].high;
        size[k] = fabs(d2_low(products) - d2_high(products));
    }
    int k = size[1] > size[0];
    k = size[2] > size[k] ? 2 : k;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out->axis = k;
    out->parts =
        twofold_sub(twofold_mul(now->corner[i], now->edge[j]), twofold_mul(now->corner[j], now->edge[i]));
    out->own = lanes_difference(twofold_mul(twofold_swap(now->edge[i]), now->edge[j]));
    out->own = twofold_lows(out->own, out->own);
    out->parts_slope = now->corner_speed[i] * now->edge[j].high + now->corner[i].high * now->edge_speed[j] -
                       (now->corner_speed[j] * now->edge[i].high + now->corner[j].high * now->edge_speed[i]);
    d2 own_slopes =
        d2_swap(now->edge_speed[i]) * now->edge[j].high + d2_swap(now->edge[i].high) * now->edge_speed[j];
    out->own_slope = d2_low(own_slopes) - d2_high(own_slopes);
}

/* Where a root is: at the instant plus a way, give or take a doubt. */
typedef struct place {
    double way, doubt;
} place;

/* The sign of a quantity at a root: its value at the instant, corrected by its slope times the way. 0 where
 * it cannot be told. */
static inline int sign_of(double value, double slope, place where, double doubt)
{
    double change = slope * where.way, sum = value + change;
    doubt += fabs(slope) * (1.0625 * where.doubt) + 4 * BW_ROUNDOFF * (fabs(value) + fabs(change));
    return sum > doubt ? 1 : sum < -doubt ? -1 : 0;
}

static verdict decide_areas(const bw_ccd_moving *moving, const areas *a, place where)
{
    /* An area is below its bound, so its slope below four times that, and half its curvature as well. What
     * the slope does to the doubt is up to sign_of. */
    double farthest = fabs(where.way) + where.doubt;
    double spread = AREA_ERROR + farthest * (64 * BW_ROUNDOFF + 4.25 * farthest);
    d2 bounds = bw_ccd_area_bounds(moving, a->axis);
    double bound[2] = {d2_low(bounds), d2_high(bounds)}, own_bound = bw_ccd_own_bound(moving, a->axis);
    if (!(own_bound >= SMALLEST_BOUND) || !(bound[0] == 0 || bound[0] >= SMALLEST_BOUND) ||
        !(bound[1] == 0 || bound[1] >= SMALLEST_BOUND))
        return UNSURE;
    double doubt[2] = {spread * bound[0], spread * bound[1]}, own_doubt = spread * own_bound;
    double slope[2] = {d2_low(a->parts_slope), d2_high(a->parts_slope)};
    int own = sign_of(d2_low(a->own.high), a->own_slope, where, own_doubt);
    int sign[4], count = moving->edges ? 4 : 3;
    sign[0] = sign_of(d2_low(a->parts.high), slope[0], where, doubt[0]);
    sign[1] = sign_of(d2_high(a->parts.high), slope[1], where, doubt[1]);
    twofold rest = twofold_sub(a->own, a->parts);
    if (moving->edges) {
        sign[2] = sign_of(d2_low(rest.high), a->own_slope - slope[0], where, own_doubt + doubt[0]);
        sign[3] = sign_of(d2_high(rest.high), a->own_slope - slope[1], where, own_doubt + doubt[1]);
    } else {
        rest = twofold_sub(rest, twofold_swap(a->parts));
        sign[2] = sign_of(d2_low(rest.high), a->own_slope - slope[0] - slope[1], where,
                          own_doubt + doubt[0] + doubt[1]);
    }
    bool positive = false, negative = false, all = own != 0;
    for (int c = 0; c < count; c++) {
        positive |= sign[c] > 0;
        negative |= sign[c] < 0;
        /* An area that is always zero is as good as one of the right sign: the boundary belongs to it. */
        all &= sign[c] == own || (c < 2 && bound[c] == 0);
    }
    if (all)
        return INSIDE;
    return (positive && negative) || (own > 0 && negative) || (own < 0 && positive) ? OUTSIDE : UNSURE;
}

verdict bw_ccd_inside_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points,
                              const bw_ccd_cubic *cubic, bw_ccd_bracket *root)
{
    const double *b = cubic->b;
    exact_vectors vectors;
    vectors_of(moving->edges, points, &vectors);
    double second[2] = {fabs(b[2] - 2 * b[1] + b[0]), fabs(b[3] - 2 * b[2] + b[1])};
    double bend = 6 * (second[0] > second[1] ? second[0] : second[1]) + 24 * cubic->error;
    for (int round = 0; round < 3; round++) {
        double t = root->guess, s = 1 - t;
        instant now;
        areas a;
        at_instant(&vectors, t, &now);
        areas_at(&now, &a);
        /* The determinant, expanded along the axis of the areas. */
        twofold volume = lanes_difference(twofold_mul(twofold_swap(now.edge[a.axis]), a.parts));
        volume = twofold_sub(volume, twofold_mul(now.corner[a.axis], a.own));
        double value = 3 * d2_low(volume.high);
        /* By the mean value theorem the root is where a line with some slope of the bracket's has its. */
        double slope = 3 * ((b[1] - b[0]) * s * s + 2 * (b[2] - b[1]) * s * t + (b[3] - b[2]) * t * t);
        double slope_doubt = bend * (root->high - root->low) + 16 * cubic->error;
        if (!(fabs(slope) > 2 * slope_doubt))
            return UNSURE;
        place where = {.way = -value / slope};
        where.doubt = fabs(where.way) * (2 * slope_doubt / fabs(slope) + 8 * BW_ROUNDOFF) +
                      2 * VOLUME_ERROR * moving->bound / fabs(slope);
        double low = (t + where.way) - (where.doubt + 0x1p-52),
               high = (t + where.way) + (where.doubt + 0x1p-52);
        root->low = low > root->low ? low : root->low;
        root->high = high < root->high ? high : root->high;
        verdict here = decide_areas(moving, &a, where);
        /* From a place as near as doubles are there is nothing more to gain. */
        if (here != UNSURE || !(fabs(where.way) > 0x1p-52))
            return here;
        t += where.way;
        root->guess = t < root->low ? root->low : t > root->high ? root->high : t;
    }
    return UNSURE;
}

verdict bw_ccd_areas_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points, double time,
                             double reach)
{
    exact_vectors vectors;
    instant now;
    areas a;
    vectors_of(moving->edges, points, &vectors);
    at_instant(&vectors, time, &now);
    areas_at(&now, &a);
    return decide_areas(moving, &a, (place){0, reach});
}
