/* The stages of geom/ccd/quick.h, over the lanes of base/simd/f64x4.h. With corner c and edges u, v of the
 * polygon (geom/ccd/moving.h) at either end of time:
 *
 * 1. Along an axis all differences have one sign at both ends: apart.
 * 2. The coefficients of the cubic c.(u x v) have one sign beyond their error: apart.
 * 3. One root, and a slope of one sign: a guess by a line and one of Newton's steps. By the mean value
 * theorem the root is no farther than the value there over the least slope. Areas over that bracket.
 * 4. No sign change but coefficients of both signs: the coefficients over eighths of the time.
 * 5. The sign at an end is noise: a direction across an edge, at half time, may have all corners on one side.
 */
#include "base/simd/f64x4.h"
#include "geom/ccd/quick.h"

/* Errors, in units of 2^-53 times the sum of products that bounds the terms: derived in the idea page. */
#define QUICK_VOLUME_ERROR (48 * BW_ROUNDOFF)
#define QUICK_VALUE_ERROR (112 * BW_ROUNDOFF)
#define QUICK_AREA_ERROR (48 * BW_ROUNDOFF)
#define QUICK_ALONG_ERROR (16 * BW_ROUNDOFF)

typedef struct quick {
    d4 corner[2], first[2], last[2]; /* at time 0 and at time 1; the fourth lane of the corner is 0 */
    d4 corner_max, first_max, last_max;
} quick;

/* The four points at one end of time; the fourth lanes are other coordinates. */
D4_FN void quick_points(const bw_vec3 points[4], d4 out[4])
{
    const double *p = &points->x;
    out[0] = d4_load(p);
    out[1] = d4_load(p + 3);
    out[2] = d4_load(p + 6);
    out[3] = d4_rotate(d4_load(p + 8));
}

/* Every coordinate zero or of a good magnitude: the sum of all is not above the largest, and no number but
 * zero is below the smallest. Zeros are looked for only where there is something that small. */
D4_FN bool quick_range(const bw_vec3 start[4], const bw_vec3 end[4])
{
    const d4 zero = d4_all(0), smallest = d4_all(BW_CCD_QUICK_MIN);
    d4 sum = zero, least = d4_all(1);
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < 12; i += 4) {
            d4 size = d4_abs(d4_load(&(time == 0 ? start : end)->x + i));
            sum = d4_add(sum, size);
            least = d4_min(least, size);
        }
    /* A sum with something that is no number compares as false, whatever the minimum made of it. */
    m4 good = d4_greater(d4_all(BW_CCD_QUICK_MAX), sum);
    if (m4_bits(m4_without(good, d4_greater(smallest, least))) == 15)
        return true;
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < 12; i += 4) {
            d4 x = d4_load(&(time == 0 ? start : end)->x + i);
            good = m4_without(good, m4_without(d4_greater(smallest, d4_abs(x)), d4_equal(x, zero)));
        }
    return m4_bits(good) == 15;
}

/* Whether the points of one side are below those of the other along an axis, or above, at both ends. */
D4_FN bool quick_axis_apart(bool edges, d4 p[2][4])
{
    m4 under[2], over[2];
    for (int time = 0; time < 2; time++) {
        const d4 *q = p[time];
        d4 low = edges ? d4_min(q[0], q[1]) : q[0], high = edges ? d4_max(q[0], q[1]) : q[0];
        d4 other_low = d4_min(q[2], q[3]), other_high = d4_max(q[2], q[3]);
        if (!edges) {
            other_low = d4_min(other_low, q[1]);
            other_high = d4_max(other_high, q[1]);
        }
        under[time] = d4_greater(other_low, high);
        over[time] = d4_greater(low, other_high);
    }
    return (m4_bits(m4_or(m4_and(under[0], under[1]), m4_and(over[0], over[1]))) & 7) != 0;
}

D4_FN d4 quick_larger(const d4 a[2])
{
    return d4_max(d4_abs(a[0]), d4_abs(a[1]));
}

