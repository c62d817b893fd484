#include "edges.h"

#include "weld.h"

#include <stdlib.h>

edge_view edge_view_start(const body *b)
{
    size_t vertices = b->mesh.vertex_count, corners = 3 * (size_t)b->mesh.triangle_count;
    edge_view view = {.body = b,
                      .welded = tool_alloc(vertices, sizeof *view.welded),
                      .number = tool_alloc(vertices, sizeof *view.number),
                      .corners = tool_alloc(corners, sizeof *view.corners)};
    view.places = weld_equal(&b->mesh, view.welded);
    for (size_t v = 0; v < vertices; v++)
        view.number[v] = BW_NONE;
    return view;
}

void edge_view_free(edge_view *view)
{
    free(view->welded);
    free(view->number);
    free(view->corners);
}

bool edges_of(edge_view *view, uint32_t first_triangle, uint32_t triangle_count, edges *out, fault *why)
{
    const bw_mesh *mesh = &view->body->mesh;
    /* Numbered again, so that the work is in proportion to the triangles asked for. */
    uint32_t vertices = 0, triangles = 0;
    for (uint32_t t = first_triangle; t < first_triangle + triangle_count; t++) {
        const uint32_t *c = mesh->indices + 3 * (size_t)t;
        if (c[0] >= mesh->vertex_count || c[1] >= mesh->vertex_count || c[2] >= mesh->vertex_count)
            continue;
        for (int k = 0; k < 3; k++) {
            uint32_t place = view->welded[c[k]];
            if (view->number[place] == BW_NONE)
                view->number[place] = vertices++;
            view->corners[3 * (size_t)triangles + (size_t)k] = view->number[place];
        }
        triangles++;
    }
    for (uint32_t t = first_triangle; t < first_triangle + triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = mesh->indices[3 * (size_t)t + (size_t)k];
            if (v < mesh->vertex_count)
                view->number[view->welded[v]] = BW_NONE;
        }
    /* Adjacency looks at numbers only; the first `vertices` positions stand for the real ones. */
    bw_mesh welded = *mesh;
    welded.vertex_count = vertices;
    welded.indices = view->corners;
    welded.triangle_count = triangles;
    bw_adjacency *adjacency;
    bw_result result = bw_adjacency_create(&welded, NULL, &adjacency, NULL);
    if (result != BW_OK)
        return fault_set(why, "%s: edges: %s", view->body->model.file, bw_result_string(result));
    *out = (edges){adjacency->edge_count, adjacency->boundary_edges, adjacency->nonmanifold_edges,
                   adjacency->closed, adjacency->oriented};
    bw_adjacency_destroy(adjacency);
    return true;
}

const char *edges_word(const edges *e)
{
    if (e->closed)
        return e->oriented ? "closed" : "closed, but not oriented";
    return e->nonmanifold > 0 ? "open, not a manifold" : "open";
}
