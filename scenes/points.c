#include "scenes/owned.h"

static bw_vec3 in_ball(bws_random *random, double radius)
{
    for (;;) {
        double x = bws_random_double(random, -1, 1), y = bws_random_double(random, -1, 1);
        double z = bws_random_double(random, -1, 1);
        if (x * x + y * y + z * z <= 1)
            return (bw_vec3){radius * x, radius * y, radius * z};
    }
}

bw_result bws_points(const bws_points_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_points_desc desc = given == NULL ? (bws_points_desc){0} : *given;
    desc.count = bws_count_or(desc.count, 10000);
    desc.radius = bws_or(desc.radius, 1);
    bws_mesh mesh;
    bw_result result = bws_mesh_reserve(desc.count, 0, scalar, &mesh);
    if (result != BW_OK)
        return result;
    bws_random random = bws_random_seeded(desc.seed);
    enum { CLUSTERS = 16 };
    bw_vec3 centre[CLUSTERS];
    for (int i = 0; i < CLUSTERS; i++)
        centre[i] = in_ball(&random, 0.9 * desc.radius);
    for (uint32_t v = 0; v < desc.count; v++) {
        bw_vec3 p;
        if (desc.shape == BWS_CLOUD_SPHERE) {
            p = bws_random_direction(&random);
            p = (bw_vec3){desc.radius * p.x, desc.radius * p.y, desc.radius * p.z};
        } else if (desc.shape == BWS_CLOUD_CLUSTERS) {
            bw_vec3 c = centre[bws_random_below(&random, CLUSTERS)];
            p = in_ball(&random, 0.1 * desc.radius);
            p = (bw_vec3){c.x + p.x, c.y + p.y, c.z + p.z};
        } else {
            p = in_ball(&random, desc.radius);
        }
        bws_mesh_set_vertex(&mesh, v, p);
    }
    *out = mesh;
    return BW_OK;
}
