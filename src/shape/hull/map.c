/* The Gauss map of a hull: its facets, and the edges between them, as shape/axes_template.h reads them.
 *
 * Facets are those of the exact hull: triangles are one facet only where their normals are equal but for roundings, other than in
 * bw_hull.faces, which are flat to much less. */
#include "base/memory.h"
#include "geom/cross.h"
#include "geom/vec.h"
#include "shape/hull/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIANGLES = 2 * BW_MAP_POINTS };

/* One side of an edge. */
typedef struct edge_side {
    uint32_t low, high, triangle;
} edge_side;

typedef struct work {
    bw_hull *hull;
    bw_vec3 normal[TRIANGLES];
    uint32_t of[TRIANGLES];     /* a triangle of the same facet, with a lower number; itself: none */
    uint32_t number[TRIANGLES]; /* of the facet, where it is the first of it */
    edge_side side[3 * TRIANGLES];
} work;

static int by_ends(const void *a, const void *b)
{
    const edge_side *s = a, *t = b;
    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    if (s->high != t->high)
        return s->high < t->high ? -1 : 1;
    return s->triangle < t->triangle ? -1 : s->triangle > t->triangle;
}

static bool same_direction(bw_vec3 a, bw_vec3 b)
{
    const bw_vec3 d = bw_vec3_sub(a, b);
    return bw_vec3_dot(d, d) <= 0x1p-100;
}

static uint32_t first_of(const work *w, uint32_t triangle)
{
    while (w->of[triangle] != triangle)
        triangle = w->of[triangle];
    return triangle;
}

/* Both triangles of an edge, by the first ones of their facets. */
static void facets_of(const work *w, uint32_t edge, uint32_t out[2])
{
    out[0] = first_of(w, w->side[2 * edge].triangle);
    out[1] = first_of(w, w->side[2 * edge + 1].triangle);
}

/* Normals, edges, and which triangles are one facet. False where a triangle is too small for a direction, or none is that of its
 * facet. */
static bool find_facets(work *w)
{
    const bw_hull *h = w->hull;
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        double length;
        w->of[t] = t;
        w->normal[t] = bw_hull_normal(h, t, &length);
        if (length == 0)
            return false;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t i = h->indices[3 * t + k], j = h->indices[3 * t + (k + 1) % 3];
            w->side[3 * t + k] = (edge_side){i < j ? i : j, i < j ? j : i, t};
        }
    }
    qsort(w->side, 3 * (size_t)h->triangle_count, sizeof *w->side, by_ends);
    for (uint32_t e = 0; 2 * e < 3 * h->triangle_count; e++) {
        uint32_t f[2];
        facets_of(w, e, f);
        if (same_direction(w->normal[f[0]], w->normal[f[1]]))
            w->of[f[0] > f[1] ? f[0] : f[1]] = f[0] < f[1] ? f[0] : f[1];
    }
    for (uint32_t t = 0; t < h->triangle_count; t++)
        if (!same_direction(w->normal[t], w->normal[first_of(w, t)]))
            return false;
    return true;
}

static void count_all(work *w, bw_hull_map *m)
{
    const bw_hull *h = w->hull;
    m->points = h->vertex_count;
    for (uint32_t t = 0; t < h->triangle_count; t++)
        if (w->of[t] == t)
            w->number[t] = m->faces++;
    for (uint32_t e = 0; 2 * e < 3 * h->triangle_count; e++) {
        uint32_t f[2];
        facets_of(w, e, f);
        m->edges += f[0] != f[1];
    }
    m->point_rows = (m->points + 7) / 8 * 8;
    m->face_rows = (m->faces + 7) / 8 * 8;
    m->edge_rows = (m->edges + 31) / 32 * 32;
}

/* One block for all. */
static bool take_memory(const bw_hull *h, bw_hull_map *m)
{
    const bool few = m->points <= BW_MAP_FEW;
    const size_t region_floats = few ? 0 : 6 * (size_t)m->point_rows + 8 * ((size_t)m->edges + 1),
                 floats = 3 * (size_t)m->point_rows + 4 * (size_t)m->face_rows + region_floats,
                 shorts = 4 * (size_t)m->edges + m->face_rows + (few ? 0 : m->point_rows / 8 + 1),
                 bytes = m->face_rows +
                         (few ? 4 * (size_t)m->edge_rows : 2 * (size_t)m->edges + 32 + BW_MAP_CELLS);
    m->bytes = m->face_rows * sizeof *m->normal + floats * sizeof(float) + shorts * sizeof(uint16_t) + bytes;
    m->normal = bw_allocate_zero(&h->allocator, m->bytes, 1);
    if (m->normal == NULL)
        return false;
    m->points_by_rows = (float *)(void *)(m->normal + m->face_rows);
    m->planes_by_rows = m->points_by_rows + 3 * (size_t)m->point_rows;
    m->edge = (bw_hull_edge *)(void *)(m->points_by_rows + floats);
    m->face = (uint16_t *)(void *)(m->edge + m->edges);
    m->vertex = (uint8_t *)(m->face + (shorts - 4 * (size_t)m->edges));
    if (few) {
        m->edges_by_rows = m->vertex + m->face_rows;
        return true;
    }
    m->regions.by_rows = m->planes_by_rows + 4 * (size_t)m->face_rows;
    m->regions.planes = m->regions.by_rows + 6 * (size_t)m->point_rows;
    m->regions.first = m->face + m->face_rows;
    m->regions.one = m->vertex + m->face_rows;
    m->regions.other = m->regions.one + m->edges;
    m->regions.farthest = m->regions.other + m->edges + 32;
    return true;
}

