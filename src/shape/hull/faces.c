/* The faces of a hull for contacts: triangles that are in one plane but for roundings, as one polygon each. */
#include "base/array.h"
#include "geom/cross.h"
#include "geom/exact/predicates.h"
#include "geom/vec.h"
#include "shape/hull/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Corners this near to a face's plane, in parts of the hull's size, are on it. */
static const double flatness = 1e-9;

typedef struct edge {
    uint32_t from, to, triangle;
} edge;

static int by_ends(const void *a, const void *b)
{
    const edge *s = a, *t = b;
    if (s->from != t->from)
        return s->from < t->from ? -1 : 1;
    return s->to < t->to ? -1 : s->to > t->to;
}

static uint32_t across(const edge *edges, uint32_t count, uint32_t from, uint32_t to)
{
    const edge key = {to, from, 0};
    const edge *found = bsearch(&key, edges, count, sizeof *edges, by_ends);
    return found == NULL ? BW_NONE : found->triangle;
}

typedef struct seed {
    double area;
    uint32_t triangle;
} seed;

static int by_area(const void *a, const void *b)
{
    const seed *s = a, *t = b;
    if (s->area != t->area)
        return s->area > t->area ? -1 : 1;
    return s->triangle < t->triangle ? -1 : s->triangle > t->triangle;
}

typedef struct work {
    bw_hull *hull;
    edge *edges;  /* three per triangle, sorted */
    seed *seeds;  /* one per triangle, the largest first */
    uint32_t *of; /* the face of each triangle */
    bw_array members, boundary, faces, loops;
} work;

/* By exact differences and determinants: rounded products give a needle any direction. */
bw_vec3 bw_hull_normal(const bw_hull *h, uint32_t t, double *length)
{
    const uint32_t *i = &h->indices[3 * t];
    const bw_difference u = bw_difference_of(&h->vertices[i[1]], &h->vertices[i[0]]),
                        v = bw_difference_of(&h->vertices[i[2]], &h->vertices[i[0]]);
    bw_vec3 n = {bw_det2(&u, &v, 0, BW_ACCURATE), bw_det2(&u, &v, 1, BW_ACCURATE),
                 bw_det2(&u, &v, 2, BW_ACCURATE)};
    const double largest = bw_largest_coordinate(&n);
    *length = 0;
    if (!bw_to_direction(&n))
        return (bw_vec3){0, 0, 0};
    const double rest = sqrt(bw_vec3_dot(n, n));
    *length = largest * rest;
    return bw_vec3_scale(n, 1 / rest);
}

static uint32_t member(const work *w, size_t i)
{
    return *(uint32_t *)bw_array_at(&w->members, i);
}

static bool add_member(work *w, uint32_t triangle, uint32_t face)
{
    uint32_t *slot = bw_array_push(&w->members);
    if (slot != NULL)
        *slot = triangle;
    w->of[triangle] = face;
    return slot != NULL;
}

static bool is_flat(const bw_hull *h, uint32_t triangle, const bw_hull_face *face)
{
    double length;
    for (uint32_t i = 0; i < 3; i++)
        if (!(fabs(bw_vec3_dot(face->normal, h->vertices[h->indices[3 * triangle + i]]) - face->offset) <=
              flatness * h->reach))
            return false;
    return bw_vec3_dot(bw_hull_normal(h, triangle, &length), face->normal) > 0.5;
}

/* The triangles around one that are in its plane become its face's. */
static bool flood(work *w, uint32_t first, uint32_t number, const bw_hull_face *face)
{
    const bw_hull *h = w->hull;
    w->members.count = 0;
    if (!add_member(w, first, number))
        return false;
    for (size_t i = 0; i < w->members.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *v = &h->indices[3 * member(w, i)];
            const uint32_t other = across(w->edges, 3 * h->triangle_count, v[k], v[(k + 1) % 3]);
            if (other != BW_NONE && w->of[other] == BW_NONE && is_flat(h, other, face) &&
                !add_member(w, other, number))
                return false;
        }
    return true;
}

