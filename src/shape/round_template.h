/* Spheres and capsules with each other, and spheres beside boxes: by closed forms, straight to the answer, in the words of
 * base/simd/f64x4.h. The includer defines ROUND_KERNELS, the name of the table.
 *
 * Bounds are those of shape/pair.c: two points of the cores bound the distance from above, what their difference proves from
 * below, and the margin covers the rounding of both. Where the decision is nearer than that the caller goes on. */
#include "base/fault.h"
#include "base/simd/f64x4.h"
#include "shape/pair.h"
#include "shape/place.h"
#include "shape/round.h"

V4_FN double clamp(double x, double low, double high)
{
    const double above = x > low ? x : low;
    return above < high ? above : high;
}

V4_FN void point_point(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    out->on_a = out->on_b = (bw_vec3){0, 0, 0};
    out->d = bw_vec3_sub(b->at, a->at);
    out->distance2 = out->reached = bw_vec3_dot(out->d, out->d);
    out->single = out->points = true;
}

V4_FN void point_segment(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    const bw_vec3 centre = bw_vec3_sub(b->at, a->at), e = b->edge[0];
    const double ee = bw_vec3_dot(e, e), t = ee > 0 ? clamp(-bw_vec3_dot(centre, e) / ee, -1, 1) : 0;
    out->on_a = (bw_vec3){0, 0, 0};
    out->on_b = bw_vec3_scale(e, t);
    out->d = bw_vec3_add(centre, out->on_b);
    out->distance2 = bw_vec3_dot(out->d, out->d);
    out->reached = bw_vec3_dot(out->d, centre) - fabs(bw_vec3_dot(out->d, e));
    out->single = true;
}

/* The products of a vector with two. */
V4_FN d2 both_along(bw_vec3 a, d2 x, d2 y, d2 z)
{
    return d2_all(a.x) * x + d2_all(a.y) * y + d2_all(a.z) * z;
}

/* V. J. Lumelsky, "On fast computation of distance between line segments", 1985; the second is taken again
 * for where the first was clamped. */
V4_FN void segment_segment(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    const bw_vec3 u = a->edge[0], v = b->edge[0], r = bw_vec3_sub(b->at, a->at);
    const d2 x = d2_of(u.x, v.x), y = d2_of(u.y, v.y), z = d2_of(u.z, v.z); /* both at once */
    const d2 squares = x * x + y * y + z * z, along = both_along(r, x, y, z);
    const double uu = d2_low(squares), vv = d2_high(squares), uv = bw_vec3_dot(u, v), ru = d2_low(along),
                 rv = d2_high(along);
    const bw_vec3 n = bw_vec3_cross(u, v);
    const double det = bw_vec3_dot(n, n);
    const d2 per = (d2)((m2)(d2_all(1) / squares) & (squares > d2_all(0)));
    const double per_u = d2_low(per), per_v = d2_high(per);
    double s = 0;
    if (det > 0x1p-80 * uu * vv) /* where the lines are nearest: r . (v x n) over n . n */
        s = clamp(bw_vec3_dot(r, bw_vec3_cross(v, n)) / det, -1, 1);
    const double t = clamp((s * uv - rv) * per_v, -1, 1);
    s = clamp((t * uv + ru) * per_u, -1, 1);
    out->on_a = bw_vec3_scale(u, s);
    out->on_b = bw_vec3_scale(v, t);
    out->d = bw_vec3_sub(bw_vec3_add(r, out->on_b), out->on_a);
    out->distance2 = bw_vec3_dot(out->d, out->d);
    const d2 reach = d2_abs(both_along(out->d, x, y, z));
    out->reached = bw_vec3_dot(out->d, r) - (d2_low(reach) + d2_high(reach));
    out->single = det > 1e-4 * uu * vv; /* or side by side */
}

