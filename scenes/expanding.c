/* Two spheres that expand, every vertex away from its own middle, until they meet; what then happens to whom
 * is told by whoever watches. */
#include "scenes/owned.h"

#include <stdlib.h>
#include <string.h>

bw_result bws_expanding(uint32_t triangles, bws_mesh *out, float **velocities)
{
    bws_mesh one, two, both;
    bws_sphere_desc sphere = {.frequency = bws_sphere_frequency(bws_count_or(triangles, 40000) / 2),
                              .radius = 0.5,
                              .amplitude = 0.02};
    bw_result result = bws_bumpy_sphere(&sphere, BW_F32, &one);
    if (result != BW_OK)
        return result;
    result = bws_mesh_convert(&one, BW_F32, &two);
    if (result == BW_OK) {
        bws_mesh_transform(&one, &(bw_transform){{{1, 0, 0, -0.6}, {0, 1, 0, 0}, {0, 0, 1, 0}}});
        bws_mesh_transform(&two, &(bw_transform){{{0, 1, 0, 0.6}, {0, 0, 1, 0}, {1, 0, 0, 0}}});
        result = bws_mesh_join(&one, &two, &both);
        bws_mesh_free(&two);
    }
    uint32_t first = one.vertex_count;
    bws_mesh_free(&one);
    if (result != BW_OK)
        return result;
    float *speed = malloc(3 * sizeof(float) * (size_t)both.vertex_count);
    if (speed == NULL) {
        bws_mesh_free(&both);
        return BW_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < both.vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(&both, v);
        speed[3 * v] = (float)(0.5 * (p.x - (v < first ? -0.6 : 0.6)));
        speed[3 * v + 1] = (float)(0.5 * p.y);
        speed[3 * v + 2] = (float)(0.5 * p.z);
    }
    *out = both;
    *velocities = speed;
    return BW_OK;
}
