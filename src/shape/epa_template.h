/* How deep two cores cross: the expanding polytope, in the words of base/simd/f64x4.h. The includer defines EPA_GAP and
 * EPA_CONTACT, the names of the functions of shape/epa.h.
 *   G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001.
 *
 * The polytope is inside of the differences of the cores and grows towards their nearest boundary. Any direction
 * proves an upper bound of the depth: so far must b move along it. The polytope proves a lower one: its surface
 * is closed, because each step replaces triangles by those over the edges around them, and where the origin is
 * behind every triangle by at least some distance, the ball of that radius is inside. */
#include "base/simd/f32x8.h"
#include "base/simd/f64x4.h"
#include "geom/exact/expansion.h"
#include "shape/epa.h"
#include "shape/hull/scan_few.h"

#include <string.h>

#define EPA_FN D4_TARGET static

enum { MAX_VERTICES = 64, MAX_FACES = 2 * MAX_VERTICES };

/* A core whose support points are computed, by rows of four. */
typedef struct side {
    const bw_convex *core;
    bool solid;           /* a box or a hull: what is below is set */
    double turn[3][4];    /* a direction's coordinates times these are the direction as the core sees it */
    double columns[3][4]; /* a point's coordinates times these are its offset */
    double sign;          /* of directions: -1 for b */
} side;

typedef struct polytope {
    const bw_gjk *g;
    side a, b;
    double shift[4]; /* [3]: -1, so that w of a vertex is 1 */
    int vertices, faces;
    bw_gjk_vertex v[MAX_VERTICES + 1];
    /* The normal, and minus the distance of its plane from the origin; of a face without a direction 0 and infinity: every point
     * is before it; of the three places beyond the last 0 and -infinity. */
    double face[MAX_FACES + 4][4];
    double distance[MAX_FACES + 4];   /* of its plane; infinity for both of these */
    double width[MAX_FACES + 4];      /* of faces without a direction only */
    uint8_t corner[MAX_FACES + 4][4]; /* counter-clockwise seen from outside; [3]: without a direction */
    int nearest;                      /* face; -1: none */
    double least;                     /* its distance; infinity */
    uint64_t
        edges[MAX_VERTICES + 1]; /* the ends of edges from each vertex, in expand() only; zero elsewhere */
    double error;                /* the largest of all faces so far */
    double slack;                /* the sum of widths, at least */
    uint8_t witness[3];          /* vertices of the face of the best direction */
    bool has_witness;
    bw_gap best;
} polytope;

/* Edges around what is replaced, from vertex to vertex. */
typedef struct horizon {
    int count;
    uint8_t from[3 * MAX_FACES + 4], to[3 * MAX_FACES + 4];
} horizon;

/* The normal of a triangle of vertices and the distance of its plane. *error: at most, of the distance, where the triangle is
 * thin. False without a direction: *error is then how wide it is, at most. */
EPA_FN bool plane_of(const polytope *p, int i, int j, int k, bw_vec3 *normal, double *distance, double *error)
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

/* Four products, summed up as bw_vec3_dot does. */
D4_FN d4 combine(const double m[3][4], double x, double y, double z)
{
    return d4_add(d4_add(d4_mul(d4_load(m[0]), d4_all(x)), d4_mul(d4_load(m[1]), d4_all(y))),
                  d4_mul(d4_load(m[2]), d4_all(z)));
}

D4_FN void set_side(side *s, const bw_convex *core, double sign)
{
    s->core = core;
    s->solid = core->core == BW_CORE_BOX || core->core == BW_CORE_HULL;
    s->sign = sign;
    d4 r[4] = {d4_load3(&core->edge[0].x), d4_load3(&core->edge[1].x), d4_load3(&core->edge[2].x), d4_all(0)};
    for (int i = 0; i < 3; i++) /* as wholes: what is stored by parts is not loaded as a whole at once */
        d4_store(s->columns[i], r[i]);
    d4_transpose(r);
    for (int i = 0; i < 3; i++)
        d4_store(s->turn[i], d4_mul(r[i], d4_all(sign)));
}