V4_FN void point_box(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    const bw_vec3 p = bw_vec3_sub(a->at, b->at), h = b->half;
    const double(*m)[4] = b->pose->m;
    const double x = (p.x * m[0][0] + p.y * m[1][0]) + p.z * m[2][0],
                 y = (p.x * m[0][1] + p.y * m[1][1]) + p.z * m[2][1],
                 z = (p.x * m[0][2] + p.y * m[1][2]) + p.z * m[2][2];
    const double nx = clamp(x, -h.x, h.x), ny = clamp(y, -h.y, h.y), nz = clamp(z, -h.z, h.z);
    out->on_a = (bw_vec3){0, 0, 0};
    out->on_b =
        (bw_vec3){(m[0][0] * nx + m[0][1] * ny) + m[0][2] * nz, (m[1][0] * nx + m[1][1] * ny) + m[1][2] * nz,
                  (m[2][0] * nx + m[2][1] * ny) + m[2][2] * nz};
    out->inside = (x == nx) & (y == ny) & (z == nz);
    out->d = bw_vec3_scale(bw_vec3_sub(out->on_b, p), (double)!out->inside);
    out->distance2 = bw_vec3_dot(out->d, out->d);
    out->reached = -bw_vec3_dot(out->d, p) -
                   ((fabs(bw_vec3_dot(out->d, b->edge[0])) + fabs(bw_vec3_dot(out->d, b->edge[1]))) +
                    fabs(bw_vec3_dot(out->d, b->edge[2])));
    out->single = true;
}

V4_FN bw_vec3 face(const bw_convex *a, const bw_convex *b, double *depth)
{
    const bw_vec3 d = bw_vec3_sub(a->at, b->at);
    const double(*m)[4] = b->pose->m;
    const double h[3] = {b->half.x, b->half.y, b->half.z};
    double x = 0;
    int axis = 0;
    *depth = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        const double along = (d.x * m[0][i] + d.y * m[1][i]) + d.z * m[2][i], left = h[i] - fabs(along);
        if (left < *depth) {
            *depth = left;
            axis = i;
            x = along;
        }
    }
    const double side = x < 0 ? 1 : -1;
    return (bw_vec3){m[0][axis] * side, m[1][axis] * side, m[2][axis] * side};
}

V4_FN bool nearest(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    out->inside = out->points = false;
    if (b->core == BW_CORE_POINT) {
        point_point(a, b, out);
        return true;
    }
    if (b->core == BW_CORE_SEGMENT) {
        if (a->core == BW_CORE_POINT)
            point_segment(a, b, out);
        else
            segment_segment(a, b, out);
        return true;
    }
    if (b->core != BW_CORE_BOX || a->core != BW_CORE_POINT || !b->orthogonal)
        return false;
    point_box(a, b, out);
    return true;
}

V4_FN bool overlap(const bw_convex *a, const bw_convex *b, bw_contact_kind *kind)
{
    bw_round x;
    if (!nearest(a, b, &x))
        return false;
    const double radius = a->radius + b->radius, doubt = 4 * bw_convex_margin(a, b), least = radius - doubt,
                 most = radius + doubt;
    const bool crossing = (least > 0) & (x.distance2 < least * least);
    const bool apart = (x.reached > 0) & (x.reached * x.reached > most * most * x.distance2);
    *kind = crossing ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
    return crossing | apart;
}

/* Whether there is a direction, and the bounds agree. */
V4_FN bool is_accurate(const bw_round *x, double length, double per_length, double margin)
{
    return (length > 8 * margin) & (x->points | (x->reached * per_length > length - 4 * margin));
}

static const double sign[2] = {1, -1};

