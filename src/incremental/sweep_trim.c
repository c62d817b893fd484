/* When two triangles that move on straight lines may touch: directions that keep them apart.
 *
 * Along a fixed direction, the gap between two triangles is the least of linear functions (the corners of
 * one) less the greatest of others: concave in time. So it is at least what the straight line between its
 * values at both ends of a time says, and where that is positive they are apart. */
#include "incremental/sweep.h"

#include "geom/vec.h"

#include <math.h>

typedef struct shot {
    bw_vec3 p[3];
} shot;

static shot shot_at(const bw_vec3 ends[2][3], double s)
{
    shot out;
    for (int i = 0; i < 3; i++)
        out.p[i] = bw_vec3_add(bw_vec3_scale(ends[0][i], 1 - s), bw_vec3_scale(ends[1][i], s));
    return out;
}

static bw_vec3 normal(const shot *t)
{
    return bw_vec3_cross(bw_vec3_sub(t->p[1], t->p[0]), bw_vec3_sub(t->p[2], t->p[0]));
}

/* How far b is above a along a direction, or, with the sign that the other end asks for, below. */
static void gaps(const shot *a, const shot *b, bw_vec3 n, double *above, double *below)
{
    double a_low = INFINITY, a_high = -INFINITY, b_low = INFINITY, b_high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double x = bw_vec3_dot(n, a->p[i]), y = bw_vec3_dot(n, b->p[i]);
        a_low = x < a_low ? x : a_low;
        a_high = x > a_high ? x : a_high;
        b_low = y < b_low ? y : b_low;
        b_high = y > b_high ? y : b_high;
    }
    *above = b_low - a_high;
    *below = a_low - b_high;
}

typedef struct window {
    double from, to;
    shot a[2], b[2]; /* at from and to */
} window;

static void look(const bw_vec3 a[2][3], const bw_vec3 b[2][3], window *w)
{
    w->a[0] = shot_at(a, w->from);
    w->a[1] = shot_at(a, w->to);
    w->b[0] = shot_at(b, w->from);
    w->b[1] = shot_at(b, w->to);
}

/* Takes off what a direction proves; true: all of it. */
static bool cut(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack, bw_vec3 n, window *w)
{
    double margin = slack * (fabs(n.x) + fabs(n.y) + fabs(n.z)), above[2], below[2];
    gaps(&w->a[0], &w->b[0], n, &above[0], &below[0]);
    gaps(&w->a[1], &w->b[1], n, &above[1], &below[1]);
    const double *gap = above[0] + above[1] > below[0] + below[1] ? above : below;
    double first = gap[0] - margin, last = gap[1] - margin;
    if (first > 0 && last > 0)
        return true;
    if (!(first > 0 || last > 0))
        return false;
    double change = w->from + (w->to - w->from) * (first / (first - last));
    if (first > 0)
        w->from = fmax(w->from, change - 0x1p-20);
    else
        w->to = fmin(w->to, change + 0x1p-20);
    look(a, b, w);
    return false;
}

/* Of the directions that can separate two triangles, normals and products of edges, the one that does so
 * farthest; false where none does. */
static bool best_direction(const shot *a, const shot *b, bw_vec3 *out)
{
    bw_vec3 edge_a[3], edge_b[3], n;
    double best = 0;
    for (int i = 0; i < 3; i++) {
        edge_a[i] = bw_vec3_sub(a->p[(i + 1) % 3], a->p[i]);
        edge_b[i] = bw_vec3_sub(b->p[(i + 1) % 3], b->p[i]);
    }
    for (int i = 0; i < 11; i++) {
        n = i == 9    ? bw_vec3_cross(edge_a[0], edge_a[1])
            : i == 10 ? bw_vec3_cross(edge_b[0], edge_b[1])
                      : bw_vec3_cross(edge_a[i / 3], edge_b[i % 3]);
        double above, below;
        gaps(a, b, n, &above, &below);
        double gap = above > below ? above : below;
        if (!(gap > 0))
            continue;
        double far = gap * gap / bw_vec3_dot(n, n); /* positive: the gap is */
        if (far > best) {
            best = far;
            *out = n;
        }
    }
    return best > 0;
}

/* Below this part of the span it is not worth dividing. */
#define SHORT (1.0 / 64)

