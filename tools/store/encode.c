/* Meshes as blocks: positions in floats where no bit is lost, indices in 16 bits where these are enough. */
#include "store/encode.h"

#include "store/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t padded(uint64_t bytes)
{
    return (bytes + STORE_ALIGN - 1) / STORE_ALIGN * STORE_ALIGN;
}

store_layout store_layout_of(const store_mesh *r)
{
    store_layout at = {0};
    const uint64_t triangles = r->flags & STORE_POINTS ? 0 : r->primitive_count;
    at.indices = padded(r->vertex_count * UINT64_C(3) * (r->flags & STORE_DOUBLES ? 8 : 4));
    at.faces = at.indices + padded(triangles * 3 * (r->flags & STORE_WIDE ? 4 : 2));
    at.lines = at.faces + (r->flags & STORE_HAS_FACES ? padded(triangles * 4) : 0);
    at.tree = at.lines + (r->flags & STORE_HAS_LINES ? padded(triangles * 4) : 0);
    at.bytes = at.tree + (r->tree_bytes <= UINT64_MAX / 2 ? padded(r->tree_bytes) : 0);
    return at;
}

static bool fits_floats(const bw_mesh *view)
{
    const double *p = view->positions;
    for (size_t i = 0; i < 3 * (size_t)view->vertex_count; i++)
        if ((double)(float)p[i] != p[i] && !isnan(p[i]))
            return false;
    return true;
}

static bool numbers_itself(const uint32_t *faces, uint32_t count)
{
    for (uint32_t i = 0; faces && i < count; i++)
        if (faces[i] != i)
            return false;
    return true;
}

static bool fits_short(const bw_mesh *view)
{
    if (view->vertex_count > 65536)
        return false;
    for (size_t i = 0; i < 3 * (size_t)view->triangle_count; i++)
        if (view->indices[i] > UINT16_MAX)
            return false;
    return true;
}

static void put_positions(const bw_mesh *view, bool doubles, unsigned char *to)
{
    size_t count = 3 * (size_t)view->vertex_count;
    if (count == 0)
        return;
    if (view->scalar == BW_F32 || doubles) {
        memcpy(to, view->positions, count * (doubles ? 8 : 4));
        return;
    }
    const double *p = view->positions;
    for (size_t i = 0; i < count; i++) {
        float x = (float)p[i];
        memcpy(to + 4 * i, &x, sizeof x);
    }
}

static void put_indices(const bw_mesh *view, bool wide, unsigned char *to)
{
    size_t count = 3 * (size_t)view->triangle_count;
    if (wide) {
        memcpy(to, view->indices, 4 * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint16_t index = (uint16_t)view->indices[i];
        memcpy(to + 2 * i, &index, sizeof index);
    }
}

/* The vertices where the pose puts them; the caller frees them. */
static double *placed(const bw_mesh *view, const bw_transform *pose)
{
    double *out = tool_alloc(view->vertex_count, 3 * sizeof *out);
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        bw_vec3 q = bw_transform_point(pose, bw_mesh_vertex(view, v));
        memcpy(out + 3 * (size_t)v, (double[3]){q.x, q.y, q.z}, sizeof q);
    }
    return out;
}

static bw_result make_tree(const store_source *s, bw_tree **out)
{
    bw_mesh view = s->view;
    double *moved = s->pose ? placed(&view, s->pose) : NULL;
    if (moved) {
        view.positions = moved;
        view.scalar = BW_F64;
    }
    bw_tree_desc desc = {.builder = BW_BUILDER_FAST, .compact = true};
    bw_result result = bw_tree_create(&desc, &view, out, NULL);
    free(moved);
    return result;
}

bool store_encode(const store_source *s, bool with_tree, store_block *out, fault *why)
{
    const bw_mesh *view = &s->view;
    bw_tree *tree = NULL;
    store_mesh r = {.vertex_count = view->vertex_count,
                    .primitive_count = bw_mesh_primitive_count(view),
                    .pose = STORE_NONE,
                    .left_out = s->left_out};
    if (with_tree && s->left_out == 0) {
        bw_result result = make_tree(s, &tree);
        if (result != BW_OK)
            return fault_set(why, "building a tree: %s", bw_result_string(result));
        r.tree_bytes = bw_tree_saved_size(tree);
    }
    r.flags = (view->indices ? 0 : STORE_POINTS) | (s->left_out > 0 ? STORE_QUARANTINE : 0);
    if (view->scalar == BW_F64 && !fits_floats(view))
        r.flags |= STORE_DOUBLES;
    if (view->indices && !fits_short(view))
        r.flags |= STORE_WIDE;
    if (view->indices && !numbers_itself(s->faces, view->triangle_count))
        r.flags |= STORE_HAS_FACES;
    if (view->indices && s->lines)
        r.flags |= STORE_HAS_LINES;
    store_layout at = store_layout_of(&r);
    unsigned char *bytes = tool_alloc((size_t)at.bytes, 1);
    memset(bytes, 0, (size_t)at.bytes);
    put_positions(view, r.flags & STORE_DOUBLES, bytes);
    if (view->indices)
        put_indices(view, r.flags & STORE_WIDE, bytes + at.indices);
    if (r.flags & STORE_HAS_FACES)
        memcpy(bytes + at.faces, s->faces, 4 * (size_t)view->triangle_count);
    if (r.flags & STORE_HAS_LINES)
        memcpy(bytes + at.lines, s->lines, 4 * (size_t)view->triangle_count);
    if (tree)
        bw_tree_save(tree, bytes + at.tree, (size_t)r.tree_bytes, NULL);
    bw_tree_destroy(tree);
    r.bytes = at.bytes;
    r.sum = store_sum(bytes, (size_t)at.bytes);
    *out = (store_block){bytes, r};
    return true;
}
