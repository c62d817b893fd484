#include "incremental/spans.h"

#include "collide/shared_features.h"
#include "geom/vec.h"

#include <assert.h>
#include <math.h>

/* Where contact may begin or end. */
typedef struct split {
    double at, error;
    bool touch; /* features touch here, as near as can be told */
} split;

typedef struct search {
    const bw_span_pair *pair;
    double from, to;
    split splits[BW_SPLITS];
    uint32_t count;
    bool flat;            /* some volume is as good as zero all the time */
    double speed, extent; /* of the fastest corner; of both triangles together */
} search;

static bw_vec3 blend(bw_vec3 p, bw_vec3 q, double s)
{
    double r = 1 - s;
    return (bw_vec3){r * p.x + s * q.x, r * p.y + s * q.y, r * p.z + s * q.z};
}

/* ---- roots ---- */

/* c[0] + c[1] t + c[2] t^2 + c[3] t^3, off by at most error within [0, 1]. */
typedef struct poly {
    double c[4], error;
} poly;

static double value(const poly *p, double t)
{
    return p->c[0] + t * (p->c[1] + t * (p->c[2] + t * p->c[3]));
}

/* How far a root may be from the true one: by the slope, or, where that vanishes, by what bends it away. */
static double reach(const poly *p, double t)
{
    double slope = fabs(p->c[1] + t * (2 * p->c[2] + 3 * t * p->c[3]));
    double bend = fabs(p->c[2] + 3 * t * p->c[3]);
    double far = slope > 0 ? p->error / slope : INFINITY;
    double curved = bend > 0 ? sqrt(2 * p->error / bend) : INFINITY;
    double twisted = p->c[3] != 0 ? cbrt(p->error / fabs(p->c[3])) : INFINITY;
    far = fmin(far, fmin(curved, twisted));
    return (far < 0x1p-12 ? 2 * far : 0x1p-12) + 0x1p-48;
}

static uint32_t turns(const poly *p, double out[2])
{
    double a = 3 * p->c[3], b = p->c[2], c = p->c[1]; /* a t^2 + 2 b t + c */
    double d = b * b - a * c;
    if (d < 0 && d > -0x1p-40 * (b * b + fabs(a * c)))
        d = 0;
    if (d < 0)
        return 0;
    double q = -(b + copysign(sqrt(d), b));
    uint32_t count = 0;
    if (a != 0)
        out[count++] = q / a;
    if (q != 0)
        out[count++] = c / q;
    if (count == 2 && out[1] < out[0]) {
        double swap = out[0];
        out[0] = out[1];
        out[1] = swap;
    }
    return count;
}

