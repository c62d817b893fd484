#include "mesh/view.h"

static bool aligned(const void *pointer, size_t alignment)
{
    return (uintptr_t)pointer % alignment == 0;
}

bw_result bw_mesh_view_check(const bw_mesh *mesh)
{
    if (mesh == NULL || (mesh->scalar != BW_F32 && mesh->scalar != BW_F64))
        return BW_ERROR_ARGUMENT;
    if (mesh->indices != NULL && !aligned(mesh->indices, sizeof(uint32_t)))
        return BW_ERROR_ARGUMENT;
    if (mesh->vertex_count == 0)
        return BW_OK;
    size_t scalar = bw_view_scalar_size(mesh);
    if (mesh->positions == NULL || !aligned(mesh->positions, scalar))
        return BW_ERROR_ARGUMENT;
    if (mesh->stride != 0 && (mesh->stride < 3 * scalar || mesh->stride % scalar != 0))
        return BW_ERROR_ARGUMENT;
    return BW_OK;
}

uint32_t bw_mesh_primitive_count(const bw_mesh *mesh)
{
    return mesh == NULL ? 0 : bw_view_primitives(mesh);
}

bw_vec3 bw_mesh_vertex(const bw_mesh *mesh, uint32_t v)
{
    return bw_view_vertex(mesh, v);
}

void bw_mesh_corners(const bw_mesh *mesh, uint32_t primitive, bw_vec3 out[3])
{
    bw_view_corners(mesh, primitive, out);
}
