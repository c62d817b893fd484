/* Where two primitives meet, and the direction that takes them apart. */
#include "contact/geometry.h"

#include "collide/contains/surface.h"
#include "contact/unit.h"
#include "geom/vec.h"
#include "mesh/view.h"

#include <math.h>

bw_result bw_contact_frame_init(const bw_body *a, const bw_body *b, bw_contact_frame *out)
{
    *out = (bw_contact_frame){.a = a, .b = b};
    out->flip_a = bw_pose_hand(a->pose) < 0.0;
    out->flip_b = bw_pose_hand(b->pose) < 0.0;
    return bw_relative_pose_between(a, b, &out->relative);
}

/* A pair in the world, seen from its contact point. */
typedef struct pair {
    bw_vec3 a[3], b[3];
    double size; /* of the coordinates */
    bw_vec3 normal;
    double depth;
} pair;

static void place(const bw_transform *pose, bw_vec3 corners[3])
{
    for (int i = 0; i < 3 && pose != NULL; i++)
        corners[i] = bw_transform_point(pose, corners[i]);
}

/* How far b is to be moved along n until it is beyond a. */
static double depth_along(const pair *p, bw_vec3 n)
{
    double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < 3; i++) {
        high = bw_larger(high, bw_vec3_dot(n, p->a[i]));
        low = bw_smaller(low, bw_vec3_dot(n, p->b[i]));
    }
    return bw_larger(high - low, 0.0);
}

static bool is_zero(bw_vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

/* An earlier direction is kept unless a later one is better by more than rounding. */
static void try_direction(pair *p, bw_vec3 n)
{
    if (is_zero(n) || p->depth <= 0x1p-40 * p->size) /* nothing can be better than that */
        return;
    const double depth = depth_along(p, n);
    if (depth < p->depth - 0x1p-40 * p->size) {
        p->normal = n;
        p->depth = depth;
    }
}

static void try_both_ways(pair *p, bw_vec3 n)
{
    try_direction(p, n);
    try_direction(p, bw_vec3_scale(n, -1.0));
}

static bw_vec3 perpendicular(bw_vec3 u)
{
    const bool along_x = fabs(u.x) > 0.6;
    return bw_unit_cross(u, (bw_vec3){along_x ? 0.0 : 1.0, along_x ? 1.0 : 0.0, 0.0});
}

/* Every direction that can separate two triangles, segments or points best: their normals, those of two
 * edges, within a common plane those of one edge, and on a common line any beside it. */
static void try_all(pair *p, bw_vec3 normal_a, bw_vec3 normal_b)
{
    try_both_ways(p, normal_a);
    try_both_ways(p, normal_b);
    for (int i = 0; i < 3; i++) {
        const bw_vec3 u = bw_unit(bw_vec3_sub(p->a[(i + 1) % 3], p->a[i]));
        for (int j = 0; j < 3; j++)
            try_both_ways(p, bw_unit_cross(u, bw_unit(bw_vec3_sub(p->b[(j + 1) % 3], p->b[j]))));
    }
    for (int i = 0; i < 3; i++) {
        const bw_vec3 u = bw_unit(bw_vec3_sub(p->a[(i + 1) % 3], p->a[i])),
                      v = bw_unit(bw_vec3_sub(p->b[(i + 1) % 3], p->b[i]));
        try_both_ways(p, bw_unit_cross(normal_a, u));
        try_both_ways(p, bw_unit_cross(normal_b, v));
        try_direction(p, perpendicular(u));
        try_direction(p, perpendicular(v));
        try_both_ways(p, u); /* segments end to end */
        try_both_ways(p, v);
    }
}

static bw_vec3 normal_of(const bw_vec3 t[3], bool flip)
{
    const bw_vec3 n = bw_unit_cross(bw_unit(bw_vec3_sub(t[1], t[0])), bw_unit(bw_vec3_sub(t[2], t[0])));
    return flip ? bw_vec3_scale(n, -1.0) : n;
}

static double largest(const bw_vec3 t[3])
{
    double size = 0.0;
    for (int i = 0; i < 3; i++)
        size = bw_larger(size, bw_larger(fabs(t[i].x), bw_larger(fabs(t[i].y), fabs(t[i].z))));
    return size;
}

/* The normal and depth of a pair around the contact's point. */
static void find_normal(const bw_contact_frame *frame, const bw_vec3 a[3], const bw_vec3 b[3], bool coplanar,
                        bw_contact *out, bool *flush)
{
    pair around, *p = &around;
    for (int i = 0; i < 3; i++) {
        p->a[i] = bw_vec3_sub(a[i], out->point);
        p->b[i] = bw_vec3_sub(b[i], out->point);
    }
    const bw_vec3 normal_a = normal_of(p->a, frame->flip_a), normal_b = normal_of(p->b, frame->flip_b);
    p->size = bw_larger(largest(p->a), largest(p->b));
    p->normal = (bw_vec3){0.0, 0.0, 0.0};
    p->depth = INFINITY;
    if (out->kind == BW_CONTACT_CROSSING && !is_zero(normal_a) && !is_zero(normal_b)) {
        try_direction(p, normal_a);
        if (!coplanar)
            try_direction(p, bw_vec3_scale(normal_b, -1.0));
        else
            *flush = bw_vec3_dot(normal_a, normal_b) > 0.0;
    } else {
        try_direction(p, normal_a);
        try_direction(p, bw_vec3_scale(normal_b, -1.0));
        try_all(p, normal_a, normal_b);
    }
    out->normal = p->normal;
    out->depth = out->kind == BW_CONTACT_TOUCHING || p->depth == INFINITY || p->depth <= 0x1p-40 * p->size
                     ? 0.0
                     : p->depth;
}

static double distance2(bw_vec3 p, bw_vec3 q)
{
    const bw_vec3 d = bw_vec3_sub(p, q);
    return bw_vec3_dot(d, d);
}

/* Points, ends and the middle, in the world. */
static void find_points(const bw_contact_frame *frame, const bw_triangle_contact *shared, bw_contact *out)
{
    bw_vec3 points[6], sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < shared->point_count; i++)
        points[i] = bw_contact_frame_world(frame, shared->points[i]);
    /* Relative to the first, so that far from the origin nothing is lost. */
    for (uint32_t i = 0; i < shared->point_count; i++)
        sum = bw_vec3_add(sum, bw_vec3_sub(points[i], points[0]));
    out->point_count = shared->point_count;
    out->point = bw_vec3_add(points[0], bw_vec3_scale(sum, 1.0 / (double)shared->point_count));
    out->ends[0] = points[0];
    out->ends[1] = points[shared->point_count == 1 ? 0 : 1];
    double widest = distance2(out->ends[0], out->ends[1]);
    for (uint32_t i = 0; shared->point_count > 2 && i < shared->point_count; i++)
        for (uint32_t j = i + 1; j < shared->point_count; j++)
            if (distance2(points[i], points[j]) > widest) {
                widest = distance2(points[i], points[j]);
                out->ends[0] = points[i];
                out->ends[1] = points[j];
            }
}

