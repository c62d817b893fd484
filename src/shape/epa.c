/* How deep two cores cross: the expanding polytope.
 *   G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001.
 *
 * The polytope is inside of the differences of the cores and grows towards their nearest boundary. Any direction
 * proves an upper bound of the depth: so far must b move along it. The polytope proves a lower one: its surface
 * is closed, because each step replaces triangles by those over the edges around them, and where the origin is
 * behind every triangle by at least some distance, the ball of that radius is inside. */
#include "shape/epa.h"

#include "geom/exact/expansion.h"

enum { MAX_VERTICES = 64, MAX_FACES = 2 * MAX_VERTICES, MAX_EDGES = MAX_FACES };

typedef struct face {
    bw_vec3 normal;
    double distance; /* of its plane from the origin */
    uint8_t v[3];    /* counter-clockwise seen from outside */
    bool bad;        /* without a direction */
} face;

typedef struct polytope {
    const bw_gjk *g;
    bw_gjk_vertex v[MAX_VERTICES];
    face f[MAX_FACES];
    int vertices, faces;
    double error;       /* the largest of all faces so far */
    bool any_bad;       /* so far */
    uint8_t nearest[3]; /* vertices of the face of the witness */
    bw_gap best;
} polytope;

/* *error: at most, of the distance, where the triangle is thin. */
static face face_of(const polytope *p, int i, int j, int k, double *error)
{
    face f = {.v = {(uint8_t)i, (uint8_t)j, (uint8_t)k}};
    const bw_vec3 a = p->v[i].w, u = bw_vec3_sub(p->v[j].w, a), v = bw_vec3_sub(p->v[k].w, a);
    const bw_vec3 n = bw_vec3_cross(u, v);
    const double n2 = bw_vec3_dot(n, n), uu = bw_vec3_dot(u, u), vv = bw_vec3_dot(v, v);
    f.bad = !(n2 > 0x1p-80 * (uu * vv));
    if (f.bad)
        return f;
    const double inverse = 1 / sqrt(n2);
    f.normal = bw_vec3_scale(n, inverse);
    f.distance = bw_vec3_dot(f.normal, a);
    /* |u| |v| is at most half the sum of their squares. */
    *error = 16 * BW_ROUNDOFF * (1 + 0.5 * (uu + vv) * inverse) * (fabs(a.x) + fabs(a.y) + fabs(a.z));
    return f;
}

/* Takes a direction into account: so far the cores reach into each other along it. */
static bw_gjk_vertex try_direction(polytope *p, bw_vec3 normal, bool *better)
{
    const bw_gjk_vertex w = bw_gjk_support(p->g, normal);
    const double lower = -bw_vec3_dot(normal, w.w);
    *better = lower > p->best.lower;
    if (*better) {
        p->best.lower = lower;
        p->best.normal = normal;
    }
    return w;
}

/* The point of a face nearest to the origin, and what it is made of. */
static void set_witness(polytope *p, const face *f)
{
    const bw_gjk_vertex *a = &p->v[f->v[0]], *b = &p->v[f->v[1]], *c = &p->v[f->v[2]];
    const bw_vec3 x = bw_vec3_scale(f->normal, f->distance);
    const bw_vec3 u = bw_vec3_sub(b->w, a->w), v = bw_vec3_sub(c->w, a->w), y = bw_vec3_sub(x, a->w);
    const bw_vec3 n = bw_vec3_cross(u, v);
    const double n2 = bw_vec3_dot(n, n);
    double s = bw_vec3_dot(bw_vec3_cross(y, v), n) / n2, t = bw_vec3_dot(bw_vec3_cross(u, y), n) / n2;
    s = s > 0 ? (s < 1 ? s : 1) : 0;
    t = t > 0 ? (t < 1 - s ? t : 1 - s) : 0;
    p->best.on_a = bw_vec3_along(bw_vec3_along(a->on_a, bw_vec3_sub(b->on_a, a->on_a), s),
                                 bw_vec3_sub(c->on_a, a->on_a), t);
    p->best.on_b = bw_vec3_sub(p->best.on_a, bw_vec3_along(bw_vec3_along(a->w, u, s), v, t));
    p->best.witness = true;
    for (int k = 0; k < 3; k++)
        p->nearest[k] = f->v[k];
}

