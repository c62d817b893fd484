/* How deep two cores cross: the expanding polytope.
 *   G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001.
 *
 * The polytope is inside of the differences of the cores and grows towards their nearest boundary. Any direction
 * proves an upper bound of the depth: so far must b move along it. The polytope proves a lower one: its surface
 * is closed, because each step replaces triangles by those over the edges around them, and where the origin is
 * behind every triangle by at least some distance, the ball of that radius is inside. */
#include "shape/epa.h"

#include "base/simd/f64x2.h"
#include "geom/exact/expansion.h"

#include <string.h>

enum { MAX_VERTICES = 64, MAX_FACES = 2 * MAX_VERTICES };

/* Faces by rows, so that two are looked at at once. */
typedef struct polytope {
    const bw_gjk *g;
    int vertices, faces; /* places of faces that are or were used, an even number but for the last */
    bw_gjk_vertex v[MAX_VERTICES];
    double x[MAX_FACES], y[MAX_FACES], z[MAX_FACES]; /* the normal; zero of a face without a direction */
    double offset
        [MAX_FACES]; /* of its plane from the origin; -infinity: without a direction; infinity: no face */
    double distance[MAX_FACES];   /* the same; infinity for both of these */
    uint8_t corner[MAX_FACES][3]; /* counter-clockwise seen from outside */
    uint8_t spare[MAX_FACES];     /* places of no face */
    int spares;
    int nearest;                  /* face; -1: none */
    uint64_t edges[MAX_VERTICES]; /* the ends of edges from each vertex, in expand() only; zero elsewhere */
    double error;                 /* the largest of all faces so far */
    double width[MAX_FACES];      /* of faces without a direction; 0 of others */
    double slack;                 /* their sum, at least */
    uint8_t witness[3];           /* vertices of the face of the best direction */
    bool has_witness;
    bw_gap best;
} polytope;

/* The normal of a triangle of vertices and the distance of its plane. *error: at most, of the distance, where the triangle is
 * thin. False without a direction: *error is then how wide it is, at most. */
