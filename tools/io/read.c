/* Which reader for which file (io/format.h). */
#define _POSIX_C_SOURCE 200809L
#include "io/format.h"
#include "io/gltf/gltf.h"
#include "io/names.h"
#include "io/readers.h"
#include "io/step/name.h"
#include "io/step/step.h"
#include "store/to_model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static file_head head_of(const text *t, uint64_t file_size)
{
    return (file_head){t->data, t->size, file_size};
}

/* Of a regular file only the beginning is looked at. */
static bool decide(const char *path, uint64_t file_size, file_format *format, bool *misnamed, fault *why)
{
    text begin;
    if (!text_open_part(path, FORMAT_HEAD, &begin, why))
        return false;
    file_head head = head_of(&begin, file_size);
    bool fine = format_decide(path, &head, format, misnamed, why);
    text_close(&begin);
    return fine;
}

/* Files of our own formats may be compressed, too. */
static bool is_packed(const char *path)
{
    char head[2];
    FILE *in = fopen(path, "rb");
    bool packed = in && text_is_packed(head, fread(head, 1, sizeof head, in));
    if (in)
        fclose(in);
    return packed;
}

bool format_is_read(const char *file)
{
    static const char *const own[] = {".obj", ".ply", ".stl", ".off", ".gltf", ".glb",
                                      ".vrm", ".mdl", ".md2", ".md3", ".bws",  NULL};
#ifdef BOXWOOD_ASSIMP
    static const char *const others[] = {".fbx", ".dae",   ".3ds",  ".3mf", ".ifc", ".ac",
                                         ".ase", ".blend", ".dxf",  ".lwo", ".x",   ".x3d",
                                         ".amf", ".b3d",   ".ms3d", ".iqm", NULL};
#else
    static const char *const others[] = {NULL};
#endif
    size_t length;
    const char *dot = format_extension(file, &length);
#ifdef BOXWOOD_STEP
    if (step_is_name(file))
        return true;
#endif
    const char *const *const lists[2] = {own, dot[length] ? NULL : others};
    for (int k = 0; k < 2 && lists[k]; k++)
        for (const char *const *one = lists[k]; *one; one++)
            if (strlen(*one) == length && strncasecmp(dot, *one, length) == 0)
                return true;
    return false;
}

file_format format_of_file(const char *file)
{
    struct stat status;
    file_format format;
    bool misnamed;
    fault why;
    return stat(file, &status) == 0 && decide(file, (uint64_t)status.st_size, &format, &misnamed, &why)
               ? format
               : FORMAT_OTHER;
}

/* file is what it is called, path where it is: the standard input has both. */
static bool read_regular(const char *file, const char *path, uint64_t size, model *out, fault *why)
{
    file_format format;
    bool misnamed;
    if (!decide(path, size, &format, &misnamed, why))
        return false;
    bool fine;
    text whole;
    if (format == FORMAT_OTHER && step_is_name(path)) {
        fine = read_step(path, out, why);
    } else if (format == FORMAT_STORE) {
        fine = store_to_model(path, NULL, out, why);
    } else if (!format_is_own(format) && format != FORMAT_GLTF) {
        fine = read_assimp(path, out, why);
    } else {
        if (!text_open(path, &whole, why))
            return false;
        whole.file = file;
        fine = format == FORMAT_GLTF ? read_gltf(&whole, out, why) : read_bytes(&whole, format, out, why);
        text_close(&whole);
    }
    if (fine)
        out->losses.misnamed = misnamed;
    return fine;
}

/* Pipes can be read once only. */
static bool read_stream(const char *file, const char *path, model *out, fault *why)
{
    text whole;
    file_format format;
    bool misnamed, fine;
    if (!text_open(path, &whole, why))
        return false;
    whole.file = file;
    file_head head = head_of(&whole, whole.size);
    if (whole.size == 0)
        fine = fault_set(why, "%s: is empty", file);
    else if (!format_decide(path, &head, &format, &misnamed, why))
        fine = false;
    else if (format == FORMAT_GLTF)
        fine = read_gltf(&whole, out, why);
    else if (format == FORMAT_STORE)
        fine = fault_set(why, "%s: is a part store, which cannot be read from a pipe", file);
    else if (!format_is_own(format))
        fine = fault_set(why,
                         "%s: compressed or from a pipe, only OBJ, PLY, STL, OFF, MDL, MD2, MD3 and glTF "
                         "are read, and this is none of them",
                         file);
    else
        fine = read_bytes(&whole, format, out, why);
    text_close(&whole);
    if (fine)
        out->losses.misnamed = misnamed;
    return fine;
}

static bool read_any(const char *file, model *out, fault *why)
{
    if (strncmp(file, "scene:", 6) == 0)
        return read_scene(file, file + 6, out, why);
    const char *path = strcmp(file, "-") == 0 ? "/dev/stdin" : file;
    struct stat status;
    if (stat(path, &status) != 0)
        return fault_set(why, "%s: %s", file, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fault_set(why, "%s: is a directory", file);
    if (S_ISREG(status.st_mode) && status.st_size == 0)
        return fault_set(why, "%s: the file is empty", file);
    return S_ISREG(status.st_mode) && !is_packed(path)
               ? read_regular(file, path, (uint64_t)status.st_size, out, why)
               : read_stream(file, path, out, why);
}

bool model_read_placed(const char *file, model *out, fault *why)
{
    if (!read_any(file, out, why))
        return false;
    /* The only part of a file may go without a name: the file has one. */
    if ((out->places ? out->place_count : out->part_count) > 1)
        names_unique(out);
    return true;
}
