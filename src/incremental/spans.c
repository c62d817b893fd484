#include "incremental/spans.h"

#include "collide/shared_features.h"
#include "geom/vec.h"
#include "incremental/roots.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Where contact may begin or end. */
typedef struct split {
    double at, error;
    bool touch; /* features touch here, as near as can be told; */
    bool flat;  /* as far as the corners along an axis tell, no more; */
    bool sure;  /* contact was seen here */
} split;

typedef struct search {
    const bw_span_pair *pair;
    double from, to;
    split splits[BW_SPLITS];
    uint32_t count;
    bool flat;            /* some volume is as good as zero all the time */
    double speed, extent; /* of the fastest corner; of both triangles together */
} search;

static bw_vec3 curve_at(const bw_vec3 c[4], double t)
{
    bw_vec3 p = c[3];
    for (int k = 3; k-- > 0;)
        p = bw_vec3_add(c[k], bw_vec3_scale(p, t));
    return p;
}

static bw_vec3 corner_a(const bw_span_pair *pair, int i, double t)
{
    if (pair->curves_a != NULL)
        return curve_at(pair->curves_a[i], t);
    return bw_vec3_add(bw_vec3_scale(pair->a[0][i], 1 - t), bw_vec3_scale(pair->a[1][i], t));
}

static bw_vec3 corner_b(const bw_span_pair *pair, int i, double t)
{
    if (pair->curves_b != NULL)
        return curve_at(pair->curves_b[i], t);
    return bw_vec3_add(bw_vec3_scale(pair->b[0][i], 1 - t), bw_vec3_scale(pair->b[1][i], t));
}

static void add(search *s, double at, double error, bool touch, bool flat)
{
    assert(s->count < BW_SPLITS - 2);
    s->splits[s->count++] = (split){at, error, touch, flat, false};
}

/* ---- points that move ---- */

/* The sum of c[k] t^k. */
typedef struct path {
    bw_vec3 c[4];
} path;

static path path_of(const search *s, bool second, int i)
{
    const bw_span_pair *pair = s->pair;
    const bw_vec3(*curves)[4] = second ? pair->curves_b : pair->curves_a;
    const bw_vec3(*ends)[3] = second ? pair->b : pair->a;
    path out = {{{0, 0, 0}}};
    if (curves != NULL) {
        memcpy(out.c, curves[i], sizeof out.c);
    } else {
        out.c[0] = ends[0][i];
        out.c[1] = bw_vec3_sub(ends[1][i], ends[0][i]);
    }
    return out;
}

/* How long the vector of two of them may be, in the sum of its coordinates. */
static path between_paths(const path *from, const path *to, double *size)
{
    path d;
    *size = 0;
    for (int k = 0; k < 4; k++) {
        d.c[k] = bw_vec3_sub(to->c[k], from->c[k]);
        *size += fabs(d.c[k].x) + fabs(d.c[k].y) + fabs(d.c[k].z);
    }
    return d;
}

static double part(const path *p, int k, int axis)
{
    return bw_vec3_at(&p->c[k], axis);
}

static double size(bw_vec3 u, bw_vec3 v)
{
    double a = fabs(u.x) + fabs(u.y) + fabs(u.z), b = fabs(v.x) + fabs(v.y) + fabs(v.z);
    return a + b;
}

static double det(bw_vec3 u, bw_vec3 v, bw_vec3 w)
{
    return bw_vec3_dot(bw_vec3_cross(u, v), w);
}

/* ---- volumes ---- */

/* Four moving points: the volume of the three edges that meet in the first. */
static bw_poly volume(const search *s, const path p[4])
{
    uint32_t degree = s->pair->curves_a != NULL || s->pair->curves_b != NULL ? 3 : 1;
    path u[3];
    double length[3], off = 6 * s->pair->error; /* what three coordinates of two corners are off */
    for (int i = 0; i < 3; i++)
        u[i] = between_paths(&p[0], &p[i + 1], &length[i]);
    bw_poly v = {.degree = 3 * degree};
    for (uint32_t i = 0; i <= degree; i++)
        for (uint32_t j = 0; j <= degree; j++) {
            bw_vec3 across = bw_vec3_cross(u[0].c[i], u[1].c[j]);
            for (uint32_t k = 0; k <= degree; k++)
                v.c[i + j + k] += bw_vec3_dot(across, u[2].c[k]);
        }
    /* 40 roundings at most, each of 2^-53 of the terms; and what the corners may be off. */
    double whole = length[0] * length[1] * length[2];
    double most = (length[0] + off) * (length[1] + off) * (length[2] + off);
    v.error = 0x1p-47 * most + (most - whole);
    if (degree == 1)
        v.error = 0x1p-48 * whole; /* 22 roundings */
    return v;
}

