/* Which source of frames for which name. */
#define _POSIX_C_SOURCE 200809L
#include "io/animation.h"

#include "io/cache.h"
#include "io/gltf/gltf.h"
#include "io/quake.h"
#include "io/readers.h"
#include "io/step/name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* MESH@CACHE */
static bool open_baked(const char *file, const char *at, const animation_desc *desc, model *out,
                       stream *frames, fault *why)
{
    char *mesh = tool_copy(file);
    mesh[at - file] = 0;
    model m;
    bool fine = model_read(mesh, &m, why);
    free(mesh);
    if (!fine)
        return false;
    if (!cache_open(at + 1, desc, &m, frames, why)) {
        model_free(&m);
        return false;
    }
    free(m.file);
    m.file = tool_copy(file);
    *out = m;
    return true;
}

/* The standard input as a file that can be read more than once: a copy without a name where it is a pipe.
 * The file stays open until the program ends. */
static bool spool(char path[32], fault *why)
{
    struct stat status;
    snprintf(path, 32, "/dev/stdin");
    if (fstat(0, &status) == 0 && S_ISREG(status.st_mode))
        return true;
    FILE *copy = tmpfile();
    char block[1 << 16];
    ssize_t got = 0;
    while (copy && (got = read(0, block, sizeof block)) > 0)
        if (fwrite(block, 1, (size_t)got, copy) != (size_t)got)
            break;
    if (!copy || got != 0 || fflush(copy) != 0)
        return fault_set(why, "-: the standard input could not be kept: %s", strerror(errno));
    snprintf(path, 32, "/dev/fd/%d", fileno(copy));
    return true;
}

static bool open_input(const animation_desc *desc, model *out, stream *frames, fault *why)
{
    char path[32];
    if (!spool(path, why) || !animation_open(path, desc, out, frames, why))
        return false;
    free(out->file);
    out->file = tool_copy("-");
    return true;
}

bool animation_open(const char *file, const animation_desc *desc, model *out, stream *frames, fault *why)
{
    struct stat status;
    if (strcmp(file, "-") == 0)
        return open_input(desc, out, frames, why);
    const char *at = strrchr(file, '@'), *slash = strrchr(file, '/');
    *frames = (stream){.frame_count = 0};
    if (strncmp(file, "scene:", 6) == 0 && !(at && cache_is_name(at + 1)))
        return open_scene(file, file + 6, out, frames, why);
    /* Names that a file really has are never taken apart. */
    if (stat(file, &status) != 0) {
        if (at && cache_is_name(at + 1))
            return open_baked(file, at, desc, out, frames, why);
        if (strchr(slash ? slash : file, '#'))
            return open_sequence(file, desc, out, frames, why);
    }
    if (cache_is_name(file))
        return fault_set(why, "%s: a cache has no faces: name its mesh before it, MESH@%s", file,
                         slash ? slash + 1 : file);
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return model_read(file, out, why);
    file_format format = format_of_file(file);
    if (format == FORMAT_GLTF)
        return stream_open(sample_gltf, file, desc, out, frames, why);
    if (format == FORMAT_QUAKE)
        return stream_open(quake_open, file, desc, out, frames, why);
    /* What else readers of our own take stands still, and so do CAD files. */
    return format_is_own(format) || format == FORMAT_STORE || step_is_name(file)
               ? model_read(file, out, why)
               : open_assimp(file, desc, out, frames, why);
}
