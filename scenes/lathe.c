#include "scenes/owned.h"
#include "scenes/trig.h"

#include <math.h>

/* Radius and height of the pot from the middle of its foot, up the wall, over the lid to the top of its knob.
 */
static const double profile[][2] = {
    {0, 0},       {0.55, 0},    {0.80, 0.12}, {1.00, 0.45}, {0.92, 0.85}, {0.70, 1.10}, {0.68, 1.16},
    {0.60, 1.18}, {0.35, 1.32}, {0.10, 1.42}, {0.07, 1.48}, {0.14, 1.56}, {0.08, 1.62}, {0, 1.64},
};
enum { PROFILE = sizeof profile / sizeof profile[0] };

/* Catmull and Rom's spline through the profile, t in [0, 1]. */
static void profile_at(double t, double out[2])
{
    double place = t * (PROFILE - 1);
    int i = (int)place;
    if (i > PROFILE - 2)
        i = PROFILE - 2;
    double f = place - i;
    int before = i == 0 ? 0 : i - 1, after = i == PROFILE - 2 ? PROFILE - 1 : i + 2;
    for (int k = 0; k < 2; k++) {
        double a = profile[before][k], b = profile[i][k], c = profile[i + 1][k], d = profile[after][k];
        out[k] = b + 0.5 * f * ((c - a) + f * ((2 * a - 5 * b + 4 * c - d) + f * (3 * (b - c) + d - a)));
    }
}

static bw_vec3 body_at(const void *user, double ring, double side)
{
    (void)user;
    double p[2], angle = 2 * BWS_PI * side;
    profile_at(ring, p);
    return (bw_vec3){p[0] * bws_cos(angle), p[0] * bws_sin(angle), p[1]};
}

/* A tube along a cubic of Bezier in the xz plane, thick at the start and thin at the end. */
typedef struct pipe {
    double x[4], z[4], start, end;
} pipe;

static const pipe spout = {{0.75, 1.35, 1.15, 1.65}, {0.40, 0.45, 0.95, 1.15}, 0.20, 0.07};
static const pipe handle = {{-0.72, -1.75, -1.70, -0.82}, {1.00, 1.15, 0.45, 0.30}, 0.08, 0.07};

static bw_vec3 pipe_at(const void *user, double ring, double side)
{
    const pipe *p = user;
    double t = ring, s = 1 - t;
    double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    double d[3] = {s * s, 2 * s * t, t * t};
    double x = 0, z = 0, dx = 0, dz = 0;
    for (int i = 0; i < 4; i++) {
        x += w[i] * p->x[i];
        z += w[i] * p->z[i];
    }
    for (int i = 0; i < 3; i++) {
        dx += d[i] * (p->x[i + 1] - p->x[i]);
        dz += d[i] * (p->z[i + 1] - p->z[i]);
    }
    double length = sqrt(dx * dx + dz * dz), angle = 2 * BWS_PI * side;
    double radius = ring == 0 || ring == 1 ? 0 : p->start * s + p->end * t; /* both ends are lids */
    double across = radius * bws_cos(angle);
    return (bw_vec3){x + across * dz / length, radius * bws_sin(angle), z - across * dx / length};
}

/* Rings and sides in the proportion given, for about so many triangles. */
static bws_tube_desc sized(double triangles, double rings_per_side,
                           bw_vec3 (*at)(const void *, double, double), const void *user)
{
    double sides = floor(sqrt(triangles / (2 * rings_per_side)) + 0.5);
    if (sides < 3)
        sides = 3;
    double rings = floor(triangles / (2 * sides) + 0.5);
    if (rings < 2)
        rings = 2;
    return (bws_tube_desc){(uint32_t)rings, (uint32_t)sides, false, at, user};
}

static bw_result add(bws_mesh *mesh, const bws_tube_desc *part)
{
    bws_mesh more, both;
    bw_result result = bws_tube(part, mesh->scalar, &more);
    if (result != BW_OK)
        return result;
    result = bws_mesh_join(mesh, &more, &both);
    bws_mesh_free(&more);
    if (result != BW_OK)
        return result;
    bws_mesh_free(mesh);
    *mesh = both;
    return BW_OK;
}

bw_result bws_lathe(const bws_lathe_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_lathe_desc desc = given == NULL ? (bws_lathe_desc){0} : *given;
    double triangles = bws_count_or(desc.triangles, 20000);
    bws_tube_desc body = sized(desc.bare ? triangles : 0.7 * triangles, 0.75, body_at, NULL);
    bws_mesh mesh;
    bw_result result = bws_tube(&body, scalar, &mesh);
    if (result != BW_OK)
        return result;
    if (!desc.bare) {
        bws_tube_desc pipes[2] = {sized(0.12 * triangles, 1.5, pipe_at, &spout),
                                  sized(0.18 * triangles, 3, pipe_at, &handle)};
        for (int i = 0; i < 2 && result == BW_OK; i++)
            result = add(&mesh, &pipes[i]);
    }
    if (result != BW_OK) {
        bws_mesh_free(&mesh);
        return result;
    }
    *out = mesh;
    return BW_OK;
}
