/* The nearest points of two features, by descent: where the nearest points of the planes or lines through
 * them are inside both, these are the answer; otherwise it is on the border of one of them, which is made of
 * smaller features.
 *
 * Normals come from products whose rounding errors are kept (geom/cross.h), and distances of a plane or of
 * two lines from the normal: so slivers and nearly parallel edges lose nothing but the place along directions in
 * which the distance hardly changes. */
#include "geom/ccd/witness.h"
#include "geom/cross.h"

#include <math.h>

/* Below this, of coordinates that are at most 1, a distance does not tell a side. Edges whose angle has this
 * squared sine are parallel: what that neglects is below rounding. */
#define TOUCHING 0x1p-48
#define PARALLEL2 0x1p-100
/* A normal whose square would be lost: of features that are points or lines beside the others. */
#define SHORTEST 0x1p-400

/* Points relative to the first one, the largest coordinate in [1/2, 1). */
typedef struct local {
    bw_vec3 p[4], origin;
    double unit;
    const bw_vec3 *velocities;
} local;

/* Some of the points: of the first feature, and of the second. */
typedef struct chosen {
    int first, second;
    int a[2], b[3];
} chosen;

/* An answer in local coordinates; the side is not chosen yet. */
typedef struct answer {
    chosen inside;
    double weight_a[2], weight_b[3];
    bw_vec3 on_a, on_b;
    bw_vec3 across; /* the common normal of a plane, or of two lines; zero where there is none */
    double height;  /* along it, from b to a, over its length */
    double distance;
} answer;

static local local_of(const bw_ccd_features *f)
{
    local out = {.origin = f->points[0], .velocities = f->velocities};
    int count = f->first + f->second, exponent = 0;
    double largest = 0;
    for (int i = 0; i < count; i++) {
        out.p[i] = bw_vec3_sub(f->points[i], out.origin);
        largest = bw_larger(largest, bw_largest_coordinate(&out.p[i]));
    }
    frexp(largest, &exponent);
    out.unit = ldexp(1, exponent);
    for (int i = 0; i < count; i++)
        out.p[i] = bw_vec3_scale(out.p[i], ldexp(1, -exponent));
    return out;
}

/* A vertex and a vertex. */
static void vertex_vertex(const local *l, const chosen *c, answer *out)
{
    *out = (answer){.inside = *c, .weight_a = {1}, .weight_b = {1}};
    out->on_a = l->p[c->a[0]];
    out->on_b = l->p[c->b[0]];
    const bw_vec3 d = bw_vec3_sub(out->on_a, out->on_b);
    out->distance = sqrt(bw_vec3_dot(d, d));
}

/* A vertex and the edge from b[0] to b[1], or the end to which it is nearest. */
static void vertex_edge(const local *l, chosen c, answer *out)
{
    const bw_vec3 p = l->p[c.a[0]], q = l->p[c.b[0]], d = bw_vec3_sub(l->p[c.b[1]], q);
    const double length2 = bw_vec3_dot(d, d);
    const double t = length2 > 0 ? bw_vec3_dot(bw_vec3_sub(p, q), d) / length2 : 0;
    if (!(t > 0 && t < 1)) {
        c.b[0] = c.b[t >= 1];
        c.second = 1;
        vertex_vertex(l, &c, out);
        return;
    }
    *out = (answer){.inside = c, .weight_a = {1}, .weight_b = {1 - t, t}};
    out->on_a = p;
    out->on_b = bw_vec3_add(q, bw_vec3_scale(d, t));
    const bw_vec3 gap = bw_vec3_sub(p, out->on_b);
    out->distance = sqrt(bw_vec3_dot(gap, gap));
}

/* The same for an edge and a vertex: the sides of the answer are turned. */
static void edge_vertex(const local *l, const chosen *c, answer *out)
{
    const chosen turned = {1, 2, {c->b[0]}, {c->a[0], c->a[1]}};
    answer other;
    vertex_edge(l, turned, &other);
    *out = (answer){.inside = {other.inside.second, 1, {other.inside.b[0], other.inside.b[1]}, {c->b[0]}},
                    .weight_a = {other.weight_b[0], other.weight_b[1]},
                    .weight_b = {1},
                    .on_a = other.on_b,
                    .on_b = other.on_a,
                    .distance = other.distance};
}