static double bisect(const poly *p, double low, double high)
{
    bool rising = value(p, high) > 0;
    for (int i = 0; i < 64; i++) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        if ((value(p, middle) > 0) == rising)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* The places in [from, to] where p is zero or as good as zero; false: everywhere. */
static bool roots(const poly *p, double from, double to, double out[5], uint32_t *count)
{
    double place[4] = {from}, turn[2];
    uint32_t places = 1, n = turns(p, turn);
    bool all = fabs(value(p, from)) <= p->error && fabs(value(p, to)) <= p->error;
    *count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (turn[i] > place[places - 1] && turn[i] < to) {
            bool zero = fabs(value(p, turn[i])) <= p->error;
            all = all && zero;
            if (zero)
                out[(*count)++] = turn[i];
            place[places++] = turn[i];
        }
    place[places++] = to;
    if (all)
        return false;
    for (uint32_t i = 0; i + 1 < places; i++) {
        double x = value(p, place[i]), y = value(p, place[i + 1]);
        if ((x > 0 && y < 0) || (x < 0 && y > 0))
            out[(*count)++] = bisect(p, place[i], place[i + 1]);
    }
    return true;
}

static void add(search *s, double at, double error, bool touch)
{
    assert(s->count < BW_SPLITS - 2);
    s->splits[s->count++] = (split){at, error, touch};
}

/* ---- volumes ---- */

static double det(bw_vec3 u, bw_vec3 v, bw_vec3 w)
{
    return bw_vec3_dot(bw_vec3_cross(u, v), w);
}

static double size(bw_vec3 u, bw_vec3 v)
{
    double a = fabs(u.x) + fabs(u.y) + fabs(u.z), b = fabs(v.x) + fabs(v.y) + fabs(v.z);
    return a + b;
}

/* Four moving points: p[i] at time 0, q[i] at time 1. The volume of the three edges that meet in the first.
 */
static poly volume(const bw_vec3 p[4], const bw_vec3 q[4])
{
    bw_vec3 u[3], d[3];
    double bound = 0x1p-48; /* 22 roundings at most, each of 2^-53 of the terms */
    for (int i = 0; i < 3; i++) {
        u[i] = bw_vec3_sub(p[i + 1], p[0]);
        d[i] = bw_vec3_sub(bw_vec3_sub(q[i + 1], q[0]), u[i]);
        bound *= size(u[i], d[i]);
    }
    return (poly){
        {det(u[0], u[1], u[2]), det(d[0], u[1], u[2]) + det(u[0], d[1], u[2]) + det(u[0], u[1], d[2]),
         det(d[0], d[1], u[2]) + det(d[0], u[1], d[2]) + det(u[0], d[1], d[2]), det(d[0], d[1], d[2])},
        bound};
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
static void search_volume(search *s, const bw_vec3 p[4], const bw_vec3 q[4], bool face)
{
    poly v = volume(p, q);
    double at[5];
    uint32_t count;
    if (!roots(&v, s->from, s->to, at, &count)) {
        s->flat = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 x[4];
        for (int k = 0; k < 4; k++)
            x[k] = blend(p[k], q[k], at[i]);
        double error = reach(&v, at[i]), near = size(bw_vec3_sub(x[1], x[0]), bw_vec3_sub(x[3], x[2]));
        double tolerance = TOUCH + (near > 0 ? 4 * error * s->speed / near : 1);
        if (face ? in_face(x[0], x + 1, LOOSE + tolerance) : edges_meet(x, x + 2, LOOSE + tolerance))
            add(s, at[i], error, face ? in_face(x[0], x + 1, tolerance) : edges_meet(x, x + 2, tolerance));
    }
}

static bool shares(const search *s, uint32_t i, uint32_t j)
{
    return s->pair->vertices_a != NULL && s->pair->vertices_a[i] == s->pair->vertices_b[j];
}

static void search_volumes(search *s)
{
    const bw_vec3(*a)[3] = s->pair->a, (*b)[3] = s->pair->b;
    for (uint32_t i = 0; i < 3; i++) {
        if (!shares(s, i, 0) && !shares(s, i, 1) && !shares(s, i, 2)) {
            bw_vec3 p[4] = {a[0][i], b[0][0], b[0][1], b[0][2]}, q[4] = {a[1][i], b[1][0], b[1][1], b[1][2]};
            search_volume(s, p, q, true);
        }
        if (!shares(s, 0, i) && !shares(s, 1, i) && !shares(s, 2, i)) {
            bw_vec3 p[4] = {b[0][i], a[0][0], a[0][1], a[0][2]}, q[4] = {b[1][i], a[1][0], a[1][1], a[1][2]};
            search_volume(s, p, q, true);
        }
        for (uint32_t j = 0; j < 3; j++) {
            uint32_t k = (i + 1) % 3, l = (j + 1) % 3;
            if (shares(s, i, j) || shares(s, i, l) || shares(s, k, j) || shares(s, k, l))
                continue;
            bw_vec3 p[4] = {a[0][i], a[0][k], b[0][j], b[0][l]}, q[4] = {a[1][i], a[1][k], b[1][j], b[1][l]};
            search_volume(s, p, q, false);
        }
    }
}

/* ---- what lies in a plane all the time ---- */

static void search_poly(search *s, const poly *p)
{
    double at[5];
    uint32_t count;
    if (roots(p, s->from, s->to, at, &count))
        for (uint32_t i = 0; i < count; i++)
            add(s, at[i], reach(p, at[i]), s->pair->vertices_a == NULL);
}

static void search_area(search *s, int axis, const bw_vec3 p[3], const bw_vec3 q[3])
{
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double u[2][2], d[2][2], bound = 0x1p-48;
    for (int i = 0; i < 2; i++) {
        bw_vec3 e = bw_vec3_sub(p[i + 1], p[0]), f = bw_vec3_sub(q[i + 1], q[0]);
        u[i][0] = bw_vec3_at(&e, x);
        u[i][1] = bw_vec3_at(&e, y);
        d[i][0] = bw_vec3_at(&f, x) - u[i][0];
        d[i][1] = bw_vec3_at(&f, y) - u[i][1];
        bound *= size(e, f);
    }
    poly area = {{u[0][0] * u[1][1] - u[0][1] * u[1][0],
                  u[0][0] * d[1][1] + d[0][0] * u[1][1] - u[0][1] * d[1][0] - d[0][1] * u[1][0],
                  d[0][0] * d[1][1] - d[0][1] * d[1][0], 0},
                 bound};
    search_poly(s, &area);
}

/* A corner and an edge of the other, seen along each axis; two corners along each. */
static void search_flat(search *s)
{
    const bw_vec3(*a)[3] = s->pair->a, (*b)[3] = s->pair->b;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int k = (j + 1) % 3;
                search_area(s, axis, (bw_vec3[3]){a[0][i], b[0][j], b[0][k]},
                            (bw_vec3[3]){a[1][i], b[1][j], b[1][k]});
                search_area(s, axis, (bw_vec3[3]){b[0][i], a[0][j], a[0][k]},
                            (bw_vec3[3]){b[1][i], a[1][j], a[1][k]});
                double first = bw_vec3_at(&a[0][i], axis) - bw_vec3_at(&b[0][j], axis);
                double last = bw_vec3_at(&a[1][i], axis) - bw_vec3_at(&b[1][j], axis);
                poly gap = {{first, last - first, 0, 0}, 0x1p-50 * (fabs(first) + fabs(last))};
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
        a[i] = blend(pair->a[0][i], pair->a[1][i], t);
        b[i] = blend(pair->b[0][i], pair->b[1][i], t);
        magnitude = fmax(magnitude, size(a[i], b[i]));
    }
    bool exact;
    if (pair->vertices_a != NULL)
        return bw_contact_beyond_shared(a, pair->vertices_a, b, pair->vertices_b, &exact) != BW_CONTACT_NONE;
    if (bw_triangle_triangle(a, b) != BW_CONTACT_NONE)
        return true;
    /* What slides along each other for a while is taken apart by the rounding of positions: a hair counts. */
    double hair = 0x1p-48 * magnitude;
    return s->flat && bw_triangle_distance2(a, b, NULL, NULL) <= hair * hair;
}

/* Whether triangles that are apart before and after a place touch there, as near as can be told. */
static bool touch_at(const search *s, const split *p)
{
    if (!p->touch || s->pair->vertices_a != NULL) /* neighbours are near each other always */
        return p->touch;
    bw_vec3 a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = blend(s->pair->a[0][i], s->pair->a[1][i], p->at);
        b[i] = blend(s->pair->b[0][i], s->pair->b[1][i], p->at);
    }
    double near = TOUCH * s->extent + 4 * p->error * s->speed;
    return bw_triangle_distance2(a, b, NULL, NULL) <= near * near;
}