D4_FN void quick_make(bool edges, d4 p[2][4], quick *out)
{
    for (int time = 0; time < 2; time++) {
        const d4 *q = p[time];
        out->corner[time] = d4_xyz(d4_sub(q[edges ? 2 : 1], q[0]));
        out->first[time] = d4_sub(q[edges ? 3 : 2], q[edges ? 2 : 1]);
        out->last[time] = d4_sub(q[1], q[edges ? 0 : 3]);
    }
    out->corner_max = quick_larger(out->corner);
    out->first_max = quick_larger(out->first);
    out->last_max = quick_larger(out->last);
}

/* a x b in the order z, x, y. */
D4_FN d4 quick_cross(d4 a, d4 a_turned, d4 b, d4 b_turned)
{
    return d4_sub(d4_mul(a, b_turned), d4_mul(a_turned, b));
}

/* What bounds such a product, of vectors below these. */
D4_FN d4 quick_cross_bound(d4 a, d4 b)
{
    return d4_add(d4_mul(a, d4_turn(b)), d4_mul(d4_turn(a), b));
}

/* Three times the coefficients, and the normal at half time, times 4, in the order z, x, y; returns the sum
 * of products that bounds the determinant. */
D4_FN double quick_cubic(const quick *q, d4 *out, d4 *normal)
{
    d4 u0 = d4_turn(q->first[0]), u1 = d4_turn(q->first[1]), v0 = d4_turn(q->last[0]),
       v1 = d4_turn(q->last[1]);
    d4 c0 = d4_turn_back(q->corner[0]), c1 = d4_turn_back(q->corner[1]);
    d4 start = quick_cross(q->first[0], u0, q->last[0], v0),
       end = quick_cross(q->first[1], u1, q->last[1], v1);
    d4 mixed =
        d4_add(quick_cross(q->first[0], u0, q->last[1], v1), quick_cross(q->first[1], u1, q->last[0], v0));
    *normal = d4_add(d4_add(start, end), mixed);
    d4 bound = d4_mul(d4_turn_back(q->corner_max), quick_cross_bound(q->first_max, q->last_max));
    static const double thrice[4] = {3, 1, 1, 3};
    *out = d4_mul(d4_load(thrice), d4_sums(d4_mul(c0, start), d4_add(d4_mul(c0, mixed), d4_mul(c1, start)),
                                           d4_add(d4_mul(c1, mixed), d4_mul(c0, end)), d4_mul(c1, end)));
    double terms[4];
    d4_store(terms, bound);
    return (terms[0] + terms[1]) + terms[2];
}

/* Is the origin inside the polygon at any time within `half` of t, or at all of them, given that it is in the
 * plane then? The areas are compared along the polygon's normal at t, whatever its rounding: at a time in the
 * plane they all are multiples of its own. */
D4_FN verdict quick_inclusion(bool edges, const quick *q, double t, double half)
{
    d4 after = d4_all(t), before = d4_all(1 - t);
    d4 c = d4_add(d4_mul(q->corner[0], before), d4_mul(q->corner[1], after));
    d4 u = d4_add(d4_mul(q->first[0], before), d4_mul(q->first[1], after));
    d4 v = d4_add(d4_mul(q->last[0], before), d4_mul(q->last[1], after));
    d4 c_turned = d4_turn(c), u_turned = d4_turn(u), v_turned = d4_turn(v);
    d4 a = quick_cross(c, c_turned, u, u_turned), b = quick_cross(c, c_turned, v, v_turned);
    d4 own = d4_xyz(quick_cross(v, v_turned, u, u_turned));
    d4 bound = d4_add(quick_cross_bound(q->corner_max, d4_add(q->first_max, q->last_max)),
                      quick_cross_bound(q->first_max, q->last_max));
    double along[4];
    d4_store(along, d4_sums(d4_mul(own, a), d4_mul(own, b), d4_mul(own, own), d4_mul(d4_abs(own), bound)));
    double doubt = (4.125 * half + QUICK_AREA_ERROR) * along[3];
    double third = edges ? along[2] - along[0] : along[2] - along[0] - along[1];
    double fourth = edges ? along[2] - along[1] : third;
    double least = along[0] < along[1] ? along[0] : along[1];
    least = third < least ? third : least;
    least = fourth < least ? fourth : least;
    if (!(along[2] > doubt))
        return UNSURE;
    return least < -doubt ? OUTSIDE : least > doubt ? INSIDE : UNSURE;
}

