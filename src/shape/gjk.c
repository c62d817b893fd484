/* The distance of two cores in floating point.
 *   E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A Fast Procedure for Computing the Distance between Complex
 *   Objects in Three-Dimensional Space", IEEE Journal of Robotics and Automation 4 (1988).
 *   G. van den Bergen, "A Fast and Robust GJK Implementation for Collision Detection of Convex Objects", 1999.
 *
 * The search stops by the gap between what it found, a point of the differences (an upper bound of the
 * distance), and what its direction proves (a lower bound). Whatever rounding does to the choice of the simplex,
 * both stay bounds. Where they stay apart the caller asks the integers of shape/decide.h. */
#include "shape/gjk.h"

#include "geom/exact/expansion.h"

void bw_gjk_begin(bw_gjk *g, const bw_convex *a, const bw_convex *b, const bw_shape_cache *cache)
{
    g->a = a;
    g->b = b;
    g->shift = bw_vec3_sub(b->at, a->at);
    g->margin = bw_convex_margin(a, b);
    g->count = 0;
    g->estimate = 0;
    g->lower = -(double)INFINITY;
    g->axis = (bw_vec3){0, 0, 0};
    g->inside = g->apart = false;
    if (cache == NULL || cache->count > 3)
        return;
    for (uint32_t i = 0; i < cache->count; i++) {
        if (cache->a[i] >= a->count || cache->b[i] >= b->count) {
            g->count = 0; /* of another pair */
            return;
        }
        bw_gjk_vertex *v = &g->v[g->count++];
        v->a = cache->a[i];
        v->b = cache->b[i];
        v->w = bw_vec3_sub(bw_convex_offset(a, v->a), bw_vec3_add(bw_convex_offset(b, v->b), g->shift));
    }
}

void bw_gjk_keep(const bw_gjk *g, bw_shape_cache *cache)
{
    cache->count = (uint32_t)(g->count < 4 ? g->count : 3);
    for (uint32_t i = 0; i < cache->count; i++) {
        cache->a[i] = g->v[i].a;
        cache->b[i] = g->v[i].b;
    }
}

/* Where the origin is nearest to a part of the simplex: its vertices and weights. */
typedef struct part {
    int count, i[3];
    double weight[3];
} part;

static part of_vertex(int i)
{
    return (part){1, {i, i, i}, {1, 0, 0}};
}

/* t: where on the way from i to j, as a fraction of two numbers. */
static part of_edge(int i, int j, double numerator, double denominator)
{
    if (!(numerator > 0))
        return of_vertex(i);
    if (!(numerator < denominator))
        return of_vertex(j);
    const double t = numerator / denominator;
    return (part){2, {i, j, j}, {1 - t, t, 0}};
}

static part nearest_on_edge(const bw_gjk *g, int i, int j)
{
    const bw_vec3 a = g->v[i].w, e = bw_vec3_sub(g->v[j].w, a);
    return of_edge(i, j, -bw_vec3_dot(a, e), bw_vec3_dot(e, e));
}

/* C. Ericson, "Real-Time Collision Detection" (2005), section 5.1.5. */
static part nearest_on_triangle(const bw_gjk *g, int i, int j, int k)
{
    const bw_vec3 a = g->v[i].w, b = g->v[j].w, c = g->v[k].w;
    const bw_vec3 ab = bw_vec3_sub(b, a), ac = bw_vec3_sub(c, a);
    const double d1 = -bw_vec3_dot(ab, a), d2 = -bw_vec3_dot(ac, a);
    if (d1 <= 0 && d2 <= 0)
        return of_vertex(i);
    const double d3 = -bw_vec3_dot(ab, b), d4 = -bw_vec3_dot(ac, b);
    if (d3 >= 0 && d4 <= d3)
        return of_vertex(j);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return of_edge(i, j, d1, d1 - d3);
    const double d5 = -bw_vec3_dot(ab, c), d6 = -bw_vec3_dot(ac, c);
    if (d6 >= 0 && d5 <= d6)
        return of_vertex(k);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return of_edge(i, k, d2, d2 - d6);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return of_edge(j, k, d4 - d3, (d4 - d3) + (d5 - d6));
    const double sum = va + vb + vc;
    if (!(sum > 0))
        return of_edge(i, j, d1, d1 - d3);
    const double part_of = 1 / sum;
    return (part){3, {i, j, k}, {va * part_of, vb * part_of, vc * part_of}};
}