/* Within tolerance of a triangle of which it is in the plane. Too thin to tell: yes. */
static bool in_face(bw_vec3 v, const bw_vec3 f[3], double tolerance)
{
    bw_vec3 n = bw_vec3_cross(bw_vec3_sub(f[1], f[0]), bw_vec3_sub(f[2], f[0]));
    double area = bw_vec3_dot(n, n), longest = 0;
    for (int i = 0; i < 3; i++) {
        bw_vec3 e = bw_vec3_sub(f[(i + 1) % 3], f[i]);
        longest = fmax(longest, bw_vec3_dot(e, e));
    }
    if (!(area > 1e-12 * longest * longest))
        return true;
    for (int i = 0; i < 3; i++) {
        bw_vec3 e = bw_vec3_sub(f[(i + 1) % 3], f[i]);
        if (det(e, bw_vec3_sub(v, f[i]), n) < -tolerance * longest * sqrt(area))
            return false;
    }
    return true;
}

static bool edges_meet(const bw_vec3 a[2], const bw_vec3 b[2], double tolerance)
{
    bw_vec3 d = bw_vec3_sub(a[1], a[0]), e = bw_vec3_sub(b[1], b[0]), r = bw_vec3_sub(b[0], a[0]);
    bw_vec3 n = bw_vec3_cross(d, e);
    double nn = bw_vec3_dot(n, n);
    if (!(nn > 1e-12 * bw_vec3_dot(d, d) * bw_vec3_dot(e, e)))
        return true;
    double x = det(r, e, n) / nn, y = det(r, d, n) / nn;
    return x >= -tolerance && x <= 1 + tolerance && y >= -tolerance && y <= 1 + tolerance;
}

/* Looser than what is reported, so that nothing is lost: a place too many costs a test. */
#define LOOSE 1e-4
#define TOUCH 1e-9

/* The places where a corner may pass through a face, or an edge through an edge; face: the first point is the
 * corner, the others the face. */
static void search_volume(search *s, const path p[4], bool face)
{
    bw_poly v = volume(s, p);
    double at[BW_ROOTS];
    uint32_t count;
    if (!bw_poly_roots(&v, s->from, s->to, at, &count)) {
        s->flat = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 x[4];
        for (int k = 0; k < 4; k++)
            x[k] = curve_at(p[k].c, at[i]);
        double error = bw_poly_reach(&v, at[i]),
               near = size(bw_vec3_sub(x[1], x[0]), bw_vec3_sub(x[3], x[2]));
        double tolerance = TOUCH + (near > 0 ? 4 * (error * s->speed + s->pair->error) / near : 1);
        if (face ? in_face(x[0], x + 1, LOOSE + tolerance) : edges_meet(x, x + 2, LOOSE + tolerance))
            add(s, at[i], error, face ? in_face(x[0], x + 1, tolerance) : edges_meet(x, x + 2, tolerance),
                false);
    }
}

static bool shares(const search *s, uint32_t i, uint32_t j)
{
    return s->pair->vertices_a != NULL && s->pair->vertices_a[i] == s->pair->vertices_b[j];
}

static void search_volumes(search *s, const path a[3], const path b[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        if (!shares(s, i, 0) && !shares(s, i, 1) && !shares(s, i, 2))
            search_volume(s, (path[4]){a[i], b[0], b[1], b[2]}, true);
        if (!shares(s, 0, i) && !shares(s, 1, i) && !shares(s, 2, i))
            search_volume(s, (path[4]){b[i], a[0], a[1], a[2]}, true);
        for (uint32_t j = 0; j < 3; j++) {
            uint32_t k = (i + 1) % 3, l = (j + 1) % 3;
            if (shares(s, i, j) || shares(s, i, l) || shares(s, k, j) || shares(s, k, l))
                continue;
            search_volume(s, (path[4]){a[i], a[k], b[j], b[l]}, false);
        }
    }
}

