/* Spheres and capsules with each other, and spheres beside boxes: by closed forms, straight to the answer.
 *
 * Bounds are those of shape/pair.c: two points of the cores bound the distance from above, what their difference proves from
 * below, and the margin covers the rounding of both. Where the decision is nearer than that the caller goes on. */
#include "shape/round.h"

#include "shape/place.h"

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
    out->single = true;
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

/* V. J. Lumelsky, "On fast computation of distance between line segments", 1985; the second is taken again
 * for where the first was clamped. */
V4_FN void segment_segment(const bw_convex *a, const bw_convex *b, bw_round *out)
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

bw_vec3 bw_round_face(const bw_convex *a, const bw_convex *b, double *depth)
{
    return face(a, b, depth);
}

void bw_round_straighten(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    const bw_vec3 p = bw_vec3_sub(a->at, b->at);
    const double(*m)[4] = b->pose->m;
    const double h[3] = {b->half.x, b->half.y, b->half.z};
    out->d = (bw_vec3){0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const bw_vec3 axis = {m[0][i], m[1][i], m[2][i]};
        const double x = bw_vec3_dot(p, axis);
        out->d = bw_vec3_along(out->d, axis, clamp(x, -h[i], h[i]) - x);
    }
    out->distance2 = bw_vec3_dot(out->d, out->d);
}

V4_FN bool nearest(const bw_convex *a, const bw_convex *b, bw_round *out)
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
V4_FN bool is_tiny(const bw_convex *a, const bw_convex *b)
{
    return !(a->size + b->size > 0x1p-150);
}

V4_FN bool overlap(const bw_convex *a, const bw_convex *b, bw_contact_kind *kind)
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
V4_FN bool is_accurate(const bw_round *x, double length, double per_length, double margin)
{
    return (length > 8 * margin) & (x->reached * per_length > length - 4 * margin);
}

static const double sign[2] = {1, -1};

V4_FN bool distance(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_nearest *out)
{
    bw_round x;
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    if (is_tiny(a, b) || !nearest(a, b, &x))
        return false;
    const double length = sqrt(x.distance2), per_length = 1 / (length + (double)x.inside);
    if (!(x.inside | is_accurate(&x, length, per_length, margin)) || !(fabs(length - radius) > 4 * margin))
        return false;
    /* Where they meet a point between the two, where neither radius is exceeded. */
    const double along = bw_larger(0, bw_lesser(a->radius, length - b->radius));
    const double apart = (double)(length > radius), gap = bw_larger(0, length - radius);
    const bw_vec3 n = bw_vec3_scale(x.d, per_length);
    const bw_vec3 p = bw_vec3_add(a->at, bw_vec3_along(x.on_a, n, along));
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
    if (is_tiny(a, b) || !nearest(a, b, &x))
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

bool bw_round_overlap(const bw_convex *a, const bw_convex *b, bw_contact_kind *kind)
{
    return overlap(a, b, kind);
}

bool bw_round_distance(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_nearest *out)
{
    return distance(a, b, exchanged, out);
}

bool bw_round_contact(const bw_convex *a, const bw_convex *b, bool exchanged, double separation,
                      bw_shape_contact *out)
{
    return contact(a, b, exchanged, separation, out);
}

/* ---- From shapes that are not ready: compiled once per pair of kinds, of which only what the answer needs is computed. ---- */

/* In the order of shape/pair.c. */
typedef struct ordered {
    const bw_placed_shape *first, *second;
    bool exchanged;
} ordered;

enum { NO_PAIR, POINT_POINT, POINT_SEGMENT, SEGMENT_SEGMENT, POINT_BOX };

V4_FN int order(const bw_placed_shape *a, const bw_placed_shape *b, ordered *out)
{
    static const uint8_t pairs[3][3] = {{POINT_POINT, POINT_SEGMENT, POINT_BOX},
                                        {POINT_SEGMENT, SEGMENT_SEGMENT, NO_PAIR},
                                        {POINT_BOX, NO_PAIR, NO_PAIR}};
    if (a == NULL || b == NULL || a->shape == NULL || b->shape == NULL || a->pose == NULL || b->pose == NULL)
        return NO_PAIR;
    const unsigned ka = (unsigned)a->shape->kind, kb = (unsigned)b->shape->kind;
    if (ka > BW_SHAPE_BOX || kb > BW_SHAPE_BOX)
        return NO_PAIR;
    const double xa = a->pose->m[0][3], xb = b->pose->m[0][3];
    out->exchanged = ka != kb ? ka > kb : xa > xb;
    out->first = out->exchanged ? b : a;
    out->second = out->exchanged ? a : b;
    return ka == kb && xa == xb ? NO_PAIR : pairs[ka][kb];
}

V4_FN bool ready(bw_core core_a, bw_core core_b, const ordered *o, bw_convex *a, bw_convex *b)
{
    bool orthogonal[2];
    int good = bw_poses_are_rigid(o->first->pose, o->second->pose, orthogonal); /* a number: no branch */
    good &= bw_convex_fill(core_a, o->first->shape, o->first->pose, orthogonal[0], a);
    good &= bw_convex_fill(core_b, o->second->shape, o->second->pose, orthogonal[1], b);
    good &= bw_convex_is_safe(a);
    good &= bw_convex_is_safe(b);
    return good != 0;
}

/* CALL is made for the pair of kinds, with a and b ready. */
#define BY_KIND(CALL)                                                                                        \
    ordered o;                                                                                               \
    bw_convex a, b;                                                                                          \
    switch (order(first, second, &o)) {                                                                      \
    case POINT_POINT:                                                                                        \
        return ready(BW_CORE_POINT, BW_CORE_POINT, &o, &a, &b) && (CALL);                                    \
    case POINT_SEGMENT:                                                                                      \
        return ready(BW_CORE_POINT, BW_CORE_SEGMENT, &o, &a, &b) && (CALL);                                  \
    case SEGMENT_SEGMENT:                                                                                    \
        return ready(BW_CORE_SEGMENT, BW_CORE_SEGMENT, &o, &a, &b) && (CALL);                                \
    case POINT_BOX:                                                                                          \
        return ready(BW_CORE_POINT, BW_CORE_BOX, &o, &a, &b) && (CALL);                                      \
    default:                                                                                                 \
        return false;                                                                                        \
    }

bool bw_round_overlap_of(const bw_placed_shape *first, const bw_placed_shape *second, bw_contact_kind *kind)
{
    BY_KIND(overlap(&a, &b, kind))
}

bool bw_round_distance_of(const bw_placed_shape *first, const bw_placed_shape *second, bw_shape_nearest *out)
{
    BY_KIND(distance(&a, &b, o.exchanged, out))
}

bool bw_round_contact_of(const bw_placed_shape *first, const bw_placed_shape *second, double separation,
                         bw_shape_contact *out)
{
    BY_KIND(contact(&a, &b, o.exchanged, separation, out))
}
