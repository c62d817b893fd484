/* The times of contact of two triangles, in doubles where these can tell.
 *
 * Fifteen volumes are found as polynomials in time, with bounds on what rounding does to them, and so are
 * their roots. Only a root at which a corner is near a face, or an edge near an edge, can begin or end a
 * contact. Between two of those the signs of all volumes at some time decide, if they are certain. If they
 * are not, or if triangles that are apart before and after a root may touch there, integers decide
 * (exact/contact_times.h). */
#include "timeline/contact_intervals.h"

#include "geom/vec.h"
#include "timeline/exact/contact_times.h"
#include "timeline/exact/decide.h"
#include "timeline/exact/neighbours.h"
#include "timeline/roots.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Where contact may begin or end. */
typedef struct split {
    double at, error;
    bool touch; /* features may touch here, as near as can be told */
} split;

enum { SPLITS = BW_PAIR_VOLUMES * BW_ROOTS + 2 };

typedef struct search {
    const bw_moving_triangles *pair;
    double from, to;
    bw_poly volume[BW_PAIR_VOLUMES]; /* as decide.h numbers them */
    split splits[SPLITS];
    uint32_t count;
    double speed; /* of the fastest corner */
    double time;  /* at which signs are taken */
    bool open;    /* one was not certain */
} search;

/* ---- points that move ---- */

/* The sum of c[k] t^k. */
typedef struct path {
    bw_vec3 c[4];
} path;

static path path_of(const bw_moving_triangles *pair, int corner)
{
    const bw_vec3(*curves)[4] = corner < 3 ? pair->curves_a : pair->curves_b;
    const bw_vec3(*ends)[3] = corner < 3 ? pair->a : pair->b;
    int i = corner % 3;
    path out = {{{0, 0, 0}}};
    if (curves != NULL) {
        memcpy(out.c, curves[i], sizeof out.c);
    } else {
        out.c[0] = ends[0][i];
        out.c[1] = bw_vec3_sub(ends[1][i], ends[0][i]);
    }
    return out;
}

static bw_vec3 path_at(const path *at, double t)
{
    bw_vec3 p = at->c[3];
    for (int k = 3; k-- > 0;)
        p = bw_vec3_add(at->c[k], bw_vec3_scale(p, t));
    return p;
}

static double size(bw_vec3 u)
{
    return fabs(u.x) + fabs(u.y) + fabs(u.z);
}

/* How long the vector of two of them may be, in the sum of its coordinates. */
static path between_paths(const path *from, const path *to, double *length)
{
    path d;
    *length = 0;
    for (int k = 0; k < 4; k++) {
        d.c[k] = bw_vec3_sub(to->c[k], from->c[k]);
        *length += size(d.c[k]);
    }
    return d;
}

static double fastest(const path paths[BW_PAIR_CORNERS])
{
    double most = 0;
    for (int i = 0; i < BW_PAIR_CORNERS; i++) {
        double speed = 0;
        for (int k = 1; k < 4; k++)
            speed += k * size(paths[i].c[k]);
        most = fmax(most, speed);
    }
    return most;
}

/* ---- volumes ---- */

static bw_poly volume_of(const search *s, const path p[4])
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
        if (bw_vec3_dot(bw_vec3_cross(e, bw_vec3_sub(v, f[i])), n) < -tolerance * longest * sqrt(area))
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
    double x = bw_vec3_dot(bw_vec3_cross(r, e), n) / nn, y = bw_vec3_dot(bw_vec3_cross(r, d), n) / nn;
    return x >= -tolerance && x <= 1 + tolerance && y >= -tolerance && y <= 1 + tolerance;
}

/* Looser than what may be a contact, so that nothing is lost: a place too many costs a test. */
#define LOOSE 1e-4
#define TOUCH 1e-9

/* Corners of a volume with a face: the last is the corner. */
static bool near_each_other(const bw_vec3 x[4], bool face, double tolerance)
{
    return face ? in_face(x[3], x, tolerance) : edges_meet(x, x + 2, tolerance);
}

/* The places where a corner may pass through a face, or an edge through an edge. False: the volume is as good
 * as zero all the time. */
