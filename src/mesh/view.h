/* Reading the caller's mesh, inside the library: inline, without checks. A view passes bw_mesh_view_check
 * first. */
#ifndef BW_MESH_VIEW_H
#define BW_MESH_VIEW_H

#include <boxwood/mesh.h>

static inline uint32_t bw_mesh_view_primitives(const bw_mesh *mesh)
{
    return mesh->indices == NULL ? mesh->vertex_count : mesh->triangle_count;
}

static inline size_t bw_mesh_view_scalar_size(const bw_mesh *mesh)
{
    return mesh->scalar == BW_F64 ? sizeof(double) : sizeof(float);
}

/* BW_OK if the view can be read at all; see bw_mesh_validate. Says nothing of the indices and coordinates. */
static inline bw_result bw_mesh_view_check(const bw_mesh *mesh)
{
    if (mesh == NULL || (mesh->scalar != BW_F32 && mesh->scalar != BW_F64) ||
        (uintptr_t)mesh->indices % sizeof(uint32_t) != 0)
        return BW_ERROR_ARGUMENT;
    if (mesh->vertex_count == 0)
        return BW_OK;
    const size_t scalar = bw_mesh_view_scalar_size(mesh);
    if (mesh->positions == NULL || ((uintptr_t)mesh->positions & (scalar - 1)) != 0 ||
        (mesh->stride != 0 && (mesh->stride < 3 * scalar || (mesh->stride & (scalar - 1)) != 0)))
        return BW_ERROR_ARGUMENT;
    return BW_OK;
}

/* In bytes; never 0. */
static inline size_t bw_mesh_view_stride(const bw_mesh *mesh)
{
    return mesh->stride == 0 ? 3 * bw_mesh_view_scalar_size(mesh) : mesh->stride;
}

static inline const float *bw_mesh_view_f32(const bw_mesh *mesh, uint32_t v)
{
    return (const float *)(const void *)((const char *)mesh->positions + v * bw_mesh_view_stride(mesh));
}

static inline const double *bw_mesh_view_f64(const bw_mesh *mesh, uint32_t v)
{
    return (const double *)(const void *)((const char *)mesh->positions + v * bw_mesh_view_stride(mesh));
}

static inline bw_vec3 bw_mesh_view_vertex(const bw_mesh *mesh, uint32_t v)
{
    if (mesh->scalar == BW_F64) {
        const double *p = bw_mesh_view_f64(mesh, v);
        return (bw_vec3){p[0], p[1], p[2]};
    }
    const float *p = bw_mesh_view_f32(mesh, v);
    return (bw_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* The vertex at a corner (0, 1, 2) of a primitive. */
static inline uint32_t bw_mesh_view_index(const bw_mesh *mesh, uint32_t primitive, uint32_t corner)
{
    return mesh->indices == NULL ? primitive : mesh->indices[3 * (size_t)primitive + corner];
}

static inline void bw_mesh_view_corners(const bw_mesh *mesh, uint32_t primitive, bw_vec3 out[3])
{
    if (mesh->indices == NULL) {
        out[0] = out[1] = out[2] = bw_mesh_view_vertex(mesh, primitive);
        return;
    }
    const uint32_t *corner = mesh->indices + 3 * (size_t)primitive;
    for (int i = 0; i < 3; i++)
        out[i] = bw_mesh_view_vertex(mesh, corner[i]);
}

#endif