/* The point of a core farthest along a direction of length 1, or against it where that is the side's sign; relative to its place. */
D4_FN d4 farthest(const side *s, bw_vec3 n, uint32_t *index)
{
    static const double corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    double point[4];
    if (!s->solid) {
        const bw_vec3 x = bw_convex_support(s->core, bw_vec3_scale(n, s->sign), index);
        point[0] = x.x;
        point[1] = x.y;
        point[2] = x.z;
        point[3] = 0;
        return d4_load(point);
    }
    const d4 local = combine(s->turn, n.x, n.y, n.z);
    if (s->core->core == BW_CORE_BOX) {
        *index = m4_bits(d4_greater(local, d4_all(0))) & 7;
        const double *c = corners[*index];
        return combine(s->columns, c[0], c[1], c[2]);
    }
    const bw_hull *hull = s->core->hull;
    d4_store(point, local);
    const bw_vec3 exact = {point[0], point[1], point[2]};
    *index = hull->rows.padded <= 32 ? scan_few(&hull->rows, d4_floats(local), 0x1p-20f * 1.8f, exact)
                                     : hull->scan(&hull->rows, exact);
    const double *c = &hull->vertices[*index].x;
    return combine(s->columns, c[0], c[1], c[2]);
}

/* The difference farthest along a direction, and 1. */
D4_FN d4 farthest_difference(const polytope *p, bw_vec3 normal, uint32_t *a, uint32_t *b)
{
    const d4 on_a = farthest(&p->a, normal, a), on_b = farthest(&p->b, normal, b);
    return d4_sub(on_a, d4_add(on_b, d4_load(p->shift)));
}

/* Into the next place of a vertex, which is not taken. */
D4_FN void put_vertex(polytope *p, d4 w, uint32_t a, uint32_t b)
{
    bw_gjk_vertex *v = &p->v[p->vertices];
    d4_store(&v->w.x, w);
    v->a = a;
    v->b = b;
    p->edges[p->vertices] = 0;
}

/* Takes a direction into account: so far the cores reach into each other along it. Whether none was better. */
D4_FN bool take_bound(polytope *p, bw_vec3 normal, double depth)
{
    if (!(-depth > p->best.lower))
        return false;
    p->best.lower = -depth;
    p->best.normal = normal;
    return true;
}

/* The same of the difference farthest along it, which is put into the next place. */
EPA_FN bool try_direction(polytope *p, bw_vec3 normal)
{
    uint32_t a, b;
    const d4 w = farthest_difference(p, normal, &a, &b);
    put_vertex(p, w, a, b);
    return take_bound(p, normal, bw_vec3_dot(normal, p->v[p->vertices].w));
}

EPA_FN void set_witness(polytope *p, int i, int j, int k)
{
    p->witness[0] = (uint8_t)i;
    p->witness[1] = (uint8_t)j;
    p->witness[2] = (uint8_t)k;
    p->has_witness = true;
}

/* The point of the face of the best direction that is nearest to the origin, and what it is made of. */
EPA_FN void find_witness(polytope *p)
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
    p->best.rough = !(depth >= -margin && depth <= -p->best.lower + margin);
    p->best.on_b = p->best.rough ? bw_vec3_along(p->best.on_a, p->best.normal, p->best.lower)
                                 : bw_vec3_sub(p->best.on_a, w);
    p->best.witness = true;
}

/* Makes the places beyond the last such of no face. */
D4_FN void close_faces(polytope *p)
{
    static const double none[4] = {0, 0, 0, -(double)INFINITY};
    for (int f = p->faces; f < p->faces + 3; f++) {
        d4_store(p->face[f], d4_load(none));
        p->distance[f] = (double)INFINITY;
    }
}

/* A face of vertices i, j and k at a place. */
EPA_FN void set_face(polytope *p, int f, int i, int j, int k)
{
    bw_vec3 normal = {0, 0, 0};
    double distance = 0, error = 0;
    const bool good = plane_of(p, i, j, k, &normal, &distance, &error);
    p->corner[f][0] = (uint8_t)i;
    p->corner[f][1] = (uint8_t)j;
    p->corner[f][2] = (uint8_t)k;
    p->corner[f][3] = !good;
    p->face[f][0] = normal.x;
    p->face[f][1] = normal.y;
    p->face[f][2] = normal.z;
    p->face[f][3] = good ? -distance : (double)INFINITY;
    p->distance[f] = good ? distance : (double)INFINITY;
    if (good)
        p->error = bw_larger(p->error, error);
    else
        p->slack += p->width[f] = error;
    if (good && distance < p->least) {
        p->least = distance;
        p->nearest = f;
    }
}