static void keep_nearer(answer *best, const answer *now)
{
    if (now->distance < best->distance)
        *best = *now;
}

/* The common normal decides the distance. */
static void measure(answer *out, bw_vec3 across, bw_vec3 from_b_to_a)
{
    out->across = across;
    out->height = bw_vec3_dot(from_b_to_a, across) / sqrt(bw_vec3_dot(across, across));
    out->distance = fabs(out->height);
}

static bool inside_face(const local *l, const chosen *c, answer *out)
{
    const bw_vec3 p = l->p[c->a[0]], q[3] = {l->p[c->b[0]], l->p[c->b[1]], l->p[c->b[2]]};
    const bw_vec3 full = bw_good_cross(bw_vec3_sub(q[1], q[0]), bw_vec3_sub(q[2], q[0]));
    bw_vec3 n = full;
    if (!(bw_largest_coordinate(&full) > SHORTEST) || !bw_to_direction(&n))
        return false;
    /* By the normal itself: on a lattice nothing is rounded, and what is above an edge is not inside. */
    double area[3], whole = 0;
    for (int i = 0; i < 3; i++) {
        const bw_vec3 from = q[(i + 1) % 3], along = bw_vec3_sub(q[(i + 2) % 3], from);
        area[i] = bw_vec3_dot(bw_good_cross(along, bw_vec3_sub(p, from)), full);
        if (!(area[i] > 0))
            return false;
        whole += area[i]; /* not the area of the face: of a sliver, rounding makes them differ */
    }
    *out = (answer){.inside = *c, .weight_a = {1}, .on_a = p};
    for (int i = 0; i < 3; i++)
        out->weight_b[i] = area[i] / whole;
    measure(out, n, bw_vec3_sub(p, q[0]));
    out->on_b = bw_vec3_sub(p, bw_vec3_scale(n, out->height / sqrt(bw_vec3_dot(n, n))));
    return true;
}

static bool inside_edges(const local *l, const chosen *c, answer *out)
{
    const bw_vec3 p = l->p[c->a[0]], q = l->p[c->b[0]], d = bw_vec3_sub(l->p[c->a[1]], p),
                  e = bw_vec3_sub(l->p[c->b[1]], q), gap = bw_vec3_sub(q, p);
    const bw_vec3 full = bw_good_cross(d, e);
    bw_vec3 n = full;
    if (!(bw_vec3_dot(full, full) > PARALLEL2 * bw_vec3_dot(d, d) * bw_vec3_dot(e, e)) ||
        !(bw_largest_coordinate(&full) > SHORTEST) || !bw_to_direction(&n))
        return false;
    const double whole = bw_vec3_dot(full, full), s = bw_vec3_dot(bw_vec3_cross(gap, e), full) / whole,
                 t = bw_vec3_dot(bw_vec3_cross(gap, d), full) / whole;
    if (!(s > 0 && s < 1 && t > 0 && t < 1))
        return false;
    *out = (answer){.inside = *c, .weight_a = {1 - s, s}, .weight_b = {1 - t, t}};
    out->on_a = bw_vec3_add(p, bw_vec3_scale(d, s));
    out->on_b = bw_vec3_add(q, bw_vec3_scale(e, t));
    measure(out, n, bw_vec3_scale(gap, -1));
    return true;
}

static void find(const local *l, const chosen *c, answer *out)
{
    answer now;
    if (c->first == 1 && c->second == 1) {
        vertex_vertex(l, c, out);
    } else if (c->first == 1 && c->second == 2) {
        vertex_edge(l, *c, out);
    } else if (c->second == 3) {
        if (inside_face(l, c, out))
            return;
        out->distance = INFINITY;
        for (int i = 0; i < 3; i++) {
            vertex_edge(l, (chosen){1, 2, {c->a[0]}, {c->b[i], c->b[(i + 1) % 3]}}, &now);
            keep_nearer(out, &now);
        }
    } else {
        if (inside_edges(l, c, out))
            return;
        out->distance = INFINITY;
        for (int i = 0; i < 2; i++) {
            vertex_edge(l, (chosen){1, 2, {c->a[i]}, {c->b[0], c->b[1]}}, &now);
            keep_nearer(out, &now);
            edge_vertex(l, &(chosen){2, 1, {c->a[0], c->a[1]}, {c->b[i]}}, &now);
            keep_nearer(out, &now);
        }
    }
}