static bool trim(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack, int depth, double *from,
                 double *to)
{
    window w = {.from = *from, .to = *to};
    look(a, b, &w);
    double half = 0.5 * (w.from + w.to);
    shot mid_a = shot_at(a, half), mid_b = shot_at(b, half);
    if (cut(a, b, slack, normal(&mid_a), &w) || cut(a, b, slack, normal(&mid_b), &w))
        return false;
    half = 0.5 * (w.from + w.to);
    mid_a = shot_at(a, half);
    mid_b = shot_at(b, half);
    bw_vec3 n;
    bool apart = best_direction(&mid_a, &mid_b, &n);
    if (apart && cut(a, b, slack, n, &w))
        return false;
    /* Dividing pays where much may be proven: not for triangles that meet in the middle. */
    if (apart && depth > 0 && w.to - w.from > SHORT) {
        half = 0.5 * (w.from + w.to);
        double first[2] = {w.from, half}, second[2] = {half, w.to};
        bool early = trim(a, b, slack, depth - 1, &first[0], &first[1]);
        bool late = trim(a, b, slack, depth - 1, &second[0], &second[1]);
        if (!early && !late)
            return false;
        w.from = early ? first[0] : second[0];
        w.to = late ? second[1] : first[1];
    }
    *from = w.from;
    *to = w.to;
    return true;
}

bool bw_sweep_trim(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack, double *from, double *to)
{
    return trim(a, b, slack, 2, from, to);
}

/* The corners that are not shared stand strictly on different sides of a plane through the shared one, at
 * both ends: then they do in between, and nothing but that corner is common. */
static bool corner_apart(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack, bw_vec3 n)
{
    double margin = 2 * slack * (fabs(n.x) + fabs(n.y) + fabs(n.z)), least = INFINITY, most = -INFINITY;
    for (int end = 0; end < 2; end++)
        for (int i = 1; i < 3; i++) {
            double x = bw_vec3_dot(n, bw_vec3_sub(a[end][i], a[end][0]));
            double y = bw_vec3_dot(n, bw_vec3_sub(b[end][i], b[end][0]));
            most = fmax(most, x);
            least = fmin(least, y);
        }
    return most < -margin && least > margin;
}

bool bw_sweep_trim_corner(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack)
{
    shot mid_a = shot_at(a, 0.5), mid_b = shot_at(b, 0.5);
    bw_vec3 out_a = bw_vec3_sub(bw_vec3_add(mid_a.p[1], mid_a.p[2]), bw_vec3_scale(mid_a.p[0], 2));
    bw_vec3 out_b = bw_vec3_sub(bw_vec3_add(mid_b.p[1], mid_b.p[2]), bw_vec3_scale(mid_b.p[0], 2));
    double la = sqrt(bw_vec3_dot(out_a, out_a)), lb = sqrt(bw_vec3_dot(out_b, out_b));
    bw_vec3 n = bw_vec3_sub(bw_vec3_scale(out_b, la), bw_vec3_scale(out_a, lb)); /* across the middle */
    return !corner_apart(a, b, slack, n);
}

/* Sums of products of linear functions of time, as Bernstein coefficients: those of a quartic. excess: how
 * much more the products of magnitudes could be if every factor were off by slack. */
typedef struct quartic {
    double sum[5], excess[5], slack;
} quartic;

static void add_product(quartic *to, const double p[2], const double q[2], const double r[2],
                        const double s[2], double sign)
{
    static const double choose[5] = {1, 4, 6, 4, 1};
    for (int i = 0; i < 16; i++) {
        double x[4] = {p[i & 1], q[i >> 1 & 1], r[i >> 2 & 1], s[i >> 3 & 1]}, size = 1, most = 1;
        int degree = (i & 1) + (i >> 1 & 1) + (i >> 2 & 1) + (i >> 3 & 1);
        for (int k = 0; k < 4; k++) {
            size *= fabs(x[k]);
            most *= fabs(x[k]) + to->slack;
        }
        to->sum[degree] += sign * (x[0] * x[1] * x[2] * x[3]) / choose[degree];
        to->excess[degree] += (most - size + 0x1p-40 * most) / choose[degree];
    }
}

/* Two triangles on an edge fold onto each other only where their heights over it point the same way. Their
 * product, (a . b)(e . e) - (a . e)(b . e), is a quartic in time: negative coefficients prove that they never
 * do. */
bool bw_sweep_trim_edge(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack)
{
    double e[3][2], x[3][2], y[3][2];
    quartic heights = {.slack = slack};
    for (int end = 0; end < 2; end++) {
        bw_vec3 edge = bw_vec3_sub(a[end][1], a[end][0]), apex_a = bw_vec3_sub(a[end][2], a[end][0]);
        bw_vec3 apex_b = bw_vec3_sub(b[end][2], b[end][0]);
        for (int k = 0; k < 3; k++) {
            e[k][end] = bw_vec3_at(&edge, k);
            x[k][end] = bw_vec3_at(&apex_a, k);
            y[k][end] = bw_vec3_at(&apex_b, k);
        }
    }
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            add_product(&heights, x[j], y[j], e[k], e[k], 1);
            add_product(&heights, x[j], e[j], y[k], e[k], -1);
        }
    for (int i = 0; i < 5; i++)
        if (!(heights.sum[i] < -heights.excess[i]))
            return true;
    return false;
}