/* The coordinates of four vertices by rows. */
D4_FN void four_of(const polytope *p, const uint8_t i[4], d4 out[3])
{
    d4_columns(d4_load(&p->v[i[0]].w.x), d4_load(&p->v[i[1]].w.x), d4_load(&p->v[i[2]].w.x),
               d4_load(&p->v[i[3]].w.x), out);
}

D4_FN d4 dot_of(const d4 a[3], const d4 b[3])
{
    return d4_add(d4_add(d4_mul(a[0], b[0]), d4_mul(a[1], b[1])), d4_mul(a[2], b[2]));
}

D4_FN d4 minor_of(d4 a, d4 b, d4 c, d4 d)
{
    return d4_sub(d4_mul(a, b), d4_mul(c, d));
}

/* Four faces, from edges to a vertex, at places that may be the same: what set_face does, at once. False, and nothing done, where one has no direction. */
EPA_FN bool set_four_faces(polytope *p, const uint8_t place[4], const uint8_t from[4], const uint8_t to[4],
                           int apex)
{
    d4 a[3], u[3], v[3], r[4];
    four_of(p, from, a);
    four_of(p, to, u);
    const double *w = &p->v[apex].w.x;
    for (int k = 0; k < 3; k++) {
        u[k] = d4_sub(u[k], a[k]);
        v[k] = d4_sub(d4_all(w[k]), a[k]);
    }
    const d4 n[3] = {minor_of(u[1], v[2], u[2], v[1]), minor_of(u[2], v[0], u[0], v[2]),
                     minor_of(u[0], v[1], u[1], v[0])};
    const d4 n2 = dot_of(n, n), uu = dot_of(u, u), vv = dot_of(v, v);
    if (m4_bits(d4_greater(n2, d4_mul(d4_all(0x1p-80), d4_mul(uu, vv)))) != 15)
        return false;
    const d4 inverse = d4_div(d4_all(1), d4_sqrt(n2));
    for (int k = 0; k < 3; k++)
        r[k] = d4_mul(n[k], inverse);
    const d4 distance = dot_of(r, a);
    const d4 spread = d4_add(d4_all(1), d4_mul(d4_mul(d4_all(0.5), d4_add(uu, vv)), inverse));
    const d4 error = d4_mul(d4_mul(d4_all(16 * BW_ROUNDOFF), spread),
                            d4_add(d4_add(d4_abs(a[0]), d4_abs(a[1])), d4_abs(a[2])));
    double distances[4], errors[4];
    d4_store(distances, distance);
    d4_store(errors, d4_max(error, d4_rotate(error)));
    p->error = bw_larger(p->error, bw_larger(errors[0], errors[2]));
    r[3] = d4_sub(d4_all(0), distance);
    d4_transpose(r);
    for (int k = 0; k < 4; k++) {
        const uint8_t corner[4] = {from[k], to[k], (uint8_t)apex, 0};
        memcpy(p->corner[place[k]], corner, 4);
        d4_store(p->face[place[k]], r[k]);
        p->distance[place[k]] = distances[k];
    }
    /* The first of the nearest of these, against the nearest before. */
    d4 least = d4_min(distance, d4_rotate(distance));
    least = d4_min(least, d4_rotate(d4_rotate(least)));
    const unsigned first = m4_bits(d4_equal(distance, least));
    double nearest[4];
    d4_store(nearest, least);
    if (nearest[0] < p->least) {
        p->least = nearest[0];
        p->nearest = place[__builtin_ctz(first)];
    }
    return true;
}