typedef struct quick_value {
    double f, slope; /* the slope is a third of it */
} quick_value;

D4_FN quick_value quick_value_at(const double b[4], double t)
{
    double s = 1 - t, ss = s * s, tt = t * t;
    return (quick_value){ss * (b[0] * s + 3 * b[1] * t) + tt * (3 * b[2] * s + b[3] * t),
                         (b[1] - b[0]) * ss + 2 * (b[2] - b[1]) * (s * t) + (b[3] - b[2]) * tt};
}

/* Coefficients of other signs at the ends, for certain. */
D4_FN bw_ccd_quick_answer quick_root(bool edges, const quick *q, const double b[4], double bound,
                                     double tolerance, bw_ccd_bracket *out)
{
    double rising = b[3] > b[0] ? 1.0 : -1.0;
    double steep[3] = {rising * (b[1] - b[0]), rising * (b[2] - b[1]), rising * (b[3] - b[2])};
    double least = steep[0] < steep[1] ? steep[0] : steep[1];
    least = steep[2] < least ? steep[2] : least;
    least -= 3 * QUICK_VOLUME_ERROR * bound;
    if (!(least > 0))
        return BW_CCD_QUICK_UNSURE;
    double error = QUICK_VALUE_ERROR * bound, scale = (1 + 8 * BW_ROUNDOFF) / (3 * least);
    double t = b[0] / (b[0] - b[3]);
    quick_value value = quick_value_at(b, t);
    for (int step = 0; step < 4; step++) {
        t -= value.f / (3 * value.slope);
        t = t > 0 ? t : 0;
        t = t < 1 ? t : 1;
        value = quick_value_at(b, t);
        double reach = (fabs(value.f) + error) * scale + 0x1p-50;
        /* After the first step, or the last. */
        bool last = fabs(value.f) <= error;
        if (step == 1 && !last)
            continue;
        verdict here = quick_inclusion(edges, q, t, reach);
        if (here == OUTSIDE)
            return BW_CCD_QUICK_APART;
        bool narrow = 2 * reach + 0x1p-52 <= tolerance;
        if (here == INSIDE ? narrow : last) {
            double low = t - reach, high = t + reach;
            *out = (bw_ccd_bracket){low > 0 ? low : 0, high < 1 ? high : 1, t};
            return here == INSIDE ? BW_CCD_QUICK_CONTACT : narrow ? BW_CCD_QUICK_ONE : BW_CCD_QUICK_UNSURE;
        }
    }
    return BW_CCD_QUICK_UNSURE;
}

/* Whether the cubic has the sign of its ends in every eighth of the time. */
D4_FN bool quick_eighths(const double b[4], double error)
{
    /* Weights of b[k] in coefficient j over eighth i, times 512: [half of the eighths][j][k][i]. The last
     * coefficient over an eighth is the first over the next. */
    static const double weight[2][3][4][4] = {
        {{{512, 343, 216, 125}, {0, 147, 216, 225}, {0, 21, 72, 135}, {0, 1, 8, 27}},
         {{448, 294, 180, 100}, {64, 182, 228, 220}, {0, 34, 92, 156}, {0, 2, 12, 36}},
         {{392, 252, 150, 80}, {112, 204, 230, 208}, {8, 52, 114, 176}, {0, 4, 18, 48}}},
        {{{64, 27, 8, 1}, {192, 135, 72, 21}, {192, 225, 216, 147}, {64, 125, 216, 343}},
         {{48, 18, 4, 0}, {176, 114, 52, 8}, {208, 230, 204, 112}, {80, 150, 252, 392}},
         {{36, 12, 2, 0}, {156, 92, 34, 0}, {220, 228, 182, 64}, {100, 180, 294, 448}}}};
    double sign = b[0] < 0 ? -1.0 : 1.0;
    d4 c[4], least = d4_all(512 * sign * b[3]);
    for (int k = 0; k < 4; k++)
        c[k] = d4_all(sign * b[k]);
    for (int half = 0; half < 2; half++)
        for (int j = 0; j < 3; j++) {
            const double(*w)[4] = weight[half][j];
            d4 low = d4_add(d4_mul(c[0], d4_load(w[0])), d4_mul(c[1], d4_load(w[1])));
            d4 high = d4_add(d4_mul(c[2], d4_load(w[2])), d4_mul(c[3], d4_load(w[3])));
            least = d4_min(least, d4_add(low, high));
        }
    return m4_bits(d4_greater(least, d4_all(512 * error))) == 15;
}

