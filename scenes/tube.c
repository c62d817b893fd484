#include "scenes/owned.h"

bw_result bws_tube(const bws_tube_desc *desc, bw_scalar scalar, bws_mesh *out)
{
    uint32_t rings = desc->rings, sides = desc->sides;
    if (rings == 0 || sides < 3 || (desc->closed_ring && rings < 3))
        return BW_ERROR_ARGUMENT;
    uint64_t poles = desc->closed_ring ? 0 : 2;
    uint64_t grid = (uint64_t)rings * sides;
    bws_mesh mesh;
    bw_result result = bws_mesh_reserve(grid + poles, 2 * grid, scalar, &mesh);
    if (result != BW_OK)
        return result;

    uint32_t first = desc->closed_ring ? 0 : 1, last = mesh.vertex_count - 1;
    for (uint32_t r = 0; r < rings; r++) {
        double ring = (double)(r + first) / (double)(rings + first);
        for (uint32_t s = 0; s < sides; s++)
            bws_mesh_set_vertex(&mesh, first + r * sides + s,
                                desc->at(desc->user, ring, (double)s / (double)sides));
    }
    if (!desc->closed_ring) {
        bws_mesh_set_vertex(&mesh, 0, desc->at(desc->user, 0, 0));
        bws_mesh_set_vertex(&mesh, last, desc->at(desc->user, 1, 0));
    }

    uint32_t t = 0;
    for (uint32_t r = 0; r < rings; r++) {
        uint32_t here = first + r * sides, next = first + (r + 1) % rings * sides;
        for (uint32_t s = 0; s < sides; s++) {
            uint32_t after = (s + 1) % sides;
            if (r == 0 && !desc->closed_ring)
                bws_triangle(&mesh, t++, 0, here + after, here + s);
            if (r == rings - 1 && !desc->closed_ring) {
                bws_triangle(&mesh, t++, here + s, here + after, last);
            } else {
                bws_triangle(&mesh, t++, here + s, here + after, next + after);
                bws_triangle(&mesh, t++, here + s, next + after, next + s);
            }
        }
    }
    *out = mesh;
    return BW_OK;
}