/* The corners around a face, from its edges to other faces. */
static bool make_loop(work *w, uint32_t number, bw_hull_face *face)
{
    const bw_hull *h = w->hull;
    w->boundary.count = 0;
    for (size_t i = 0; i < w->members.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t t = member(w, i), from = h->indices[3 * t + k],
                           to = h->indices[3 * t + (k + 1) % 3];
            const uint32_t other = across(w->edges, 3 * h->triangle_count, from, to);
            if (other != BW_NONE && w->of[other] == number)
                continue;
            edge *e = bw_array_push(&w->boundary);
            if (e == NULL)
                return false;
            *e = (edge){from, to, t};
        }
    edge *edges = (edge *)(void *)w->boundary.items;
    qsort(edges, w->boundary.count, sizeof *edges, by_ends);
    face->first = (uint32_t)w->loops.count;
    uint32_t now = edges[0].from;
    for (size_t n = 0; n < w->boundary.count; n++) {
        uint32_t *slot = bw_array_push(&w->loops);
        if (slot == NULL)
            return false;
        *slot = now;
        for (size_t low = 0, high = w->boundary.count; low < high;) {
            const size_t middle = (low + high) / 2;
            if (edges[middle].from == now) {
                now = edges[middle].to;
                break;
            }
            if (edges[middle].from < now)
                low = middle + 1;
            else
                high = middle;
        }
        if (now == edges[0].from)
            break;
    }
    face->count = (uint32_t)w->loops.count - face->first;
    return true;
}

static bool make_faces(work *w)
{
    const bw_hull *h = w->hull;
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        bw_hull_normal(h, t, &w->seeds[t].area);
        w->seeds[t].triangle = t;
        w->of[t] = BW_NONE;
        for (uint32_t k = 0; k < 3; k++)
            w->edges[3 * t + k] = (edge){h->indices[3 * t + k], h->indices[3 * t + (k + 1) % 3], t};
    }
    qsort(w->edges, 3 * (size_t)h->triangle_count, sizeof *w->edges, by_ends);
    qsort(w->seeds, h->triangle_count, sizeof *w->seeds, by_area);
    for (uint32_t s = 0; s < h->triangle_count; s++) {
        const uint32_t t = w->seeds[s].triangle, number = (uint32_t)w->faces.count;
        double length;
        bw_hull_face face = {.normal = bw_hull_normal(h, t, &length)};
        if (w->of[t] != BW_NONE || length == 0)
            continue; /* too small for a direction: its corners are on other faces */
        face.offset = bw_vec3_dot(face.normal, h->vertices[h->indices[3 * t]]);
        if (!flood(w, t, number, &face) || !make_loop(w, number, &face))
            return false;
        bw_hull_face *slot = bw_array_push(&w->faces);
        if (slot == NULL)
            return false;
        *slot = face;
    }
    return true;
}

/* Copies an array into a block of its length. */
static void *keep(const bw_allocator *allocator, const bw_array *array)
{
    void *out = bw_allocate(allocator, array->count == 0 ? 1 : array->count, array->element);
    if (out != NULL && array->count > 0)
        memcpy(out, array->items, array->count * array->element);
    return out;
}

bw_result bw_hull_make_faces(bw_hull *hull)
{
    const bw_allocator *allocator = &hull->allocator;
    const size_t triangles = hull->triangle_count == 0 ? 1 : hull->triangle_count;
    work w = {.hull = hull,
              .edges = bw_allocate(allocator, 3 * triangles, sizeof *w.edges),
              .seeds = bw_allocate(allocator, triangles, sizeof *w.seeds),
              .of = bw_allocate(allocator, triangles, sizeof *w.of),
              .members = bw_array_of(sizeof(uint32_t), allocator),
              .boundary = bw_array_of(sizeof(edge), allocator),
              .faces = bw_array_of(sizeof(bw_hull_face), allocator),
              .loops = bw_array_of(sizeof(uint32_t), allocator)};
    bool good = w.edges != NULL && w.seeds != NULL && w.of != NULL && make_faces(&w);
    if (good) {
        hull->face_count = (uint32_t)w.faces.count;
        hull->loop_count = (uint32_t)w.loops.count;
        hull->faces = keep(allocator, &w.faces);
        hull->loops = keep(allocator, &w.loops);
        good = hull->faces != NULL && hull->loops != NULL;
    }
    bw_array_release(&w.members);
    bw_array_release(&w.boundary);
    bw_array_release(&w.faces);
    bw_array_release(&w.loops);
    bw_release(allocator, w.edges, 3 * triangles, sizeof *w.edges);
    bw_release(allocator, w.seeds, triangles, sizeof *w.seeds);
    bw_release(allocator, w.of, triangles, sizeof *w.of);
    return good ? BW_OK : BW_ERROR_MEMORY;
}