/* Whether all corners c, c + u, c - v (and c + u - v) are on one side along a direction, at both ends. */
D4_FN bool quick_separates(bool edges, const quick *q, d4 direction)
{
    d4 bound = d4_mul(d4_abs(direction), d4_add(d4_add(q->corner_max, q->first_max), q->last_max));
    double least = INFINITY, most = -INFINITY, along[4];
    for (int time = 0; time < 2; time++) {
        d4_store(along, d4_sums(d4_mul(direction, q->corner[time]), d4_mul(direction, q->first[time]),
                                d4_mul(direction, q->last[time]), bound));
        double u = along[1], v = -along[2], u_low = u < 0 ? u : 0, u_high = u > 0 ? u : 0;
        double v_low = v < 0 ? v : 0, v_high = v > 0 ? v : 0;
        double low = edges ? u_low + v_low : u_low < v_low ? u_low : v_low;
        double high = edges ? u_high + v_high : u_high > v_high ? u_high : v_high;
        least = along[0] + low < least ? along[0] + low : least;
        most = along[0] + high > most ? along[0] + high : most;
    }
    double doubt = QUICK_ALONG_ERROR * along[3];
    return least > doubt || most < -doubt;
}

/* Directions across the edges at half time. */
D4_FN bool quick_apart(bool edges, const quick *q, d4 normal)
{
    d4 n = d4_turn(normal), n_turned = d4_turn_back(normal);
    d4 u = d4_add(q->first[0], q->first[1]), v = d4_add(q->last[0], q->last[1]);
    for (int i = 0; i < (edges ? 2 : 3); i++) {
        d4 along = i == 0 ? u : i == 1 ? v : d4_add(u, v);
        d4 across = d4_turn(quick_cross(n, n_turned, along, d4_turn(along)));
        if (quick_separates(edges, q, d4_xyz(across)))
            return true;
    }
    return false;
}

D4_FN bw_ccd_quick_answer quick_decide(bool edges, const bw_vec3 start[4], const bw_vec3 end[4],
                                       double tolerance, bw_ccd_bracket *out)
{
    d4 p[2][4], coefficients, normal;
    quick_points(start, p[0]);
    quick_points(end, p[1]);
    if (!quick_range(start, end))
        return BW_CCD_QUICK_RANGE;
    if (quick_axis_apart(edges, p))
        return BW_CCD_QUICK_APART;
    quick q;
    quick_make(edges, p, &q);
    double bound = quick_cubic(&q, &coefficients, &normal);
    d4 error = d4_all(QUICK_VOLUME_ERROR * bound);
    unsigned positive = m4_bits(d4_greater(coefficients, error)),
             negative = m4_bits(d4_greater(d4_sub(d4_all(0), error), coefficients));
    if ((positive == 15) | (negative == 15))
        return BW_CCD_QUICK_APART;
    double b[4];
    d4_store(b, coefficients);
    /* Signs at the ends that are other ones, or the same. */
    if (((positive & 1) && (negative & 8)) || ((negative & 1) && (positive & 8)))
        return quick_root(edges, &q, b, bound, tolerance, out);
    if ((positive & 9) == 9 || (negative & 9) == 9)
        return quick_eighths(b, QUICK_VALUE_ERROR * bound) ? BW_CCD_QUICK_APART : BW_CCD_QUICK_UNSURE;
    return quick_apart(edges, &q, normal) ? BW_CCD_QUICK_APART : BW_CCD_QUICK_UNSURE;
}
