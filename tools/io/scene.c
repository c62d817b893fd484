/* The built-in scenes as if they were files. */
#include "io/build.h"
#include "io/film.h"
#include "io/readers.h"
#include "number.h"

#include "scenes/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name and the size of "NAME[:SIZE]"; size 0: the default. */
static bool parse(const char *file, const char *wanted, char name[64], uint32_t *out, fault *why)
{
    const char *colon = strchr(wanted, ':');
    size_t length = colon ? (size_t)(colon - wanted) : strlen(wanted);
    snprintf(name, 64, "%.*s", (int)(length < 64 ? length : 63), wanted);
    uint64_t size = 0;
    if (colon && (!number_count(colon + 1, UINT64_C(1) << 30, &size) || size == 0))
        return fault_set(why, "%s: the size after the second colon is not a count", file);
    *out = (uint32_t)size;
    return true;
}

static const struct {
    const char *name;
    bw_result (*make)(const bws_film_desc *desc, bws_film *out);
} films[] = {{"tablecloth", bws_tablecloth}, {"dress", bws_dress}};
enum { FILM_COUNT = sizeof films / sizeof *films, FILM_FRAMES = 46, FILM_TRIANGLES = 5000 };

static bool unknown(const char *file, fault *why)
{
    char known[256] = "";
    uint32_t count;
    const bws_scene *list = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", list[i].name);
    for (int i = 0; i < FILM_COUNT; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", films[i].name);
    return fault_set(why, "%s: no such scene; there are:%s", file, known);
}

static bool to_model(const char *file, const char *name, const bws_mesh *mesh, model *out, fault *why)
{
    build b = build_start(file, "built-in", false);
    build_part(&b, name);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        build_vertex(&b, bws_mesh_vertex(mesh, v), 0);
    for (uint32_t t = 0; mesh->indices && t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++)
            build_corner(&b, mesh->indices[3 * (size_t)t + (size_t)k]);
        build_face(&b, 0);
    }
    return build_finish(&b, out, why);
}

/* A second and a half; *moves tells whether it is one of the films. */
static bool read_film(const char *file, const char *name, uint32_t size, uint32_t frames, model *out,
                      bool *moves, fault *why)
{
    for (int i = 0; i < FILM_COUNT; i++) {
        if (strcmp(films[i].name, name) != 0)
            continue;
        *moves = true;
        bws_film_desc desc = {.triangles = size > 0 ? size : FILM_TRIANGLES, .keyframes = frames};
        bws_film film;
        bw_result result = films[i].make(&desc, &film);
        if (result != BW_OK)
            return fault_set(why, "%s: %s", file, bw_result_string(result));
        bool fine = to_model(file, name, &film.mesh, out, why);
        if (fine) {
            film_reserve(out, film.frame_count, film.mesh.scalar, name);
            memcpy(out->film.times, film.times, film.frame_count * sizeof *film.times);
            for (uint32_t k = 0; k < film.frame_count; k++)
                memcpy(out->film.frames[k], film.frames[k], 3 * sizeof(float) * film.mesh.vertex_count);
        }
        bws_film_free(&film);
        return fine;
    }
    *moves = false;
    return true;
}

bool read_scene(const char *file, const char *wanted, model *out, fault *why)
{
    char name[64];
    uint32_t size = 0;
    bool moves;
    if (!parse(file, wanted, name, &size, why) || !read_film(file, name, size, 2, out, &moves, why))
        return false;
    if (moves) {
        film_free(&out->film);
        out->losses.animations = 1;
        return true;
    }
    const bws_scene *scene = bws_scene_find(name);
    if (!scene)
        return unknown(file, why);
    bws_mesh mesh;
    bw_result result = scene->make(size, BW_F64, &mesh);
    if (result != BW_OK)
        return fault_set(why, "%s: %s", file, bw_result_string(result));
    bool fine = to_model(file, name, &mesh, out, why);
    bws_mesh_free(&mesh);
    return fine;
}

bool read_scene_film(const char *file, const char *wanted, model *out, fault *why)
{
    char name[64];
    uint32_t size = 0;
    bool moves;
    if (!parse(file, wanted, name, &size, why) || !read_film(file, name, size, FILM_FRAMES, out, &moves, why))
        return false;
    return moves ? film_finish(out, why) : read_scene(file, wanted, out, why);
}
