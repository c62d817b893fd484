/* What a step keeps of its mesh beside positions: faces, edges, points, thicknesses. */
#include "swept/topology.h"

#include <math.h>

bw_result bw_swept_coordinate(double x)
{
    if (!isfinite(x))
        return BW_ERROR_NOT_FINITE;
    double size = fabs(x);
    return x == 0 || (size >= BW_EXACT_MIN && size <= BW_COORDINATE_MAX) ? BW_OK : BW_ERROR_RANGE;
}

/* On a bad index its place. */
static bw_result check_indices(const bw_swept_desc *desc, const bw_mesh *mesh, bw_fault *where)
{
    uint64_t corners = 3 * (uint64_t)bw_swept_triangles(mesh), ends = 2 * (uint64_t)desc->edge_count;
    for (uint64_t i = 0; i < corners + ends; i++) {
        uint32_t vertex = i < corners ? mesh->indices[i] : desc->edges[i - corners];
        if (vertex >= mesh->vertex_count) {
            where->element = (uint32_t)(i < corners ? i / 3 : bw_swept_triangles(mesh) + (i - corners) / 2);
            where->vertex = vertex;
            return BW_ERROR_INDEX;
        }
    }
    return BW_OK;
}

/* The edges of the triangles, then those that were given. */
static bw_result copy_edges(bw_swept *s, const bw_swept_desc *desc, const bw_mesh *mesh)
{
    bw_adjacency *adjacency = NULL;
    bw_result result =
        s->triangle_count == 0 ? BW_OK : bw_adjacency_create(mesh, &s->allocator, &adjacency, NULL);
    if (result != BW_OK)
        return result;
    s->face_edge_count = adjacency != NULL ? adjacency->edge_count : 0;
    s->edge_count = s->face_edge_count + desc->edge_count;
    s->edges = bw_allocate(&s->allocator, s->edge_count, sizeof *s->edges);
    s->face_edges = bw_allocate(&s->allocator, 3 * (size_t)s->triangle_count, sizeof *s->face_edges);
    if ((s->edges == NULL && s->edge_count > 0) || (s->face_edges == NULL && s->triangle_count > 0)) {
        result = BW_ERROR_MEMORY;
    } else {
        for (uint32_t e = 0; e < s->face_edge_count; e++) {
            s->edges[e][0] = adjacency->edges[e].low;
            s->edges[e][1] = adjacency->edges[e].high;
        }
        if (desc->edge_count > 0)
            memcpy(s->edges + s->face_edge_count, desc->edges, desc->edge_count * sizeof *s->edges);
        if (adjacency != NULL)
            memcpy(s->face_edges, adjacency->triangle_edges,
                   3 * (size_t)s->triangle_count * sizeof *s->face_edges);
    }
    bw_adjacency_destroy(adjacency);
    return result;
}

/* The vertices that no triangle and no edge names. */
static bw_result find_points(bw_swept *s)
{
    uint8_t *named = bw_allocate_zero(&s->allocator, s->vertex_count, 1);
    if (named == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t f = 0; f < s->triangle_count; f++)
        named[s->faces[f][0]] = named[s->faces[f][1]] = named[s->faces[f][2]] = 1;
    for (uint32_t e = s->face_edge_count; e < s->edge_count; e++)
        named[s->edges[e][0]] = named[s->edges[e][1]] = 1;
    for (uint32_t v = 0; v < s->vertex_count; v++)
        s->point_count += named[v] == 0;
    s->points = bw_allocate(&s->allocator, s->point_count, sizeof *s->points);
    for (uint32_t v = 0, next = 0; s->points != NULL && v < s->vertex_count; v++)
        if (named[v] == 0)
            s->points[next++] = v;
    bw_release(&s->allocator, named, s->vertex_count, 1);
    return s->points == NULL && s->point_count > 0 ? BW_ERROR_MEMORY : BW_OK;
}

/* The thicknesses, into the paths that are not read yet. */
static bw_result copy_thickness(bw_swept *s, const double *thickness, bw_fault *where)
{
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        double value = thickness == NULL ? 0 : thickness[v];
        bw_result result = value < 0 ? BW_ERROR_RANGE : bw_swept_coordinate(value);
        if (result != BW_OK) {
            where->vertex = v;
            where->axis = 3;
            where->value = value;
            return result;
        }
        s->paths[v].at[7] = value + 0.0;
        s->thick |= value > 0;
    }
    return BW_OK;
}

bw_result bw_swept_copy_topology(bw_swept *s, const bw_swept_desc *desc, const bw_mesh *mesh, bw_fault *where)
{
    bw_result result = check_indices(desc, mesh, where);
    if (result == BW_OK)
        result = copy_edges(s, desc, mesh);
    if (result != BW_OK)
        return result;
    s->faces = bw_allocate(&s->allocator, s->triangle_count, sizeof *s->faces);
    s->paths = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->paths);
    s->spare = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->spare);
    s->bounds = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->bounds);
    s->floats = bw_allocate(&s->allocator, s->vertex_count, sizeof *s->floats);
    if ((s->faces == NULL && s->triangle_count > 0) || s->paths == NULL || s->spare == NULL ||
        s->bounds == NULL || s->floats == NULL)
        return BW_ERROR_MEMORY;
    if (s->triangle_count > 0)
        memcpy(s->faces, mesh->indices, s->triangle_count * sizeof *s->faces);
    if (desc->points || mesh->indices == NULL)
        result = find_points(s);
    return result == BW_OK ? copy_thickness(s, desc->thickness, where) : result;
}
