#include "scenes/owned.h"

#include <math.h>

/* By plain arithmetic, as the C library's may differ in the last bit: Newton's iteration from above. */
static double cube_root(double x)
{
    double r = x < 1 ? 1 : x;
    for (int i = 0; i < 200; i++) {
        double next = (2 * r + x / (r * r)) / 3;
        if (!(next < r))
            break;
        r = next;
    }
    return r;
}

static bw_vec3 in_cube(bws_random *random, double side)
{
    double x = bws_random_double(random, -0.5 * side, 0.5 * side);
    double y = bws_random_double(random, -0.5 * side, 0.5 * side);
    double z = bws_random_double(random, -0.5 * side, 0.5 * side);
    return (bw_vec3){x, y, z};
}

static bw_vec3 add_scaled(bw_vec3 p, double s, bw_vec3 d)
{
    return (bw_vec3){p.x + s * d.x, p.y + s * d.y, p.z + s * d.z};
}

/* A direction at right angles to d. */
static bw_vec3 beside(bws_random *random, bw_vec3 d)
{
    for (;;) {
        bw_vec3 e = bws_random_direction(random);
        bw_vec3 n = {d.y * e.z - d.z * e.y, d.z * e.x - d.x * e.z, d.x * e.y - d.y * e.x};
        double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        if (length > 0.1)
            return (bw_vec3){n.x / length, n.y / length, n.z / length};
    }
}

bw_result bws_soup(const bws_soup_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_soup_desc desc = given == NULL ? (bws_soup_desc){0} : *given;
    desc.triangles = bws_count_or(desc.triangles, 10000);
    desc.spread = bws_or(desc.spread, 1);
    desc.size = bws_or(desc.size, desc.spread / cube_root(desc.triangles));
    bws_mesh mesh;
    bw_result result = bws_mesh_reserve(3 * (uint64_t)desc.triangles, desc.triangles, scalar, &mesh);
    if (result != BW_OK)
        return result;
    bws_random random = bws_random_seeded(desc.seed);
    for (uint32_t t = 0; t < desc.triangles; t++) {
        bw_vec3 middle = in_cube(&random, desc.spread), corner[3];
        if (desc.aspect == 0) {
            for (int c = 0; c < 3; c++)
                corner[c] = add_scaled(middle, 1, in_cube(&random, desc.size));
        } else {
            bw_vec3 along = bws_random_direction(&random), up = beside(&random, along);
            double apex = bws_random_double(&random, -0.5, 0.5);
            corner[0] = add_scaled(middle, -0.5 * desc.size, along);
            corner[1] = add_scaled(middle, 0.5 * desc.size, along);
            corner[2] = add_scaled(add_scaled(middle, apex * desc.size, along), desc.size / desc.aspect, up);
        }
        for (uint32_t c = 0; c < 3; c++)
            bws_mesh_set_vertex(&mesh, 3 * t + c, corner[c]);
        bws_triangle(&mesh, t, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    *out = mesh;
    return BW_OK;
}