/* ---- what lies in a plane all the time ---- */

static void search_poly(search *s, const bw_poly *p)
{
    double at[BW_ROOTS];
    uint32_t count;
    if (bw_poly_roots(p, s->from, s->to, at, &count))
        for (uint32_t i = 0; i < count; i++)
            add(s, at[i], bw_poly_reach(p, at[i]), false, true);
}

static void search_area(search *s, int axis, const path *p, const path *q, const path *r)
{
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double length[2], off = 6 * s->pair->error;
    path u = between_paths(p, q, &length[0]), v = between_paths(p, r, &length[1]);
    uint32_t degree = s->pair->curves_a != NULL || s->pair->curves_b != NULL ? 3 : 1;
    bw_poly area = {.degree = 2 * degree};
    for (uint32_t i = 0; i <= degree; i++)
        for (uint32_t j = 0; j <= degree; j++)
            area.c[i + j] +=
                part(&u, (int)i, x) * part(&v, (int)j, y) - part(&u, (int)i, y) * part(&v, (int)j, x);
    double most = (length[0] + off) * (length[1] + off);
    area.error = 0x1p-48 * most + (most - length[0] * length[1]);
    search_poly(s, &area);
}

/* A corner and an edge of the other, seen along each axis; two corners along each. */
static void search_flat(search *s, const path a[3], const path b[3])
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int k = (j + 1) % 3;
                search_area(s, axis, &a[i], &b[j], &b[k]);
                search_area(s, axis, &b[i], &a[j], &a[k]);
                bw_poly gap = {.degree = 3, .error = 2 * s->pair->error};
                for (int d = 0; d < 4; d++) {
                    gap.c[d] = part(&a[i], d, axis) - part(&b[j], d, axis);
                    gap.error += 0x1p-50 * fabs(gap.c[d]);
                }
                search_poly(s, &gap);
            }
}

/* ---- deciding ---- */

static bool contact_at(const search *s, double t)
{
    const bw_span_pair *pair = s->pair;
    bw_vec3 a[3], b[3];
    double magnitude = 0;
    for (int i = 0; i < 3; i++) {
        a[i] = corner_a(pair, i, t);
        b[i] = corner_b(pair, i, t);
        magnitude = fmax(magnitude, size(a[i], b[i]));
    }
    bool exact;
    if (pair->vertices_a != NULL)
        return bw_contact_beyond_shared(a, pair->vertices_a, b, pair->vertices_b, &exact) != BW_CONTACT_NONE;
    if (bw_triangle_triangle(a, b) != BW_CONTACT_NONE)
        return true;
    /* What slides along each other for a while is taken apart by the rounding of positions: a hair counts. */
    double hair = 0x1p-48 * magnitude + 4 * pair->error;
    return s->flat && bw_triangle_distance2(a, b, NULL, NULL) <= hair * hair;
}

/* The corners of one that are not the other's, as a triangle: a point or an edge. False: there are none. */
static bool beyond(const bw_vec3 p[3], const uint32_t v[3], const uint32_t other[3], bw_vec3 out[3])
{
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (v[i] != other[0] && v[i] != other[1] && v[i] != other[2])
            out[count++] = p[i];
    for (int i = count; i < 3 && count > 0; i++)
        out[i] = out[0];
    return count > 0;
}

/* Whether triangles that are apart before and after a place touch there, as near as can be told. Neighbours
 * always do where they share something: of them, features that touch, or else what is not shared. */