static bw_vec3 point_of(const bw_gjk *g, const part *p)
{
    bw_vec3 x = bw_vec3_scale(g->v[p->i[0]].w, p->weight[0]);
    for (int k = 1; k < p->count; k++)
        x = bw_vec3_along(x, g->v[p->i[k]].w, p->weight[k]);
    return x;
}

/* The last vertex is new: the origin is on its side of the other three. False where it is inside of the three faces at
 * the new one, too. */
static bool nearest_on_tetrahedron(const bw_gjk *g, part *best, bw_vec3 *nearest)
{
    static const int next[3] = {1, 2, 0};
    const bw_vec3 o = g->v[3].w;
    const bw_vec3 e[3] = {bw_vec3_sub(g->v[0].w, o), bw_vec3_sub(g->v[1].w, o), bw_vec3_sub(g->v[2].w, o)};
    const bw_vec3 n[3] = {bw_vec3_cross(e[0], e[1]), bw_vec3_cross(e[1], e[2]), bw_vec3_cross(e[2], e[0])};
    const double volume = bw_vec3_dot(n[0], e[2]);
    double least = (double)INFINITY;
    for (int f = 0; f < 3; f++) {
        if (bw_vec3_dot(n[f], o) * volume < 0)
            continue;
        const part p = nearest_on_triangle(g, f, next[f], 3);
        const bw_vec3 x = point_of(g, &p);
        const double distance2 = bw_vec3_dot(x, x);
        if (distance2 < least) {
            least = distance2;
            *best = p;
            *nearest = x;
        }
    }
    return least < (double)INFINITY;
}

/* Reduces the simplex to what the nearest point is made of. False, and nothing changed, where that is not nearer than
 * `before`. */
static bool reduce(bw_gjk *g, double before)
{
    part p;
    bw_vec3 x;
    if (g->count == 4) {
        if (!nearest_on_tetrahedron(g, &p, &x)) {
            g->inside = true;
            g->nearest = (bw_vec3){0, 0, 0};
            g->upper = 0;
            return true;
        }
    } else {
        p = g->count == 1   ? of_vertex(0)
            : g->count == 2 ? nearest_on_edge(g, 0, 1)
                            : nearest_on_triangle(g, 0, 1, 2);
        x = point_of(g, &p);
    }
    const double length = bw_vec3_length(x);
    if (!(length < before))
        return false;
    const bw_gjk_vertex v[3] = {g->v[p.i[0]], g->v[p.i[1]], g->v[p.i[2]]};
    for (int k = 0; k < 3; k++) {
        g->v[k] = v[k];
        g->weight[k] = p.weight[k];
    }
    g->count = p.count;
    g->nearest = x;
    g->upper = length;
    return true;
}

static bool has_vertex(const bw_gjk *g, const bw_gjk_vertex *v)
{
    for (int i = 0; i < g->count; i++)
        if (g->v[i].a == v->a && g->v[i].b == v->b)
            return true;
    return false;
}

void bw_gjk_run(bw_gjk *g, double limit, double enough)
{
    if (g->count == 0) {
        const bool far = g->shift.x != 0 || g->shift.y != 0 || g->shift.z != 0;
        g->v[0] = bw_gjk_support(g, far ? g->shift : (bw_vec3){1, 0, 0});
        g->count = 1;
    }
    reduce(g, (double)INFINITY);
    for (int step = 0; step < BW_GJK_STEPS && !g->inside; step++) {
        if (!(g->upper > g->margin) || g->upper < enough)
            return; /* too near for a direction, or as near as needed */
        const bw_gjk_vertex v = bw_gjk_support(g, bw_vec3_minus(g->nearest));
        const double scale = 1 / g->upper, lower = bw_vec3_dot(g->nearest, v.w) * scale;
        if (lower > g->lower) {
            g->lower = lower;
            g->axis = bw_vec3_scale(g->nearest, scale);
            if (lower > limit + g->margin) {
                g->apart = true;
                return;
            }
        }
        if (g->upper - g->lower <= 0.25 * g->margin || has_vertex(g, &v))
            return;
        g->v[g->count++] = v;
        if (!reduce(g, g->upper)) { /* no nearer: the end of what rounding allows */
            g->count--;
            return;
        }
    }
}

