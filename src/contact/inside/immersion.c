/* Crossings of edges and triangles in general position, and what follows from them. */
#include "contact/inside/immersion.h"

#include "base/union_find.h"
#include "collide/contains/closed.h"
#include "contact/hits.h"
#include "contact/inside/crossings.h"
#include "contact/inside/pieces.h"
#include "contact/inside/winding.h"
#include "geom/vec.h"
#include "tree/tree.h"

#include <math.h>

/* Where the body stands while it is looked at: a in its own frame, b in that of a. */
typedef struct stance {
    bw_body a, b;
    bw_transform map;
} stance;

static stance stance_of(const bw_contact_frame *frame, bw_vec3 offset)
{
    stance s = {.map = frame->relative.map};
    s.map.m[0][3] += offset.x;
    s.map.m[1][3] += offset.y;
    s.map.m[2][3] += offset.z;
    s.a = (bw_body){frame->a->tree, frame->a->mesh, NULL};
    s.b = (bw_body){frame->b->tree, frame->b->mesh, NULL};
    return s;
}

/* The winding numbers of the vertices of `inner` from the jumps along its edges: pieces are disjoint sets in
 * which each place knows its difference from its parent, and the root's own is counted along a ray. */
typedef struct spreading {
    bw_immersed *inner;
    uint32_t *parent; /* inner->piece */
    int32_t *offset;  /* winding of a place less that of its parent; 0 at a root */
} spreading;

static uint32_t root_of(const spreading *s, uint32_t x)
{
    while (s->parent[x] != x) {
        s->offset[x] += s->offset[s->parent[x]];
        x = s->parent[x] = s->parent[s->parent[x]];
    }
    return x;
}

/* The winding number of x less that of its root. */
static int32_t offset_of(const spreading *s, uint32_t x)
{
    int32_t sum = 0;
    for (; s->parent[x] != x; x = s->parent[x])
        sum += s->offset[x];
    return sum;
}

static void join(const spreading *s, uint32_t u, uint32_t v, int32_t jump)
{
    const uint32_t root_u = root_of(s, u), root_v = root_of(s, v);
    if (root_u == root_v)
        return;
    const int32_t difference = offset_of(s, u) + jump - offset_of(s, v); /* of root_v from root_u */
    if (root_u < root_v) {
        s->parent[root_v] = root_u;
        s->offset[root_v] = difference;
    } else {
        s->parent[root_u] = root_v;
        s->offset[root_u] = -difference;
    }
}

static bw_result spread(const spreading *s, const bw_metric_side *outer, const bw_transform *map,
                        const bw_allocator *allocator, bool *general)
{
    bw_immersed *inner = s->inner;
    const bw_mesh *mesh = inner->body->mesh;
    bw_sets_init(s->parent, inner->vertex_count);
    for (uint32_t i = 0; i < inner->triangle_count; i++) {
        const uint32_t t = inner->triangles[i];
        for (uint32_t k = 0; k < 2; k++)
            join(s, inner->place[bw_mesh_view_index(mesh, t, k)],
                 inner->place[bw_mesh_view_index(mesh, t, k + 1)], inner->jump[3 * (size_t)t + k]);
    }
    /* Roots come first in their sets. */
    for (uint32_t v = 0; v < inner->vertex_count; v++) {
        if (inner->place[v] != v)
            continue;
        if (s->parent[v] != v) {
            inner->winding[v] = inner->winding[root_of(s, v)] + offset_of(s, v);
            continue;
        }
        bw_vec3 point = bw_mesh_view_vertex(mesh, v);
        if (map != NULL)
            point = bw_transform_point(map, point);
        bool on_surface;
        const bw_result result =
            bw_winding_of_point(outer, point, allocator, &inner->winding[v], &on_surface);
        *general = *general && !on_surface;
        if (result != BW_OK || on_surface)
            return result;
    }
    return BW_OK;
}