/* Faces from all edges to a vertex, at as many places. */
EPA_FN void set_faces(polytope *p, uint8_t *place, horizon *h, int apex)
{
    const int last = h->count - 1;
    for (int k = 1; k < 4; k++) { /* the last again, to the end of four */
        place[last + k] = place[last];
        h->from[last + k] = h->from[last];
        h->to[last + k] = h->to[last];
    }
    for (int n = 0; n <= last; n += 4) {
        if (set_four_faces(p, place + n, h->from + n, h->to + n, apex))
            continue;
        for (int k = n; k < n + 4 && k <= last; k++)
            set_face(p, place[k], h->from[k], h->to[k], apex);
    }
}

/* Keeps the vertex tried last. */
EPA_FN bool add_vertex(polytope *p)
{
    p->vertices++;
    return true;
}

static const bw_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A second vertex, away from the first. */
EPA_FN bool add_second(polytope *p)
{
    for (int i = 0; i < 6; i++) {
        try_direction(p, i < 3 ? axes[i] : bw_vec3_minus(axes[i - 3]));
        if (bw_vec3_length(bw_vec3_sub(p->v[p->vertices].w, p->v[0].w)) > 8 * p->g->margin)
            return add_vertex(p);
    }
    return false;
}

/* A third, off the line of the first two. */
EPA_FN bool add_third(polytope *p)
{
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
        try_direction(p, bw_vec3_along(bw_vec3_scale(u, cosine[i]), v, sine[i]));
        const bw_vec3 off = bw_vec3_cross(bw_vec3_sub(p->v[p->vertices].w, p->v[0].w), unit);
        if (bw_vec3_length(off) > 8 * p->g->margin)
            return add_vertex(p);
    }
    return false;
}

/* A fourth, off the plane of the first three. */
EPA_FN bool add_fourth(polytope *p)
{
    bw_vec3 normal;
    double distance, error;
    const bool good = plane_of(p, 0, 1, 2, &normal, &distance, &error);
    for (int i = 0; good && i < 2; i++) {
        const bool better = try_direction(p, i == 0 ? normal : bw_vec3_minus(normal));
        if (fabs(bw_vec3_dot(normal, bw_vec3_sub(p->v[p->vertices].w, p->v[0].w))) > 8 * p->g->margin)
            return add_vertex(p);
        if (better && !p->has_witness)
            set_witness(p, 0, 1, 2);
    }
    return false;
}

/* The faces of the first four vertices; turn: the first three are clockwise seen from outside. */
EPA_FN void add_sides(polytope *p, bool turn)
{
    static const uint8_t ends[2][3] = {{1, 2, 0}, {2, 0, 1}};
    uint8_t place[8] = {1, 2, 3};
    horizon h;
    h.count = 3;
    for (int k = 0; k < 3; k++) { /* around the first, the other way */
        h.from[k] = ends[turn ? 1 : 0][k];
        h.to[k] = (uint8_t)k;
    }
    set_face(p, 0, 0, turn ? 2 : 1, turn ? 1 : 2);
    set_faces(p, place, &h, 3);
    p->faces = 4;
    close_faces(p);
}

/* Four vertices around the origin, or near it. False where the differences are flat but for roundings: then the
 * directions tried hold the one across. */
EPA_FN bool make_tetrahedron(polytope *p)
{
    for (int i = 0; i < p->g->count; i++) {
        p->edges[p->vertices] = 0;
        p->v[p->vertices++] = p->g->v[i];
    }
    while (p->vertices < 4)
        if (!(p->vertices == 1 ? add_second(p) : p->vertices == 2 ? add_third(p) : add_fourth(p)))
            return false;
    const bw_vec3 o = p->v[0].w, n = bw_vec3_cross(bw_vec3_sub(p->v[1].w, o), bw_vec3_sub(p->v[2].w, o));
    const bool turn = bw_vec3_dot(n, bw_vec3_sub(p->v[3].w, o)) > 0;
    add_sides(p, turn);
    return true;
}

