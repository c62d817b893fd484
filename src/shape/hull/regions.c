/* The regions of a Gauss map: in which directions each point is the farthest, and what shape/axes/regions.h reads with them. */
#include "geom/vec.h"
#include "shape/hull/hull.h"

#include <math.h>
#include <string.h>

typedef struct work {
    bw_hull_map *map;
    uint32_t normals[BW_MAP_POINTS];   /* of its facets, a facet as often as edges have it */
    bw_vec3 middle[BW_MAP_POINTS];     /* of each point */
    double least[BW_MAP_POINTS];       /* no normal is less far along that */
    float offset[BW_MAP_POINTS];       /* the least one */
    uint32_t region_of[BW_MAP_POINTS]; /* of each point */
    uint32_t point_of[BW_MAP_POINTS];
    bw_hull_edge edge[3 * BW_MAP_POINTS];
} work;

static bw_vec3 normal_of(const bw_hull_map *m, uint32_t f)
{
    const float *n = m->planes_by_rows + f;
    return (bw_vec3){(double)n[0], (double)n[m->face_rows], (double)n[2 * (size_t)m->face_rows]};
}

/* Calls for every end and facet of every edge: these are the facets around each point, each twice. */
typedef void corner_fn(work *w, uint32_t point, uint32_t facet);

static void each_corner(work *w, corner_fn *fn)
{
    for (uint32_t e = 0; e < w->map->edges; e++) {
        const bw_hull_edge *edge = &w->map->edge[e];
        fn(w, edge->from, edge->first);
        fn(w, edge->from, edge->second);
        fn(w, edge->to, edge->first);
        fn(w, edge->to, edge->second);
    }
}

static void add_normal(work *w, uint32_t point, uint32_t facet)
{
    const bw_vec3 n = normal_of(w->map, facet);
    const float offset = w->map->planes_by_rows[3 * (size_t)w->map->face_rows + facet];
    const double all = ++w->normals[point];
    w->middle[point] =
        bw_vec3_add(w->middle[point], bw_vec3_scale(bw_vec3_sub(n, w->middle[point]), 1 / all));
    w->offset[point] = offset < w->offset[point] ? offset : w->offset[point];
}

/* Of normals and the middle as floats have them. */
static void add_reach(work *w, uint32_t point, uint32_t facet)
{
    w->least[point] = fmin(w->least[point], bw_vec3_dot(normal_of(w->map, facet), w->middle[point]));
}

static void find_regions(work *w)
{
    for (uint32_t i = 0; i < w->map->points; i++) {
        w->offset[i] = INFINITY;
        w->least[i] = 1;
    }
    each_corner(w, add_normal);
    for (uint32_t i = 0; i < w->map->points; i++) {
        bw_vec3 *u = &w->middle[i];
        const double length = sqrt(bw_vec3_dot(*u, *u)), scale = length > 0x1p-40 ? 1 / length : 0;
        *u = (bw_vec3){(double)(float)(u->x * scale), (double)(float)(u->y * scale),
                       (double)(float)(u->z * scale)};
    }
    each_corner(w, add_reach);
}

/* By eights: the first that is left, and those whose middles are nearest to its. */
static void order_regions(work *w)
{
    bool taken[BW_MAP_POINTS] = {false};
    bw_vec3 about = {0, 0, 0};
    for (uint32_t i = 0; i < w->map->points; i++) {
        uint32_t best = 0;
        double least = (double)INFINITY;
        for (uint32_t k = 0; k < w->map->points; k++) {
            const bw_vec3 d = bw_vec3_sub(w->middle[k], about);
            const double far = i % 8 == 0 ? -w->middle[k].x : bw_vec3_dot(d, d);
            if (taken[k] || !(far < least))
                continue;
            best = k;
            least = far;
        }
        if (i % 8 == 0)
            about = w->middle[best];
        taken[best] = true;
        w->region_of[best] = i;
        w->point_of[i] = best;
    }
}

static void put_rows(const work *w)
{
    const size_t rows = w->map->point_rows;
    float *out = w->map->regions.by_rows;
    for (uint32_t i = 0; i < rows; i++, out++) {
        out[5 * rows] = INFINITY;
        if (i >= w->map->points)
            continue;
        const uint32_t p = w->point_of[i];
        const double least = w->least[p] - 0x1p-20;
        /* What is beyond a quarter turn need not hold what is between normals: then all directions. */
        const bool cap = least > 0.01;
        out[0] = (float)w->middle[p].x;
        out[rows] = (float)w->middle[p].y;
        out[2 * rows] = (float)w->middle[p].z;
        out[3 * rows] = cap ? (float)least : -1;
        out[4 * rows] = cap ? (float)(sqrt(1 - least * least) + 0x1p-20) : 1 + 0x1p-20f;
        out[5 * rows] = w->offset[p];
    }
}

/* From the earlier region to the later one, by the eight of the earlier one. */
static void order_edges(work *w)
{
    bw_hull_map *m = w->map;
    uint16_t *first = m->regions.first;
    uint32_t count = 0;
    memcpy(w->edge, m->edge, m->edges * sizeof *m->edge);
    for (uint32_t k = 0; k < m->point_rows / 8; k++) {
        for (uint32_t e = 0; e < m->edges; e++) {
            const bw_hull_edge *edge = &w->edge[e];
            const uint32_t i = w->region_of[edge->from], j = w->region_of[edge->to], one = i < j ? i : j;
            if (one / 8 != k)
                continue;
            m->edge[count] = *edge;
            m->regions.one[count] = (uint8_t)(1u << one % 8);
            m->regions.other[count++] = (uint8_t)(i < j ? j : i);
        }
        first[k + 1] = (uint16_t)count;
    }
}

static void put_planes(const bw_hull_map *m)
{
    float *out = m->regions.planes;
    for (uint32_t e = 0; e < m->edges; e++)
        for (int side = 0; side < 2; side++) {
            const float *plane = m->planes_by_rows + (side == 0 ? m->edge[e].first : m->edge[e].second);
            for (size_t k = 0; k < 4; k++)
                *out++ = plane[k * m->face_rows];
        }
    out[3] = out[7] = INFINITY;
}

static void put_farthest(const bw_hull_map *m)
{
    const float *p = m->points_by_rows;
    const size_t rows = m->point_rows;
    for (int z = -1; z < 2; z += 2)
        for (int i = 0; i < BW_MAP_SIDE; i++)
            for (int j = 0; j < BW_MAP_SIDE; j++) {
                const float half = BW_MAP_HALF, dx = (float)i + 0.5f - half, dy = (float)j + 0.5f - half,
                            dz = (float)z * fmaxf(0, half - (fabsf(dx) + fabsf(dy)));
                float most = -INFINITY;
                uint8_t *best = &m->regions.farthest[bw_hull_cell(dx, dy, (float)z)];
                for (uint32_t k = 0; k < m->points; k++) {
                    const float along = (p[k] * dx + p[rows + k] * dy) + p[2 * rows + k] * dz;
                    if (!(along > most))
                        continue;
                    most = along;
                    *best = (uint8_t)k;
                }
            }
}

void bw_hull_make_regions(bw_hull_map *map)
{
    work w;
    memset(&w, 0, sizeof w);
    w.map = map;
    find_regions(&w);
    order_regions(&w);
    put_rows(&w);
    order_edges(&w);
    put_planes(map);
    put_farthest(map);
}
