/* Which reader for which file. */
#define _POSIX_C_SOURCE 200809L
#include "io/readers.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef bool text_reader(text *text, model *out, fault *why);

static text_reader *reader_for(const char *file)
{
    static const struct {
        const char *extension;
        text_reader *reader;
    } own[] = {{".obj", read_obj}, {".ply", read_ply}, {".stl", read_stl}, {".off", read_off}};
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < sizeof own / sizeof *own; i++)
        if (strcasecmp(dot, own[i].extension) == 0)
            return own[i].reader;
    return NULL;
}

bool reads_by_itself(const char *file)
{
    return reader_for(file) != NULL;
}

bool model_read_placed(const char *file, model *out, fault *why)
{
    if (strncmp(file, "scene:", 6) == 0)
        return read_scene(file, file + 6, out, why);
    struct stat status;
    if (stat(file, &status) != 0)
        return fault_set(why, "%s: %s", file, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fault_set(why, "%s: is a directory", file);
    if (S_ISREG(status.st_mode) && status.st_size == 0)
        return fault_set(why, "%s: the file is empty", file);
    text_reader *reader = reader_for(file);
    if (!reader)
        return read_assimp(file, out, why);
    text whole;
    if (!text_open(file, &whole, why))
        return false;
    bool fine = reader(&whole, out, why);
    text_close(&whole);
    return fine;
}