static void measure(search *s)
{
    const bw_span_pair *pair = s->pair;
    bw_vec3 zero = {0, 0, 0}, first = pair->a[0][0];
    for (int i = 0; i < 3; i++) {
        s->speed = fmax(s->speed, size(bw_vec3_sub(pair->a[1][i], pair->a[0][i]), zero));
        s->speed = fmax(s->speed, size(bw_vec3_sub(pair->b[1][i], pair->b[0][i]), zero));
        s->extent = fmax(s->extent, size(bw_vec3_sub(pair->a[0][i], first), zero));
        s->extent = fmax(s->extent, size(bw_vec3_sub(pair->b[0][i], first), zero));
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
        } else
            s->splits[kept++] = s->splits[i];
    }
    s->count = kept;
}

uint32_t bw_contact_spans(const bw_span_pair *pair, double from, double to, bw_contact_span out[BW_SPANS])
{
    search s = {.pair = pair, .from = fmax(from, 0), .to = fmin(to, 1)};
    if (!(s.from <= s.to))
        return 0;
    measure(&s);
    search_volumes(&s);
    if (s.flat)
        search_flat(&s);
    s.splits[s.count++] = (split){s.from, 0x1p-48, s.from == 0 && contact_at(&s, 0)};
    s.splits[s.count++] = (split){s.to, 0x1p-48, s.to == 1 && contact_at(&s, 1)};
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
