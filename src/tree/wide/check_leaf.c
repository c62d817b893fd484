/* What a leaf says of its primitives: computed here the plain way, one primitive at a time. */
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide/check.h"

#include <math.h>

static const char *check_box(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh)
{
    bw_box want = bw_box_empty();
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++) {
        bw_vec3 corners[3];
        bw_mesh_view_corners(mesh, wide->primitives[(size_t)leaf * BW_WIDTH + i], corners);
        bw_box box = bw_box_of_points(corners, 3);
        want = bw_box_union(&want, &box);
    }
    bw_box have = bw_wide_lane_box(&wide->nodes[wide->leaves[leaf].parent], wide->leaves[leaf].lane);
    for (int axis = 0; axis < 3; axis++)
        if (have.min[axis] != want.min[axis] || have.max[axis] != want.max[axis])
            return "the box of a leaf is not the smallest of its primitives";
    return NULL;
}

static bool in_list(const uint32_t *list, uint32_t count, uint32_t vertex)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == vertex)
            return true;
    return false;
}

static const char *check_vertices(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh)
{
    uint32_t count = wide->leaves[leaf].vertex_count, first = wide->vertex_first[leaf];
    if (count < 1 || count > 3 * BW_WIDTH || wide->vertex_used > wide->vertex_capacity ||
        first > wide->vertex_used || count > wide->vertex_used - first)
        return "a leaf's list of vertices is empty, too long or out of range";
    const uint32_t *list = wide->vertices + first;
    for (uint32_t i = 1; i < count; i++)
        if (list[i] <= list[i - 1])
            return "a leaf's list of vertices does not ascend";
    if (mesh == NULL)
        return NULL;
    uint32_t corners[3 * BW_WIDTH], uses = 0;
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t vertex = bw_mesh_view_index(mesh, wide->primitives[(size_t)leaf * BW_WIDTH + i], k);
            if (!in_list(list, count, vertex))
                return "a leaf's list lacks a vertex";
            corners[uses++] = vertex;
        }
    for (uint32_t i = 0; i < count; i++)
        if (!in_list(corners, uses, list[i]))
            return "a leaf's list names a vertex that its primitives do not";
    return NULL;
}

/* Origin plus relative coordinate against the true one, within a rounding of the relative one (and of the
 * double difference, which matters only where the coordinate is 2^29 times the relative one). */
static bool near_truth(double truth, double origin, double relative)
{
    double off = fabs(truth - origin - relative);
    return off <= 0x1.00001p-24 * fabs(relative) + 0x1p-52 * fabs(truth) + 0x1p-149;
}

static const char *check_corners(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh)
{
    const bw_wide_corners *c = &wide->corners[leaf];
    float magnitude = 0;
    for (uint32_t corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++)
            for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
                float x = c->coordinate[corner][axis][slot];
                if (!(fabsf(x) <= 2 * (float)BW_COORDINATE_MAX))
                    return "a corner is not finite or out of range";
                if (slot >= wide->leaves[leaf].count && x != c->coordinate[corner][axis][0])
                    return "an unused slot does not repeat the first one's corners";
                magnitude = fmaxf(magnitude, fabsf(x));
            }
    for (int axis = 0; axis < 3; axis++)
        if (!(fabsf(c->origin[axis]) <= (float)BW_COORDINATE_MAX))
            return "the origin of a leaf's corners is not finite or out of range";
    if (magnitude != c->magnitude)
        return "the magnitude of a leaf's corners is not the largest";
    for (uint32_t slot = 0; mesh != NULL && slot < wide->leaves[leaf].count; slot++) {
        bw_vec3 truth[3];
        bw_mesh_view_corners(mesh, wide->primitives[(size_t)leaf * BW_WIDTH + slot], truth);
        for (uint32_t corner = 0; corner < 3; corner++) {
            const double t[3] = {truth[corner].x, truth[corner].y, truth[corner].z};
            for (int axis = 0; axis < 3; axis++)
                if (!near_truth(t[axis], (double)c->origin[axis], (double)c->coordinate[corner][axis][slot]))
                    return "a corner is not that of its primitive";
        }
    }
    return NULL;
}

const char *bw_wide_check_leaf(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh)
{
    const char *wrong = NULL;
    if (wide->vertices != NULL)
        wrong = check_vertices(wide, leaf, mesh);
    if (wrong == NULL && wide->corners != NULL)
        wrong = check_corners(wide, leaf, mesh);
    if (wrong == NULL && mesh != NULL)
        wrong = check_box(wide, leaf, mesh);
    if (wrong == NULL && mesh != NULL && wide->obbs.of_node != NULL)
        wrong = bw_wide_check_obb(wide, leaf, mesh);
    return wrong;
}

const char *bw_wide_check_maps(const bw_wide *wide, const bw_mesh *mesh)
{
    for (uint32_t p = 0; wide->slot_of != NULL && p < wide->slot_of_count; p++) {
        uint32_t slot = wide->slot_of[p];
        if (slot == BW_NONE)
            continue;
        if (slot / BW_WIDTH >= wide->leaf_count || wide->primitives[slot] != p)
            return "the map of primitives names a slot that holds another";
    }
    for (uint32_t slot = 0; wide->slot_of != NULL && slot < wide->leaf_count * BW_WIDTH; slot++) {
        uint32_t p = wide->primitives[slot];
        if (p != BW_NONE && (p >= wide->slot_of_count || wide->slot_of[p] != slot))
            return "the map of primitives lacks one";
    }
    if (wide->map_first == NULL || mesh == NULL)
        return NULL;
    for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++)
        for (uint32_t i = 0; i < wide->leaves[leaf].count; i++)
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t vertex = bw_mesh_view_index(mesh, wide->primitives[(size_t)leaf * BW_WIDTH + i], k);
                uint32_t first = wide->map_first[vertex], last = wide->map_first[vertex + 1];
                if (last > wide->map_uses || !in_list(wide->map_leaf + first, last - first, leaf))
                    return "the map of vertices lacks a leaf";
            }
    return NULL;
}