static void add_face(polytope *p, int i, int j, int k)
{
    face *f = &p->f[p->faces++];
    double error = 0;
    *f = face_of(p, i, j, k, &error);
    p->error = bw_larger(p->error, error);
    p->any_bad |= f->bad;
}

static bool add_vertex(polytope *p, bw_gjk_vertex v)
{
    p->v[p->vertices++] = v;
    return true;
}

static const bw_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A second vertex, away from the first. */
static bool add_second(polytope *p)
{
    bool better;
    for (int i = 0; i < 6; i++) {
        const bw_gjk_vertex w = try_direction(p, i < 3 ? axes[i] : bw_vec3_minus(axes[i - 3]), &better);
        if (bw_vec3_length(bw_vec3_sub(w.w, p->v[0].w)) > 8 * p->g->margin)
            return add_vertex(p, w);
    }
    return false;
}

/* A third, off the line of the first two. */
static bool add_third(polytope *p)
{
    bool better;
    const bw_vec3 e = bw_vec3_sub(p->v[1].w, p->v[0].w);
    const double x = fabs(e.x), y = fabs(e.y), z = fabs(e.z), length = bw_vec3_length(e);
    const bw_vec3 unit = bw_vec3_scale(e, 1 / length);
    const bw_vec3 across = bw_vec3_cross(unit, axes[x <= y && x <= z ? 0 : y <= z ? 1 : 2]);
    const bw_vec3 u = bw_vec3_scale(across, 1 / bw_vec3_length(across)), v = bw_vec3_cross(unit, u);
    for (int i = 0; i < 8; i++) {
        static const double cosine[8] = {
            1, 0, -1, 0, 0.7071067811865475, -0.7071067811865475, -0.7071067811865475, 0.7071067811865475};
        static const double sine[8] = {
            0, 1, 0, -1, 0.7071067811865475, 0.7071067811865475, -0.7071067811865475, -0.7071067811865475};
        const bw_gjk_vertex w =
            try_direction(p, bw_vec3_along(bw_vec3_scale(u, cosine[i]), v, sine[i]), &better);
        const bw_vec3 off = bw_vec3_cross(bw_vec3_sub(w.w, p->v[0].w), unit);
        if (bw_vec3_length(off) > 8 * p->g->margin)
            return add_vertex(p, w);
    }
    return false;
}

/* A fourth, off the plane of the first three. */
static bool add_fourth(polytope *p)
{
    bool better;
    double error;
    const face f = face_of(p, 0, 1, 2, &error);
    for (int i = 0; !f.bad && i < 2; i++) {
        const bw_gjk_vertex w = try_direction(p, i == 0 ? f.normal : bw_vec3_minus(f.normal), &better);
        if (fabs(bw_vec3_dot(f.normal, bw_vec3_sub(w.w, p->v[0].w))) > 8 * p->g->margin)
            return add_vertex(p, w);
        if (better && p->best.witness == false)
            set_witness(p, &f);
    }
    return false;
}

/* Four vertices around the origin, or near it. False where the differences are flat but for roundings: then the
 * directions tried hold the one across. */
