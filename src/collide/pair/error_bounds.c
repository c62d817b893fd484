/* Margins of the float kernels. u is half an ulp of 1 in float, v bounds the relative error of any sum of at
 * most five double products. The derivation of each margin is in docs/lab/wide-queries.md.
 *
 * Nothing here trusts the inverse of the pose: it is used as three directions along which to compare, and how
 * far these are from the true axes of b enters the margin. A pose that is not orthonormal to the last bit,
 * sheared or singular only costs sharpness. */
#include "collide/pair/error_bounds.h"

#include "collide/separation/separation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double u = 0x1p-24, v = 0x1p-50;
static const double tiny = 0x1p-140;   /* above all that underflow can lose in one box coordinate */
static const double largest = 0x1p120; /* beyond it a sum might overflow: the axis is not used */

static const double safe = 0x1p36; /* products of three such floats and sums of them stay finite */

/* To the nearest float; beyond them all to an infinity, which C leaves open. */
static float narrow(double x)
{
    if (fabs(x) > (double)FLT_MAX)
        return x > 0.0 ? INFINITY : -INFINITY;
    return (float)x;
}

/* By the order of the bits, without a branch: nobody can tell which way a number was rounded. */
static float round_up(double x)
{
    float f = narrow(x);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    uint32_t flip = (0u - (bits >> 31)) & 0x7FFFFFFFu; /* negative floats grow the other way */
    bits = (bits ^ flip) + ((double)f < x ? 1u : 0u);
    flip = (0u - (bits >> 31)) & 0x7FFFFFFFu;
    bits ^= flip;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static float round_down(double x)
{
    return -round_up(-x);
}

static double larger(double a, double b)
{
    return a < b ? b : a;
}

static void absolute_reach(const bw_box *box, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = larger(fabs((double)box->min[k]), fabs((double)box->max[k]));
}

/* One row of a map; extra is added to the margin of the float sums. reach bounds the coordinates that are
 * mapped. Returns the margin, infinity where the row is of no use. */
static inline double prepare_row(bw_wide_map *map, int i, const double m[3], double t, const double reach[3],
                                 double extra)
{
    double sum = 0.0, error = extra + tiny;
    for (int j = 0; j < 3; j++) {
        map->m[i][j] = narrow(m[j]);
        map->low_end[i][j] = bw_eight_boxes_row(j, m[j] < 0.0);
        sum += fabs(m[j]) * reach[j];
        error += fabs(m[j] - (double)map->m[i][j]) * reach[j];
    }
    /* Two of the five times |t| and error are for low and high, which are the nearest floats. */
    const double margin = error + 1.01 * u * (4.0 * sum + 5.0 * (fabs(t) + error));
    if (!(sum + fabs(t) + margin < largest)) { /* NaN too: then nothing is known along this axis */
        map->m[i][0] = map->m[i][1] = map->m[i][2] = 0.0f;
        map->low[i] = -INFINITY;
        map->high[i] = INFINITY;
        return INFINITY;
    }
    map->low[i] = (float)(t - margin);
    map->high[i] = (float)(t + margin);
    return margin;
}

/* Cofactors over the determinant; not finite where there is no inverse. */
static void invert(const bw_transform *t, double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[j][i] = t->m[i1][j1] * t->m[i2][j2] - t->m[i1][j2] * t->m[i2][j1];
        }
    double factor = 1.0 / (t->m[0][0] * out[0][0] + t->m[0][1] * out[1][0] + t->m[0][2] * out[2][0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] *= factor;
}

/* What the separation of the query, if there is one, adds along a direction. */
static double separation_along(const bw_relative_pose *pose, const double n[3])
{
    return pose->separation != NULL ? bw_separation_along(pose->separation, n) : 0.0;
}

/* The axes of b: along row n of the inverse, a point y of b that is mapped to x has n (x - t) = y_i + error.
 * False where none of them can be used. */
static bool prepare_inverse(bw_error_bounds *frame, const bw_relative_pose *pose, const double reach_a[3],
                            const double reach_b[3], const double rounding[3])
{
    const bw_transform *map = &pose->map;
    double inverse[3][3];
    bool any = false;
    invert(map, inverse);
    for (int i = 0; i < 3; i++) {
        const double *n = inverse[i];
        double t = 0.0, extra = separation_along(pose, n);
        for (int k = 0; k < 3; k++) {
            t -= n[k] * map->m[k][3];
            extra += fabs(n[k]) * (rounding[k] + v * fabs(map->m[k][3]));
        }
        for (int j = 0; j < 3; j++) {
            double product = i == j ? -1.0 : 0.0, size = product * product;
            for (int k = 0; k < 3; k++) {
                product += n[k] * map->m[k][j];
                size += fabs(n[k] * map->m[k][j]);
            }
            extra += (fabs(product) + v * size) * reach_b[j];
        }
        any |= prepare_row(&frame->a_to_b, i, n, t, reach_a, extra) < INFINITY;
    }
    return any;
}

/* gap: how far apart, along an axis, the boxes of two leaves can be that the box kernel lets through. */
static void prepare_triangles(bw_error_bounds *frame, const bw_transform *map, const double reach_a[3],
                              const double reach_b[3], double gap)
{
    double turn_error = 0.0, reach = 0.0, slack = 0.0;
    for (int i = 0; i < 3; i++) {
        double error = 0.0, sum = 0.0, size = fabs(map->m[i][3]) + 2.0 * reach_a[i];
        for (int j = 0; j < 3; j++) {
            frame->turn[i][j] = narrow(map->m[i][j]);
            error += fabs(map->m[i][j] - (double)frame->turn[i][j]);
            sum += fabs(map->m[i][j]);
            size += 2.0 * fabs(map->m[i][j]) * reach_b[j];
        }
        for (int j = 0; j < 4; j++)
            frame->map[i][j] = map->m[i][j];
        turn_error = larger(turn_error, error);
        reach = larger(reach, sum);
        slack = larger(slack, 2.0 * v * size);
        gap = larger(gap, gap + 2.0 * u * size); /* boxes are rounded outward to floats */
    }
    frame->reach = round_up(reach * (1.0 + v));
    frame->share_a = round_up(1.02 * 5.0 * u);
    frame->share_b = round_up(1.02 * (9.0 * u * reach + turn_error));
    frame->share_all = gap < safe ? round_up(1.02 * (4.0 * u * gap + slack) + tiny) : INFINITY;
}

double bw_error_bounds_prepare_boxes(bw_error_bounds *frame, const bw_relative_pose *pose,
                                     const bw_box *bounds_a, const bw_box *bounds_b, bool both)
{
    double reach_a[3], reach_b[3], rounding[3], margin = 0.0;
    frame->identity = pose->identity && pose->separation == NULL;
    frame->has_inverse = false;
    frame->separation = frame->near = 0.0f;
    if (frame->identity)
        return 0.0;
    if (pose->separation != NULL) {
        frame->separation = round_up(pose->separation->far * (1.0 + 0x1p-20)); /* roundings of sums with it */
        frame->near = round_down(pose->separation->near);
    }
    absolute_reach(bounds_a, reach_a);
    absolute_reach(bounds_b, reach_b);
    for (int i = 0; i < 3; i++) {
        const double *m = pose->map.m[i], axis[3] = {i == 0, i == 1, i == 2};
        rounding[i] =
            v * (fabs(m[0]) * reach_b[0] + fabs(m[1]) * reach_b[1] + fabs(m[2]) * reach_b[2] + fabs(m[3]));
        margin = larger(margin, prepare_row(&frame->b_to_a, i, m, m[3], reach_b,
                                            rounding[i] + separation_along(pose, axis)));
    }
    if (both && !pose->identity)
        frame->has_inverse = prepare_inverse(frame, pose, reach_a, reach_b, rounding);
    return 2.0 * margin;
}

void bw_error_bounds_prepare_triangles(bw_error_bounds *frame, const bw_relative_pose *pose,
                                       const bw_box *bounds_a, const bw_box *bounds_b, double gap)
{
    double reach_a[3], reach_b[3];
    absolute_reach(bounds_a, reach_a);
    absolute_reach(bounds_b, reach_b);
    prepare_triangles(frame, &pose->map, reach_a, reach_b, gap);
}

void bw_error_bounds_prepare(bw_error_bounds *frame, const bw_relative_pose *pose, const bw_box *bounds_a,
                             const bw_box *bounds_b)
{
    double gap = bw_error_bounds_prepare_boxes(frame, pose, bounds_a, bounds_b, true);
    bw_error_bounds_prepare_triangles(frame, pose, bounds_a, bounds_b, gap);
}
