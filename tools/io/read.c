/* Which reader for which file: by the end of its name, or where that has none by what is in it. */
#define _POSIX_C_SOURCE 200809L
#include "io/names.h"
#include "io/readers.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef bool text_reader(text *text, model *out, fault *why);

static const char *dot_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return strrchr(slash ? slash + 1 : file, '.');
}

static text_reader *reader_by_name(const char *file)
{
    static const struct {
        const char *extension;
        text_reader *reader;
    } own[] = {{".obj", read_obj}, {".ply", read_ply}, {".stl", read_stl}, {".off", read_off}};
    const char *dot = dot_of(file);
    for (size_t i = 0; dot && i < sizeof own / sizeof *own; i++)
        if (strcasecmp(dot, own[i].extension) == 0)
            return own[i].reader;
    return NULL;
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(word, *words, length) == 0)
            return true;
    return false;
}

/* By the first word, comments left out, or by the size that the head of a binary STL file asks for. */
static text_reader *reader_by_content(const text *whole)
{
    static const char *const ply[] = {"ply", NULL}, *const stl[] = {"solid", NULL},
                             *const off[] = {"OFF", "COFF", "NOFF", "CNOFF", "STOFF", NULL},
                             *const obj[] = {"v", "vn", "vt", "f", "o", "g", "mtllib", "usemtl", NULL};
    if (stl_is_binary(whole))
        return read_stl;
    text t = *whole;
    while (text_more_lines(&t) && *t.at == '#')
        text_next_line(&t);
    size_t length;
    const char *word = text_word(&t, &length);
    return is_one_of(word, length, ply)   ? read_ply
           : is_one_of(word, length, stl) ? read_stl
           : is_one_of(word, length, off) ? read_off
           : is_one_of(word, length, obj) ? read_obj
                                          : NULL;
}

bool reads_by_itself(const char *file)
{
    if (dot_of(file))
        return reader_by_name(file) != NULL;
    text whole;
    fault why;
    if (!text_open(file, &whole, &why))
        return false;
    bool own = reader_by_content(&whole) != NULL;
    text_close(&whole);
    return own;
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
    text_reader *reader = reader_by_name(path);
    if (!reader && dot_of(path))
        return read_assimp(path, out, why);
    text whole;
    if (!text_open(path, &whole, why))
        return false;
    whole.file = file;
    if (!reader)
        reader = reader_by_content(&whole);
    bool fine;
    if (reader)
        fine = reader(&whole, out, why);
    else if (S_ISREG(status.st_mode))
        fine = read_assimp(path, out, why);
    else if (whole.size == 0)
        fine = fault_set(why, "%s: is empty", file);
    else
        fine = fault_set(why, "%s: has no name that tells its format, and is not OBJ, PLY, STL or OFF", file);
    text_close(&whole);
    return fine;
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