static bool search_volume(search *s, int volume, const path paths[BW_PAIR_CORNERS])
{
    path p[4];
    for (int i = 0; i < 4; i++)
        p[i] = paths[bw_pair_volumes_of[BW_PAIR_APART].volume[volume][i]];
    const bool face = volume < 6;
    bw_poly *v = &s->volume[volume];
    *v = volume_of(s, p);
    double at[BW_ROOTS];
    uint32_t count;
    if (!bw_poly_roots(v, s->from, s->to, at, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 x[4];
        for (int k = 0; k < 4; k++)
            x[k] = path_at(&p[k], at[i]);
        double error = bw_poly_reach(v, at[i]),
               near = size(bw_vec3_sub(x[1], x[0])) + size(bw_vec3_sub(x[3], x[2]));
        double tolerance = TOUCH + (near > 0 ? 4 * (error * s->speed + s->pair->error) / near : 1);
        assert(s->count < SPLITS - 2);
        if (near_each_other(x, face, LOOSE + tolerance))
            s->splits[s->count++] = (split){at[i], error, near_each_other(x, face, tolerance)};
    }
    return true;
}

/* ---- deciding ---- */

static int volume_sign(void *context, int i)
{
    search *s = context;
    double value = bw_poly_at(&s->volume[i], s->time);
    int sign = fabs(value) > 2 * s->volume[i].error ? (value > 0) - (value < 0) : 0;
    s->open = s->open || sign == 0;
    return sign;
}

/* Whether some sign is open is seen before any of these matters. */
static int no_area(void *context, int p, int q, int r, int axis)
{
    (void)context, (void)p, (void)q, (void)r, (void)axis;
    return 0;
}

static int no_order(void *context, int p, int q, int axis)
{
    (void)context, (void)p, (void)q, (void)axis;
    return 0;
}

/* Contact at a time. False too, and s->open, where a sign is not certain. */
static bool contact_at(search *s, double t)
{
    s->time = t;
    bool contact = bw_decide_triangles(&(bw_sign_source){volume_sign, no_area, no_order, s});
    return contact && !s->open;
}

/* A time well between two. */
static double between(double low, double high)
{
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

/* False: doubles cannot tell. */
static bool spans_in_doubles(search *s, bw_contact_span out[BW_SPANS], uint32_t *count)
{
    path paths[BW_PAIR_CORNERS];
    for (int i = 0; i < BW_PAIR_CORNERS; i++)
        paths[i] = path_of(s->pair, i);
    s->speed = fastest(paths);
    for (int i = 0; i < BW_PAIR_VOLUMES; i++)
        if (!search_volume(s, i, paths))
            return false;
    s->splits[s->count++] = (split){s->from, 0x1p-48, s->from == 0};
    s->splits[s->count++] = (split){s->to, 0x1p-48, s->to == 1};
    sort_splits(s);
    join_splits(s);
    bool before = false; /* in contact up to this place */
    *count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const split *p = &s->splits[i];
        bool after = i + 1 < s->count && contact_at(s, between(p->at, p[1].at));
        bool here = before || after;
        /* At an end of the time contact is seen as anywhere between roots, if no root is near. */
        if (!here && p->touch && !s->open)
            here = contact_at(s, p->at);
        if (s->open || (!here && p->touch && i > 0 && i + 1 < s->count))
            return false;
        if (!before && here)
            out[(*count)++] = (bw_contact_span){fmax(p->at - p->error, 0), 1, !after};
        if (here && !after)
            out[*count - 1].to = fmin(p->at + p->error, 1);
        before = after;
    }
    return true;
}

uint32_t bw_contact_spans(const bw_moving_triangles *pair, double from, double to,
                          bw_contact_span out[BW_SPANS])
{
    if (pair->vertices_a != NULL)
        return bw_neighbour_spans(pair, out);
    search s;
    s.pair = pair;
    s.from = fmax(from, 0);
    s.to = fmin(to, 1);
    s.count = 0;
    s.open = false;
    if (!(s.from <= s.to))
        return 0;
    uint32_t count;
    static const uint8_t corners[BW_PAIR_CORNERS] = {0, 1, 2, 3, 4, 5};
    return spans_in_doubles(&s, out, &count) ? count
                                             : bw_exact_contact_times(pair, BW_PAIR_APART, corners, out);
}
