/* Two spheres that expand, every vertex away from its own middle, until they meet. As velocities, what then
 * happens to whom is told by whoever watches; as a film, who comes to the plane between them goes back. */
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

/* Where a vertex is: back the way it came, once it has met the plane x = 0. */
static bw_vec3 bounced(bw_vec3 p, const float *w, double time)
{
    double x = p.x + time * (double)w[0];
    if ((p.x < 0) != (x < 0))
        time = 2 * (-p.x / (double)w[0]) - time;
    return (bw_vec3){p.x + time * (double)w[0], p.y + time * (double)w[1], p.z + time * (double)w[2]};
}

static bool make_frames(const bws_film_desc *desc, bws_film *film)
{
    film->times = malloc(film->frame_count * sizeof *film->times);
    film->frames = calloc(film->frame_count, sizeof *film->frames);
    bool good = film->times != NULL && film->frames != NULL;
    for (uint32_t k = 0; good && k < film->frame_count; k++) {
        film->times[k] = k * desc->step;
        film->frames[k] = malloc(3 * sizeof(float) * (size_t)film->mesh.vertex_count);
        good = film->frames[k] != NULL;
    }
    return good;
}

bw_result bws_expanding_film(const bws_film_desc *given, bws_film *out)
{
    bws_film_desc desc = bws_film_completed(given);
    if (desc.keyframes < 2 || !(desc.step > 0))
        return BW_ERROR_ARGUMENT;
    bws_film film = {.frame_count = desc.keyframes};
    float *velocities;
    bw_result result = bws_expanding(desc.triangles, &film.mesh, &velocities);
    if (result != BW_OK)
        return result;
    if (!make_frames(&desc, &film)) {
        free(velocities);
        bws_film_free(&film);
        return BW_ERROR_MEMORY;
    }
    double first =
        0.4 - 0.5 * film.times[film.frame_count - 1]; /* they touch in the film, towards its middle */
    for (uint32_t v = 0; v < film.mesh.vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(&film.mesh, v);
        for (uint32_t k = 0; k < film.frame_count; k++)
            bws_film_put(&film, k, v, bounced(p, velocities + 3 * (size_t)v, first + film.times[k]));
    }
    free(velocities);
    *out = film;
    return BW_OK;
}
