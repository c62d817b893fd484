/* Objects of many parts, as machines have them: pipes, thin plates, spikes, and the shell of a car. */
#include "scenes/owned.h"
#include "scenes/trig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Joins a part to a mesh that may still be empty; the part is given back either way. */
static bw_result join_part(bws_mesh *whole, bws_mesh *part)
{
    if (whole->vertex_count == 0) {
        *whole = *part;
        return BW_OK;
    }
    bws_mesh both;
    bw_result result = bws_mesh_join(whole, part, &both);
    bws_mesh_free(part);
    if (result != BW_OK)
        return result;
    bws_mesh_free(whole);
    *whole = both;
    return BW_OK;
}

static bw_result finish(bw_result result, bws_mesh *mesh, bws_mesh *out)
{
    if (result == BW_OK)
        *out = *mesh;
    else
        bws_mesh_free(mesh);
    return result;
}

/* The same for parts that were turned in float: so are they in double. */
static bw_result finish_floats(bw_result result, bws_mesh *mesh, bw_scalar scalar, bws_mesh *out)
{
    if (result != BW_OK || scalar == BW_F32)
        return finish(result, mesh, out);
    result = bws_mesh_convert(mesh, scalar, out);
    bws_mesh_free(mesh);
    return result;
}

/* ---- pipes and spikes: tubes along a cubic of Bezier ---- */

typedef struct bow {
    bw_vec3 p[4];
    double start, end; /* radii */
} bow;

static bw_vec3 scaled_sum(bw_vec3 a, double s, bw_vec3 b)
{
    return (bw_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static bw_vec3 crossed(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bw_vec3 normalized(bw_vec3 v)
{
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return (bw_vec3){v.x / length, v.y / length, v.z / length};
}

static bw_vec3 bow_at(const void *user, double ring, double side)
{
    const bow *b = user;
    double t = ring, s = 1 - t;
    double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}, d[3] = {s * s, 2 * s * t, t * t};
    bw_vec3 place = {0, 0, 0}, along = {1e-9, 0, 0};
    for (int i = 0; i < 4; i++)
        place = scaled_sum(place, w[i], b->p[i]);
    for (int i = 0; i < 3; i++)
        along = scaled_sum(along, d[i], scaled_sum(b->p[i + 1], -1, b->p[i]));
    along = normalized(along);
    /* An axis that no direction is near to for the whole length would twist less; a bow turns little. */
    bw_vec3 aside = fabs(along.z) < 0.9 ? (bw_vec3){0, 0, 1} : (bw_vec3){1, 0, 0};
    bw_vec3 u = normalized(crossed(aside, along)), v = crossed(along, u);
    double radius = ring == 0 || ring == 1 ? 0 : b->start * s + b->end * t, angle = 2 * BWS_PI * side;
    return scaled_sum(scaled_sum(place, radius * bws_cos(angle), u), radius * bws_sin(angle), v);
}

static bw_result add_bow(bws_mesh *mesh, const bow *b, double triangles, double rings_per_side,
                         bw_scalar scalar)
{
    double sides = floor(sqrt(triangles / (2 * rings_per_side)) + 0.5);
    sides = sides < 3 ? 3 : sides;
    double rings = floor(triangles / (2 * sides) + 0.5);
    rings = rings < 2 ? 2 : rings;
    bws_mesh part;
    bw_result result =
        bws_tube(&(bws_tube_desc){(uint32_t)rings, (uint32_t)sides, false, bow_at, b}, scalar, &part);
    return result != BW_OK ? result : join_part(mesh, &part);
}

static bw_vec3 within(bws_random *r, double reach)
{
    double x = bws_random_double(r, -reach, reach), y = bws_random_double(r, -reach, reach);
    return (bw_vec3){x, y, bws_random_double(r, -reach, reach)};
}

bw_result bws_pipes(const bws_parts_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_parts_desc desc = given == NULL ? (bws_parts_desc){0} : *given;
    uint32_t count = bws_count_or(desc.parts, 16);
    double triangles = bws_count_or(desc.triangles, 45000);
    bws_random r = bws_random_seeded(desc.seed + 101);
    bws_mesh mesh = {0};
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        bow b;
        for (int k = 0; k < 4; k++)
            b.p[k] = within(&r, 1);
        b.start = b.end = bws_random_double(&r, 0.03, 0.08);
        result = add_bow(&mesh, &b, triangles / count, 8, scalar);
    }
    return finish(result, &mesh, out);
}

bw_result bws_spikes(const bws_parts_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_parts_desc desc = given == NULL ? (bws_parts_desc){0} : *given;
    uint32_t count = bws_count_or(desc.parts, 60);
    double triangles = bws_count_or(desc.triangles, 20000);
    bws_random r = bws_random_seeded(desc.seed + 202);
    bws_mesh mesh = {0};
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        bw_vec3 along = bws_random_direction(&r), none = {0, 0, 0};
        double length = bws_random_double(&r, 0.6, 1);
        bow b = {.start = 0.03, .end = 0.004};
        for (int k = 0; k < 4; k++)
            b.p[k] = scaled_sum(none, length * k / 3, along);
        result = add_bow(&mesh, &b, triangles / count, 6, scalar);
    }
    return finish(result, &mesh, out);
}

