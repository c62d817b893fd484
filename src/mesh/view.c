/* The public access to vertices and corners of a mesh. */
#include "mesh/view.h"

uint32_t bw_mesh_primitive_count(const bw_mesh *mesh)
{
    return mesh == NULL ? 0 : bw_mesh_view_primitives(mesh);
}

bw_vec3 bw_mesh_vertex(const bw_mesh *mesh, uint32_t v)
{
    return bw_mesh_view_vertex(mesh, v);
}

void bw_mesh_corners(const bw_mesh *mesh, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_view_corners(mesh, primitive, out);
}
