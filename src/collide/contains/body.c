/* Whether one body lies wholly inside another: a vertex of each of its pieces is located. */
#include "collide/contains/body.h"

#include "base/union_find.h"
#include "collide/contains/locate.h"
#include "mesh/view.h"

/* The connected pieces of the primitives in the tree, by shared vertices: parent[v] == v for one vertex of
 * each, and used[v] where v is a corner of such a primitive. */
static void join_pieces(const bw_metric_side *side, uint32_t *parent, bool *used)
{
    bw_sets_init(parent, side->mesh->vertex_count);
    for (uint32_t leaf = 0; leaf < side->tree->leaf_count; leaf++)
        for (uint32_t i = 0; i < side->tree->leaves[leaf].count; i++) {
            uint32_t primitive = side->tree->primitives[(size_t)leaf * BW_WIDTH + i];
            uint32_t first = bw_mesh_view_index(side->mesh, primitive, 0);
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t v = bw_mesh_view_index(side->mesh, primitive, k);
                used[v] = true;
                bw_sets_unite(parent, v, first);
            }
        }
}

/* Whether the mapped box of inner lies within that of outer, which is quickly told and usually false. */
static bool bounds_inside(const bw_locator *outer, const bw_metric_side *inner)
{
    double low[3], high[3];
    bw_metric_bounds(inner, low, high);
    /* Mapped boxes are larger than what they hold, so only a box that starts beyond the outer one's far side
     * proves anything when both are mapped; unmapped, the boxes are tight. */
    for (int k = 0; k < 3; k++) {
        if (low[k] > outer->high[k] || high[k] < outer->low[k])
            return false;
        if (inner->map == NULL && (low[k] < outer->low[k] || high[k] > outer->high[k]))
            return false;
    }
    return true;
}

bw_result bw_body_inside(const bw_metric_side *outer, const bw_metric_side *inner,
                         const bw_allocator *allocator, bool *inside)
{
    uint32_t vertices = inner->mesh->vertex_count;
    *inside = false;
    if (outer->mesh->indices == NULL || outer->tree->node_count == 0 || inner->tree->node_count == 0)
        return BW_OK;
    bw_locator locator;
    bw_locator_set(&locator, outer, NULL);
    if (!bounds_inside(&locator, inner))
        return BW_OK;
    uint32_t *parent = bw_allocate(allocator, vertices, sizeof *parent);
    bool *used = bw_allocate_zero(allocator, vertices, sizeof *used);
    bw_result result = parent == NULL || used == NULL ? BW_ERROR_MEMORY : BW_OK;
    bool all = true;
    if (result == BW_OK)
        join_pieces(inner, parent, used);
    for (uint32_t v = 0; result == BW_OK && all && v < vertices; v++) {
        if (!used[v] || parent[v] != v)
            continue;
        bw_vec3 point = bw_mesh_view_vertex(inner->mesh, v);
        if (inner->map != NULL)
            point = bw_transform_point(inner->map, point);
        if (!bw_exact_range(&point, 1)) {
            result = BW_ERROR_RANGE;
            break;
        }
        bw_location location;
        result = bw_locate(&locator, &point, allocator, &location);
        all = result == BW_OK && location.side == BW_SIDE_INSIDE;
    }
    bw_release(allocator, parent, vertices, sizeof *parent);
    bw_release(allocator, used, vertices, sizeof *used);
    if (result == BW_OK)
        *inside = all;
    return result;
}