/* The faces that a vertex sees, into `seen`; how many. The nearest of the others is p->nearest. */
EPA_FN int find_seen(polytope *p, d4 x, uint8_t *seen)
{
    static const double numbers[4] = {0, 1, 2, 3};
    const d4 zero = d4_all(0), none = d4_all((double)INFINITY), four = d4_all(4);
    d4 least = none, number = d4_load(numbers), least_number = d4_all(-1);
    uint64_t bits[2] = {0, 0};
    for (int i = 0; i < p->faces; i += 4) {
        const d4 along = d4_sums(d4_mul(d4_load(p->face[i]), x), d4_mul(d4_load(p->face[i + 1]), x),
                                 d4_mul(d4_load(p->face[i + 2]), x), d4_mul(d4_load(p->face[i + 3]), x));
        const m4 sees = d4_greater(along, zero);
        const d4 distance = d4_choose(sees, none, d4_load(&p->distance[i]));
        const m4 nearer = d4_greater(least, distance);
        least = d4_choose(nearer, distance, least);
        least_number = d4_choose(nearer, number, least_number);
        number = d4_add(number, four);
        bits[i >> 6] |= (uint64_t)m4_bits(sees) << (i & 63);
    }
    /* Of all lanes the nearest, and of those as near the first. */
    d4 most = d4_min(least, d4_rotate(least));
    most = d4_min(most, d4_rotate(d4_rotate(most)));
    d4 first = d4_choose(d4_equal(least, most), least_number, none);
    first = d4_min(first, d4_rotate(first));
    first = d4_min(first, d4_rotate(d4_rotate(first)));
    double nearest[4], distance[4];
    d4_store(nearest, first);
    d4_store(distance, most);
    p->nearest = (int)nearest[0];
    p->least = distance[0];
    int count = 0;
    for (int word = 0; word < 2; word++)
        for (uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
            seen[count++] = (uint8_t)(64 * word + __builtin_ctzll(rest));
    return count;
}

static int next_of(int k)
{
    return k == 2 ? 0 : k + 1;
}

/* Whether a face has an edge in common with those taken. */
EPA_FN bool is_beside(const polytope *p, const uint8_t *v)
{
    uint64_t any = 0;
    for (int k = 0; k < 3; k++)
        any |= p->edges[v[next_of(k)]] >> v[k] & 1;
    return any != 0;
}

/* Takes the edges of a face: those between two faces go both ways, and cancel out. */
EPA_FN void take_edges(polytope *p, const uint8_t *v)
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
EPA_FN int take_connected(polytope *p, int start, uint8_t *seen, int count)
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

/* The edges around some faces. False where they may not hang together, or have a hole. */
EPA_FN bool find_horizon(polytope *p, const uint8_t *seen, int count, horizon *out)
{
    uint64_t corners = 0, around = 0;
    int edges = 0;
    for (int n = 0; n < count; n++) {
        const uint8_t *v = p->corner[seen[n]];
        for (int k = 0; k < 3; k++) {
            p->edges[v[k]] |= (uint64_t)1 << v[next_of(k)];
            corners |= (uint64_t)1 << v[k];
        }
    }
    for (int n = 0; n < count; n++) {
        const uint8_t *v = p->corner[seen[n]];
        for (int k = 0; k < 3; k++) {
            const int i = v[k], j = v[next_of(k)];
            const uint64_t single = (p->edges[j] >> i & 1) ^ 1;
            out->from[edges] = (uint8_t)i;
            out->to[edges] = (uint8_t)j;
            edges += (int)single;
            around |= single << i;
        }
    }
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 3; k++)
            p->edges[p->corner[seen[n]][k]] = 0;
    out->count = edges;
    /* Faces that hang together, with all their corners around them, have two edges more around than they are. */
    return edges == count + 2 && corners == around;
}

/* The horizon of what is seen around a face; how many faces that are, at the front of `seen`. */
EPA_FN int surround(polytope *p, int start, uint8_t *seen, int count, horizon *out)
{
    if (count == 1) {
        const uint8_t *v = p->corner[seen[0]];
        for (int k = 0; k < 3; k++) {
            out->from[k] = v[k];
            out->to[k] = v[next_of(k)];
        }
        out->count = 3;
        return 1;
    }
    if (find_horizon(p, seen, count, out))
        return count;
    const int taken = take_connected(p, start, seen, count);
    memset(p->edges, 0, (size_t)p->vertices * sizeof *p->edges);
    find_horizon(p, seen, taken, out);
    for (int n = taken; n < count; n++) { /* seen, and still there */
        const double distance = p->distance[seen[n]];
        if (distance < p->least) {
            p->least = distance;
            p->nearest = seen[n];
        }
    }
    return taken;
}

