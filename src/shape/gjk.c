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
        *v = (bw_gjk_vertex){.on_a = bw_convex_offset(a, cache->a[i]), .a = cache->a[i], .b = cache->b[i]};
        v->w = bw_vec3_sub(v->on_a, bw_vec3_add(bw_convex_offset(b, cache->b[i]), g->shift));
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

/* Keeps the vertices i, j, k (those below count), with their weights. */
static void keep(bw_gjk *g, int count, int i, int j, int k, double wi, double wj, double wk)
{
    const bw_gjk_vertex vi = g->v[i], vj = g->v[j], vk = g->v[k];
    g->v[0] = vi;
    g->v[0].weight = wi;
    if (count > 1) {
        g->v[1] = vj;
        g->v[1].weight = wj;
    }
    if (count > 2) {
        g->v[2] = vk;
        g->v[2].weight = wk;
    }
    g->count = count;
}

/* Where the origin is nearest to a part of the simplex: its vertices and weights. */
typedef struct part {
    int count, i[3];
    double weight[3];
    double distance2;
} part;

static double finish(const bw_gjk *g, part *p)
{
    bw_vec3 x = {0, 0, 0};
    for (int k = 0; k < p->count; k++)
        x = bw_vec3_along(x, g->v[p->i[k]].w, p->weight[k]);
    return p->distance2 = bw_vec3_dot(x, x);
}

static part of_vertex(int i)
{
    return (part){1, {i, i, i}, {1, 0, 0}, 0};
}

/* t: where on the way from i to j, as a fraction of two numbers. */
static part of_edge(int i, int j, double numerator, double denominator)
{
    if (!(numerator > 0))
        return of_vertex(i);
    if (!(numerator < denominator))
        return of_vertex(j);
    const double t = numerator / denominator;
    return (part){2, {i, j, j}, {1 - t, t, 0}, 0};
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
    return (part){3, {i, j, k}, {va / sum, vb / sum, vc / sum}, 0};
}

static void take_part(bw_gjk *g, const part *p)
{
    keep(g, p->count, p->i[0], p->i[1], p->i[2], p->weight[0], p->weight[1], p->weight[2]);
}

/* The faces that the origin is outside of; none: it is inside. */
static bool nearest_on_tetrahedron(const bw_gjk *g, part *best)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    bool outside = false;
    best->distance2 = (double)INFINITY;
    for (int f = 0; f < 4; f++) {
        const int i = face[f][0], j = face[f][1], k = face[f][2];
        const bw_vec3 a = g->v[i].w;
        const bw_vec3 n = bw_vec3_cross(bw_vec3_sub(g->v[j].w, a), bw_vec3_sub(g->v[k].w, a));
        const double other = bw_vec3_dot(n, bw_vec3_sub(g->v[face[f][3]].w, a)), origin = -bw_vec3_dot(n, a);
        if (other * origin > 0)
            continue;
        part p = nearest_on_triangle(g, i, j, k);
        outside = true;
        if (finish(g, &p) < best->distance2)
            *best = p;
    }
    return outside;
}

/* Reduces the simplex to what the nearest point is made of. */
static void reduce(bw_gjk *g)
{
    part p;
    if (g->count == 1)
        p = of_vertex(0);
    else if (g->count == 2)
        p = nearest_on_edge(g, 0, 1);
    else if (g->count == 3)
        p = nearest_on_triangle(g, 0, 1, 2);
    else if (!nearest_on_tetrahedron(g, &p)) {
        g->inside = true;
        g->nearest = (bw_vec3){0, 0, 0};
        g->upper = 0;
        return;
    }
    take_part(g, &p);
    bw_vec3 x = {0, 0, 0};
    for (int k = 0; k < g->count; k++)
        x = bw_vec3_along(x, g->v[k].w, g->v[k].weight);
    g->nearest = x;
    g->upper = bw_vec3_length(x);
}

static bool has_vertex(const bw_gjk *g, const bw_gjk_vertex *v)
{
    for (int i = 0; i < g->count; i++)
        if (g->v[i].a == v->a && g->v[i].b == v->b)
            return true;
    return false;
}

void bw_gjk_run(bw_gjk *g, double limit)
{
    if (g->count == 0) {
        const bool far = g->shift.x != 0 || g->shift.y != 0 || g->shift.z != 0;
        g->v[0] = bw_gjk_support(g, far ? g->shift : (bw_vec3){1, 0, 0});
        g->count = 1;
    }
    reduce(g);
    for (int step = 0; step < BW_GJK_STEPS && !g->inside; step++) {
        if (!(g->upper > g->margin))
            return; /* too near for a direction */
        const bw_gjk_vertex v = bw_gjk_support(g, bw_vec3_minus(g->nearest));
        const double lower = bw_vec3_dot(g->nearest, v.w) / g->upper;
        if (lower > g->lower) {
            g->lower = lower;
            g->axis = bw_vec3_scale(g->nearest, 1 / g->upper);
            if (lower > limit + g->margin) {
                g->apart = true;
                return;
            }
        }
        if (g->upper - g->lower <= 0.25 * g->margin || has_vertex(g, &v))
            return;
        const bw_gjk_vertex kept[3] = {g->v[0], g->v[1], g->v[2]};
        const int count = g->count;
        const double upper = g->upper;
        const bw_vec3 nearest = g->nearest;
        g->v[g->count++] = v;
        reduce(g);
        if (!g->inside && !(g->upper < upper)) { /* no nearer: the end of what rounding allows */
            for (int i = 0; i < 3; i++)
                g->v[i] = kept[i];
            g->count = count;
            g->upper = upper;
            g->nearest = nearest;
            return;
        }
    }
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
    const double length = bw_vec3_length(d);
    return length > 0 ? bw_vec3_scale(d, 1 / length) : d;
}

void bw_gjk_refine(bw_gjk *g)
{
    const bw_vec3 d = direction_across(g);
    const bw_gjk_vertex v = bw_gjk_support(g, bw_vec3_minus(d));
    const double lower = bw_vec3_dot(d, v.w);
    if (lower > g->lower && bw_vec3_dot(d, d) > 0) {
        g->lower = lower;
        g->axis = d;
    }
}

void bw_gjk_settle(bw_gjk *g)
{
    reduce(g);
    bw_gjk_refine(g);
    /* The vertices are those of the nearest points: what is along the direction across them is the distance, also
     * where weights in a thin triangle are not accurate. */
    if (g->lower > 0 && g->lower < g->upper)
        g->estimate = bw_larger(g->lower, bw_vec3_dot(g->axis, g->v[0].w));
}

void bw_gjk_gap(const bw_gjk *g, bw_gap *out)
{
    bw_vec3 on_a = {0, 0, 0};
    for (int k = 0; k < g->count; k++)
        on_a = bw_vec3_along(on_a, g->v[k].on_a, g->v[k].weight);
    *out = (bw_gap){.lower = g->lower,
                    .upper = g->upper,
                    .estimate = g->estimate,
                    .normal = bw_vec3_minus(g->axis),
                    .on_a = on_a,
                    .on_b = bw_vec3_sub(on_a, g->nearest),
                    .witness = true};
}