static bool touch_at(const search *s, const split *p)
{
    const bw_span_pair *pair = s->pair;
    bool neighbours = pair->vertices_a != NULL;
    if (p->sure || !(p->touch || p->flat) || (neighbours && p->touch))
        return p->sure || p->touch;
    bw_vec3 a[3], b[3], rest[3];
    for (int i = 0; i < 3; i++) {
        a[i] = corner_a(pair, i, p->at);
        b[i] = corner_b(pair, i, p->at);
    }
    double near = TOUCH * s->extent + 4 * (p->error * s->speed + pair->error);
    if (!neighbours)
        return bw_triangle_distance2(a, b, NULL, NULL) <= near * near;
    return (beyond(a, pair->vertices_a, pair->vertices_b, rest) &&
            bw_triangle_distance2(rest, b, NULL, NULL) <= near * near) ||
           (beyond(b, pair->vertices_b, pair->vertices_a, rest) &&
            bw_triangle_distance2(rest, a, NULL, NULL) <= near * near);
}

static void measure(search *s, const path a[3], const path b[3])
{
    bw_vec3 zero = {0, 0, 0};
    for (int i = 0; i < 6; i++) {
        const path *p = i < 3 ? &a[i] : &b[i - 3];
        double speed = 0;
        for (int k = 1; k < 4; k++)
            speed += k * size(p->c[k], zero);
        s->speed = fmax(s->speed, speed);
        s->extent = fmax(s->extent, size(bw_vec3_sub(p->c[0], a[0].c[0]), zero));
    }
}

/* A time well between two, of as few bits as there is: positions are then most often exact, so that what lies
 * in a plane all the time is seen to. */
static double between(double low, double high)
{
    int exponent;
    double quarter = 0.25 * (high - low);
    low += quarter;
    high -= quarter;
    frexp(high - low, &exponent);
    for (int k = 0; k < 3; k++) {
        double step = ldexp(1, exponent - 1 - k), t = (floor(low / step) + 1) * step;
        if (t > low && t < high)
            return t;
    }
    return 0.5 * (low + high);
}

static void sort_splits(search *s)
{
    for (uint32_t i = 1; i < s->count; i++) {
        split moved = s->splits[i];
        uint32_t j = i;
        for (; j > 0 && s->splits[j - 1].at > moved.at; j--)
            s->splits[j] = s->splits[j - 1];
        s->splits[j] = moved;
    }
}

/* Things that are as good as at one place become one. */
static void join_splits(search *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        split *last = kept == 0 ? NULL : &s->splits[kept - 1];
        if (last != NULL && s->splits[i].at - last->at <= 0x1p-46) {
            last->error = fmax(last->error, s->splits[i].error + (s->splits[i].at - last->at));
            last->touch = last->touch || s->splits[i].touch;
            last->flat = last->flat || s->splits[i].flat;
            last->sure = last->sure || s->splits[i].sure;
        } else
            s->splits[kept++] = s->splits[i];
    }
    s->count = kept;
}

uint32_t bw_contact_spans(const bw_span_pair *pair, double from, double to, bw_contact_span out[BW_SPANS])
{
    search s;
    s.pair = pair;
    s.from = fmax(from, 0);
    s.to = fmin(to, 1);
    s.count = 0;
    s.flat = false;
    s.speed = s.extent = 0;
    if (!(s.from <= s.to))
        return 0;
    path a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = path_of(&s, false, i);
        b[i] = path_of(&s, true, i);
    }
    measure(&s, a, b);
    search_volumes(&s, a, b);
    if (s.flat)
        search_flat(&s, a, b);
    s.splits[s.count++] = (split){s.from, 0x1p-48, false, false, s.from == 0 && contact_at(&s, 0)};
    s.splits[s.count++] = (split){s.to, 0x1p-48, false, false, s.to == 1 && contact_at(&s, 1)};
    sort_splits(&s);
    join_splits(&s);
    uint32_t count = 0;
    bool before = false; /* in contact up to this place */
    for (uint32_t i = 0; i < s.count; i++) {
        const split *p = &s.splits[i];
        bool last = i + 1 == s.count, after = !last && contact_at(&s, between(p->at, p[1].at));
        bool here = before || after || touch_at(&s, p);
        if (!before && here)
            out[count++] = (bw_contact_span){fmax(p->at - p->error, 0), 1, !after};
        if (here && !after)
            out[count - 1].to = fmin(p->at + p->error, 1);
        before = after;
    }
    return count;
}