static bool make_tetrahedron(polytope *p)
{
    static const int side[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (int i = 0; i < p->g->count; i++)
        add_vertex(p, p->g->v[i]);
    while (p->vertices < 4)
        if (!(p->vertices == 1 ? add_second(p) : p->vertices == 2 ? add_third(p) : add_fourth(p)))
            return false;
    const bw_vec3 o = p->v[0].w, n = bw_vec3_cross(bw_vec3_sub(p->v[1].w, o), bw_vec3_sub(p->v[2].w, o));
    const bool turn = bw_vec3_dot(n, bw_vec3_sub(p->v[3].w, o)) > 0;
    for (int i = 0; i < 4; i++)
        add_face(p, side[i][0], side[i][turn ? 2 : 1], side[i][turn ? 1 : 2]);
    return true;
}

typedef struct edge {
    int from, to;
} edge;

/* Adds the edge, or takes its opposite away. */
static void toggle(edge *edges, int *count, int from, int to)
{
    for (int i = 0; i < *count; i++)
        if (edges[i].from == to && edges[i].to == from) {
            edges[i] = edges[--*count];
            return;
        }
    edges[(*count)++] = (edge){from, to};
}

/* Replaces what the new vertex sees by triangles from the edges around it. False where it sees nothing, or there
 * is no room: the surface is then of no more use. */
static bool expand(polytope *p, bw_gjk_vertex w)
{
    edge edges[3 * MAX_FACES];
    int count = 0;
    if (p->vertices == MAX_VERTICES)
        return false;
    for (int i = 0; i < p->faces;) {
        const face *f = &p->f[i];
        if (!f->bad && !(bw_vec3_dot(f->normal, w.w) > f->distance)) {
            i++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            toggle(edges, &count, f->v[k], f->v[(k + 1) % 3]);
        p->f[i] = p->f[--p->faces];
    }
    if (count < 3 || p->faces + count > MAX_FACES)
        return false;
    const int apex = p->vertices;
    add_vertex(p, w);
    for (int i = 0; i < count; i++)
        add_face(p, edges[i].from, edges[i].to, apex);
    return true;
}

static double volume(bw_vec3 a, bw_vec3 b, bw_vec3 c)
{
    return bw_vec3_dot(a, bw_vec3_cross(b, c));
}

/* A point of both cores, from the first four vertices, which are around the origin. */
static void set_common_point(polytope *p)
{
    const bw_vec3 a = p->v[0].w, b = p->v[1].w, c = p->v[2].w, d = p->v[3].w;
    double weight[4] = {volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)};
    const double turn = (weight[0] + weight[1]) + (weight[2] + weight[3]) < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) /* in a thin one rounding may say outside */
        weight[i] = bw_larger(0, turn * weight[i]);
    const double sum = (weight[0] + weight[1]) + (weight[2] + weight[3]);
    bw_vec3 x = {0, 0, 0};
    if (sum == 0)
        return; /* flat: the witness serves */
    for (int i = 0; i < 4; i++)
        x = bw_vec3_along(x, p->v[i].on_a, weight[i] / sum);
    p->best.on_a = p->best.on_b = x;
}

static int nearest_face(const polytope *p)
{
    int best = -1;
    for (int i = 0; i < p->faces; i++)
        if (!p->f[i].bad && (best < 0 || p->f[i].distance < p->f[best].distance))
            best = i;
    return best;
}

/* What the surface proves: the origin is behind every triangle by this. */
static double proven_by(const polytope *p, int nearest)
{
    return nearest < 0 || p->any_bad ? 0 : bw_larger(0, p->f[nearest].distance - p->error);
}

void bw_epa_gap(bw_gjk *g, bool kind_only, bw_gap *out)
{
    polytope p;
    p.g = g;
    p.vertices = p.faces = 0;
    p.best = (bw_gap){.lower = -(double)INFINITY, .upper = 0, .normal = {0, 0, 1}};
    p.error = 0;
    p.any_bad = false;
    p.nearest[0] = p.nearest[1] = 0;
    double proven = 0;
    if (make_tetrahedron(&p)) {
        for (int i; (i = nearest_face(&p)) >= 0;) {
            const face f = p.f[i];
            bool better;
            proven = bw_larger(proven, proven_by(&p, i));
            if (kind_only && proven > 2 * g->margin)
                break;
            const bw_gjk_vertex w = try_direction(&p, f.normal, &better);
            if (better)
                set_witness(&p, &f);
            if (bw_vec3_dot(f.normal, w.w) - f.distance <= g->margin || !expand(&p, w))
                break;
        }
    }
    if (p.nearest[0] != p.nearest[1]) { /* where the next search of the pair begins */
        for (int k = 0; k < 3; k++)
            g->v[k] = p.v[p.nearest[k]];
        g->count = 3;
    }
    if (kind_only && g->inside)
        set_common_point(&p);
    *out = p.best;
    out->upper = -proven;
}
