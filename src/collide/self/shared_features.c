/* A and B are convex and share a vertex p, so if they share another point x they share the segment p x, and
 * what ends it, going on from p, is the edge of A or of B opposite to p. Hence they meet beyond p exactly if
 * the opposite edge of one meets the other. Two triangles on a common edge meet beyond it only if they lie in
 * one plane, on the same side. Triangles without area are segments or points, for which ends take the place
 * of opposite edges. */
#include "collide/self/shared_features.h"

#include "geom/exact/predicates.h"
#include "geom/vec.h"

/* The corners of a triangle: first those whose vertex the other has too, then the others, each vertex once.
 */
typedef struct corner_list {
    bw_vec3 shared[3], own[3];
    uint32_t shared_count, own_count;
} corner_list;

static bool has(const uint32_t index[3], uint32_t count, uint32_t v)
{
    for (uint32_t k = 0; k < count; k++)
        if (index[k] == v)
            return true;
    return false;
}

static corner_list sort_corners(const bw_vec3 corners[3], const uint32_t index[3], const uint32_t other[3])
{
    corner_list list = {.shared_count = 0};
    for (uint32_t k = 0; k < 3; k++) {
        if (has(index, k, index[k]))
            continue;
        if (has(other, 3, index[k]))
            list.shared[list.shared_count++] = corners[k];
        else
            list.own[list.own_count++] = corners[k];
    }
    return list;
}

static bool contains(const bw_vec3 triangle[3], const bw_vec3 *p)
{
    bw_vec3 point[3] = {*p, *p, *p};
    return bw_triangle_triangle(point, triangle) != BW_CONTACT_NONE;
}

static bool has_area(const bw_vec3 t[3])
{
    return !bw_collinear(&t[0], &t[1], &t[2]);
}

/* What can end a shared segment that starts at p within the triangle of this list meets the other triangle.
 */
static bool far_side_meets(const corner_list *list, const bw_vec3 triangle[3], const bw_vec3 *p,
                           const bw_vec3 other[3])
{
    if (has_area(triangle))
        return bw_segment_triangle(&list->own[0], &list->own[1], other) != BW_CONTACT_NONE;
    for (uint32_t k = 0; k < list->own_count; k++)
        if (!bw_vec3_equal(&list->own[k], p) && contains(other, &list->own[k]))
            return true;
    return false;
}

static bool beyond_vertex(const corner_list *a, const bw_vec3 ta[3], const corner_list *b,
                          const bw_vec3 tb[3], const bw_vec3 *p)
{
    return far_side_meets(a, ta, p, tb) || far_side_meets(b, tb, p, ta);
}

/* A point of one list that lies on the other triangle, but not on the edge p q. */
static bool end_beyond_edge(const corner_list *list, const bw_vec3 other[3], const bw_vec3 *p,
                            const bw_vec3 *q)
{
    bw_vec3 edge[3] = {*p, *q, *q};
    for (uint32_t k = 0; k < list->own_count; k++)
        if (contains(other, &list->own[k]) && !contains(edge, &list->own[k]))
            return true;
    return false;
}

/* Coplanar triangles on the edge p q, or triangles without area. */
static bool beyond_edge(const corner_list *a, const bw_vec3 ta[3], const corner_list *b, const bw_vec3 tb[3])
{
    const bw_vec3 *p = &a->shared[0], *q = &a->shared[1];
    if (bw_vec3_equal(p, q))
        return beyond_vertex(a, ta, b, tb, p);
    if (a->own_count == 0 || b->own_count == 0)
        return false;
    bool area_a = has_area(ta), area_b = has_area(tb);
    if (area_a != area_b)
        return false; /* one lies on the line of the edge, where the other has nothing but the edge */
    if (!area_a)
        return end_beyond_edge(a, tb, p, q) || end_beyond_edge(b, ta, p, q);
    bool exact = false;
    int sign_a, axis = bw_projection_axis(p, q, &a->own[0], &sign_a, &exact);
    return bw_orient2d_counted(p, q, &b->own[0], axis, &exact) == sign_a;
}

/* Whether two points are certainly on one side of a triangle's plane. */
static bool on_one_side(const bw_vec3 t[3], const bw_vec3 *x, const bw_vec3 *y, bool *exact_used)
{
    int first = bw_orient3d_counted(&t[0], &t[1], &t[2], x, exact_used);
    return first != 0 && bw_orient3d_counted(&t[0], &t[1], &t[2], y, exact_used) == first;
}

bw_contact_kind bw_contact_beyond_shared(const bw_vec3 a[3], const uint32_t index_a[3], const bw_vec3 b[3],
                                         const uint32_t index_b[3], bool *exact_used)
{
    corner_list own_a = sort_corners(a, index_a, index_b), own_b = sort_corners(b, index_b, index_a);
    uint32_t shared = own_a.shared_count;
    if (shared == 0)
        return bw_triangle_triangle_counted(a, b, exact_used);
    if (shared == 3)
        return has_area(a) ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
    bool beyond;
    if (shared == 2) {
        /* The common case: neighbours in a mesh that does not fold flat. */
        if (own_a.own_count > 0 && own_b.own_count > 0 &&
            bw_orient3d_counted(&own_a.shared[0], &own_a.shared[1], &own_a.own[0], &own_b.own[0],
                                exact_used) != 0)
            return BW_CONTACT_NONE;
        beyond = beyond_edge(&own_a, a, &own_b, b);
    } else {
        /* If the others of one are on one side of the other's plane, only the shared vertex is in that plane.
         */
        if (own_a.own_count == 2 && on_one_side(b, &own_a.own[0], &own_a.own[1], exact_used))
            return BW_CONTACT_NONE;
        if (own_b.own_count == 2 && on_one_side(a, &own_b.own[0], &own_b.own[1], exact_used))
            return BW_CONTACT_NONE;
        beyond = beyond_vertex(&own_a, a, &own_b, b, &own_a.shared[0]);
    }
    return beyond ? bw_triangle_triangle_counted(a, b, exact_used) : BW_CONTACT_NONE;
}
