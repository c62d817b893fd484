/* The convex hull of points in space: quickhull with exact signs.
 *   C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", ACM Transactions on
 *   Mathematical Software 22 (1996).
 *
 * A point sees a triangle only where it is strictly outside its plane (bw_orient3d), so that triangles in one
 * plane need no care: what a point outside sees is connected, and no new triangle is without area. Points that
 * end up inside a face or an edge were chosen early; they are dropped, and the hull of the corners is built. */
#include "base/array.h"
#include "geom/vec.h"
#include "shape/hull/hull.h"

#include <string.h>

typedef struct triangle {
    uint32_t v[3];         /* counter-clockwise seen from outside */
    uint32_t neighbour[3]; /* across the edge from corner i to the next */
    uint32_t outside;      /* the first point that sees it and is its own; the others by next[] */
    bool dead, seen;
} triangle;

typedef struct horizon_edge {
    uint32_t beyond; /* the triangle on the other side, which stays */
    uint32_t from, to;
} horizon_edge;

typedef struct builder {
    const bw_vec3 *points;
    uint32_t *next;  /* by point */
    uint32_t *begin; /* by point: the new triangle whose edge of the horizon begins there */
    bw_array triangles, stack, seen, horizon, fresh;
} builder;

static triangle *at(const builder *b, uint32_t i)
{
    return bw_array_at(&b->triangles, i);
}

static bool sees(const builder *b, uint32_t point, const triangle *t)
{
    const bw_vec3 *p = b->points;
    return bw_orient3d(&p[t->v[0]], &p[t->v[1]], &p[t->v[2]], &p[point]) < 0;
}

static bool push(bw_array *array, uint32_t value)
{
    uint32_t *slot = bw_array_push(array);
    if (slot != NULL)
        *slot = value;
    return slot != NULL;
}

static uint32_t pop(bw_array *array)
{
    return *(uint32_t *)bw_array_at(array, --array->count);
}

/* The point becomes that of the first of some triangles which it sees, if there is one. */
static void assign(builder *b, uint32_t point, const uint32_t *triangles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        triangle *t = at(b, triangles[i]);
        if (sees(b, point, t)) {
            b->next[point] = t->outside;
            t->outside = point;
            return;
        }
    }
}

/* Roughly the farthest of the points of a triangle: any would do. */
static uint32_t farthest(const builder *b, const triangle *t)
{
    const bw_vec3 *p = b->points, o = p[t->v[0]];
    const bw_vec3 n = bw_vec3_cross(bw_vec3_sub(p[t->v[1]], o), bw_vec3_sub(p[t->v[2]], o));
    uint32_t best = t->outside;
    double most = bw_vec3_dot(n, bw_vec3_sub(p[best], o));
    for (uint32_t i = b->next[best]; i != BW_NONE; i = b->next[i]) {
        const double height = bw_vec3_dot(n, bw_vec3_sub(p[i], o));
        if (height > most) {
            most = height;
            best = i;
        }
    }
    return best;
}

/* All triangles that the apex sees, from one of them on, and the edges around them. */
static bool find_horizon(builder *b, uint32_t first, uint32_t apex)
{
    b->seen.count = b->horizon.count = b->stack.count = 0;
    at(b, first)->seen = true;
    if (!push(&b->stack, first))
        return false;
    while (b->stack.count > 0) {
        const uint32_t i = pop(&b->stack);
        if (!push(&b->seen, i))
            return false;
        const triangle t = *at(b, i);
        for (int k = 0; k < 3; k++) {
            triangle *other = at(b, t.neighbour[k]);
            if (other->seen)
                continue;
            if (sees(b, apex, other)) {
                other->seen = true;
                if (!push(&b->stack, t.neighbour[k]))
                    return false;
                continue;
            }
            horizon_edge *edge = bw_array_push(&b->horizon);
            if (edge == NULL)
                return false;
            *edge = (horizon_edge){t.neighbour[k], t.v[k], t.v[(k + 1) % 3]};
        }
    }
    return true;
}

/* Triangles from the horizon to the apex. */
static bool close_horizon(builder *b, uint32_t apex)
{
    const uint32_t first = (uint32_t)b->triangles.count, count = (uint32_t)b->horizon.count;
    b->fresh.count = 0;
    if (bw_array_extend(&b->triangles, count) == NULL || bw_array_extend(&b->fresh, count) == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const horizon_edge *e = bw_array_at(&b->horizon, i);
        *at(b, first + i) =
            (triangle){{e->from, e->to, apex}, {e->beyond, BW_NONE, BW_NONE}, BW_NONE, false, false};
        *(uint32_t *)bw_array_at(&b->fresh, i) = first + i;
        triangle *beyond = at(b, e->beyond);
        for (int k = 0; k < 3; k++)
            if (beyond->v[k] == e->to && beyond->v[(k + 1) % 3] == e->from)
                beyond->neighbour[k] = first + i;
        b->begin[e->from] = first + i;
    }
    for (uint32_t i = 0; i < count; i++) {
        triangle *t = at(b, first + i);
        t->neighbour[1] = b->begin[t->v[1]];
        at(b, t->neighbour[1])->neighbour[2] = first + i;
    }
    return true;
}

