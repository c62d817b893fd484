/* Films: meshes whose vertices have a position at every keyframe. */
#include "scenes/owned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bws_film_desc bws_film_completed(const bws_film_desc *given)
{
    bws_film_desc desc = given == NULL ? (bws_film_desc){0} : *given;
    desc.triangles = bws_count_or(desc.triangles, 20000);
    desc.keyframes = bws_count_or(desc.keyframes, 8);
    desc.step = bws_or(desc.step, 1.0 / 30);
    return desc;
}

bw_motion bws_film_motion(const bws_film *film)
{
    return (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                       .vertex_count = film->mesh.vertex_count,
                       .scalar = film->mesh.scalar,
                       .frame_count = film->frame_count,
                       .times = film->times,
                       .frames = (const void *const *)film->frames};
}

void bws_film_free(bws_film *film)
{
    for (uint32_t k = 0; film->frames != NULL && k < film->frame_count; k++)
        free(film->frames[k]);
    free(film->frames);
    free(film->times);
    bws_mesh_free(&film->mesh);
    *film = (bws_film){0};
}

void bws_film_put(bws_film *film, uint32_t frame, uint32_t v, bw_vec3 p)
{
    float *to = (float *)film->frames[frame] + 3 * (size_t)v;
    to[0] = (float)p.x;
    to[1] = (float)p.y;
    to[2] = (float)p.z;
    if (frame == 0)
        bws_mesh_set_vertex(&film->mesh, v, (bw_vec3){(double)to[0], (double)to[1], (double)to[2]});
}

void bws_film_parameter(uint32_t columns, uint32_t rows, bool round, uint32_t v, double out[2])
{
    uint32_t width = round ? columns : columns + 1, i = v % width, j = v / width;
    uint64_t state = v;
    double a = (double)(bws_splitmix(&state) >> 11) * 0x1p-53 - 0.5;
    double b = (double)(bws_splitmix(&state) >> 11) * 0x1p-53 - 0.5;
    bool edge_i = !round && (i == 0 || i == columns), edge_j = j == 0 || j == rows;
    out[0] = (i + (edge_i ? 0 : 0.5 * a)) / columns;
    out[1] = (j + (edge_j ? 0 : 0.5 * b)) / rows;
}

bw_result bws_film_grid(const bws_film_desc *desc, uint32_t columns, uint32_t rows, bool round, bws_film *out)
{
    bws_film film = {.frame_count = desc->keyframes};
    if (desc->keyframes < 2 || !(desc->step > 0))
        return BW_ERROR_ARGUMENT;
    uint64_t width = round ? columns : (uint64_t)columns + 1, vertices = width * ((uint64_t)rows + 1);
    bw_result result = bws_mesh_reserve(vertices, 2 * (uint64_t)columns * rows, BW_F32, &film.mesh);
    if (result != BW_OK)
        return result;
    film.times = malloc(film.frame_count * sizeof *film.times);
    film.frames = calloc(film.frame_count, sizeof *film.frames);
    bool good = film.times != NULL && film.frames != NULL;
    for (uint32_t k = 0; good && k < film.frame_count; k++) {
        film.times[k] = k * desc->step;
        film.frames[k] = malloc(3 * sizeof(float) * (size_t)vertices);
        good = film.frames[k] != NULL;
    }
    if (!good) {
        bws_film_free(&film);
        return BW_ERROR_MEMORY;
    }
    uint32_t t = 0;
    for (uint32_t j = 0; j < rows; j++)
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t right = round && i + 1 == columns ? 0 : i + 1;
            uint32_t a = (uint32_t)(j * width + i), b = (uint32_t)(j * width + right);
            uint32_t d = (uint32_t)(a + width), c = (uint32_t)(b + width);
            bws_triangle(&film.mesh, t++, a, b, c);
            bws_triangle(&film.mesh, t++, a, c, d);
        }
    *out = film;
    return BW_OK;
}

bw_result bws_film_tube(const bws_film_desc *given, bws_tube_motion *at, bws_film *out)
{
    bws_film_desc desc = bws_film_completed(given);
    double side = floor(sqrt(desc.triangles / 4.0) + 0.5);
    uint32_t rows = side < 2 ? 2 : (uint32_t)side, columns = 2 * rows;
    bws_film film;
    bw_result result = bws_film_grid(&desc, columns, rows, true, &film);
    if (result != BW_OK)
        return result;
    for (uint32_t k = 0; k < film.frame_count; k++)
        for (uint32_t v = 0; v < film.mesh.vertex_count; v++) {
            double place[2];
            bws_film_parameter(columns, rows, true, v, place);
            bws_film_put(&film, k, v, at(place[0], place[1], film.times[k]));
        }
    *out = film;
    return BW_OK;
}