double bw_gjk_depth(const bw_gjk *g)
{
    static const int faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const int opposite[4] = {3, 2, 0, 1};
    double least = (double)INFINITY;
    for (int f = 0; f < 4; f++) {
        const bw_vec3 a = g->v[faces[f][0]].w, u = bw_vec3_sub(g->v[faces[f][1]].w, a),
                      v = bw_vec3_sub(g->v[faces[f][2]].w, a), n = bw_vec3_cross(u, v),
                      other = bw_vec3_sub(g->v[opposite[f]].w, a);
        const double per_length = 1 / bw_vec3_length(n);
        const double origin = -bw_vec3_dot(n, a), beside = bw_vec3_dot(n, other);
        /* Cross products are off by roundings of |u| |v|, at most half the sum of their squares: as in shape/epa.c. */
        const double spread = 0.5 * (bw_vec3_dot(u, u) + bw_vec3_dot(v, v)) * per_length;
        const double error = 16 * BW_ROUNDOFF * (1 + spread);
        const double distance = fabs(origin) * per_length - error * (fabs(a.x) + fabs(a.y) + fabs(a.z));
        /* The origin is on the side of the fourth vertex, and that one off the plane, for certain. */
        const double width =
            fabs(beside) * per_length - 4 * error * (fabs(other.x) + fabs(other.y) + fabs(other.z));
        if (!(width > 0 && origin * beside > 0 && distance > 0))
            return 0;
        least = bw_lesser(least, distance);
    }
    return least;
}

static double volume_of(bw_vec3 a, bw_vec3 b, bw_vec3 c)
{
    return bw_vec3_dot(a, bw_vec3_cross(b, c));
}

bw_vec3 bw_gjk_common_point(const bw_gjk *g)
{
    const bw_vec3 a = g->v[0].w, b = g->v[1].w, c = g->v[2].w, d = g->v[3].w;
    double weight[4] = {volume_of(b, c, d), -volume_of(a, c, d), volume_of(a, b, d), -volume_of(a, b, c)};
    const double turn = (weight[0] + weight[1]) + (weight[2] + weight[3]) < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) /* in a thin one rounding may say outside */
        weight[i] = bw_larger(0, turn * weight[i]);
    const double sum = (weight[0] + weight[1]) + (weight[2] + weight[3]);
    bw_vec3 x = {0, 0, 0};
    for (int i = 0; i < 4; i++) /* of a flat one any */
        x = bw_vec3_along(x, bw_convex_offset(g->a, g->v[i].a), sum > 0 ? weight[i] / sum : 0.25);
    return x;
}

/* a b - c d, to within a squared roundoff of its terms. */
static double product_difference(double a, double b, double c, double d)
{
    double ab_error, cd_error;
    const double ab = bw_two_product(a, b, &ab_error), cd = bw_two_product(c, d, &cd_error);
    return (ab - cd) + (ab_error - cd_error);
}

/* The direction across the simplex, from its edges: accurate where the nearest point is lost in the size of the
 * coordinates that it is a sum of. */
static bw_vec3 direction_across(const bw_gjk *g)
{
    bw_vec3 d = g->v[0].w;
    if (g->count == 3) {
        const bw_vec3 u = bw_vec3_sub(g->v[1].w, g->v[0].w), v = bw_vec3_sub(g->v[2].w, g->v[0].w);
        d = (bw_vec3){product_difference(u.y, v.z, u.z, v.y), product_difference(u.z, v.x, u.x, v.z),
                      product_difference(u.x, v.y, u.y, v.x)};
        d = bw_vec3_dot(d, g->nearest) < 0 ? bw_vec3_minus(d) : d;
    } else if (g->count == 2) {
        const bw_vec3 e = bw_vec3_sub(g->v[1].w, g->v[0].w);
        for (int i = 0; i < 2; i++)
            d = bw_vec3_along(d, e, -bw_vec3_dot(d, e) / bw_vec3_dot(e, e));
    }
    return d;
}

