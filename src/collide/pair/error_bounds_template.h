/* Margins of the float kernels, for one level of base/simd/f32x8.h. The derivation of each is in
 * docs/lab/wide-queries.md.
 *
 * Nothing here trusts the inverse of the pose: it is used as three directions along which to compare, and how
 * far these are from the true axes of b enters the margin. A pose that is not orthonormal to the last bit,
 * sheared or singular only costs sharpness. */
#ifndef BW_COLLIDE_PAIR_ERROR_BOUNDS_TEMPLATE_H
#define BW_COLLIDE_PAIR_ERROR_BOUNDS_TEMPLATE_H

#include <math.h>
#include <string.h>

#include "base/simd/f64x4.h"
#include "collide/pair/kernels.h"
#include "collide/separation/separation.h"

#define BOUND_FLOAT 0x1p-24    /* half an ulp of 1 */
#define BOUND_DOUBLE 0x1p-50   /* above the relative error of any sum of at most five products */
#define BOUND_TINY 0x1p-140    /* above all that underflow can lose in one box coordinate */
#define BOUND_LARGEST 0x1p120  /* beyond it a sum might overflow: the axis is not used */
#define BOUND_ROTATION 0x1p-30 /* a map is one if its transpose is its inverse but for so much */
#define BOUND_SAFE 0x1p36      /* products of three such floats and sums of them stay finite */

/* Three rows and three columns of a map, without its translation: lane 3 is 0. */
typedef struct linear_map {
    d4 row[3], column[3];
} linear_map;

V4_FN double largest_of_three(const double x[3])
{
    const double most = x[0] < x[1] ? x[1] : x[0];
    return most < x[2] ? x[2] : most;
}

/* Of the coordinates in a box. */
D4_FN d4 reach_of(const bw_box *box)
{
    return d4_of_floats(v4_max(v4_abs(v4_load3(box->min)), v4_abs(v4_load3(box->max))));
}

D4_FN d4 sum_of_three(d4 a, d4 b, d4 c)
{
    return d4_add(d4_add(a, b), c);
}

/* How far along each of three rows a point can be that is within reach of the origin. */
D4_FN d4 sums_within(const d4 rows[3], d4 reach)
{
    return d4_sums(d4_mul(d4_abs(rows[0]), reach), d4_mul(d4_abs(rows[1]), reach),
                   d4_mul(d4_abs(rows[2]), reach), d4_all(0.0));
}

/* Three rows, each a lane of what follows: reach bounds the coordinates that are mapped, size is how far that
 * is along the rows, and extra is added to the margin of the float sums. Returns the margins, infinity where a
 * row is of no use. */
D4_FN d4 prepare_rows(bw_wide_map *map, const d4 rows[3], d4 t, d4 reach, d4 size, d4 extra)
{
    const i4 least = {(int32_t)bw_eight_boxes_row(0, false), (int32_t)bw_eight_boxes_row(1, false),
                      (int32_t)bw_eight_boxes_row(2, false), 0};
    const int32_t across = (int32_t)(bw_eight_boxes_row(0, true) - bw_eight_boxes_row(0, false));
    d4 lost[3];
    for (int i = 0; i < 3; i++) {
        const v4 m = d4_floats(rows[i]); /* beyond all floats an infinity: the row is of no use */
        const i4 low_end = least + (m4_narrow(d4_greater(d4_all(0.0), rows[i])) & across);
        lost[i] = d4_sub(rows[i], d4_of_floats(m));
        v4_store(map->m[i], m);
        memcpy(map->low_end[i], &low_end, sizeof low_end);
    }
    const d4 place = d4_abs(t), error = sum_of_three(sums_within(lost, reach), extra, d4_all(BOUND_TINY));
    /* Two of the five times |t| and error are for low and high, which are the nearest floats. */
    const d4 sums = d4_add(d4_mul(d4_all(4.0), size), d4_mul(d4_all(5.0), d4_add(place, error)));
    const d4 margin = d4_add(error, d4_mul(d4_all(1.01 * BOUND_FLOAT), sums));
    const m4 usable = d4_greater(d4_all(BOUND_LARGEST), sum_of_three(size, place, margin));
    v4_store(map->low, d4_floats(d4_sub(t, margin)));
    v4_store(map->high, d4_floats(d4_add(t, margin)));
    for (unsigned left = ~m4_bits(usable) & 7u; left != 0; left &= left - 1) {
        const uint32_t i = bw_wide_lowest(left); /* NaN too: then nothing is known along this axis */
        memset(map->m[i], 0, sizeof map->m[i]);
        map->low[i] = -INFINITY;
        map->high[i] = INFINITY;
    }
    return d4_choose(usable, margin, d4_all(INFINITY));
}

