/* Whether one body lies wholly inside another: parity of crossings along a ray. */
#include "collide/contains/contains.h"

#include "collide/ray/cast.h"
#include "geom/exact/predicates.h"
#include "mesh/view.h"

#include <math.h>

typedef struct parity {
    bool odd, unclear;
} parity;

/* Only a clean crossing of a triangle with area counts; an edge, a corner or a plane along the ray says
 * nothing. */
static bool count_crossing(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3])
{
    parity *p = user;
    if (hit->kind != BW_CONTACT_CROSSING || bw_collinear(&corners[0], &corners[1], &corners[2])) {
        p->unclear = true;
        return false;
    }
    p->odd = !p->odd;
    return true;
}

/* A direction that no regular mesh has edges along, another for each attempt. */
static bw_vec3 direction(uint32_t attempt)
{
    uint32_t x = attempt * 2654435769u + 12345u;
    double v[3];
    for (int k = 0; k < 3; k++) {
        x = x * 1664525u + 1013904223u;
        v[k] = 0.25 + (double)(x >> 8) * 0x1p-24; /* never near zero along any axis */
    }
    return (bw_vec3){v[0], (attempt & 1) != 0 ? -v[1] : v[1], (attempt & 2) != 0 ? -v[2] : v[2]};
}

/* The box of everything, in the common frame. */
static void bounds_of(const bw_metric_side *side, double low[3], double high[3])
{
    bw_metric_boxes boxes;
    bw_metric_children(side, 0, &boxes);
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (uint32_t i = 0; i < boxes.count; i++) {
            low[k] = fmin(low[k], (double)boxes.min[k][i]);
            high[k] = fmax(high[k], (double)boxes.max[k][i]);
        }
    }
}

/* How far a ray's second point is from its first: the size of the coordinates, so that rounding leaves the
 * directions as different as they are. */
static double reach_of(const bw_metric_side *side, bw_vec3 point)
{
    double low[3], high[3], reach = fmax(fabs(point.x), fmax(fabs(point.y), fabs(point.z)));
    bounds_of(side, low, high);
    for (int k = 0; k < 3; k++)
        reach = fmax(reach, fmax(fabs(low[k]), fabs(high[k])));
    return reach > 0.0 ? reach : 1.0;
}

/* Rays through edges and corners are tried again in another direction. Directions are dense, edges are few:
 * an endless row of unclear rays does not happen, but a mesh of coordinates at both ends of the range might
 * make many. */
enum { ATTEMPTS = 256 };

static bw_result point_inside(const bw_metric_side *outer, bw_vec3 point, const bw_allocator *allocator,
                              bool *inside)
{
    if (!bw_exact_range(&point, 1))
        return BW_ERROR_RANGE;
    double reach = reach_of(outer, point);
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        bw_vec3 d = direction(attempt);
        bw_vec3 through = {point.x + reach * d.x, point.y + reach * d.y, point.z + reach * d.z};
        parity p = {false, false};
        bw_result result = bw_ray_contacts(outer, &point, &through, allocator, count_crossing, &p);
        if (result != BW_OK)
            return result;
        if (!p.unclear) {
            *inside = p.odd;
            return BW_OK;
        }
    }
    return BW_ERROR_UNSUPPORTED;
}

static uint32_t find_root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* The connected pieces of the primitives in the tree, by shared vertices: parent[v] == v for one vertex of
 * each, and used[v] where v is a corner of such a primitive. */
static void join_pieces(const bw_metric_side *side, uint32_t *parent, bool *used)
{
    for (uint32_t v = 0; v < side->mesh->vertex_count; v++)
        parent[v] = v;
    for (uint32_t leaf = 0; leaf < side->tree->leaf_count; leaf++)
        for (uint32_t i = 0; i < side->tree->leaves[leaf].count; i++) {
            uint32_t primitive = side->tree->primitives[(size_t)leaf * BW_WIDTH + i];
            uint32_t first = bw_mesh_view_index(side->mesh, primitive, 0);
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t v = bw_mesh_view_index(side->mesh, primitive, k);
                used[v] = true;
                parent[find_root(parent, v)] = find_root(parent, first);
            }
        }
}

/* Whether the mapped box of inner lies within that of outer, which is quickly told and usually false. */
static bool bounds_inside(const bw_metric_side *outer, const bw_metric_side *inner)
{
    double low[2][3], high[2][3];
    bounds_of(outer, low[0], high[0]);
    bounds_of(inner, low[1], high[1]);
    /* Mapped boxes are larger than what they hold, so only a box that starts beyond the outer one's far side
     * proves anything when both are mapped; unmapped, the boxes are tight. */
    for (int k = 0; k < 3; k++) {
        if (low[1][k] > high[0][k] || high[1][k] < low[0][k])
            return false;
        if (inner->map == NULL && (low[1][k] < low[0][k] || high[1][k] > high[0][k]))
            return false;
    }
    return true;
}

bw_result bw_contains(const bw_metric_side *outer, const bw_metric_side *inner, const bw_allocator *allocator,
                      bool *inside)
{
    uint32_t vertices = inner->mesh->vertex_count;
    if (outer->mesh->indices == NULL || outer->tree->node_count == 0 || inner->tree->node_count == 0 ||
        !bounds_inside(outer, inner)) {
        *inside = false;
        return BW_OK;
    }
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
        result = point_inside(outer, point, allocator, &all);
    }
    bw_release(allocator, parent, vertices, sizeof *parent);
    bw_release(allocator, used, vertices, sizeof *used);
    if (result == BW_OK)
        *inside = all;
    return result;
}
