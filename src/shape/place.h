/* What makes a shape ready, to be compiled where its kind is known: then nothing of it that is not needed is computed or kept. */
#ifndef BW_SHAPE_PLACE_H
#define BW_SHAPE_PLACE_H

#include "base/simd/f64x2.h"
#include "shape/convex.h"

/* Products of a rotation's entry and a coordinate, and sums of such, are zero or within the exact range where
 * each factor is zero or at least this large: they are multiples of 2^-53 times its square. */
static const double bw_safe_factor = 0x1p-120;

/* Whether the entries are finite and those of a rotation: the first two columns of length 1 and at right angles, the third
 * their cross product. How far these are off, as the root of the sum of squares, is at most 1e-9. Two at a time and without
 * branches: this is done for every shape of every query. */
V4_FN bool bw_pose_is_rigid(const bw_transform *pose, bool *orthogonal)
{
    const double(*m)[4] = pose->m;
    const d2 r0 = d2_load(&m[0][0]), r1 = d2_load(&m[1][0]), r2 = d2_load(&m[2][0]);
    const d2 q0 = d2_load(&m[0][2]), q1 = d2_load(&m[1][2]), q2 = d2_load(&m[2][2]);
    const d2 s0 = d2_swap(r0), s1 = d2_swap(r1), s2 = d2_swap(r2);
    const d2 lengths = ((r0 * r0 + r1 * r1) + r2 * r2) - d2_all(1);
    const d2 product = (r0 * s0 + r1 * s1) + r2 * s2;
    /* The cross product is made of those of rows, in the plane: the products of each, and their differences. */
    const d2 x = r1 * s2, y = r2 * s0, z = r0 * s1;
    const d2 across = (d2_lows(x, y) - d2_highs(x, y)) - d2_lows(q0, q1); /* two of its three */
    const d2 last = d2_of(d2_low(product), (d2_low(z) - d2_high(z)) - d2_low(q2));
    const d2 squares = (lengths * lengths + across * across) + last * last;
    const d2 zero = d2_all(0), still = zero * q0 + (zero * q1 + zero * q2); /* zero of what is finite */
    const double skew2 = (d2_low(squares) + d2_high(squares)) + d2_high(still);
    *orthogonal = skew2 <= 0x1p-100; /* then all products of columns are those of a rotation to 2^-48.7 */
    return skew2 <= 1e-18;           /* false of what is not finite */
}

/* Of a length: what is beyond BW_COORDINATE_MAX is found by the size of all. */
V4_FN int bw_is_length(double x) /* a number, so that & is meant: no branch */
{
    return (x == 0) | (x >= BW_EXACT_MIN);
}

V4_FN bw_vec3 bw_pose_column(const bw_transform *t, int j)
{
    return (bw_vec3){t->m[0][j], t->m[1][j], t->m[2][j]};
}

V4_FN double bw_least_of(bw_vec3 v)
{
    return bw_lesser(fabs(v.x), bw_lesser(fabs(v.y), fabs(v.z)));
}

/* Whether no entry that maps the core, nor what it is multiplied by, is below bw_safe_factor: most often so. Where zeros are
 * among them every_point_in_range looks closer. */
V4_FN bool bw_convex_is_safe(const bw_convex *c)
{
    const double(*m)[4] = c->pose->m;
    if (c->core ==
        BW_CORE_POINT) /* placed by the last column alone, a segment and a half-space by the last two */
        return bw_least_of(c->at) >= bw_safe_factor;
    d2 least =
        d2_min(d2_abs(d2_load(&m[0][2])), d2_min(d2_abs(d2_load(&m[1][2])), d2_abs(d2_load(&m[2][2]))));
    if (c->core == BW_CORE_BOX || c->core == BW_CORE_HULL)
        least = d2_min(least, d2_min(d2_abs(d2_load(&m[0][0])),
                                     d2_min(d2_abs(d2_load(&m[1][0])), d2_abs(d2_load(&m[2][0])))));
    const double factor = c->core == BW_CORE_SEGMENT ? c->half.z
                          : c->core == BW_CORE_BOX   ? bw_least_of(c->half)
                          : c->core == BW_CORE_HULL  ? c->hull->least
                                                     : 1;
    return bw_lesser(factor, bw_lesser(d2_low(least), d2_high(least))) >= bw_safe_factor;
}

/* Fills all but reach and size of *out for a shape of the core's kind; the reach, for a rotation. */
V4_FN double bw_convex_put(bw_core core, const bw_shape *shape, const bw_transform *pose, bool orthogonal,
                           bw_convex *out)
{
    bw_convex *c = out;
    const bw_vec3 zero = {0, 0, 0};
    c->core = core;
    c->radius = shape->radius;
    c->pose = pose;
    c->orthogonal = orthogonal;
    c->half = c->edge[1] = c->edge[2] = zero;
    c->hull = NULL;
    c->corners = NULL;
    c->at = bw_pose_column(pose, 3);
    switch (core) {
    case BW_CORE_POINT:
        c->count = 1;
        c->edge[0] = zero;
        return 0;
    case BW_CORE_SEGMENT:
        c->count = 2;
        c->half.z = shape->half.z;
        c->edge[0] = bw_vec3_scale(bw_pose_column(pose, 2), shape->half.z);
        return shape->half.z;
    case BW_CORE_BOX:
        c->count = 8;
        c->half = shape->half;
        c->edge[0] = bw_vec3_scale(bw_pose_column(pose, 0), shape->half.x);
        c->edge[1] = bw_vec3_scale(bw_pose_column(pose, 1), shape->half.y);
        c->edge[2] = bw_vec3_scale(bw_pose_column(pose, 2), shape->half.z);
        return bw_vec3_length(shape->half);
    case BW_CORE_HALF_SPACE:
        c->count = 0;
        c->edge[0] = bw_pose_column(pose, 2);
        return 0;
    default:
        c->hull = shape->hull;
        c->count = shape->hull->vertex_count;
        for (int i = 0; i < 3; i++)
            c->edge[i] = bw_pose_column(pose, i);
        return shape->hull->reach;
    }
}

static const double bw_reach_factor = 1 + 1e-8; /* a rotation is one to 1e-9 */

/* Fills *out, of a pose that is rigid. False where a length cannot be used, or the shape reaches beyond the range. */
V4_FN bool bw_convex_fill(bw_core core, const bw_shape *shape, const bw_transform *pose, bool orthogonal,
                          bw_convex *out)
{
    int good = bw_is_length(shape->radius);
    if (core == BW_CORE_BOX) {
        good &= bw_is_length(shape->half.x);
        good &= bw_is_length(shape->half.y);
    }
    if (core == BW_CORE_BOX || core == BW_CORE_SEGMENT)
        good &= bw_is_length(shape->half.z);
    out->reach = bw_convex_put(core, shape, pose, orthogonal, out) * bw_reach_factor;
    out->size = bw_larger(fabs(out->at.x), bw_larger(fabs(out->at.y), fabs(out->at.z))) + out->reach;
    return (good & (out->size + out->radius <= BW_COORDINATE_MAX)) != 0;
}

#endif