V4_FN bool distance(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_nearest *out)
{
    bw_round x;
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    if (!nearest(a, b, &x))
        return false;
    const double length = sqrt(x.distance2), per_length = 1 / (length + (double)x.inside);
    if (!(x.inside | is_accurate(&x, length, per_length, margin)) || !(fabs(length - radius) > 4 * margin))
        return false;
    /* Where they meet a point between the two, where neither radius is exceeded. */
    const d2 lengths = d2_min(d2_of(a->radius, (double)INFINITY), d2_all(length) - d2_of(b->radius, radius));
    const d2 along_and_gap = d2_max(d2_all(0), lengths); /* as numbers by themselves they become branches */
    const double apart = (double)(length > radius), gap = d2_high(along_and_gap);
    const bw_vec3 n = bw_vec3_scale(x.d, per_length);
    const bw_vec3 p = bw_vec3_add(a->at, bw_vec3_along(x.on_a, n, d2_low(along_and_gap)));
    *(exchanged ? &out->point_b : &out->point_a) = p;
    *(exchanged ? &out->point_a : &out->point_b) = bw_vec3_along(p, n, gap);
    out->distance = gap;
    out->normal = bw_vec3_scale(n, apart * sign[exchanged]);
    return true;
}

static void nothing(bw_shape_contact *out)
{
    out->kind = BW_CONTACT_NONE;
    out->normal = (bw_vec3){0, 0, 0};
    out->depth = out->depth_lower = -(double)INFINITY;
    out->point_count = 0;
}

/* A sphere whose centre is in a box: out through the nearest face. */
V4_FN void contact_inside(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_contact *out)
{
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    double below;
    const bw_vec3 n = face(a, b, &below), up = bw_vec3_scale(n, below);
    bw_shape_point *p = &out->points[0];
    *(exchanged ? &p->point_b : &p->point_a) = bw_vec3_along(a->at, n, a->radius);
    *(exchanged ? &p->point_a : &p->point_b) =
        bw_vec3_add(a->at, bw_vec3_along(bw_vec3_minus(up), n, -b->radius));
    p->depth = bw_vec3_dot(up, n) + radius;
    p->feature = exchanged ? 0xc0000000u : 0x40000000u;
    out->kind = BW_CONTACT_CROSSING;
    out->normal = bw_vec3_scale(n, sign[exchanged]);
    out->depth = (radius + below) + 2 * margin;
    out->depth_lower = (radius + below) - 2 * margin;
    out->point_count = 1;
}

V4_FN bool contact(const bw_convex *a, const bw_convex *b, bool exchanged, double separation,
                   bw_shape_contact *out)
{
    bw_round x;
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    if (!nearest(a, b, &x))
        return false;
    const double beyond = (radius + separation) + 4 * margin;
    if ((x.reached > 0) & (x.reached * x.reached > beyond * beyond * x.distance2)) {
        nothing(out);
        return true;
    }
    if (x.inside & (radius > 4 * margin)) {
        contact_inside(a, b, exchanged, out);
        return true;
    }
    const double length = sqrt(x.distance2), per_length = 1 / length, depth = radius - length;
    if (!x.single || !is_accurate(&x, length, per_length, margin) || !(fabs(depth) > 4 * margin) ||
        !(depth > 4 * margin - separation))
        return false;
    const bw_vec3 n = bw_vec3_scale(x.d, per_length);
    bw_shape_point *p = &out->points[0];
    *(exchanged ? &p->point_b : &p->point_a) = bw_vec3_add(a->at, bw_vec3_along(x.on_a, n, a->radius));
    *(exchanged ? &p->point_a : &p->point_b) = bw_vec3_add(b->at, bw_vec3_along(x.on_b, n, -b->radius));
    p->depth = depth;
    p->feature = exchanged ? 0xc0000000u : 0x40000000u;
    out->kind = depth > 0 ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
    out->normal = bw_vec3_scale(n, sign[exchanged]);
    out->depth = depth + 2 * margin;
    out->depth_lower = depth - 2 * margin;
    out->point_count = 1;
    return true;
}

/* ---- From shapes that are not ready: compiled once per pair of kinds, of which only what the answer needs is computed. The last thing
 * that a function does where it has no answer is to call another, so that it keeps nothing for afterwards. ---- */

#define ROUND_FN D4_TARGET static inline __attribute__((always_inline))

