#include "inspect.h"

#include "progress.h"

#include <math.h>
#include <string.h>

bounds bounds_of(const body *b, uint32_t first, uint32_t count)
{
    bounds r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 3 * (size_t)first; i < 3 * ((size_t)first + count); i++) {
        size_t v = b->mesh.indices ? b->mesh.indices[i] : i / 3;
        for (size_t k = 0; k < 3 && v < b->mesh.vertex_count; k++) {
            double x = b->model.positions[3 * v + k];
            if (isfinite(x)) {
                r.min[k] = fmin(r.min[k], x);
                r.max[k] = fmax(r.max[k], x);
            }
        }
    }
    return r;
}

bool inspect(const char *file, inspection *r, fault *why)
{
    memset(r, 0, sizeof *r);
    if (!body_read(file, NULL, &r->body, why))
        return false;
    body *b = &r->body;
    progress_step("validating %s", file);
    bw_result result = bw_mesh_validate(&b->mesh, NULL, &r->defects, NULL);
    if (result != BW_OK)
        return fault_set(why, "%s: %s", file, bw_result_string(result));
    for (int kind = 1; kind < BW_DEFECT_COUNT; kind++)
        if (r->defects.counts[kind] > 0)
            body_first_defect(b, (bw_defect)kind, &r->firsts[kind]);
    r->bounds = bounds_of(b, 0, bw_mesh_primitive_count(&b->mesh));
    if (b->mesh.indices) {
        progress_step("finding the edges of %s", file);
        r->view = edge_view_start(b);
        if (!edges_of(&r->view, 0, b->mesh.triangle_count, &r->edges, why))
            return false;
    }
    r->tree = body_build(b, true, &r->why);
    if (r->tree)
        bw_tree_get_stats(b->tree, &r->stats);
    progress_end();
    return true;
}

void inspection_free(inspection *r)
{
    edge_view_free(&r->view);
    body_free(&r->body);
}