/* Cofactors over the determinant; not finite where there is no inverse. */
D4_TARGET static void invert(const bw_transform *t, linear_map *out)
{
    double cofactors[3][4] = {{0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactors[j][i] = t->m[i1][j1] * t->m[i2][j2] - t->m[i1][j2] * t->m[i2][j1];
        }
    const double factor =
        1.0 / (t->m[0][0] * cofactors[0][0] + t->m[0][1] * cofactors[1][0] + t->m[0][2] * cofactors[2][0]);
    for (int i = 0; i < 3; i++)
        out->row[i] = d4_xyz(d4_mul(d4_load(cofactors[i]), d4_all(factor)));
    d4_columns(out->row[0], out->row[1], out->row[2], d4_all(0.0), out->column);
}

/* The product of the inverse and the map, less the identity: what that is along each row for points within
 * reach, and the largest entries. */
D4_FN d4 inverse_error(const d4 inverse[3], const linear_map *map, d4 reach, d4 *entries)
{
    d4 errors[3];
    *entries = d4_all(0.0);
    for (int i = 0; i < 3; i++) {
        double n[4], identity[4] = {0.0};
        d4_store(n, inverse[i]);
        identity[i] = 1.0;
        d4 size = d4_load(identity), product = d4_sub(d4_all(0.0), size);
        for (int k = 0; k < 3; k++) {
            const d4 term = d4_mul(d4_all(n[k]), map->row[k]);
            product = d4_add(product, term);
            size = d4_add(size, d4_abs(term));
        }
        errors[i] = d4_add(d4_abs(product), d4_mul(d4_all(BOUND_DOUBLE), size));
        *entries = d4_max(*entries, errors[i]);
    }
    return sums_within(errors, reach);
}

/* What the separation of a query adds along each row. */
D4_TARGET static __attribute__((noinline)) void measure_separation(const bw_separation *separation,
                                                                   const d4 rows[3], d4 *out)
{
    double along[4] = {0.0};
    for (int i = 0; i < 3; i++) {
        double n[4];
        d4_store(n, rows[i]);
        along[i] = bw_separation_along(separation, n);
    }
    *out = d4_load(along);
}

/* extra, and that where there is one. */
D4_FN d4 add_separation(d4 extra, const bw_relative_pose *pose, const d4 rows[3])
{
    if (pose->separation == NULL)
        return extra;
    const d4 copies[3] = {rows[0], rows[1], rows[2]};
    d4 along;
    measure_separation(pose->separation, copies, &along);
    return d4_add(extra, along);
}

/* A pose as box_bounds takes it apart: what bounds the coordinates of both bodies, and the rounding of a mapped
 * one along each axis. */
typedef struct bound_pose {
    const bw_relative_pose *of;
    linear_map map;
    d4 t, reach_a, reach_b, rounding;
} bound_pose;

/* The axes of b: along row n of the inverse, a point y of b that is mapped to x has n (x - t) = y_i + error.
 * error: that of the inverse. False where none of them can be used. */
D4_FN bool prepare_axes(bw_error_bounds *frame, const bound_pose *pose, const d4 row[3], const d4 column[3],
                        d4 error)
{
    double place[4], share[4];
    d4 at = d4_all(0.0), extra = add_separation(error, pose->of, row);
    d4_store(place, pose->t);
    d4_store(share, d4_add(pose->rounding, d4_mul(d4_all(BOUND_DOUBLE), d4_abs(pose->t))));
    for (int k = 0; k < 3; k++) {
        at = d4_sub(at, d4_mul(column[k], d4_all(place[k])));
        extra = d4_add(extra, d4_mul(d4_abs(column[k]), d4_all(share[k])));
    }
    const d4 margin =
        prepare_rows(&frame->a_to_b, row, at, pose->reach_a, sums_within(row, pose->reach_a), extra);
    return (m4_bits(d4_greater(d4_all(INFINITY), margin)) & 7u) != 0;
}

D4_TARGET static __attribute__((noinline)) bool prepare_inverse(bw_error_bounds *frame,
                                                                const bound_pose *pose)
{
    linear_map inverse;
    d4 entries;
    invert(&pose->of->map, &inverse);
    const d4 error = inverse_error(inverse.row, &pose->map, pose->reach_b, &entries);
    return prepare_axes(frame, pose, inverse.row, inverse.column, error);
}

/* The inverse of a rotation is its transpose: no division to wait for. */
D4_FN bool prepare_transpose(bw_error_bounds *frame, const bound_pose *pose)
{
    d4 entries;
    const d4 error = inverse_error(pose->map.column, &pose->map, pose->reach_b, &entries);
    return m4_bits(d4_greater(d4_all(BOUND_ROTATION), entries)) == 0xFu
               ? prepare_axes(frame, pose, pose->map.column, pose->map.row, error)
               : prepare_inverse(frame, pose);
}

D4_TARGET static inline double box_bounds(bw_error_bounds *frame, const bw_relative_pose *pose,
                                          const bw_box *bounds_a, const bw_box *bounds_b, bool both)
{
    frame->identity = pose->identity && pose->separation == NULL;
    frame->has_inverse = false;
    frame->separation = frame->near = 0.0f;
    if (frame->identity)
        return 0.0;
    const d4 unit[3] = {d4_load((const double[4]){1.0}), d4_load((const double[4]){0.0, 1.0}),
                        d4_load((const double[4]){0.0, 0.0, 1.0})};
    if (pose->separation != NULL) {
        float up[4], down[4];
        /* The factor is for roundings of sums with it. */
        v4_store(up, d4_floats_up(d4_all(pose->separation->far * (1.0 + 0x1p-20))));
        v4_store(down, d4_floats_down(d4_all(pose->separation->near)));
        frame->separation = up[0];
        frame->near = down[0];
    }
    d4 t[4] = {d4_load_halves(pose->map.m[0]), d4_load_halves(pose->map.m[1]), d4_load_halves(pose->map.m[2]),
               d4_all(0.0)};
    bound_pose p = {.of = pose, .reach_a = reach_of(bounds_a), .reach_b = reach_of(bounds_b)};
    for (int i = 0; i < 3; i++)
        p.map.row[i] = d4_xyz(t[i]);
    d4_transpose(t);
    for (int i = 0; i < 3; i++)
        p.map.column[i] = t[i];
    p.t = t[3];
    const d4 size = sums_within(p.map.row, p.reach_b);
    p.rounding = d4_mul(d4_all(BOUND_DOUBLE), d4_add(size, d4_abs(p.t)));
    double margin[4];
    d4_store(margin, prepare_rows(&frame->b_to_a, p.map.row, p.t, p.reach_b, size,
                                  add_separation(p.rounding, pose, unit)));
    if (both && !pose->identity)
        frame->has_inverse = prepare_transpose(frame, &p);
    return 2.0 * largest_of_three(margin);
}

D4_TARGET static inline void triangle_bounds(bw_error_bounds *frame, const bw_relative_pose *pose,
                                             const bw_box *bounds_a, const bw_box *bounds_b, double gap)
{
    const d4 one = d4_all(1.0), two = d4_all(2.0);
    d4 t[4] = {d4_load_halves(pose->map.m[0]), d4_load_halves(pose->map.m[1]), d4_load_halves(pose->map.m[2]),
               d4_all(0.0)},
       row[3], lost[3];
    for (int i = 0; i < 3; i++) {
        const v4 m = d4_floats(t[i]);
        row[i] = d4_xyz(t[i]);
        lost[i] = d4_xyz(d4_sub(t[i], d4_of_floats(m)));
        v4_store(frame->turn[i], m);
        d4_store(frame->map[i], t[i]);
    }
    d4_transpose(t);
    double sums[4], errors[4], sizes[4];
    float shares[4];
    d4_store(sums, sums_within(row, one));
    d4_store(errors, sums_within(lost, one));
    d4_store(sizes, sum_of_three(d4_abs(t[3]), d4_mul(two, reach_of(bounds_a)),
                                 d4_mul(two, sums_within(row, reach_of(bounds_b)))));
    const double reach = largest_of_three(sums), slack = 2.0 * BOUND_DOUBLE * largest_of_three(sizes);
    gap += 2.0 * BOUND_FLOAT * (sizes[0] + sizes[1] + sizes[2]); /* boxes are rounded outward to floats */
    v4_store(shares, d4_floats_up(d4_load(
                         (const double[4]){reach * (1.0 + BOUND_DOUBLE), 1.02 * 5.0 * BOUND_FLOAT,
                                           1.02 * (9.0 * BOUND_FLOAT * reach + largest_of_three(errors)),
                                           1.02 * (4.0 * BOUND_FLOAT * gap + slack) + BOUND_TINY})));
    frame->reach = shares[0];
    frame->share_a = shares[1];
    frame->share_b = shares[2];
    frame->share_all = gap < BOUND_SAFE ? shares[3] : INFINITY;
}

#endif
