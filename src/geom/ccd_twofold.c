/* The roots of the coplanarity cubic, and the areas there, with about 106 bits (geom/twofold.h): what decides
 * nearly every contact and every miss that doubles leave open. docs/ideas/continuous.md has the bounds. */
#include "geom/ccd_moving.h"
#include "geom/twofold.h"

#define U2 (BW_ROUNDOFF * BW_ROUNDOFF)
#define CUBIC_ERROR (512 * U2)   /* of a coefficient, over the bound of the moving polygon */
#define VOLUME_ERROR (1024 * U2) /* three times the determinant at a time, the same */
#define AREA_ERROR (128 * U2)    /* of an area at a time, over the sum of products that bounds it */
#define SMALLEST_BOUND 0x1p-850  /* above, nothing that counts is lost to underflow */

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
    out->error = 64 * BW_ROUNDOFF * largest + CUBIC_ERROR * moving->bound;
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

/* A quantity at the root: its value where it was taken, corrected by its slope times the way to the root. */
static inline int sign_of(double value, double slope, double way, double doubt)
{
    double change = slope * way, sum = value + change;
    doubt += 4 * BW_ROUNDOFF * (fabs(value) + fabs(change));
    return sum > doubt ? 1 : sum < -doubt ? -1 : 0;
}

static inline twofold twofold_of_lanes_difference(twofold a)
{
    return twofold_sub(a, twofold_swap(a));
}

verdict bw_ccd_inside_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points,
                              const bw_ccd_cubic *cubic, bw_ccd_bracket *root)
{
    const double *b = cubic->b;
    bool edges = moving->edges;
    if (!(moving->bound >= SMALLEST_BOUND))
        return UNSURE;
    exact_vectors vectors;
    vectors_of(edges, points, &vectors);
    double second[2] = {fabs(b[2] - 2 * b[1] + b[0]), fabs(b[3] - 2 * b[2] + b[1])};
    double bend = 6 * (second[0] > second[1] ? second[0] : second[1]) + 24 * cubic->error;
    double t = root->guess;
    for (int round = 0; round < 3; round++) {
        instant now;
        at_instant(&vectors, t, &now);
        /* The axis along which the polygon has most area. */
        d2 own[3];
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            own[k] = d2_mul(d2_swap(now.edge[i].high), now.edge[j].high);
        }
        double size[3];
        for (int k = 0; k < 3; k++)
            size[k] = fabs(d2_low(own[k]) - d2_high(own[k]));
        int k = size[1] > size[0];
        k = size[2] > size[k] ? 2 : k;
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double area_bound =
            moving->corner_max[i] * moving->edge_max[j] + moving->corner_max[j] * moving->edge_max[i];
        double own_bound = 2 * moving->edge_max[i] * moving->edge_max[j];
        if (!(area_bound >= SMALLEST_BOUND && own_bound >= SMALLEST_BOUND))
            return UNSURE;
        twofold area =
            twofold_sub(twofold_mul(now.corner[i], now.edge[j]), twofold_mul(now.corner[j], now.edge[i]));
        twofold normal = twofold_of_lanes_difference(twofold_mul(twofold_swap(now.edge[i]), now.edge[j]));
        normal = twofold_lows(normal, normal);
        /* The determinant, expanded along axis k. */
        twofold volume = twofold_of_lanes_difference(twofold_mul(twofold_swap(now.edge[k]), area));
        volume = twofold_sub(volume, twofold_mul(now.corner[k], normal));
        double value = 3 * d2_low(volume.high);
        /* By the mean value theorem the root is where the line with some slope of the bracket's has its. */
        double s = 1 - t;
        double slope = 3 * ((b[1] - b[0]) * s * s + 2 * (b[2] - b[1]) * s * t + (b[3] - b[2]) * t * t);
        double slope_doubt = bend * (root->high - root->low) + 16 * cubic->error;
        if (!(fabs(slope) > 2 * slope_doubt))
            return UNSURE;
        double way = -value / slope;
        double doubt = fabs(way) * (2 * slope_doubt / fabs(slope) + 8 * BW_ROUNDOFF) +
                       2 * VOLUME_ERROR * moving->bound / fabs(slope);
        /* Slopes of the areas, and their doubts: of a slope, of the way, and of the curve. */
        d2 area_slope = d2_sub(d2_add(d2_mul(now.corner_speed[i], now.edge[j].high),
                                      d2_mul(now.corner[i].high, now.edge_speed[j])),
                               d2_add(d2_mul(now.corner_speed[j], now.edge[i].high),
                                      d2_mul(now.corner[j].high, now.edge_speed[i])));
        d2 own_slopes = d2_add(d2_mul(d2_swap(now.edge_speed[i]), now.edge[j].high),
                               d2_mul(d2_swap(now.edge[i].high), now.edge_speed[j]));
        double own_slope = d2_low(own_slopes) - d2_high(own_slopes);
        double spread = AREA_ERROR + fabs(way) * 64 * BW_ROUNDOFF + 4.25 * doubt + 4.25 * way * way;
        double area_doubt = spread * area_bound, own_doubt = spread * own_bound;
        int n = sign_of(d2_low(normal.high), own_slope, way, own_doubt);
        int sign[4], count = edges ? 4 : 3;
        double slope_low = d2_low(area_slope), slope_high = d2_high(area_slope);
        sign[0] = sign_of(d2_low(area.high), slope_low, way, area_doubt);
        sign[1] = sign_of(d2_high(area.high), slope_high, way, area_doubt);
        twofold rest = twofold_sub(normal, area);
        if (edges) {
            sign[2] = sign_of(d2_low(rest.high), own_slope - slope_low, way, own_doubt + area_doubt);
            sign[3] = sign_of(d2_high(rest.high), own_slope - slope_high, way, own_doubt + area_doubt);
        } else {
            rest = twofold_sub(rest, twofold_swap(area));
            sign[2] = sign_of(d2_low(rest.high), own_slope - slope_low - slope_high, way,
                              own_doubt + 2 * area_doubt);
        }
        double low = (t + way) - (doubt + 0x1p-52), high = (t + way) + (doubt + 0x1p-52);
        root->low = low > root->low ? low : root->low;
        root->high = high < root->high ? high : root->high;
        bool positive = false, negative = false, all = n != 0;
        for (int c = 0; c < count; c++) {
            positive |= sign[c] > 0;
            negative |= sign[c] < 0;
            all &= sign[c] != 0 && sign[c] == n;
        }
        if (all)
            return INSIDE;
        if ((positive && negative) || (n > 0 && negative) || (n < 0 && positive))
            return OUTSIDE;
        if (!(fabs(way) > 0x1p-52))
            return UNSURE;
        t = t + way;
        t = t < root->low ? root->low : t > root->high ? root->high : t;
    }
    return UNSURE;
}