/* ---- plates ---- */

/* One side of a box: a grid of n x n squares at height z, along the axes x, y. */
static void plate_side(bws_mesh *mesh, uint32_t side, uint32_t n, double half, double z, bool up)
{
    uint32_t first = side * (n + 1) * (n + 1), t = side * 2 * n * n;
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++)
            bws_mesh_set_vertex(mesh, first + i * (n + 1) + j,
                                (bw_vec3){half * (2.0 * j / n - 1), half * (2.0 * i / n - 1), z});
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t a = first + i * (n + 1) + j, b = a + 1, c = a + n + 1, d = c + 1;
            bws_triangle(mesh, t++, a, up ? b : d, up ? d : b);
            bws_triangle(mesh, t++, a, up ? d : c, up ? c : d);
        }
}

/* The rim between the two sides. */
static void plate_rim(bws_mesh *mesh, uint32_t n)
{
    uint32_t t = 4 * n * n, below = (n + 1) * (n + 1);
    for (uint32_t k = 0; k < 4 * n; k++) {
        uint32_t at[2];
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t q = (k + e) % (4 * n), edge = q / n, s = q % n;
            at[e] = edge == 0   ? s
                    : edge == 1 ? s * (n + 1) + n
                    : edge == 2 ? n * (n + 1) + (n - s)
                                : (n - s) * (n + 1);
        }
        bws_triangle(mesh, t++, at[0], below + at[1], at[1]);
        bws_triangle(mesh, t++, at[0], below + at[0], below + at[1]);
    }
}

bw_result bws_plates(const bws_parts_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_parts_desc desc = given == NULL ? (bws_parts_desc){0} : *given;
    uint32_t count = bws_count_or(desc.parts, 20);
    double triangles = bws_count_or(desc.triangles, 20000);
    uint32_t n = (uint32_t)fmax(1, floor(sqrt(triangles / count / 4) + 0.5));
    bws_random r = bws_random_seeded(desc.seed + 303);
    bws_mesh mesh = {0};
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        bws_mesh part;
        result = bws_mesh_reserve(2 * (uint64_t)(n + 1) * (n + 1), 4 * (uint64_t)n * n + 8 * (uint64_t)n,
                                  BW_F32, &part);
        if (result != BW_OK)
            break;
        double half = bws_random_double(&r, 0.25, 0.5);
        plate_side(&part, 0, n, half, 0.008, true);
        plate_side(&part, 1, n, half, -0.008, false);
        plate_rim(&part, n);
        bw_transform pose = bws_random_rigid(&r, 0.6);
        bws_mesh_transform(&part, &pose);
        result = join_part(&mesh, &part);
    }
    return finish_floats(result, &mesh, scalar, out);
}

/* ---- car ---- */

/* Half width and upper edge of the body along its length, x from -1 (rear) to 1 (front). */
static double car_roof(double x)
{
    static const double roof[][2] = {{-1, 0.18},   {-0.85, 0.32}, {-0.55, 0.42}, {-0.25, 0.62}, {0.15, 0.64},
                                     {0.42, 0.44}, {0.75, 0.36},  {0.95, 0.26},  {1, 0.16}};
    uint32_t i = 0;
    while (i < 7 && x > roof[i + 1][0])
        i++;
    double f = (x - roof[i][0]) / (roof[i + 1][0] - roof[i][0]);
    f = f * f * (3 - 2 * f);
    return roof[i][1] + f * (roof[i + 1][1] - roof[i][1]);
}