static bw_result find_windings(bw_immersed *inner, const bw_immersed *outer, const bw_body *outer_body,
                               const bw_transform *map, const bw_allocator *allocator, bool *general)
{
    if (!outer->closed)
        return BW_OK;
    const uint32_t count = inner->vertex_count;
    spreading s = {.inner = inner, .parent = inner->piece};
    s.offset = bw_allocate_zero(allocator, count, sizeof *s.offset);
    bw_metric_side side;
    bw_result result = s.offset == NULL ? BW_ERROR_MEMORY : BW_OK;
    if (result == BW_OK)
        result = bw_metric_prepare(outer_body, &side);
    if (result == BW_OK)
        result = spread(&s, &side, map, allocator, general);
    bw_release(allocator, s.offset, count, sizeof *s.offset);
    return result;
}

static void clear_crossings(bw_immersed *body)
{
    for (size_t i = 0; i < 3 * (size_t)body->primitive_count; i++) {
        body->jump[i] = 0;
        body->cuts[i] = 0;
    }
}

/* Everything for b where it stands; *general is false where it touches a, and then nothing is told. */
static bw_result look(bw_immersion *out, const stance *s, bool moved, const bw_hit *hits, uint32_t hit_count,
                      bw_vec3 middle, bool *general)
{
    const bw_transform *map = moved || s->b.pose != NULL ? &s->map : NULL;
    clear_crossings(&out->a);
    clear_crossings(&out->b);
    bw_crossings crossings = {.a = &out->a, .b = &out->b, .map = map, .middle = middle};
    *general = true;
    for (uint32_t i = 0; i < hit_count && *general; i++)
        *general = bw_crossings_add(&crossings, &hits[i]);
    bw_result result = BW_OK;
    const bw_body b = {s->b.tree, s->b.mesh, map};
    if (*general)
        result = find_windings(&out->a, &out->b, &b, NULL, out->allocator, general);
    if (*general && result == BW_OK)
        result = find_windings(&out->b, &out->a, &s->a, map, out->allocator, general);
    if (!*general || result != BW_OK)
        return result;
    out->known = true;
    if (out->a.closed && out->a.oriented && out->b.closed && out->b.oriented) {
        bw_crossings_add_faces(&crossings);
        out->volume = fabs(bw_crossings_volume(&crossings, &out->volume_error));
    }
    return BW_OK;
}

/* A box in the frame of a. */
typedef struct extent {
    bw_vec3 low, high;
} extent;

static extent extent_of(const bw_immersed *body, const bw_transform *map)
{
    extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        if (body->place[v] != v)
            continue;
        bw_vec3 p = bw_mesh_view_vertex(body->body->mesh, v);
        if (map != NULL)
            p = bw_transform_point(map, p);
        e.low = (bw_vec3){fmin(e.low.x, p.x), fmin(e.low.y, p.y), fmin(e.low.z, p.z)};
        e.high = (bw_vec3){fmax(e.high.x, p.x), fmax(e.high.y, p.y), fmax(e.high.z, p.z)};
    }
    return e;
}