/* The planes of two triangles and where the other's corners are off them, each times the normal's length. */
typedef struct planes {
    bw_vec3 normal_a, normal_b;
    double of_a[3], of_b[3]; /* corners of a off b's plane, corners of b off a's */
    double size_a, size_b;   /* of the terms in of_a and of_b, which is what their rounding is relative to */
} planes;

static double components(bw_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static planes planes_of(const bw_vec3 a[3], const bw_vec3 b[3])
{
    const bw_vec3 a1 = bw_vec3_sub(a[1], a[0]), a2 = bw_vec3_sub(a[2], a[0]), b1 = bw_vec3_sub(b[1], b[0]),
                  b2 = bw_vec3_sub(b[2], b[0]);
    planes p = {.normal_a = bw_vec3_cross(a1, a2), .normal_b = bw_vec3_cross(b1, b2)};
    const double square_a = components(a1) * components(a2), square_b = components(b1) * components(b2);
    const double size =
        bw_larger(bw_larger(components(a1), components(a2)), bw_larger(components(b1), components(b2)));
    p.size_a = square_b * size;
    p.size_b = square_a * size;
    for (int i = 0; i < 3; i++) {
        p.of_a[i] = bw_vec3_dot(p.normal_b, bw_vec3_sub(a[i], b[0]));
        p.of_b[i] = bw_vec3_dot(p.normal_a, bw_vec3_sub(b[i], a[0]));
    }
    return p;
}

/* Where the two edges of t that a plane cuts meet it. False where rounding leaves a doubt about the signs, or
 * the edges are nearly in the plane: of `size` the offsets are off by some ulps. */
static bool cut(const bw_vec3 t[3], const double off[3], double size, bw_vec3 out[2])
{
    const double sure = 0x1p-44 * size;
    if (fabs(off[0]) < sure || fabs(off[1]) < sure || fabs(off[2]) < sure)
        return false;
    const int lone = (off[1] > 0.0) == (off[2] > 0.0) ? 0 : (off[0] > 0.0) == (off[2] > 0.0) ? 1 : 2;
    for (int i = 0; i < 2; i++) {
        const int other = (lone + 1 + i) % 3;
        const double span = off[lone] - off[other];
        if (fabs(span) < 0x1p-18 * size)
            return false;
        out[i] = bw_vec3_add(t[lone], bw_vec3_scale(bw_vec3_sub(t[other], t[lone]), off[lone] / span));
    }
    return (off[lone] > 0.0) != (off[(lone + 1) % 3] > 0.0);
}

/* The common segment of two crossing triangles that are far from degenerate and from each other's corners and
 * planes, which most are: the inner two of the four points where their edges cut the planes. */
static bool quick_segment(const bw_vec3 a[3], const bw_vec3 b[3], const planes *p, bw_triangle_contact *out)
{
    bw_vec3 on_a[2], on_b[2];
    if (!cut(a, p->of_a, p->size_a, on_a) || !cut(b, p->of_b, p->size_b, on_b))
        return false;
    const bw_vec3 line = bw_vec3_cross(p->normal_a, p->normal_b);
    const int a_first = bw_vec3_dot(line, bw_vec3_sub(on_a[1], on_a[0])) < 0.0,
              b_first = bw_vec3_dot(line, bw_vec3_sub(on_b[1], on_b[0])) < 0.0;
    const bw_vec3 *a_low = &on_a[a_first], *a_high = &on_a[1 - a_first], *b_low = &on_b[b_first],
                  *b_high = &on_b[1 - b_first];
    out->points[0] = bw_vec3_dot(line, bw_vec3_sub(*b_low, *a_low)) > 0.0 ? *b_low : *a_low;
    out->points[1] = bw_vec3_dot(line, bw_vec3_sub(*b_high, *a_high)) < 0.0 ? *b_high : *a_high;
    out->kind = BW_CONTACT_CROSSING;
    out->coplanar = false;
    out->point_count = 2;
    return bw_vec3_dot(line, bw_vec3_sub(out->points[1], out->points[0])) > 0.0;
}

/* How far corners reach to the wrong side of a plane; flipped, the other side is the wrong one. */
static double beneath(const double off[3], bool flip)
{
    const double low = bw_smaller(off[0], bw_smaller(off[1], off[2])),
                 high = bw_larger(off[0], bw_larger(off[1], off[2]));
    return flip ? high : -low;
}

/* The normal of a pair that quick_segment took, whose normals are far from zero. */
static void quick_normal(const bw_contact_frame *frame, const planes *p, bw_contact *out)
{
    const double length_a = sqrt(bw_vec3_dot(p->normal_a, p->normal_a)),
                 length_b = sqrt(bw_vec3_dot(p->normal_b, p->normal_b));
    const double depth_a = beneath(p->of_b, frame->flip_a) / length_a,
                 depth_b = beneath(p->of_a, frame->flip_b) / length_b;
    const bool by_a = depth_a <= depth_b;
    out->depth = by_a ? depth_a : depth_b;
    out->normal = by_a ? bw_vec3_scale(p->normal_a, (frame->flip_a ? -1.0 : 1.0) / length_a)
                       : bw_vec3_scale(p->normal_b, (frame->flip_b ? 1.0 : -1.0) / length_b);
}

/* Whether squares of the normals neither overflow nor lose digits. */
static bool is_moderate(const planes *p)
{
    const double a = components(p->normal_a), b = components(p->normal_b);
    return a > 0x1p-400 && b > 0x1p-400 && a < 0x1p400 && b < 0x1p400;
}

bool bw_contact_of_hit(const bw_contact_frame *frame, const bw_hit *hit, bw_contact *out, bool *flush)
{
    bw_vec3 a[3], b[3];
    bw_mesh_view_corners(frame->a->mesh, hit->a, a);
    if (!bw_relative_pose_corners(&frame->relative, frame->b->mesh, hit->b, b))
        return false;
    *out = (bw_contact){.a = hit->a, .b = hit->b, .kind = hit->kind};
    *flush = false;
    planes p = planes_of(a, b);
    bw_triangle_contact shared;
    const bool quick =
        hit->kind == BW_CONTACT_CROSSING && is_moderate(&p) && quick_segment(a, b, &p, &shared);
    if (!quick)
        bw_triangle_triangle_contact(a, b, &shared);
    find_points(frame, &shared, out);
    if (frame->a->pose != NULL) {
        bw_mesh_view_corners(frame->b->mesh, hit->b, b);
        place(frame->a->pose, a);
        place(frame->b->pose, b);
        p = planes_of(a, b);
    }
    if (quick && is_moderate(&p))
        quick_normal(frame, &p, out);
    else
        find_normal(frame, a, b, shared.coplanar, out, flush);
    return true;
}