/* What two poses are checked for: how far they are off a rotation, squared, by the sums of bw_pose_is_rigid; the largest coordinate of each
 * place; and whether that is finite, and every entry that places a point at least bw_safe_factor: the third column places none of a
 * point, the first two only those of a box. */
typedef struct pose_checks {
    d2 skew, most;
    bool safe;
} pose_checks;

#ifdef BW_D4_AVX2
/* Both in one register, a pair of columns of each. */
ROUND_FN pose_checks check_poses(bw_core core_a, bw_core core_b, const double (*m)[4], const double (*n)[4])
{
    const d4 r0 = d4_load_pairs(m[0], n[0]), r1 = d4_load_pairs(m[1], n[1]), r2 = d4_load_pairs(m[2], n[2]);
    const d4 q0 = d4_load_pairs(m[0] + 2, n[0] + 2), q1 = d4_load_pairs(m[1] + 2, n[1] + 2),
             q2 = d4_load_pairs(m[2] + 2, n[2] + 2);
    const d4 s0 = d4_swap(r0), s1 = d4_swap(r1), s2 = d4_swap(r2);
    const d4 x = d4_mul(r1, s2), y = d4_mul(r2, s0), z = d4_mul(r0, s1);
    const d4 lengths = d4_sub(d4_add(d4_add(d4_mul(r0, r0), d4_mul(r1, r1)), d4_mul(r2, r2)), d4_all(1));
    const d4 product = d4_add(d4_add(d4_mul(r0, s0), d4_mul(r1, s1)), d4_mul(r2, s2));
    const d4 across = d4_sub(d4_sub(d4_lows(x, y), d4_highs(x, y)), d4_lows(q0, q1));
    const d4 last = d4_lows(product, d4_sub(d4_sub(z, d4_swap(z)), q2));
    const d4 squares = d4_add(d4_add(d4_mul(lengths, lengths), d4_mul(across, across)), d4_mul(last, last));
    const d4 t0 = d4_abs(q0), t1 = d4_abs(q1), t2 = d4_abs(q2), factor = d4_all(bw_safe_factor);
    const m4 safe = m4_without(d4_greater(d4_all((double)INFINITY), d4_add(t0, t1)),
                               d4_greater(factor, d4_min(t0, d4_min(t1, t2))));
    const unsigned needed = core_b == BW_CORE_POINT ? 10 : core_a == BW_CORE_POINT ? 14 : 15;
    pose_checks c = {d4_low_of_pairs(d4_add(squares, d4_swap(squares))),
                     d4_high_of_pairs(d4_max(t0, d4_max(t1, t2))), (m4_bits(safe) & needed) == needed};
    if (core_b == BW_CORE_BOX)
        c.safe &= (m4_bits(d4_greater(factor, d4_min(d4_abs(r0), d4_min(d4_abs(r1), d4_abs(r2))))) & 12) == 0;
    return c;
}
#else
ROUND_FN d2 entries(const double (*m)[4], const double (*n)[4], int i, int j)
{
    return d2_of(m[i][j], n[i][j]);
}

/* The least of two columns, of cores that use them. */
ROUND_FN d2 least_used(bool first, const double (*m)[4], const double (*n)[4], int j)
{
    const d2 all =
        d2_min(d2_abs(entries(m, n, 0, j)), d2_min(d2_abs(entries(m, n, 1, j)), d2_abs(entries(m, n, 2, j))));
    return first ? all : d2_of((double)INFINITY, d2_high(all));
}