/* Takes the farthest point of a triangle into the hull. */
static bool add_point(builder *b, uint32_t i)
{
    const uint32_t apex = farthest(b, at(b, i));
    if (!find_horizon(b, i, apex) || !close_horizon(b, apex))
        return false;
    for (size_t k = 0; k < b->seen.count; k++) {
        triangle *t = at(b, *(uint32_t *)bw_array_at(&b->seen, k));
        t->dead = true;
        for (uint32_t p = t->outside; p != BW_NONE;) {
            const uint32_t after = b->next[p];
            if (p != apex)
                assign(b, p, (const uint32_t *)(const void *)b->fresh.items, b->fresh.count);
            p = after;
        }
    }
    return true;
}

static bool first_tetrahedron(builder *b, const uint32_t first[4], uint32_t count)
{
    static const uint32_t side[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint32_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    const uint32_t all[4] = {0, 1, 2, 3};
    const bw_vec3 *p = b->points;
    uint32_t v[4] = {first[0], first[1], first[2], first[3]};
    /* The fourth is inside of the first triangle. */
    if (bw_orient3d(&p[v[0]], &p[v[1]], &p[v[2]], &p[v[3]]) < 0) {
        v[0] = first[1];
        v[1] = first[0];
    }
    if (bw_array_extend(&b->triangles, 4) == NULL)
        return false;
    for (uint32_t i = 0; i < 4; i++)
        *at(b, i) = (triangle){{v[side[i][0]], v[side[i][1]], v[side[i][2]]},
                               {beside[i][0], beside[i][1], beside[i][2]},
                               BW_NONE,
                               false,
                               false};
    for (uint32_t i = 0; i < count; i++)
        if (i != v[0] && i != v[1] && i != v[2] && i != v[3])
            assign(b, i, all, 4);
    return true;
}

/* Whether two triangles that share an edge are in one plane. */
static bool in_one_plane(const builder *b, const triangle *t, const triangle *other)
{
    const bw_vec3 *p = b->points;
    for (int k = 0; k < 3; k++)
        if (other->v[k] != t->v[0] && other->v[k] != t->v[1] && other->v[k] != t->v[2])
            return bw_orient3d(&p[t->v[0]], &p[t->v[1]], &p[t->v[2]], &p[other->v[k]]) == 0;
    return true;
}

/* How many edges of the hull end at each vertex: those between triangles of different planes. A corner has at
 * least three. */
static void count_edges(const builder *b, uint32_t *edges)
{
    for (uint32_t i = 0; i < b->triangles.count; i++) {
        const triangle *t = at(b, i);
        for (int k = 0; !t->dead && k < 3; k++)
            if (i < t->neighbour[k] && !in_one_plane(b, t, at(b, t->neighbour[k]))) {
                edges[t->v[k]]++;
                edges[t->v[(k + 1) % 3]]++;
            }
    }
}

static bool run(builder *b, const uint32_t first[4], uint32_t count)
{
    if (!first_tetrahedron(b, first, count))
        return false;
    for (uint32_t i = 0; i < b->triangles.count; i++)
        if (!at(b, i)->dead && at(b, i)->outside != BW_NONE && !add_point(b, i))
            return false;
    return true;
}

/* Copies what lives; number: by point, its corner. */
static void write_surface(const builder *b, const uint32_t *number, bw_hull_surface *out)
{
    uint32_t *to = out->triangles;
    for (uint32_t i = 0; i < b->triangles.count; i++)
        for (int k = 0; !at(b, i)->dead && k < 3; k++)
            *to++ = number[at(b, i)->v[k]];
}

/* Triangles over all vertices that the run ended with, corners or not; edges counts theirs. */
static bw_result take_surface(const builder *b, const bw_allocator *allocator, uint32_t count,
                              uint32_t *edges, bool *all_corners, bw_hull_surface *out)
{
    *out = (bw_hull_surface){0};
    *all_corners = true;
    memset(edges, 0, count * sizeof *edges);
    memset(b->next, 0, count * sizeof *b->next);
    count_edges(b, edges);
    for (uint32_t i = 0; i < b->triangles.count; i++)
        for (int k = 0; !at(b, i)->dead && k < 3; k++) {
            b->next[at(b, i)->v[k]] = 1;
            out->triangle_count += k == 0;
        }
    for (uint32_t p = 0; p < count; p++) {
        *all_corners &= b->next[p] == 0 || edges[p] >= 3;
        out->corner_count += b->next[p] != 0 && edges[p] >= 3;
    }
    out->corners = bw_allocate(allocator, out->corner_count, sizeof *out->corners);
    out->triangles = bw_allocate(allocator, 3 * (size_t)out->triangle_count, sizeof *out->triangles);
    if (out->corners == NULL || out->triangles == NULL)
        return BW_ERROR_MEMORY;
    uint32_t corner = 0;
    for (uint32_t p = 0; p < count; p++)
        if (b->next[p] != 0 && edges[p] >= 3) {
            out->corners[corner] = p;
            b->begin[p] = corner++;
        }
    if (*all_corners)
        write_surface(b, b->begin, out);
    return BW_OK;
}

void bw_hull_surface_release(const bw_allocator *allocator, bw_hull_surface *s)
{
    bw_release(allocator, s->corners, s->corner_count, sizeof *s->corners);
    bw_release(allocator, s->triangles, 3 * (size_t)s->triangle_count, sizeof *s->triangles);
    *s = (bw_hull_surface){0};
}

static bw_result build_once(const bw_allocator *allocator, const bw_vec3 *points, uint32_t count,
                            const uint32_t first[4], bool *all_corners, bw_hull_surface *out)
{
    builder b = {.points = points,
                 .next = bw_allocate(allocator, count, sizeof *b.next),
                 .begin = bw_allocate(allocator, count, sizeof *b.begin),
                 .triangles = bw_array_of(sizeof(triangle), allocator),
                 .stack = bw_array_of(sizeof(uint32_t), allocator),
                 .seen = bw_array_of(sizeof(uint32_t), allocator),
                 .horizon = bw_array_of(sizeof(horizon_edge), allocator),
                 .fresh = bw_array_of(sizeof(uint32_t), allocator)};
    uint32_t *edges = bw_allocate(allocator, count, sizeof *edges);
    bw_result result = BW_ERROR_MEMORY;
    *out = (bw_hull_surface){0};
    if (b.next != NULL && b.begin != NULL && edges != NULL && run(&b, first, count))
        result = take_surface(&b, allocator, count, edges, all_corners, out);
    if (result != BW_OK)
        bw_hull_surface_release(allocator, out);
    bw_array_release(&b.triangles);
    bw_array_release(&b.stack);
    bw_array_release(&b.seen);
    bw_array_release(&b.horizon);
    bw_array_release(&b.fresh);
    bw_release(allocator, b.next, count, sizeof *b.next);
    bw_release(allocator, b.begin, count, sizeof *b.begin);
    bw_release(allocator, edges, count, sizeof *edges);
    return result;
}

/* Four of the points that are not in one plane; all are corners of a solid. */
static void four_corners(const bw_vec3 *p, uint32_t count, uint32_t out[4])
{
    out[0] = 0;
    out[1] = 1; /* three corners are never on one line */
    out[2] = 2;
    for (out[3] = 3; out[3] + 1 < count && bw_orient3d(&p[0], &p[1], &p[2], &p[out[3]]) == 0;)
        out[3]++;
}

bw_result bw_hull_build(const bw_allocator *allocator, const bw_vec3 *points, uint32_t count,
                        const uint32_t first[4], bw_hull_surface *out)
{
    bool all_corners;
    bw_result result = build_once(allocator, points, count, first, &all_corners, out);
    if (result != BW_OK || all_corners)
        return result;
    /* Once more, of the corners alone. */
    bw_hull_surface again;
    const uint32_t corners = out->corner_count;
    bw_vec3 *kept = bw_allocate(allocator, corners, sizeof *kept);
    if (kept == NULL) {
        bw_hull_surface_release(allocator, out);
        return BW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < corners; i++)
        kept[i] = points[out->corners[i]];
    uint32_t four[4];
    four_corners(kept, corners, four);
    result = build_once(allocator, kept, corners, four, &all_corners, &again);
    bw_release(allocator, kept, corners, sizeof *kept);
    if (result == BW_OK) {
        for (uint32_t i = 0; i < again.corner_count; i++)
            again.corners[i] = out->corners[again.corners[i]];
    }
    bw_hull_surface_release(allocator, out);
    *out = again;
    return result;
}
