#include "scenes/owned.h"
#include "scenes/trig.h"

#include <math.h>

/* The points (x, y, z) of the surface of a lattice cube of side k, numbered: the floor, the walls layer by
 * layer, the ceiling. */
static uint32_t lattice_id(uint32_t k, const uint32_t p[3])
{
    uint32_t x = p[0], y = p[1], z = p[2], plane = (k + 1) * (k + 1);
    if (z == 0)
        return y * (k + 1) + x;
    if (z == k)
        return plane + (k - 1) * 4 * k + y * (k + 1) + x;
    uint32_t around; /* the place on the square of 4 k points */
    if (y == 0 && x < k)
        around = x;
    else if (x == k && y < k)
        around = k + y;
    else if (y == k && x > 0)
        around = 2 * k + (k - x);
    else
        around = 3 * k + (k - y);
    return plane + (z - 1) * 4 * k + around;
}

static bw_vec3 blow_up(const bws_sphere_desc *desc, const double phase[3], const uint32_t p[3])
{
    double u[3];
    for (int i = 0; i < 3; i++) {
        /* Equal angles instead of equal steps keep the squares of nearly one size. */
        double angle = BWS_PI / 4 * (2.0 * p[i] / desc->frequency - 1);
        u[i] = bws_sin(angle) / bws_cos(angle);
    }
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    double bump = 0;
    for (int i = 0; i < 3; i++) {
        u[i] /= length;
        bump += bws_sin(desc->waves * u[i] + phase[i]);
    }
    double radius = desc->radius * (1 + desc->amplitude * bump / 3);
    return (bw_vec3){radius * u[0], radius * u[1], radius * u[2]};
}

bw_result bws_bumpy_sphere(const bws_sphere_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_sphere_desc desc = given == NULL ? (bws_sphere_desc){0} : *given;
    desc.frequency = bws_count_or(desc.frequency, 41);
    desc.radius = bws_or(desc.radius, 1);
    desc.amplitude = desc.amplitude < 0 ? 0 : bws_or(desc.amplitude, 0.1);
    desc.waves = bws_or(desc.waves, 12);
    bws_random random = bws_random_seeded(desc.seed);
    double phase[3];
    for (int i = 0; i < 3; i++)
        phase[i] = desc.seed == 0 ? 0 : bws_random_double(&random, 0, 2 * BWS_PI);

    uint64_t k64 = desc.frequency;
    bws_mesh mesh;
    if (k64 > 20000)
        return BW_ERROR_SIZE;
    bw_result result = bws_mesh_reserve(6 * k64 * k64 + 2, 12 * k64 * k64, scalar, &mesh);
    if (result != BW_OK)
        return result;

    uint32_t k = desc.frequency, t = 0;
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        bool far = face % 2 == 1;
        for (uint32_t j = 0; j <= k; j++) {
            for (uint32_t i = 0; i <= k; i++) {
                uint32_t p[3];
                p[axis] = far ? k : 0;
                p[u] = i;
                p[v] = j;
                uint32_t a = lattice_id(k, p);
                bws_mesh_set_vertex(&mesh, a, blow_up(&desc, phase, p));
                if (i == k || j == k)
                    continue;
                p[u]++;
                uint32_t b = lattice_id(k, p);
                p[v]++;
                uint32_t c = lattice_id(k, p);
                p[u]--;
                uint32_t d = lattice_id(k, p);
                bws_triangle(&mesh, t++, a, far ? b : c, far ? c : b);
                bws_triangle(&mesh, t++, a, far ? c : d, far ? d : c);
            }
        }
    }
    *out = mesh;
    return BW_OK;
}

uint32_t bws_sphere_frequency(uint32_t triangles)
{
    double k = floor(sqrt((double)triangles / 12) + 0.5);
    return k < 1 ? 1 : (uint32_t)k;
}

static bw_vec3 meridian(const void *user, double ring, double side)
{
    const bws_needle_desc *desc = user;
    double up = BWS_PI * (ring - 0.5), around = 2 * BWS_PI * side + desc->twist * ring;
    double r = desc->radius * bws_cos(up);
    return (bw_vec3){r * bws_cos(around), r * bws_sin(around), desc->radius * bws_sin(up)};
}

bw_result bws_needle_sphere(const bws_needle_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_needle_desc desc = given == NULL ? (bws_needle_desc){0} : *given;
    desc.triangles = bws_count_or(desc.triangles, 20000);
    desc.aspect = bws_or(desc.aspect, 50);
    desc.radius = bws_or(desc.radius, 1);
    desc.twist = bws_or(desc.twist, 2);
    if (!(desc.aspect >= 1) || desc.aspect > 1e6)
        return BW_ERROR_ARGUMENT;
    /* Strips of height pi / (rings + 1) and, at the equator, of width 2 pi / sides; 2 rings * sides
     * triangles. */
    double rings = floor(sqrt(desc.triangles / (4 * desc.aspect)) + 0.5);
    if (rings < 2)
        rings = 2;
    double sides = floor(desc.triangles / (2 * rings) + 0.5);
    if (sides < 3)
        sides = 3;
    return bws_tube(&(bws_tube_desc){(uint32_t)rings, (uint32_t)sides, false, meridian, &desc}, scalar, out);
}
