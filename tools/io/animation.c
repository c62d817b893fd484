#define _POSIX_C_SOURCE 200809L
#include "io/animation.h"

#include "io/cache.h"
#include "io/film.h"
#include "io/gltf/gltf.h"
#include "io/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* MESH@CACHE */
static bool read_baked(const char *file, const char *at, const animation_desc *desc, model *out, fault *why)
{
    char *mesh = tool_copy(file);
    mesh[at - file] = 0;
    bool fine = model_read(mesh, out, why);
    free(mesh);
    if (!fine || !cache_read(at + 1, desc, out, why))
        return false;
    free(out->file);
    out->file = tool_copy(file);
    return film_finish(out, why);
}

/* What was before a jump stands at the largest time below it. */
static bool film_gltf(const char *file, const animation_desc *desc, model *out, fault *why)
{
    sampler s;
    sampler_times times;
    model m;
    if (!sample_gltf(file, desc->clip, &m, &s, why))
        return false;
    bool fine = sampler_plan(&s, file, desc->rate > 0 ? desc->rate : ANIMATION_RATE, desc->even, &times, why);
    if (fine && times.count > 0)
        film_reserve(&m, times.count, BW_F32, m.clips[s.clip].name);
    double *all = tool_alloc(m.vertex_count, 3 * sizeof *all);
    for (uint32_t i = 0; fine && i < times.count; i++) {
        bool before = i + 1 < times.count && times.at[i] == times.at[i + 1];
        m.film.times[i] = before ? nextafter(times.at[i], -INFINITY) : times.at[i];
        s.positions(s.self, times.at[i], before, all);
        for (size_t k = 0; k < 3 * (size_t)m.vertex_count; k++)
            film_put(&m.film, i, k, all[k]);
    }
    free(all);
    free(times.at);
    sampler_close(&s);
    if (!fine) {
        model_free(&m);
        return false;
    }
    *out = m;
    return film_finish(out, why);
}

bool animation_read(const char *file, const animation_desc *desc, model *out, fault *why)
{
    static const animation_desc defaults;
    if (!desc)
        desc = &defaults;
    struct stat status;
    const char *at = strrchr(file, '@'), *slash = strrchr(file, '/');
    if (strncmp(file, "scene:", 6) == 0 && !(at && cache_is_name(at + 1)))
        return read_scene_film(file, file + 6, out, why);
    /* Names that a file really has are never taken apart. */
    if (stat(file, &status) != 0) {
        if (at && cache_is_name(at + 1))
            return read_baked(file, at, desc, out, why);
        if (strchr(slash ? slash : file, '#'))
            return read_sequence(file, desc, out, why);
    }
    if (cache_is_name(file))
        return fault_set(why, "%s: a cache has no faces: name its mesh before it, MESH@%s", file,
                         slash ? slash + 1 : file);
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0 || reads_by_itself(file))
        return model_read(file, out, why);
    if (reads_as_gltf(file))
        return film_gltf(file, desc, out, why);
    return read_assimp_film(file, desc, out, why);
}