static bw_vec3 car_at(double x, double angle)
{
    double c = bws_cos(angle), s = bws_sin(angle), end = 1 - x * x * x * x;
    double width = 0.38 * sqrt(end > 0 ? 0.1 + 0.9 * end : 0.1);
    double high = car_roof(x) * 0.5, middle = high - 0.05;
    /* A rounded box: the sixth root of sums of sixth powers, by products and roots only. */
    double c3 = c * c * c, s3 = s * s * s, radius = 1 / cbrt(sqrt(c3 * c3 + s3 * s3));
    return (bw_vec3){x, width * c * radius * (s > 0 ? 1 - 0.25 * s : 1), middle + (high + 0.05) * s * radius};
}

/* Openings: windows at the sides, windscreens, wheel arches. */
static bool car_open(double x, double angle)
{
    bw_vec3 p = car_at(x, angle);
    double side = fabs(p.y);
    bool window =
        side > 0.2 && p.z > 0.38 && p.z < 0.54 && ((x > -0.4 && x < -0.08) || (x > -0.02 && x < 0.28));
    bool screen = side < 0.22 && p.z > 0.3 && ((x > 0.24 && x < 0.4) || (x > -0.5 && x < -0.34));
    double front = (x - 0.62) * (x - 0.62) + (p.z + 0.05) * (p.z + 0.05);
    double rear = (x + 0.62) * (x + 0.62) + (p.z + 0.05) * (p.z + 0.05);
    return window || screen || (side > 0.15 && (front < 0.04 || rear < 0.04));
}

static bw_result car_shell(uint32_t columns, uint32_t rows, bw_scalar scalar, bws_mesh *out)
{
    uint64_t kept = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            bw_result result = bws_mesh_reserve((uint64_t)(columns + 1) * rows, 2 * kept, scalar, out);
            if (result != BW_OK)
                return result;
        }
        uint32_t t = 0;
        for (uint32_t i = 0; i <= columns; i++)
            for (uint32_t j = 0; j < rows; j++) {
                double x = 2.0 * i / columns - 1, angle = 2 * BWS_PI * j / rows;
                if (pass == 1)
                    bws_mesh_set_vertex(out, i * rows + j, car_at(x, angle));
                if (i == columns || car_open(x + 1.0 / columns, angle + BWS_PI / rows))
                    continue;
                kept += pass == 0;
                if (pass == 0)
                    continue;
                uint32_t a = i * rows + j, b = i * rows + (j + 1) % rows, c = a + rows, d = b + rows;
                bws_triangle(out, t++, a, c, d);
                bws_triangle(out, t++, a, d, b);
            }
    }
    return BW_OK;
}

/* The vertices of windows and arches belong to no triangle. */
static bw_result drop_unused(bws_mesh *mesh)
{
    uint32_t *number = calloc(mesh->vertex_count, sizeof *number), kept = 0;
    float(*positions)[3] = mesh->positions;
    if (number == NULL)
        return BW_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        number[mesh->indices[i]] = 1;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (number[v] == 0)
            continue;
        memmove(positions[kept], positions[v], sizeof positions[v]);
        number[v] = kept++;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        mesh->indices[i] = number[mesh->indices[i]];
    mesh->vertex_count = kept;
    free(number);
    return BW_OK;
}

bw_result bws_car(const bws_parts_desc *given, bw_scalar scalar, bws_mesh *out)
{
    bws_parts_desc desc = given == NULL ? (bws_parts_desc){0} : *given;
    double triangles = bws_count_or(desc.triangles, 40000);
    uint32_t columns = (uint32_t)fmax(8, floor(sqrt(0.85 * triangles / 2 * 1.3) + 0.5));
    bws_mesh mesh = {0};
    bw_result result = car_shell(columns, (uint32_t)fmax(8, floor(columns / 1.3 + 0.5)), BW_F32, &mesh);
    if (result != BW_OK)
        return result;
    double sides = fmax(4, floor(sqrt(0.2 * triangles / 4 / 4) + 0.5));
    for (int k = 0; k < 4 && result == BW_OK; k++) {
        bws_mesh wheel;
        result =
            bws_torus(&(bws_torus_desc){2 * (uint32_t)sides, (uint32_t)sides, 0.11, 0.045}, BW_F32, &wheel);
        if (result != BW_OK)
            break;
        bw_transform pose = {
            {{1, 0, 0, k < 2 ? 0.62 : -0.62}, {0, 0, 1, (k & 1) != 0 ? 0.3 : -0.3}, {0, -1, 0, -0.05}}};
        bws_mesh_transform(&wheel, &pose);
        result = join_part(&mesh, &wheel);
    }
    if (result == BW_OK)
        result = drop_unused(&mesh);
    return finish_floats(result, &mesh, scalar, out);
}