/* One in each lane. */
ROUND_FN pose_checks check_poses(bw_core core_a, bw_core core_b, const double (*m)[4], const double (*n)[4])
{
    const d2 x0 = entries(m, n, 0, 0), x1 = entries(m, n, 1, 0), x2 = entries(m, n, 2, 0);
    const d2 y0 = entries(m, n, 0, 1), y1 = entries(m, n, 1, 1), y2 = entries(m, n, 2, 1);
    const d2 xx = ((x0 * x0 + x1 * x1) + x2 * x2) - d2_all(1),
             yy = ((y0 * y0 + y1 * y1) + y2 * y2) - d2_all(1), xy = (x0 * y0 + x1 * y1) + x2 * y2;
    const d2 z0 = (x1 * y2 - y1 * x2) - entries(m, n, 0, 2), z1 = (x2 * y0 - y2 * x0) - entries(m, n, 1, 2),
             z2 = (x0 * y1 - y0 * x1) - entries(m, n, 2, 2);
    const d2 t0 = d2_abs(entries(m, n, 0, 3)), t1 = d2_abs(entries(m, n, 1, 3)),
             t2 = d2_abs(entries(m, n, 2, 3));
    d2 least = d2_min(t0, d2_min(t1, t2));
    if (core_b != BW_CORE_POINT)
        least = d2_min(least, least_used(core_a != BW_CORE_POINT, m, n, 2));
    if (core_b == BW_CORE_BOX)
        least = d2_min(least, d2_min(least_used(false, m, n, 0), least_used(false, m, n, 1)));
    const m2 safe = (least >= d2_all(bw_safe_factor)) & (t0 + t1 < d2_all((double)INFINITY));
    return (pose_checks){((xx * xx + z0 * z0) + xy * xy) + ((yy * yy + z1 * z1) + z2 * z2),
                         d2_max(t0, d2_max(t1, t2)), m2_bits(safe) == 3};
}
#endif

V4_FN double least_half(bw_core core, const bw_shape *s)
{
    return core == BW_CORE_POINT     ? (double)INFINITY
           : core == BW_CORE_SEGMENT ? s->half.z
                                     : bw_lesser(s->half.x, bw_lesser(s->half.y, s->half.z));
}

/* What bw_convex_place checks, of both at once and without a branch; and that a box is turned by a good rotation. What is not finite
 * makes a comparison false: a half in the reach, x and y by their sum, z as the last of the largest. */
ROUND_FN bool ready(bw_core core_a, bw_core core_b, const bw_placed_shape *first,
                    const bw_placed_shape *second, bw_convex *a, bw_convex *b)
{
    const bw_shape *s = first->shape, *t = second->shape;
    const pose_checks c = check_poses(core_a, core_b, first->pose->m, second->pose->m);
    const d2 reach = d2_of(bw_convex_put(core_a, s, first->pose, true, a),
                           bw_convex_put(core_b, t, second->pose, true, b)) *
                     d2_all(bw_reach_factor);
    const d2 radius = d2_of(s->radius, t->radius), size = c.most + reach;
    m2 good = c.skew <= d2_of(1e-18, core_b == BW_CORE_BOX ? 0x1p-100 : 1e-18);
    good &= (radius == d2_all(0)) | (radius >= d2_all(BW_EXACT_MIN));
    good &= size + radius <= d2_all(BW_COORDINATE_MAX);
    if (core_b != BW_CORE_POINT)
        good &= d2_of(least_half(core_a, s), least_half(core_b, t)) >= d2_all(bw_safe_factor);
    a->reach = d2_low(reach);
    b->reach = d2_high(reach);
    a->size = d2_low(size);
    b->size = d2_high(size);
    return c.safe & (m2_bits(good) == 3);
}

/* Whether b comes first, as in shape/pair.c; of one kind by x. */
V4_FN bool comes_second(bw_core core_a, bw_core core_b, const bw_placed_shape *a, const bw_placed_shape *b,
                        bool swapped)
{
    return core_a == core_b ? a->pose->m[0][3] > b->pose->m[0][3] : swapped;
}

/* Of one kind, and of the same x: others find the order. */
V4_FN bool has_order(bw_core core_a, bw_core core_b, const bw_placed_shape *a, const bw_placed_shape *b)
{
    return core_a != core_b || a->pose->m[0][3] != b->pose->m[0][3];
}

