/* The invariants of a convex hull. */
#include "geom/vec.h"
#include "shape/hull/hull.h"

#include <boxwood/mesh.h>
#include <math.h>

/* Every vertex behind or on the plane of every triangle. */
static bool is_convex(const bw_hull *h)
{
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        const uint32_t *i = &h->indices[3 * t];
        for (uint32_t v = 0; v < h->vertex_count; v++)
            if (bw_orient3d(&h->vertices[i[0]], &h->vertices[i[1]], &h->vertices[i[2]], &h->vertices[v]) < 0)
                return false;
    }
    return true;
}

/* A vertex is a corner where triangles of three planes meet: edges between different planes end there. */
static const char *check_corners(const bw_hull *h, const bw_adjacency *a)
{
    for (uint32_t v = 0; v < h->vertex_count; v++) {
        uint32_t ends = 0;
        for (uint32_t i = a->vertex_first[v]; i < a->vertex_first[v + 1]; i++) {
            const uint32_t t = a->vertex_triangles[i], *corner = &h->indices[3 * t];
            for (uint32_t k = 0; k < 3; k++) {
                const bw_edge *e = &a->edges[a->triangle_edges[3 * t + k]];
                if (e->low != v && e->high != v)
                    continue;
                const uint32_t first = a->edge_uses[e->first_use] / 3,
                               other = first == t ? a->edge_uses[e->first_use + 1] / 3 : first;
                for (uint32_t m = 0; m < 3; m++) {
                    const uint32_t far = h->indices[3 * other + m];
                    ends += far != e->low && far != e->high &&
                            bw_orient3d(&h->vertices[corner[0]], &h->vertices[corner[1]],
                                        &h->vertices[corner[2]], &h->vertices[far]) != 0;
                }
            }
        }
        if (ends < 6) /* every edge is met from both sides */
            return "a vertex is no corner";
    }
    return NULL;
}

static const char *check_solid(const bw_hull *h)
{
    const bw_mesh mesh = bw_hull_mesh(h);
    bw_adjacency *adjacency = NULL;
    if (h->triangle_count != 2 * h->vertex_count - 4)
        return "triangles and vertices are not those of a sphere";
    if (bw_adjacency_create(&mesh, &h->allocator, &adjacency, NULL) != BW_OK)
        return "the edges cannot be listed: a bad index, or out of memory";
    const char *problem = !adjacency->closed || !adjacency->oriented ? "the surface is not closed"
                          : !is_convex(h)                            ? "a vertex is outside of a triangle"
                                                                     : check_corners(h, adjacency);
    bw_adjacency_destroy(adjacency);
    return problem;
}

/* A polygon in a plane, convex and without corners on its sides. */
static const char *check_flat(const bw_hull *h)
{
    const uint32_t n = h->vertex_count;
    if (n < 3 || h->triangle_count != 2 * (n - 2))
        return "a flat hull without area, or with too few triangles";
    int axis = 0, sign = 0;
    for (axis = 0; axis < 3 && sign == 0; axis++)
        sign = bw_orient2d(&h->vertices[0], &h->vertices[1], &h->vertices[2], axis);
    axis--;
    for (uint32_t i = 0; i < n; i++) {
        if (bw_orient3d(&h->vertices[0], &h->vertices[1], &h->vertices[2], &h->vertices[i]) != 0)
            return "a flat hull is not flat";
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t next = (i + 1) % n;
            if (k != i && k != next &&
                bw_orient2d(&h->vertices[i], &h->vertices[next], &h->vertices[k], axis) != sign)
                return "a flat hull is not convex";
        }
    }
    return NULL;
}

static const char *check_rows(const bw_hull *h)
{
    double reach = 0;
    for (uint32_t i = 0; i < h->rows.padded; i++) {
        const bw_vec3 v = h->vertices[i < h->vertex_count ? i : 0];
        for (int axis = 0; axis < 3; axis++)
            if (h->rows.xyz[(size_t)axis * h->rows.padded + i] != bw_vec3_at(&v, axis))
                return "the rows are not the vertices";
        reach = fmax(reach, sqrt(bw_vec3_dot(v, v)));
    }
    return h->reach >= reach ? NULL : "a vertex is beyond the reach";
}

static const char *check_faces(const bw_hull *h)
{
    for (uint32_t f = 0; f < h->face_count; f++) {
        const bw_hull_face *face = &h->faces[f];
        if (face->count < 3 || face->first + face->count > h->loop_count)
            return "a face without corners";
        if (!(fabs(bw_vec3_dot(face->normal, face->normal) - 1) < 1e-12))
            return "the normal of a face is not of length 1";
        for (uint32_t i = 0; i < face->count; i++) {
            const uint32_t v = h->loops[face->first + i];
            if (v >= h->vertex_count ||
                !(fabs(bw_vec3_dot(face->normal, h->vertices[v]) - face->offset) <= 1e-8 * h->reach))
                return "a corner of a face is off its plane";
        }
        if (!(bw_vec3_dot(face->normal, h->centre) + h->inner <= face->offset) && h->inner > 0)
            return "the ball inside is beyond a face";
    }
    for (uint32_t i = 0; i < h->normals.padded; i++) {
        const bw_vec3 n = h->faces[i < h->face_count ? i : 0].normal;
        for (int axis = 0; axis < 3; axis++)
            if (h->normals.xyz[(size_t)axis * h->normals.padded + i] != bw_vec3_at(&n, axis))
                return "the rows are not the normals of faces";
    }
    return NULL;
}

/* How far a vertex is before a facet's plane. */
static double before(const bw_hull *h, uint32_t facet, uint32_t vertex)
{
    const bw_hull_map *m = &h->map;
    return bw_vec3_dot(m->normal[facet], bw_vec3_sub(h->vertices[vertex], h->vertices[m->vertex[facet]]));
}

/* Facets of a polyhedron: every vertex behind them, both ends of an edge on both of its facets, and edges no more than vertices and facets
 * have (fewer where a vertex is within a facet but for roundings). */
static const char *check_map(const bw_hull *h)
{
    const bw_hull_map *m = &h->map;
    const double noise = 0x1p-46 * h->reach;
    if (m->edges == 0)
        return NULL;
    if (m->points != h->vertex_count || m->points + m->faces < m->edges + 2)
        return "the Gauss map is not that of a sphere";
    for (uint32_t f = 0; f < m->faces; f++) {
        for (uint32_t v = 0; v < m->points; v++)
            if (!(before(h, f, v) <= noise))
                return "a vertex is before a facet";
        if (m->face[f] >= h->face_count || !(bw_vec3_dot(m->normal[f], h->faces[m->face[f]].normal) > 0.4))
            return "a facet is of another face";
    }
    for (uint32_t e = 0; e < m->edges; e++) {
        const bw_hull_edge *edge = &m->edge[e];
        const uint32_t ends[2] = {edge->from, edge->to}, facets[2] = {edge->first, edge->second};
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t k = 0; k < 2; k++)
                if (!(fabs(before(h, facets[k], ends[i])) <= noise))
                    return "an edge is not between its facets";
    }
    return NULL;
}

const char *bw_hull_check(const bw_hull *hull)
{
    const char *problem = NULL;
    if (hull->dimension == 3)
        problem = check_solid(hull);
    else if (hull->dimension == 2)
        problem = check_flat(hull);
    else if (hull->vertex_count != (uint32_t)hull->dimension + 1)
        problem = "a hull of the wrong number of vertices";
    if (problem == NULL)
        problem = check_rows(hull);
    if (problem == NULL)
        problem = check_faces(hull);
    return problem == NULL ? check_map(hull) : problem;
}
