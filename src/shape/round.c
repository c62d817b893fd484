/* Spheres and capsules with each other, and spheres beside boxes: by closed forms, straight to the answer.
 *
 * Bounds are those of shape/pair.c: two points of the cores bound the distance from above, what their difference proves from
 * below, and the margin covers the rounding of both. Where the decision is nearer than that the caller goes on. */
#include "shape/round.h"

static double clamp(double x, double low, double high)
{
    const double above = x > low ? x : low;
    return above < high ? above : high;
}

static void point_point(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    out->on_a = out->on_b = (bw_vec3){0, 0, 0};
    out->d = bw_vec3_sub(b->at, a->at);
    out->distance2 = out->reached = bw_vec3_dot(out->d, out->d);
    out->single = true;
}

static void point_segment(const bw_convex *a, const bw_convex *b, bw_round *out)
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

/* V. J. Lumelsky, "On fast computation of distance between line segments", 1985; the second is taken again
 * for where the first was clamped. */
static void segment_segment(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    const bw_vec3 u = a->edge[0], v = b->edge[0], r = bw_vec3_sub(b->at, a->at);
    const double uu = bw_vec3_dot(u, u), vv = bw_vec3_dot(v, v), uv = bw_vec3_dot(u, v);
    const double ru = bw_vec3_dot(r, u), rv = bw_vec3_dot(r, v);
    const bw_vec3 n = bw_vec3_cross(u, v);
    const double det = bw_vec3_dot(n, n);
    const double per_u = uu > 0 ? 1 / uu : 0, per_v = vv > 0 ? 1 / vv : 0;
    double s = 0;
    if (det > 0x1p-80 * uu * vv) /* where the lines are nearest: r . (v x n) over n . n */
        s = clamp(bw_vec3_dot(r, bw_vec3_cross(v, n)) / det, -1, 1);
    const double t = clamp((s * uv - rv) * per_v, -1, 1);
    s = clamp((t * uv + ru) * per_u, -1, 1);
    out->on_a = bw_vec3_scale(u, s);
    out->on_b = bw_vec3_scale(v, t);
    out->d = bw_vec3_sub(bw_vec3_add(r, out->on_b), out->on_a);
    out->distance2 = bw_vec3_dot(out->d, out->d);
    out->reached = bw_vec3_dot(out->d, r) - (fabs(bw_vec3_dot(out->d, u)) + fabs(bw_vec3_dot(out->d, v)));
    out->single = det > 1e-4 * uu * vv; /* or side by side */
}

static void point_box(const bw_convex *a, const bw_convex *b, bw_round *out)
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

static inline bool nearest(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    out->inside = false;
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

bool bw_round_nearest(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    return nearest(a, b, out);
}

/* Shapes so small that products might underflow are left to others. */
static bool is_tiny(const bw_convex *a, const bw_convex *b)
{
    return !(a->size + b->size > 0x1p-150);
}

bool bw_round_overlap(const bw_convex *a, const bw_convex *b, bw_contact_kind *kind)
{
    bw_round x;
    if (is_tiny(a, b) || !nearest(a, b, &x))
        return false;
    const double radius = a->radius + b->radius, doubt = 4 * bw_convex_margin(a, b), least = radius - doubt,
                 most = radius + doubt;
    const bool crossing = (least > 0) & (x.distance2 < least * least);
    const bool apart = (x.reached > 0) & (x.reached * x.reached > most * most * x.distance2);
    *kind = crossing ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
    return crossing | apart;
}

/* Whether there is a direction, and the bounds agree. */
static bool is_accurate(const bw_round *x, double length, double per_length, double margin)
{
    return (length > 8 * margin) & (x->reached * per_length > length - 4 * margin);
}

static const double sign[2] = {1, -1};

bool bw_round_distance(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_nearest *out)
{
    bw_round x;
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    if (is_tiny(a, b) || !nearest(a, b, &x))
        return false;
    const double length = sqrt(x.distance2), per_length = 1 / length;
    if (!is_accurate(&x, length, per_length, margin) || !(fabs(length - radius) > 4 * margin))
        return false;
    /* Where they meet a point between the two, where neither radius is exceeded. */
    const double along = bw_larger(0, bw_lesser(a->radius, length - b->radius));
    const double apart = (double)(length > radius), distance = bw_larger(0, length - radius);
    const bw_vec3 n = bw_vec3_scale(x.d, per_length);
    const bw_vec3 p = bw_vec3_add(a->at, bw_vec3_along(x.on_a, n, along));
    *(exchanged ? &out->point_b : &out->point_a) = p;
    *(exchanged ? &out->point_a : &out->point_b) = bw_vec3_along(p, n, distance);
    out->distance = distance;
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

bool bw_round_contact(const bw_convex *a, const bw_convex *b, bool exchanged, double separation,
                      bw_shape_contact *out)
{
    bw_round x;
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    if (is_tiny(a, b) || !nearest(a, b, &x))
        return false;
    const double beyond = (radius + separation) + 4 * margin;
    if ((x.reached > 0) & (x.reached * x.reached > beyond * beyond * x.distance2)) {
        nothing(out);
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