static double largest(bw_vec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

/* How far b is moved at first: 2^-36 of the smaller body, or 2^-46 of the coordinates where rounding is
 * coarser than that. */
static double first_step(const extent *a, const extent *b)
{
    const double size = fmin(largest(bw_vec3_sub(a->high, a->low)), largest(bw_vec3_sub(b->high, b->low)));
    const double magnitude =
        fmax(fmax(largest(a->low), largest(a->high)), fmax(largest(b->low), largest(b->high)));
    return fmax(0x1p-36 * size, 0x1p-46 * magnitude);
}

static bw_vec3 middle_of(const extent *a, const extent *b)
{
    const bw_vec3 low = {fmax(a->low.x, b->low.x), fmax(a->low.y, b->low.y), fmax(a->low.z, b->low.z)};
    const bw_vec3 high = {fmin(a->high.x, b->high.x), fmin(a->high.y, b->high.y), fmin(a->high.z, b->high.z)};
    return bw_vec3_add(bw_vec3_scale(low, 0.5), bw_vec3_scale(high, 0.5));
}

/* The most that the linear part stretches a vector (its Frobenius norm), and what it does to volumes. */
static void stretch_of(const bw_transform *t, double *length, double *volume)
{
    *length = *volume = 1.0;
    if (t == NULL)
        return;
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += t->m[i][j] * t->m[i][j];
    *length = sqrt(sum);
    const bw_vec3 x = {t->m[0][0], t->m[0][1], t->m[0][2]}, y = {t->m[1][0], t->m[1][1], t->m[1][2]},
                  z = {t->m[2][0], t->m[2][1], t->m[2][2]};
    *volume = fabs(bw_vec3_dot(x, bw_vec3_cross(y, z)));
}

/* From the frame of a to the world. Moving b by a distance changes the volume by no more than that times
 * half its surface, or half a's: only that much can enter. */
static void to_world(bw_immersion *out, const bw_transform *pose, double moved)
{
    double length, volume;
    stretch_of(pose, &length, &volume);
    out->moved = 1.0000001 * moved * length;
    if (out->volume_error == INFINITY)
        return;
    out->volume *= volume;
    out->volume_error = out->volume_error * volume + 0.5 * fmin(out->a.area, out->b.area) * out->moved;
    if (!(out->volume_error < INFINITY) || !(out->volume < INFINITY)) { /* coordinates of extreme sizes */
        out->volume = 0.0;
        out->volume_error = INFINITY;
    }
}

enum { ATTEMPTS = 8 };

/* b moved a little, further at each attempt, until it is in general position. */
static bw_result look_moved(bw_immersion *out, const bw_contact_frame *frame, const bw_tasks *tasks,
                            double step, bw_vec3 middle, double *moved)
{
    static const bw_vec3 ways[ATTEMPTS] = {{0.5377, 0.6191, -0.5724},  {-0.6613, 0.5239, 0.5369},
                                           {0.7127, -0.4519, 0.5366},  {-0.5081, -0.6263, -0.5911},
                                           {0.6389, 0.4157, 0.6473},   {-0.4723, 0.7109, -0.5212},
                                           {0.5923, -0.5471, -0.5914}, {-0.5167, -0.4973, 0.6970}};
    for (int i = 0; i < ATTEMPTS && !out->known; i++, step *= 2.0) {
        const stance s = stance_of(frame, bw_vec3_scale(ways[i], step));
        const bw_body b = {s.b.tree, s.b.mesh, &s.map};
        bw_array hits = bw_array_of(sizeof(bw_hit), out->allocator);
        bool stopped;
        bw_result result = bw_hits_collect(&s.a, &b, tasks, (bw_progress){NULL, NULL}, &hits, &stopped);
        bool general = false;
        if (result == BW_OK)
            result = look(out, &s, true, (const bw_hit *)hits.items, (uint32_t)hits.count, middle, &general);
        bw_array_release(&hits);
        if (result != BW_OK)
            return result;
        *moved = step * 1.01;
    }
    return BW_OK;
}

bw_result bw_immersion_find(const bw_contact_frame *frame, const bw_hit *hits, uint32_t hit_count,
                            const bw_allocator *allocator, const bw_tasks *tasks, bw_immersion *out)
{
    *out = (bw_immersion){.allocator = allocator, .volume_error = INFINITY};
    bw_result result = bw_pieces_find(frame->a, allocator, &out->a);
    if (result == BW_OK)
        result = bw_pieces_find(frame->b, allocator, &out->b);
    if (result != BW_OK)
        return result;
    out->a.closed = bw_body_closed_oriented(frame->a, &out->a.oriented);
    out->b.closed = bw_body_closed_oriented(frame->b, &out->b.oriented);
    if (!out->a.closed && !out->b.closed)
        return BW_OK;
    stance s = stance_of(frame, (bw_vec3){0.0, 0.0, 0.0});
    s.b.pose = frame->relative.identity ? NULL : &s.map;
    const extent a = extent_of(&out->a, NULL), b = extent_of(&out->b, s.b.pose);
    const bw_vec3 middle = middle_of(&a, &b);
    bool general = false;
    double moved = 0.0;
    result = look(out, &s, false, hits, hit_count, middle, &general);
    if (result == BW_OK && !general)
        result = look_moved(out, frame, tasks, first_step(&a, &b), middle, &moved);
    to_world(out, frame->a->pose, moved);
    return result;
}

void bw_immersion_release(bw_immersion *immersion)
{
    bw_pieces_release(immersion->allocator, &immersion->a);
    bw_pieces_release(immersion->allocator, &immersion->b);
}
