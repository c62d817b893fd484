/* What the films' cloths lie on: the body under the dress, and the table under the cloth. */
#include "scenes/owned.h"
#include "scenes/trig.h"

#include <math.h>

/* Waist, hips and one thigh below them, in the gait of the dress. */
static bw_vec3 body_at(double turn, double down, double time)
{
    double angle = 2 * BWS_PI * turn, walk = 2 * BWS_PI * 0.8 * time;
    double hips = 0.055 * down * (1 - down) * 4 * (1 - 0.6 * down),
           radius = 0.145 + hips - 0.06 * down * down;
    radius += 0.004 * bws_sin(5 * angle + 9 * down) + 0.01 * down * bws_sin(walk - down);
    return (bw_vec3){radius * bws_cos(angle) + 0.03 * bws_sin(walk) +
                         0.05 * down * bws_sin(walk - 0.8 * down),
                     0.9 * radius * bws_sin(angle) + 0.02 * down * bws_cos(walk),
                     1.12 - 0.9 * down + 0.015 * bws_sin(2 * walk)};
}

bw_result bws_dress_body(const bws_film_desc *given, bws_film *out)
{
    return bws_film_tube(given, body_at, out);
}

/* The top a little below and the sides a little inside of where the cloth is held, as collision margins are.
 */
bw_result bws_table(uint32_t triangles, bw_scalar scalar, bws_mesh *out)
{
    const double half = 0.494, top = -0.006, height = 0.6;
    double side = floor(sqrt(bws_count_or(triangles, 2000) / 10.0) + 0.5);
    uint32_t n = side < 1 ? 1 : (uint32_t)side, row = n + 1;
    bws_mesh mesh;
    bw_result result = bws_mesh_reserve(5 * (uint64_t)row * row, 10 * (uint64_t)n * n, scalar, &mesh);
    if (result != BW_OK)
        return result;
    uint32_t t = 0;
    for (uint32_t face = 0; face < 5; face++)
        for (uint32_t j = 0; j < row; j++)
            for (uint32_t i = 0; i < row; i++) {
                double u = 2.0 * i / n - 1, w = (double)j / n, sign = face % 2 == 0 ? 1 : -1;
                bw_vec3 p = face == 4  ? (bw_vec3){half * u, half * (2 * w - 1), top}
                            : face < 2 ? (bw_vec3){sign * half, half * u, top - height * w}
                                       : (bw_vec3){half * u, sign * half, top - height * w};
                uint32_t a = face * row * row + j * row + i;
                bws_mesh_set_vertex(&mesh, a, p);
                if (i == n || j == n)
                    continue;
                bws_triangle(&mesh, t++, a, a + 1, a + row + 1);
                bws_triangle(&mesh, t++, a, a + row + 1, a + row);
            }
    *out = mesh;
    return BW_OK;
}