/* Fills places of faces that are no more by the last ones. */
EPA_FN void fill_places(polytope *p, uint8_t *place, int count)
{
    for (int n = 0; n < count; n++) {
        const int last = p->faces - 1;
        int f = place[n];
        for (int k = n + 1; k < count; k++)
            if (place[k] == last) { /* no face either */
                place[k] = (uint8_t)f;
                f = last;
            }
        memmove(p->face[f], p->face[last], sizeof p->face[f]);
        memmove(p->corner[f], p->corner[last], sizeof p->corner[f]);
        p->distance[f] = p->distance[last];
        p->width[f] = p->width[last];
        p->nearest = p->nearest == last ? f : p->nearest;
        p->faces--;
    }
}

/* Replaces what the vertex tried last sees around a face by triangles from the edges around that. False where it does not see the
 * face, or there is no room: the surface is then of no more use. */
EPA_FN bool expand(polytope *p, int start, d4 w)
{
    uint8_t seen[MAX_FACES + 8];
    horizon around;
    seen[0] = (uint8_t)start;
    const int all = find_seen(p, w, seen), count = surround(p, start, seen, all, &around);
    const int more = around.count - count;
    if (p->vertices == MAX_VERTICES || around.count < 3 || p->faces + more > MAX_FACES)
        return false;
    for (int n = 0; n < count; n++)
        if (p->corner[seen[n]][3] != 0)
            p->slack = bw_larger(0, p->slack - p->width[seen[n]]);
    seen[count] = (uint8_t)p->faces; /* there are at most two more than before */
    seen[count + 1] = (uint8_t)(p->faces + 1);
    set_faces(p, seen, &around, p->vertices++);
    if (more < 0)
        fill_places(p, seen + around.count, -more);
    else
        p->faces += more;
    close_faces(p);
    return true;
}

/* What the surface proves: the origin is behind every triangle by this. Triangles without a direction have no solid angle to
 * speak of, seen from farther away than they are wide: the surface winds around what is as far from the others. */
EPA_FN double proven_by(const polytope *p)
{
    return p->nearest < 0 ? 0 : bw_larger(0, p->least - (p->error + p->slack));
}

/* Expands the nearest face until it is one of the differences of the cores, or they are apart by more than `apart`; what was
 * proven. */
EPA_FN double search(polytope *p, bool kind_only, double apart)
{
    const double margin = p->g->margin;
    double proven = 0;
    uint32_t a, b;
    while (p->nearest >= 0) {
        const int f = p->nearest;
        const bw_vec3 normal = {p->face[f][0], p->face[f][1], p->face[f][2]};
        const double distance = p->distance[f];
        proven = bw_larger(proven, proven_by(p));
        if ((kind_only && proven > 2 * margin) || distance >= -p->best.lower - 0.25 * margin)
            break;
        const d4 w = farthest_difference(p, normal, &a, &b);
        put_vertex(p, w, a, b);
        const double along = bw_vec3_dot(normal, p->v[p->vertices].w);
        if (take_bound(p, normal, along))
            set_witness(p, p->corner[f][0], p->corner[f][1], p->corner[f][2]);
        if (p->best.lower > apart || along - distance <= margin || !expand(p, f, w))
            break;
    }
    return proven;
}

D4_FN void begin(polytope *p, const bw_gjk *g)
{
    p->g = g;
    set_side(&p->a, g->a, 1);
    set_side(&p->b, g->b, -1);
    p->shift[0] = g->shift.x;
    p->shift[1] = g->shift.y;
    p->shift[2] = g->shift.z;
    p->shift[3] = -1;
    p->vertices = p->faces = 0;
    p->nearest = -1;
    p->least = (double)INFINITY;
    p->best = (bw_gap){.lower = -(double)INFINITY, .upper = 0, .normal = {0, 0, 1}};
    p->error = 0;
    p->slack = 0;
    p->has_witness = false;
}