/* Takes what a direction proves. */
static void try_direction(bw_gjk *g, bw_vec3 direction)
{
    const double length = bw_vec3_length(direction);
    const bw_vec3 d = length > 0 ? bw_vec3_scale(direction, 1 / length) : direction;
    const bw_gjk_vertex v = bw_gjk_support(g, bw_vec3_minus(d));
    const double lower = bw_vec3_dot(d, v.w);
    if (lower > g->lower && bw_vec3_dot(d, d) > 0) {
        g->lower = lower;
        g->axis = d;
    }
}

void bw_gjk_refine(bw_gjk *g)
{
    try_direction(g, direction_across(g));
}

/* Moves the nearest point along the edges of the simplex, whose weights are not accurate where it is thin: what of the point is
 * along them is what they are off. False where it comes no nearer. */
static bool correct_weights(bw_gjk *g)
{
    const bw_vec3 u = bw_vec3_sub(g->v[1].w, g->v[0].w), x = g->nearest;
    const double uu = bw_vec3_dot(u, u);
    double t = 0;
    bw_vec3 moved = x;
    if (g->count == 3) {
        const bw_vec3 v = bw_vec3_sub(g->v[2].w, g->v[0].w);
        bw_vec3 across = bw_vec3_along(v, u, -bw_vec3_dot(v, u) / uu);
        across = bw_vec3_along(across, u, -bw_vec3_dot(across, u) / uu);
        t = -bw_vec3_dot(x, across) / bw_vec3_dot(across, across);
        moved = bw_vec3_along(x, v, t);
    }
    const double s = -bw_vec3_dot(moved, u) / uu;
    part p = {.count = g->count, .i = {0, 1, 2}};
    p.weight[1] = g->weight[1] + s;
    p.weight[2] = g->count == 3 ? g->weight[2] + t : 0;
    p.weight[0] = 1 - (p.weight[1] + p.weight[2]);
    if (!(p.weight[0] >= 0 && p.weight[1] >= 0 && p.weight[2] >= 0))
        return false;
    moved = point_of(g, &p);
    const double length = bw_vec3_length(moved);
    if (!(length < g->upper))
        return false;
    for (int i = 0; i < 3; i++)
        g->weight[i] = p.weight[i];
    g->nearest = moved;
    g->upper = length;
    return true;
}

/* The nearest point of a simplex, by all its parts: in a thin one reduce() may leave out the wrong vertex. */
static void reduce_thin(bw_gjk *g)
{
    static const int parts[7][3] = {{0}, {1}, {2}, {0, 1}, {1, 2}, {2, 0}, {0, 1, 2}};
    static const int counts[7] = {1, 1, 1, 2, 2, 2, 3};
    const bw_gjk all = *g;
    g->upper = (double)INFINITY;
    for (int n = 0; n < 7; n++) {
        bw_gjk one = all;
        bool inside = true;
        one.count = counts[n];
        for (int k = 0; k < one.count; k++) {
            inside = inside && parts[n][k] < all.count;
            one.v[k] = all.v[parts[n][k]];
            one.weight[k] = k == 0 ? 1 : 0;
        }
        if (!inside)
            continue;
        one.nearest = one.v[0].w;
        one.upper = bw_vec3_length(one.nearest);
        for (int i = 0; i < 3 && one.count > 1 && correct_weights(&one); i++)
            continue;
        if (one.upper < g->upper)
            *g = one;
    }
}

void bw_gjk_settle(bw_gjk *g, bw_vec3 direction)
{
    reduce_thin(g);
    bw_gjk_refine(g);
    try_direction(g, direction); /* a simplex a billion times as long as it is far away tells it no more */
    /* The vertices are those of the nearest points: what is along the direction across them is the distance, also
     * where weights in a thin triangle are not accurate. */
    if (g->lower > 0 && g->lower < g->upper)
        g->estimate = bw_larger(g->lower, bw_vec3_dot(g->axis, g->v[0].w));
}

void bw_gjk_gap(const bw_gjk *g, bw_gap *out)
{
    bw_vec3 on_a = {0, 0, 0};
    for (int k = 0; k < g->count; k++)
        on_a = bw_vec3_along(on_a, bw_convex_offset(g->a, g->v[k].a), g->weight[k]);
    *out = (bw_gap){.lower = g->lower,
                    .upper = g->upper,
                    .estimate = g->estimate,
                    .normal = bw_vec3_minus(g->axis),
                    .on_a = on_a,
                    .on_b = bw_vec3_sub(on_a, g->nearest),
                    .witness = true};
}