ROUND_FN bw_result overlap_of(bw_core core_a, bw_core core_b, const bw_placed_shape *first,
                              const bw_placed_shape *second, bw_contact_kind *kind, bw_fault *fault)
{
    bw_convex a, b;
    return ready(core_a, core_b, first, second, &a, &b) && overlap(&a, &b, kind)
               ? bw_fail(fault, BW_OK)
               : bw_pair_overlap_of(first, second, kind, fault);
}

ROUND_FN bw_result contact_of(bw_core core_a, bw_core core_b, const bw_placed_shape *first,
                              const bw_placed_shape *second, const bw_shape_desc *desc, bw_shape_contact *out,
                              bw_fault *fault, bool swapped)
{
    bw_convex a, b;
    const bool turn = comes_second(core_a, core_b, first, second, swapped), inner = core_a == core_b && turn;
    return has_order(core_a, core_b, first, second) &&
                   ready(core_a, core_b, inner ? second : first, inner ? first : second, &a, &b) &&
                   contact(&a, &b, turn, desc == NULL ? 0 : desc->separation, out)
               ? bw_fail(fault, BW_OK)
               : bw_pair_contact_of(swapped ? second : first, swapped ? first : second, desc, out, fault);
}

ROUND_FN bw_result distance_of(bw_core core_a, bw_core core_b, const bw_placed_shape *first,
                               const bw_placed_shape *second, const bw_shape_desc *desc,
                               bw_shape_nearest *out, bw_fault *fault, bool swapped)
{
    bw_convex a, b;
    const bool turn = comes_second(core_a, core_b, first, second, swapped), inner = core_a == core_b && turn;
    return has_order(core_a, core_b, first, second) &&
                   ready(core_a, core_b, inner ? second : first, inner ? first : second, &a, &b) &&
                   distance(&a, &b, turn, out)
               ? bw_fail(fault, BW_OK)
               : bw_pair_distance_of(swapped ? second : first, swapped ? first : second, desc, out, fault);
}

/* The functions of shape/round.h for a pair of kinds. */
#define ROUND_PAIR(name, core_a, core_b)                                                                     \
    static D4_TARGET bw_result overlap_##name(const bw_placed_shape *first, const bw_placed_shape *second,   \
                                              bw_contact_kind *kind, bw_fault *fault)                        \
    {                                                                                                        \
        return overlap_of(core_a, core_b, first, second, kind, fault);                                       \
    }                                                                                                        \
    static D4_TARGET bw_result contact_##name(const bw_placed_shape *first, const bw_placed_shape *second,   \
                                              const bw_shape_desc *desc, bw_shape_contact *out,              \
                                              bw_fault *fault, bool swapped)                                 \
    {                                                                                                        \
        return contact_of(core_a, core_b, first, second, desc, out, fault, swapped);                         \
    }                                                                                                        \
    static D4_TARGET bw_result distance_##name(const bw_placed_shape *first, const bw_placed_shape *second,  \
                                               const bw_shape_desc *desc, bw_shape_nearest *out,             \
                                               bw_fault *fault, bool swapped)                                \
    {                                                                                                        \
        return distance_of(core_a, core_b, first, second, desc, out, fault, swapped);                        \
    }

ROUND_PAIR(point_point, BW_CORE_POINT, BW_CORE_POINT)
ROUND_PAIR(point_segment, BW_CORE_POINT, BW_CORE_SEGMENT)
ROUND_PAIR(segment_segment, BW_CORE_SEGMENT, BW_CORE_SEGMENT)
ROUND_PAIR(point_box, BW_CORE_POINT, BW_CORE_BOX)

#define ROUND_TABLE(query)                                                                                   \
    {                                                                                                        \
        {query##_point_point, query##_point_segment, query##_point_box},                                     \
            {query##_point_segment, query##_segment_segment, NULL},                                          \
        {                                                                                                    \
            query##_point_box, NULL, NULL                                                                    \
        }                                                                                                    \
    }

const bw_round_kernels ROUND_KERNELS = {ROUND_TABLE(overlap), ROUND_TABLE(contact), ROUND_TABLE(distance)};
