/* Blocks as meshes again, in one piece of memory. */
#include "store/encode.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t aligned(size_t bytes)
{
    return (bytes + STORE_ALIGN - 1) / STORE_ALIGN * STORE_ALIGN;
}

/* Widens the indices; false where one names no vertex. */
static bool take_indices(const store_mesh *r, const unsigned char *from, uint32_t *to)
{
    size_t count = 3 * (size_t)r->primitive_count;
    uint32_t highest = 0;
    if (r->flags & STORE_WIDE)
        memcpy(to, from, 4 * count);
    else
        for (size_t i = 0; i < count; i++) {
            uint16_t index;
            memcpy(&index, from + 2 * i, sizeof index);
            to[i] = index;
        }
    for (size_t i = 0; i < count; i++)
        highest = to[i] > highest ? to[i] : highest;
    return count == 0 || highest < r->vertex_count || (r->flags & STORE_QUARANTINE);
}

static void take_positions(const store_mesh *r, const unsigned char *from, const bw_transform *pose, void *to)
{
    const bool stored_doubles = r->flags & STORE_DOUBLES;
    if (!pose) {
        memcpy(to, from, r->vertex_count * (size_t)(stored_doubles ? 24 : 12));
        return;
    }
    double *out = to;
    for (size_t v = 0; v < r->vertex_count; v++) {
        double p[3];
        float q[3];
        if (stored_doubles) {
            memcpy(p, from + v * sizeof p, sizeof p);
        } else {
            memcpy(q, from + v * sizeof q, sizeof q);
            for (int k = 0; k < 3; k++)
                p[k] = (double)q[k];
        }
        bw_vec3 moved = bw_transform_point(pose, (bw_vec3){p[0], p[1], p[2]});
        memcpy(out + 3 * v, (double[3]){moved.x, moved.y, moved.z}, sizeof moved);
    }
}

static bool all_sound(const bw_mesh *view)
{
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        bw_vec3 p = bw_mesh_vertex(view, v);
        double most = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        if (!(most <= BW_COORDINATE_MAX) || isnan(p.x + p.y + p.z))
            return false;
    }
    return true;
}

bool store_decode(const store_mesh *r, const unsigned char *bytes, const bw_transform *pose,
                  store_geometry *out, fault *why)
{
    const store_layout at = store_layout_of(r);
    const size_t triangles = r->flags & STORE_POINTS ? 0 : r->primitive_count;
    const bool doubles = pose || (r->flags & STORE_DOUBLES);
    const size_t position_bytes = aligned(r->vertex_count * (size_t)(doubles ? 24 : 12));
    const size_t index_bytes = aligned(12 * triangles), word_bytes = aligned(4 * triangles);
    const size_t faces = r->flags & STORE_HAS_FACES ? word_bytes : 0,
                 lines = r->flags & STORE_HAS_LINES ? word_bytes : 0;
    store_geometry g = {.bytes = position_bytes + index_bytes + faces + lines};
    unsigned char *memory = g.memory = tool_alloc(g.bytes > 0 ? g.bytes : 1, 1);
    take_positions(r, bytes, pose, memory);
    g.view =
        (bw_mesh){.positions = memory, .scalar = doubles ? BW_F64 : BW_F32, .vertex_count = r->vertex_count};
    bool fine = true;
    if (!(r->flags & STORE_POINTS)) {
        uint32_t *indices = (uint32_t *)(void *)(memory + position_bytes);
        fine = take_indices(r, bytes + at.indices, indices) || fault_set(why, "an index names no vertex");
        g.view.indices = indices;
        g.view.triangle_count = r->primitive_count;
    }
    memory += position_bytes + index_bytes;
    if (faces > 0) {
        memcpy(memory, bytes + at.faces, 4 * triangles);
        g.faces = (const uint32_t *)(const void *)memory;
    }
    if (lines > 0) {
        memcpy(memory + faces, bytes + at.lines, 4 * triangles);
        g.lines = (const uint32_t *)(const void *)(memory + faces);
    }
    if (r->tree_bytes > 0) {
        g.tree = bytes + at.tree;
        g.tree_bytes = (size_t)r->tree_bytes;
        fine = fine && (all_sound(&g.view) || fault_set(why, "a coordinate cannot be used"));
    }
    if (!fine)
        store_geometry_free(&g);
    else
        *out = g;
    return fine;
}

void store_geometry_free(store_geometry *g)
{
    free(g->memory);
    *g = (store_geometry){.memory = NULL};
}
