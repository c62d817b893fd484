#define _POSIX_C_SOURCE 200809L
#include "io/animation.h"

#include "io/cache.h"
#include "io/film.h"
#include "io/readers.h"

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
    return read_assimp_film(file, desc, out, why);
}
