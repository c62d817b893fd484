/* The nearest of a few facets of the difference of two solids, in double. What floats left may hold pairs of edges that are no facets:
 * these are told apart where it matters. docs/lab/shapes.md derives the errors. */
#include "shape/axes/axes.h"

const uint8_t bw_box_edges[4 * BW_BOX_EDGE_ROWS] = {
    0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 3, 5, 7, 2, 3, 6, 7, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    3, 2, 3, 2, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    5, 5, 4, 4, 5, 5, 4, 4, 3, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static bw_hull_edge edge_of(const bw_convex *c, uint32_t i)
{
    if (c->core == BW_CORE_HULL)
        return c->hull->map.edge[i];
    const uint8_t *e = bw_box_edges + i;
    return (bw_hull_edge){e[0], e[BW_BOX_EDGE_ROWS], e[2 * BW_BOX_EDGE_ROWS], e[3 * BW_BOX_EDGE_ROWS]};
}

static bw_vec3 turned(const double m[3][4], bw_vec3 v)
{
    return (bw_vec3){(m[0][0] * v.x + m[0][1] * v.y) + m[0][2] * v.z,
                     (m[1][0] * v.x + m[1][1] * v.y) + m[1][2] * v.z,
                     (m[2][0] * v.x + m[2][1] * v.y) + m[2][2] * v.z};
}

/* What is seldom run keeps no registers from what is. */
#if defined(__GNUC__)
#    define BW_NOINLINE __attribute__((noinline))
#else
#    define BW_NOINLINE
#endif

/* Of a pose that is a rotation only to 1e-9: by its minors, which map normals whatever it is. */
static BW_NOINLINE bw_vec3 by_minors(const double m[3][4], bw_vec3 v)
{
    const bw_vec3 x = {m[0][0], m[1][0], m[2][0]}, y = {m[0][1], m[1][1], m[2][1]},
                  z = {m[0][2], m[1][2], m[2][2]};
    const bw_vec3 n =
        bw_vec3_along(bw_vec3_along(bw_vec3_scale(bw_vec3_cross(y, z), v.x), bw_vec3_cross(z, x), v.y),
                      bw_vec3_cross(x, y), v.z);
    return bw_vec3_scale(n, 1 / bw_vec3_length(n));
}

/* Outward, of length 1. */
static bw_vec3 normal_of(const bw_convex *c, uint32_t f)
{
    static const bw_vec3 box[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const bw_vec3 n = c->core == BW_CORE_BOX ? box[f] : c->hull->map.normal[f];
    return c->orthogonal ? turned(c->pose->m, n) : by_minors(c->pose->m, n);
}

static uint32_t vertex_of(const bw_convex *c, uint32_t f)
{
    static const uint8_t box[6] = {1, 0, 2, 0, 4, 0};
    return c->core == BW_CORE_BOX ? box[f] : c->hull->map.vertex[f];
}

static uint32_t face_of(const bw_convex *c, uint32_t f)
{
    return c->core == BW_CORE_BOX ? 0 : c->hull->map.face[f];
}

static bw_vec3 difference(const bw_gjk *g, bw_vec3 on_a, bw_vec3 on_b)
{
    return bw_vec3_sub(on_a, bw_vec3_add(on_b, g->shift));
}

bw_axes_level bw_axes_take_face(const bw_gjk *g, const bw_facet *c, bw_axes_answer *best)
{
    bw_axes_level out;
    bw_vec3 n, on_a, on_b;
    uint32_t a, b;
    if (c->kind == BW_FACET_A) {
        n = normal_of(g->a, c->i);
        a = vertex_of(g->a, c->i);
        on_a = bw_convex_offset(g->a, a);
        on_b = bw_convex_support(g->b, bw_vec3_minus(n), &b);
        out = (bw_axes_level){g->b, bw_vec3_minus(n), -bw_vec3_dot(n, on_b) - 0.5 * g->margin};
    } else {
        n = bw_vec3_minus(normal_of(g->b, c->i));
        b = vertex_of(g->b, c->i);
        on_b = bw_convex_offset(g->b, b);
        on_a = bw_convex_support(g->a, n, &a);
        out = (bw_axes_level){g->a, n, bw_vec3_dot(n, on_a) - 0.5 * g->margin};
    }
    const double depth = bw_vec3_dot(n, difference(g, on_a, on_b)), error = g->margin;
    best->proven = bw_lesser(best->proven, depth - error);
    if (depth >= best->depth)
        return out;
    best->normal = n;
    best->depth = depth;
    best->error = error;
    best->of = c;
    best->a = a;
    best->b = b;
    best->face_a = c->kind == BW_FACET_A ? 1 + face_of(g->a, c->i) : 0;
    best->face_b = c->kind == BW_FACET_B ? 1 + face_of(g->b, c->i) : 0;
    return out;
}

bool bw_axes_reaches(const bw_axes_level *level, uint32_t vertex)
{
    return bw_vec3_dot(level->direction, bw_convex_offset(level->core, vertex)) >= level->least;
}

static double size_of(bw_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

/* Whether a direction across both edges is between the normals of one: 1, 0, or -1 where rounding leaves it open. */
static int is_between(bw_vec3 n, bw_vec3 first, bw_vec3 second, bw_vec3 other_edge)
{
    const double s = bw_vec3_dot(first, other_edge), t = bw_vec3_dot(second, other_edge),
                 side = bw_vec3_dot(n, bw_vec3_add(first, second)), noise = 0x1p-40 * size_of(other_edge);
    if (side < -0x1p-40 || bw_lesser(s, t) > noise || bw_larger(s, t) < -noise)
        return 0;
    return side > 0x1p-40 && bw_lesser(s, t) < -noise && bw_larger(s, t) > noise ? 1 : -1;
}

/* Where an edge goes. */
static bw_vec3 edge_vector(const bw_convex *c, bw_hull_edge e)
{
    if (c->core == BW_CORE_BOX)
        return bw_vec3_scale(c->edge[(e.from ^ e.to) >> 1], 2);
    return turned(c->pose->m, bw_vec3_sub(c->hull->vertices[e.to], c->hull->vertices[e.from]));
}

/* The one of two faces that looks more along a direction. */
static uint32_t nearer_face(const bw_convex *c, bw_vec3 n, bw_hull_edge e, bw_vec3 first, bw_vec3 second)
{
    return 1 + face_of(c, bw_vec3_dot(n, second) > bw_vec3_dot(n, first) ? e.second : e.first);
}

/* Takes a pair of edges into account. False where nobody knows whether it is a facet. */
static bool take_edges(const bw_gjk *g, const bw_facet *c, bw_axes_answer *best)
{
    const bw_hull_edge i = edge_of(g->a, c->i), j = edge_of(g->b, c->j);
    const bw_vec3 u = edge_vector(g->a, i), v = edge_vector(g->b, j), cross = bw_vec3_cross(u, v);
    const bw_vec3 w = difference(g, bw_convex_offset(g->a, i.from), bw_convex_offset(g->b, j.from));
    const double n2 = bw_vec3_dot(cross, cross), uv = bw_vec3_dot(u, u) * bw_vec3_dot(v, v);
    if (!(n2 > 0x1p-96 * uv)) { /* parallel: a face is as near, but for the sine */
        best->loss = 2 * g->margin;
        return true;
    }
    const bw_vec3 a0 = normal_of(g->a, i.first), a1 = normal_of(g->a, i.second);
    const double inverse = (bw_vec3_dot(cross, bw_vec3_add(a0, a1)) < 0 ? -1 : 1) / sqrt(n2);
    const bw_vec3 n = bw_vec3_scale(cross, inverse);
    const double depth = bw_vec3_dot(n, w);
    const double error = 0x1p-49 * sqrt(uv * bw_vec3_dot(w, w)) * fabs(inverse) + 0.25 * g->margin;
    if (depth - error >= best->depth - 4 * g->margin) {
        best->proven = bw_lesser(best->proven, depth - error);
        return true;
    }
    const bw_vec3 b0 = normal_of(g->b, j.first), b1 = normal_of(g->b, j.second), back = bw_vec3_minus(n);
    const int on_a = is_between(n, a0, a1, v), on_b = is_between(back, b0, b1, u);
    if (on_a == 0 || on_b == 0)
        return true;
    best->normal = n;
    best->depth = depth;
    best->error = error;
    best->proven = bw_lesser(best->proven, depth - error);
    best->of = c;
    best->a = i.from;
    best->b = j.from;
    best->face_a = nearer_face(g->a, n, i, a0, a1);
    best->face_b = nearer_face(g->b, back, j, b0, b1);
    return on_a > 0 && on_b > 0 && error <= 16 * g->margin;
}

/* The nearest points: of two edges where they cross as seen along the normal, of a face below the vertex that is found. */
static void find_points(const bw_gjk *g, const bw_axes_answer *f, bw_gap *out)
{
    out->witness = true;
    if (f->of->kind == BW_FACET_A) {
        out->on_b = bw_vec3_add(bw_convex_offset(g->b, f->b), g->shift);
        out->on_a = bw_vec3_along(out->on_b, f->normal, f->depth);
        out->rough = true;
        return;
    }
    if (f->of->kind == BW_FACET_B) {
        out->on_a = bw_convex_offset(g->a, f->a);
        out->on_b = bw_vec3_along(out->on_a, f->normal, -f->depth);
        out->rough = true;
        return;
    }
    const bw_hull_edge i = edge_of(g->a, f->of->i), j = edge_of(g->b, f->of->j);
    const bw_vec3 p = bw_convex_offset(g->a, i.from), u = edge_vector(g->a, i);
    const bw_vec3 q = bw_vec3_add(bw_convex_offset(g->b, j.from), g->shift), v = edge_vector(g->b, j);
    const bw_vec3 d = bw_vec3_sub(q, p), across = bw_vec3_cross(v, f->normal),
                  beside = bw_vec3_cross(u, f->normal);
    const double inverse = 1 / bw_vec3_dot(u, across), s = bw_vec3_dot(d, across) * inverse,
                 t = bw_vec3_dot(d, beside) * inverse;
    out->on_a = bw_vec3_along(p, u, s);
    out->on_b = bw_vec3_along(out->on_a, f->normal, -f->depth);
    out->rough = !(s >= -0x1p-30 && s <= 1 + 0x1p-30 && t >= -0x1p-30 && t <= 1 + 0x1p-30);
}

/* For the cache: three vertices of the facet, or one. */
static void keep_vertices(bw_gjk *g, const bw_axes_answer *f)
{
    g->count = f->of->kind == BW_FACET_EDGES ? 3 : 1;
    for (int k = 0; k < g->count; k++) {
        g->v[k].a = f->a;
        g->v[k].b = f->b;
    }
    if (g->count > 1) {
        g->v[1].a = edge_of(g->a, f->of->i).to;
        g->v[2].b = edge_of(g->b, f->of->j).to;
    }
}

bool bw_axes_prove(bw_gjk *g, const bw_facet *facets, int count, bw_axes_answer *best, double limit,
                   bw_gap *out)
{
    const double margin = g->margin;
    for (int k = 0; k < count; k++)
        if (facets[k].kind == BW_FACET_EDGES && facets[k].least <= best->depth &&
            !take_edges(g, &facets[k], best))
            return false;
    if (best->of == NULL)
        return false;
    if (-best->depth - best->error > limit + margin) {
        *out =
            (bw_gap){.lower = -best->depth - best->error, .upper = (double)INFINITY, .normal = best->normal};
        return true;
    }
    if (!(best->proven - best->loss > 2 * margin))
        return false; /* touching, or nearly */
    *out = (bw_gap){.lower = -best->depth - best->error,
                    .upper = -(best->proven - best->loss),
                    .normal = best->normal,
                    .face_a = best->face_a,
                    .face_b = best->face_b};
    find_points(g, best, out);
    keep_vertices(g, best);
    return true;
}