static bw_vec3 unit_of(bw_vec3 v)
{
    return bw_to_direction(&v) ? bw_vec3_scale(v, 1 / sqrt(bw_vec3_dot(v, v))) : (bw_vec3){0, 0, 0};
}

/* How the point of the first feature moves beside that of the second. */
static bw_vec3 relative_velocity(const local *l, const answer *a)
{
    bw_vec3 v = {0, 0, 0};
    for (int i = 0; l->velocities != NULL && i < a->inside.first; i++)
        v = bw_vec3_add(v, bw_vec3_scale(l->velocities[a->inside.a[i]], a->weight_a[i]));
    for (int i = 0; l->velocities != NULL && i < a->inside.second; i++)
        v = bw_vec3_sub(v, bw_vec3_scale(l->velocities[a->inside.b[i]], a->weight_b[i]));
    return v;
}

/* Of features without a common normal: what of a vector is across the edge. */
static bw_vec3 across_edge(const local *l, const answer *a, bw_vec3 v)
{
    const int *ends = a->inside.first == 2 ? a->inside.a : a->inside.b;
    if (a->inside.first == 1 && a->inside.second == 1)
        return v;
    const bw_vec3 d = unit_of(bw_vec3_sub(l->p[ends[1]], l->p[ends[0]]));
    const bw_vec3 rest = bw_vec3_sub(v, bw_vec3_scale(d, bw_vec3_dot(v, d)));
    return bw_largest_coordinate(&rest) > 0x1p-40 * bw_largest_coordinate(&v) ? rest : (bw_vec3){0, 0, 0};
}

/* Where they touch, the side from which they came. */
static bw_vec3 normal_of(const local *l, const answer *a)
{
    const bool has_normal = bw_largest_coordinate(&a->across) > 0, touching = !(a->distance > TOUCHING);
    const bw_vec3 velocity = touching ? relative_velocity(l, a) : (bw_vec3){0, 0, 0};
    if (has_normal) {
        double approach = bw_vec3_dot(velocity, a->across);
        bool turned = approach != 0 ? approach > 0 : a->height < 0;
        return unit_of(bw_vec3_scale(a->across, turned ? -1 : 1));
    }
    const bw_vec3 came = across_edge(l, a, bw_vec3_scale(velocity, -1));
    return unit_of(bw_largest_coordinate(&came) > 0 ? came : bw_vec3_sub(a->on_a, a->on_b));
}

static answer answer_of(const local *l, int first, int second)
{
    chosen c = {first, second, {0, 1}, {first, first + 1, first + 2}};
    answer a = {.distance = INFINITY};
    find(l, &c, &a);
    return a;
}

void bw_ccd_witness_of(const bw_ccd_features *f, bw_ccd_witness *out)
{
    const local l = local_of(f);
    const answer a = answer_of(&l, f->first, f->second);
    *out = (bw_ccd_witness){.normal = normal_of(&l, &a), .distance = a.distance * l.unit};
    for (int i = 0; i < a.inside.first; i++) {
        out->inside |= 1u << a.inside.a[i];
        out->weights[a.inside.a[i]] = a.weight_a[i];
    }
    for (int i = 0; i < a.inside.second; i++) {
        out->inside |= 1u << a.inside.b[i];
        out->weights[a.inside.b[i]] = a.weight_b[i];
    }
    out->on_first = bw_vec3_add(bw_vec3_scale(a.on_a, l.unit), l.origin);
    out->on_second = bw_vec3_add(bw_vec3_scale(a.on_b, l.unit), l.origin);
}

double bw_ccd_distance_of(bool edges, const bw_vec3 points[4])
{
    const bw_ccd_features f = {edges ? 2 : 1, edges ? 2 : 3, points, NULL};
    const local l = local_of(&f);
    return answer_of(&l, f.first, f.second).distance * l.unit;
}