static bool plane_of(const polytope *p, int i, int j, int k, bw_vec3 *normal, double *distance, double *error)
{
    const bw_vec3 a = p->v[i].w, u = bw_vec3_sub(p->v[j].w, a), v = bw_vec3_sub(p->v[k].w, a);
    const bw_vec3 n = bw_vec3_cross(u, v);
    const double n2 = bw_vec3_dot(n, n), uu = bw_vec3_dot(u, u), vv = bw_vec3_dot(v, v);
    if (!(n2 > 0x1p-80 * (uu * vv))) { /* of sine 2^-40, but for roundings */
        *error = 0x1p-38 * sqrt(bw_lesser(uu, vv));
        return false;
    }
    const double inverse = 1 / sqrt(n2);
    *normal = bw_vec3_scale(n, inverse);
    *distance = bw_vec3_dot(*normal, a);
    /* |u| |v| is at most half the sum of their squares. */
    *error = 16 * BW_ROUNDOFF * (1 + 0.5 * (uu + vv) * inverse) * (fabs(a.x) + fabs(a.y) + fabs(a.z));
    return true;
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

static void set_witness(polytope *p, int i, int j, int k)
{
    p->witness[0] = (uint8_t)i;
    p->witness[1] = (uint8_t)j;
    p->witness[2] = (uint8_t)k;
    p->has_witness = true;
}

/* The point of the face of the best direction that is nearest to the origin, and what it is made of. */
static void find_witness(polytope *p)
{
    const bw_gjk_vertex *a = &p->v[p->witness[0]], *b = &p->v[p->witness[1]], *c = &p->v[p->witness[2]];
    const bw_vec3 u = bw_vec3_sub(b->w, a->w), v = bw_vec3_sub(c->w, a->w), n = bw_vec3_cross(u, v);
    const double n2 = bw_vec3_dot(n, n);
    const bw_vec3 y = bw_vec3_sub(bw_vec3_scale(n, bw_vec3_dot(n, a->w) / n2), a->w);
    double s = bw_vec3_dot(bw_vec3_cross(y, v), n) / n2, t = bw_vec3_dot(bw_vec3_cross(u, y), n) / n2;
    s = s > 0 ? (s < 1 ? s : 1) : 0;
    t = t > 0 ? (t < 1 - s ? t : 1 - s) : 0;
    const bw_convex *first = p->g->a;
    const bw_vec3 on_a = bw_convex_offset(first, a->a);
    p->best.on_a = bw_vec3_along(bw_vec3_along(on_a, bw_vec3_sub(bw_convex_offset(first, b->a), on_a), s),
                                 bw_vec3_sub(bw_convex_offset(first, c->a), on_a), t);
    const bw_vec3 w = bw_vec3_along(bw_vec3_along(a->w, u, s), v, t);
    const double depth = bw_vec3_dot(w, p->best.normal), margin = p->g->margin;
    /* In a sliver the weights may be anything: then as deep as the direction says. */
    p->best.on_b = depth >= -margin && depth <= -p->best.lower + margin
                       ? bw_vec3_sub(p->best.on_a, w)
                       : bw_vec3_along(p->best.on_a, p->best.normal, p->best.lower);
    p->best.witness = true;
}

static void add_face(polytope *p, int i, int j, int k)
{
    const int f = p->spares > 0 ? p->spare[--p->spares] : p->faces++;
    bw_vec3 normal = {0, 0, 0};
    double distance = 0, error = 0;
    const bool good = plane_of(p, i, j, k, &normal, &distance, &error);
    p->x[f] = normal.x;
    p->y[f] = normal.y;
    p->z[f] = normal.z;
    p->offset[f] = good ? distance : -(double)INFINITY;
    p->distance[f] = good ? distance : (double)INFINITY;
    p->corner[f][0] = (uint8_t)i;
    p->corner[f][1] = (uint8_t)j;
    p->corner[f][2] = (uint8_t)k;
    p->error = bw_larger(p->error, good ? error : 0);
    p->width[f] = good ? 0 : error;
    p->slack += p->width[f];
    if (good && (p->nearest < 0 || distance < p->distance[p->nearest]))
        p->nearest = f;
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
    bw_vec3 normal;
    double distance, error;
    const bool good = plane_of(p, 0, 1, 2, &normal, &distance, &error);
    for (int i = 0; good && i < 2; i++) {
        const bw_gjk_vertex w = try_direction(p, i == 0 ? normal : bw_vec3_minus(normal), &better);
        if (fabs(bw_vec3_dot(normal, bw_vec3_sub(w.w, p->v[0].w))) > 8 * p->g->margin)
            return add_vertex(p, w);
        if (better && !p->has_witness)
            set_witness(p, 0, 1, 2);
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

/* The faces that a vertex sees, into `seen`; how many. The nearest of the others is p->nearest. */
static int find_seen(polytope *p, bw_vec3 w, uint8_t *seen)
{
    const d2 wx = d2_all(w.x), wy = d2_all(w.y), wz = d2_all(w.z), none = d2_all((double)INFINITY);
    d2 least = none, number = d2_of(0, 1), least_number = d2_all(-1);
    int count = 0;
    if (p->faces % 2 != 0) /* no face beside the last */
        p->x[p->faces] = p->y[p->faces] = p->z[p->faces] = 0,
        p->offset[p->faces] = p->distance[p->faces] = (double)INFINITY;
    for (int i = 0; i < p->faces; i += 2) {
        const d2 along = (d2_load(&p->x[i]) * wx + d2_load(&p->y[i]) * wy) + d2_load(&p->z[i]) * wz;
        const m2 sees = along > d2_load(&p->offset[i]);
        const unsigned bits = m2_bits(sees);
        const d2 distance = d2_choose(sees, none, d2_load(&p->distance[i]));
        const m2 nearer = distance < least;
        seen[count] = (uint8_t)i;
        count += (int)(bits & 1);
        seen[count] = (uint8_t)(i + 1);
        count += (int)(bits >> 1);
        least = d2_choose(nearer, distance, least);
        least_number = d2_choose(nearer, number, least_number);
        number = number + d2_all(2);
    }
    const double a = d2_low(least), b = d2_high(least), i = d2_low(least_number), j = d2_high(least_number);
    p->nearest = (int)(a < b || (a == b && i < j) ? i : j);
    return count;
}

static int next_of(int k)
{
    return k == 2 ? 0 : k + 1;
}

/* Whether a face has an edge in common with those taken. */
static bool is_beside(const polytope *p, const uint8_t *v)
{
    uint64_t any = 0;
    for (int k = 0; k < 3; k++)
        any |= p->edges[v[next_of(k)]] >> v[k] & 1;
    return any != 0;
}

/* Takes the edges of a face: those between two faces go both ways, and cancel out. */
static void take_edges(polytope *p, const uint8_t *v)
{
    for (int k = 0; k < 3; k++) {
        const int i = v[k], j = v[next_of(k)];
        const uint64_t back = p->edges[j] >> i & 1;
        p->edges[j] ^= back << i;
        p->edges[i] ^= (back ^ 1) << j;
    }
}

/* Of the faces that are seen those that hang together with the one that is expanded, to the front; how many. Others are seen by
 * roundings only: taken, too, they would tear the surface. */
static int take_connected(polytope *p, int start, uint8_t *seen, int count)
{
    int taken = 0;
    for (int n = 0; n < count; n++)
        if (seen[n] == start) {
            seen[n] = seen[0];
            seen[0] = (uint8_t)start;
            take_edges(p, p->corner[start]);
            taken = 1;
            break;
        }
    for (int n = taken; taken > 0 && n < count; n++) {
        const uint8_t f = seen[n];
        if (!is_beside(p, p->corner[f]))
            continue;
        take_edges(p, p->corner[f]);
        seen[n] = seen[taken];
        seen[taken++] = f;
        n = taken - 1; /* those passed over may be beside this one */
    }
    return taken;
}

/* Replaces what the new vertex sees around a face by triangles from the edges around that. False where it does not see the
 * face, or there is no room: the surface is then of no more use. */
static bool expand(polytope *p, int start, bw_gjk_vertex w)
{
    uint8_t seen[MAX_FACES + 2], from[3 * MAX_FACES], to[3 * MAX_FACES];
    int count = 0;
    if (p->vertices == MAX_VERTICES)
        return false;
    const int all = find_seen(p, w.w, seen), seen_count = take_connected(p, start, seen, all);
    for (int n = 0; n < seen_count; n++) {
        const uint8_t *v = p->corner[seen[n]];
        for (int k = 0; k < 3; k++) {
            const int i = v[k], j = v[next_of(k)];
            from[count] = (uint8_t)i;
            to[count] = (uint8_t)j;
            count += (int)(p->edges[i] >> j & 1);
            p->edges[i] &= ~((uint64_t)1 << j);
        }
    }
    for (int n = seen_count - 1; n >= 0; n--) { /* the first of these places is filled first */
        const int f = seen[n];
        p->spare[p->spares++] = (uint8_t)f;
        p->slack = bw_larger(0, p->slack - p->width[f]);
        p->x[f] = p->y[f] = p->z[f] = 0;
        p->offset[f] = p->distance[f] = (double)INFINITY;
    }
    if (count < 3 || p->faces + (count - p->spares) > MAX_FACES)
        return false;
    for (int n = seen_count; n < all; n++) /* seen, and still there */
        if (p->nearest < 0 || p->distance[seen[n]] < p->distance[p->nearest])
            p->nearest = p->distance[seen[n]] < (double)INFINITY ? seen[n] : p->nearest;
    const int apex = p->vertices;
    add_vertex(p, w);
    for (int i = 0; i < count; i++)
        add_face(p, from[i], to[i], apex);
    return true;
}

/* What the surface proves: the origin is behind every triangle by this. Triangles without a direction have no solid angle to
 * speak of, seen from farther away than they are wide: the surface winds around what is as far from the others. */
static double proven_by(const polytope *p)
{
    return p->nearest < 0 ? 0 : bw_larger(0, p->distance[p->nearest] - (p->error + p->slack));
}

/* Expands the nearest face until it is one of the differences of the cores; what was proven. */
static double search(polytope *p, bool kind_only)
{
    const double margin = p->g->margin;
    double proven = 0;
    while (p->nearest >= 0) {
        const int f = p->nearest;
        const bw_vec3 normal = {p->x[f], p->y[f], p->z[f]};
        const double distance = p->distance[f];
        bool better;
        proven = bw_larger(proven, proven_by(p));
        if ((kind_only && proven > 2 * margin) || distance >= -p->best.lower - 0.25 * margin)
            break;
        const bw_gjk_vertex w = try_direction(p, normal, &better);
        if (better)
            set_witness(p, p->corner[f][0], p->corner[f][1], p->corner[f][2]);
        if (bw_vec3_dot(normal, w.w) - distance <= margin || !expand(p, f, w))
            break;
    }
    return proven;
}

void bw_epa_gap(bw_gjk *g, bool kind_only, bw_gap *out)
{
    polytope p;
    p.g = g;
    p.vertices = p.faces = p.spares = 0;
    p.nearest = -1;
    p.best = (bw_gap){.lower = -(double)INFINITY, .upper = 0, .normal = {0, 0, 1}};
    p.error = 0;
    p.slack = 0;
    p.has_witness = false;
    memset(p.edges, 0, sizeof p.edges);
    const double proven = make_tetrahedron(&p) ? search(&p, kind_only) : 0;
    if (p.has_witness) {
        find_witness(&p);
        for (int k = 0; k < 3; k++) /* where the next search of the pair begins */
            g->v[k] = p.v[p.witness[k]];
        g->count = 3;
    }
    *out = p.best;
    out->upper = -proven;
}
