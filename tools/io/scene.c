/* The built-in scenes as if they were files. */
#include "io/build.h"
#include "io/readers.h"
#include "number.h"

#include "scenes/plant.h"

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
    snprintf(known + strlen(known), sizeof known - strlen(known), " plant");
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

/* The one scene of many parts; its size is their number. */
static bool read_plant(const char *file, uint32_t parts, model *out, fault *why)
{
    bws_plant plant;
    bw_result result = bws_plant_make(parts, &plant);
    if (result != BW_OK)
        return fault_set(why, "%s: %s", file, bw_result_string(result));
    build b = build_start(file, "built-in", false);
    for (uint32_t v = 0; v < plant.mesh.vertex_count; v++)
        build_vertex(&b, bws_mesh_vertex(&plant.mesh, v), 0);
    for (uint32_t i = 0; i < plant.part_count; i++) {
        const bws_plant_part *part = &plant.parts[i];
        build_part(&b, part->name);
        for (uint32_t t = 0; t < part->triangle_count; t++) {
            for (uint32_t k = 0; k < 3; k++)
                build_corner(&b, plant.mesh.indices[3 * ((size_t)part->first_triangle + t) + k]);
            build_face(&b, 0);
        }
    }
    bws_plant_free(&plant);
    if (!build_finish(&b, out, why))
        return false;
    out->unit = 0.001;
    out->up = MODEL_UP_Z;
    return true;
}

/* A second and a half; *moves tells whether it is one of the films. The caller frees the film. */
static bool make_film(const char *file, const char *name, uint32_t size, uint32_t frames, bws_film *out,
                      bool *moves, fault *why)
{
    *moves = false;
    for (int i = 0; i < FILM_COUNT && !*moves; i++) {
        if (strcmp(films[i].name, name) != 0)
            continue;
        *moves = true;
        bws_film_desc desc = {.triangles = size > 0 ? size : FILM_TRIANGLES, .keyframes = frames};
        bw_result result = films[i].make(&desc, out);
        if (result != BW_OK)
            return fault_set(why, "%s: %s", file, bw_result_string(result));
    }
    return true;
}

bool read_scene(const char *file, const char *wanted, model *out, fault *why)
{
    char name[64];
    uint32_t size = 0;
    bool moves;
    bws_film film;
    if (!parse(file, wanted, name, &size, why) || !make_film(file, name, size, 2, &film, &moves, why))
        return false;
    if (moves) {
        bool fine = to_model(file, name, &film.mesh, out, why);
        bws_film_free(&film);
        if (fine)
            out->losses.animations = 1;
        return fine;
    }
    if (strcmp(name, "plant") == 0)
        return read_plant(file, size, out, why);
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

static bool next_frame(void *self, const model *m, uint32_t frame, void *out, fault *why)
{
    const bws_film *film = self;
    (void)why;
    memcpy(out, film->frames[frame], 3 * sizeof(float) * m->vertex_count);
    return true;
}

static void close_film(void *self)
{
    bws_film_free(self);
    free(self);
}

bool open_scene(const char *file, const char *wanted, model *out, stream *frames, fault *why)
{
    char name[64];
    uint32_t size = 0;
    bool moves;
    bws_film film;
    if (!parse(file, wanted, name, &size, why) ||
        !make_film(file, name, size, FILM_FRAMES, &film, &moves, why))
        return false;
    if (!moves)
        return read_scene(file, wanted, out, why);
    if (!to_model(file, name, &film.mesh, out, why)) {
        bws_film_free(&film);
        return false;
    }
    bws_film *kept = tool_alloc(1, sizeof *kept);
    *kept = film;
    *frames = (stream){.frame_count = film.frame_count,
                       .scalar = film.mesh.scalar,
                       .clip = tool_copy(name),
                       .next = next_frame,
                       .close = close_film,
                       .self = kept};
    frames->times = tool_alloc(film.frame_count, sizeof *frames->times);
    memcpy(frames->times, film.times, film.frame_count * sizeof *film.times);
    return true;
}