/* The answer; the search of the pair begins at the witness next time. */
EPA_FN void finish(polytope *p, bw_gjk *g, double proven, bw_gap *out)
{
    if (p->has_witness) {
        find_witness(p);
        for (int k = 0; k < 3; k++)
            g->v[k] = p->v[p->witness[k]];
        g->count = 3;
    }
    *out = p->best;
    out->upper = -proven;
}

D4_TARGET void EPA_GAP(bw_gjk *g, bool kind_only, bw_gap *out)
{
    polytope p;
    begin(&p, g);
    const double proven = make_tetrahedron(&p) ? search(&p, kind_only, (double)INFINITY) : 0;
    finish(&p, g, proven, out);
}

/* Four differences, far apart as seen from the middle of all, towards the origin and beyond: three around the direction to it, and the
 * one opposite; then the one along it. False where they are flat. */
EPA_FN bool make_start(polytope *p)
{
    static const double cosine[3] = {0.7071067811865475, -0.35355339059327373, -0.35355339059327373},
                        sine[3] = {0, 0.6123724356957945, -0.6123724356957945};
    const double margin = p->g->margin;
    bw_vec3 ca, cb;
    bw_convex_inner(p->g->a, &ca);
    bw_convex_inner(p->g->b, &cb);
    const bw_vec3 to = bw_vec3_sub(bw_vec3_add(cb, p->g->shift), ca);
    const double length = bw_vec3_length(to);
    const bw_vec3 n = length > margin ? bw_vec3_scale(to, 1 / length) : axes[2];
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const bw_vec3 across = bw_vec3_cross(n, axes[x <= y && x <= z ? 0 : y <= z ? 1 : 2]);
    const bw_vec3 u = bw_vec3_scale(across, 1 / bw_vec3_length(across)), v = bw_vec3_cross(n, u);
    const bw_vec3 half = bw_vec3_scale(n, 0.7071067811865475);
    bw_vec3 d[5] = {half, half, half, bw_vec3_minus(n), n};
    for (int i = 0; i < 3; i++)
        d[i] = bw_vec3_along(bw_vec3_along(half, u, cosine[i]), v, sine[i]);
    for (int i = 4; i >= 0; i--) {
        uint32_t a, b;
        const d4 w = farthest_difference(p, d[i], &a, &b);
        p->vertices = i;
        put_vertex(p, w, a, b);
        const double depth = bw_vec3_dot(d[i], p->v[i].w);
        if (-depth > margin) {
            take_bound(p, d[i], depth);
            return false;
        }
    }
    p->vertices = 4; /* the fifth comes later; bounds of depths are those of faces, which have a witness */
    const double height = bw_vec3_dot(n, bw_vec3_sub(p->v[0].w, p->v[3].w));
    const bw_vec3 m = bw_vec3_cross(bw_vec3_sub(p->v[1].w, p->v[0].w), bw_vec3_sub(p->v[2].w, p->v[0].w));
    const double area = bw_vec3_length(m), volume = bw_vec3_dot(m, bw_vec3_sub(p->v[3].w, p->v[0].w));
    if (!(height > 0 && fabs(volume) > 0x1p-20 * area * height))
        return false;
    add_sides(p, volume > 0);
    if (p->error > margin || p->slack > 0)
        return false;
    const double *top = p->face[0];
    const bw_vec3 normal = {top[0], top[1], top[2]};
    return !(bw_vec3_dot(normal, p->v[4].w) + top[3] > margin) ||
           expand(p, 0, d4_load((const double[4]){p->v[4].w.x, p->v[4].w.y, p->v[4].w.z, 1}));
}

D4_TARGET bool EPA_CONTACT(bw_gjk *g, double limit, bw_gap *out)
{
    polytope p;
    begin(&p, g);
    const double margin = g->margin, proven = make_start(&p) ? search(&p, false, margin) : 0;
    if (p.best.lower > limit + margin) {
        *out = (bw_gap){.lower = p.best.lower, .upper = (double)INFINITY, .normal = p.best.normal};
        return true;
    }
    if (!(proven > 2 * margin && p.has_witness))
        return false;
    finish(&p, g, proven, out);
    return true;
}