/* Of coordinates relative to the centre. */
static double largest_of(const bw_hull *h)
{
    double size = 0;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const bw_vec3 p = bw_vec3_sub(h->vertices[i], h->centre);
        size = fmax(size, bw_largest_coordinate(&p));
    }
    return size;
}

static void put_points(const bw_hull *h, bw_hull_map *m)
{
    for (uint32_t i = 0; i < m->point_rows; i++) {
        const bw_vec3 p = bw_vec3_sub(h->vertices[i < m->points ? i : 0], h->centre);
        for (uint32_t k = 0; k < 3; k++)
            m->points_by_rows[k * m->point_rows + i] = (float)(bw_vec3_at(&p, (int)k) * m->scale);
    }
}

static void put_facets(const work *w, bw_hull_map *m)
{
    const bw_hull *h = w->hull;
    float *offset = m->planes_by_rows + 3 * (size_t)m->face_rows;
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        if (w->of[t] != t)
            continue;
        const uint32_t f = w->number[t];
        const bw_vec3 n = w->normal[t], p = bw_vec3_sub(h->vertices[h->indices[3 * t]], h->centre);
        m->normal[f] = n;
        m->vertex[f] = (uint8_t)h->indices[3 * t];
        m->face[f] = (uint16_t)bw_hull_face_along(h, n);
        for (uint32_t k = 0; k < 3; k++)
            m->planes_by_rows[k * m->face_rows + f] = (float)bw_vec3_at(&n, (int)k);
        offset[f] = (float)(bw_vec3_dot(n, p) * m->scale);
    }
    for (uint32_t f = m->faces; f < m->face_rows; f++)
        offset[f] = INFINITY;
}

static void put_edges(const work *w, bw_hull_map *m)
{
    bw_hull_edge *out = m->edge;
    for (uint32_t e = 0; 2 * e < 3 * w->hull->triangle_count; e++) {
        uint32_t f[2];
        facets_of(w, e, f);
        if (f[0] != f[1])
            *out++ = (bw_hull_edge){(uint16_t)w->side[2 * e].low, (uint16_t)w->side[2 * e].high,
                                    (uint16_t)w->number[f[0]], (uint16_t)w->number[f[1]]};
    }
}

static void put_bytes(bw_hull_map *m)
{
    for (uint32_t e = 0; e < m->edges; e++) {
        uint8_t *out = m->edges_by_rows + e;
        out[0] = (uint8_t)m->edge[e].from;
        out[m->edge_rows] = (uint8_t)m->edge[e].to;
        out[2 * m->edge_rows] = (uint8_t)m->edge[e].first;
        out[3 * m->edge_rows] = (uint8_t)m->edge[e].second;
    }
}

/* Of many points only of those that are round: elsewhere a ball and a few points leave too much of it, and the polytope is faster. */
static bool is_worth(const bw_hull *h, double size)
{
    return h->inner > 0 && (h->vertex_count <= BW_MAP_FEW || h->inner > 0.5 * size);
}

bw_result bw_hull_make_map(bw_hull *h)
{
    const double size = largest_of(h);
    bw_hull_map map = {.scale = bw_hull_scan_scale(2 * size)};
    work w;
    w.hull = h;
    if (h->vertex_count > BW_MAP_POINTS || !is_worth(h, size) || h->reach > 0x1p20 * size || !find_facets(&w))
        return BW_OK;
    count_all(&w, &map);
    if (!take_memory(h, &map))
        return BW_ERROR_MEMORY;
    put_points(h, &map);
    put_facets(&w, &map);
    put_edges(&w, &map);
    if (map.points <= BW_MAP_FEW)
        put_bytes(&map);
    else
        bw_hull_make_regions(&map);
    h->map = map;
    return BW_OK;
}
