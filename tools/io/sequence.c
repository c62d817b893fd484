/* A file per frame: the same faces, other places of the vertices. */
#define _POSIX_C_SOURCE 200809L
#include "io/readers.h"
#include "progress.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name taken apart: folder, text, digits, text. */
typedef struct pattern {
    char *folder, *before;
    const char *after; /* of the name that was given */
    int digits;
} pattern;

static pattern pattern_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *end = strrchr(base, '#') + 1, *start = end;
    while (start > base && start[-1] == '#')
        start--;
    pattern p = {.folder = tool_copy(slash ? name : "./"), .before = tool_copy(base), .after = end};
    if (slash)
        p.folder[slash + 1 - name] = 0;
    p.before[start - base] = 0;
    p.digits = (int)(end - start);
    return p;
}

static void pattern_free(pattern *p)
{
    free(p->folder);
    free(p->before);
}

/* The number of the frame that an entry of the folder is; -1: none. */
static int64_t frame_number(const pattern *p, const char *entry)
{
    size_t before = strlen(p->before), after = strlen(p->after), length = strlen(entry), digits = 0;
    if (length <= before + after || strncmp(entry, p->before, before) != 0 ||
        strcmp(entry + length - after, p->after) != 0)
        return -1;
    digits = length - before - after;
    for (size_t i = 0; i < digits; i++)
        if (!isdigit((unsigned char)entry[before + i]))
            return -1;
    /* Wider numbers than asked for are those that do not fit. */
    if (digits > 9 || digits < (size_t)p->digits || (digits > (size_t)p->digits && entry[before] == '0'))
        return -1;
    return strtol(entry + before, NULL, 10);
}

static char *frame_file(const pattern *p, int64_t number)
{
    size_t size = strlen(p->folder) + strlen(p->before) + strlen(p->after) + 32;
    char *file = tool_alloc(size, 1);
    const char *folder = strcmp(p->folder, "./") == 0 ? "" : p->folder;
    snprintf(file, size, "%s%s%0*" PRId64 "%s", folder, p->before, p->digits, number, p->after);
    return file;
}

static bool find_frames(const char *name, const pattern *p, int64_t *first, int64_t *last, fault *why)
{
    DIR *folder = opendir(p->folder);
    if (!folder)
        return fault_set(why, "%s: %s", name, strerror(errno));
    int64_t count = 0;
    *first = INT64_MAX;
    *last = -1;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        int64_t number = frame_number(p, entry->d_name);
        if (number < 0)
            continue;
        count++;
        *first = number < *first ? number : *first;
        *last = number > *last ? number : *last;
    }
    closedir(folder);
    if (count == 0)
        return fault_set(why, "%s: no such files", name);
    for (int64_t i = *first; count <= *last - *first && i <= *last; i++) {
        char *file = frame_file(p, i);
        FILE *there = fopen(file, "rb");
        if (!there) {
            fault_set(why,
                      "%s: frame %" PRId64 " is missing (%s): there are %" PRId64 " from %" PRId64
                      " to %" PRId64,
                      name, i, file, count, *first, *last);
            free(file);
            return false;
        }
        fclose(there);
        free(file);
    }
    return true;
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Polygons are cut as they lie, so the triangles of a face may differ from frame to frame; its corners may
 * not. */
static bool same_corners(const uint32_t *a, const uint32_t *b, size_t count)
{
    uint32_t *sorted = tool_alloc(2 * count, sizeof *sorted);
    memcpy(sorted, a, count * sizeof *a);
    memcpy(sorted + count, b, count * sizeof *b);
    qsort(sorted, count, sizeof *sorted, compare_indices);
    qsort(sorted + count, count, sizeof *sorted, compare_indices);
    bool same = true;
    size_t i = 0, k = count;
    while (same && i < count && k < 2 * count) {
        same = sorted[i] == sorted[k];
        uint32_t corner = sorted[i];
        while (i < count && sorted[i] == corner)
            i++;
        while (k < 2 * count && sorted[k] == corner)
            k++;
    }
    same = same && i == count && k == 2 * count;
    free(sorted);
    return same;
}

static bool same_faces(const model *a, const model *b, uint32_t *face)
{
    uint32_t t = 0;
    while (t < a->triangle_count) {
        uint32_t end = t + 1;
        while (end < a->triangle_count && a->faces[end] == a->faces[t])
            end++;
        *face = a->faces[t];
        for (uint32_t k = t; k < end; k++)
            if (b->faces[k] != a->faces[k])
                return false;
        const size_t first = 3 * (size_t)t, count = 3 * (size_t)(end - t);
        if (memcmp(a->indices + first, b->indices + first, count * sizeof *a->indices) != 0 &&
            !same_corners(a->indices + first, b->indices + first, count))
            return false;
        t = end;
    }
    return true;
}

static bool same_mesh(const model *first, const char *first_file, const model *next, int64_t number,
                      fault *why)
{
    uint32_t face = 0;
    if (next->vertex_count != first->vertex_count)
        return fault_set(why, "%s: frame %" PRId64 " has %" PRIu32 " vertices, and %s has %" PRIu32,
                         next->file, number, next->vertex_count, first_file, first->vertex_count);
    if (next->triangle_count != first->triangle_count)
        return fault_set(why, "%s: frame %" PRId64 " has %" PRIu32 " triangles, and %s has %" PRIu32,
                         next->file, number, next->triangle_count, first_file, first->triangle_count);
    if (!same_faces(first, next, &face))
        return fault_set(why, "%s: frame %" PRId64 " has another face %" PRIu32 " than %s", next->file,
                         number, face, first_file);
    return true;
}

typedef struct sequence {
    pattern pattern;
    char *name; /* that was given: the pattern points into it */
    int64_t first;
} sequence;

static bool next_frame(void *self, const model *m, uint32_t frame, void *out, fault *why)
{
    const sequence *s = self;
    int64_t number = s->first + frame;
    /* The first file is the model itself. */
    if (frame == 0) {
        memcpy(out, m->positions, 3 * sizeof(double) * m->vertex_count);
        return true;
    }
    char *file = frame_file(&s->pattern, number), *first = frame_file(&s->pattern, s->first);
    progress_step("reading %s", file);
    model one;
    bool fine = model_read(file, &one, why);
    if (fine) {
        fine = same_mesh(m, first, &one, number, why);
        if (fine)
            memcpy(out, one.positions, 3 * sizeof(double) * m->vertex_count);
        model_free(&one);
    }
    free(file);
    free(first);
    return fine;
}

static void close_sequence(void *self)
{
    sequence *s = self;
    pattern_free(&s->pattern);
    free(s->name);
    free(s);
}

bool open_sequence(const char *name, const animation_desc *desc, model *out, stream *frames, fault *why)
{
    sequence *s = tool_alloc(1, sizeof *s);
    s->name = tool_copy(name);
    s->pattern = pattern_of(s->name);
    int64_t last = 0;
    bool fine = find_frames(name, &s->pattern, &s->first, &last, why);
    char *file = fine ? frame_file(&s->pattern, s->first) : NULL;
    fine = fine && model_read(file, out, why);
    free(file);
    if (!fine) {
        close_sequence(s);
        return false;
    }
    free(out->file);
    out->file = tool_copy(name);
    *frames = (stream){.frame_count = (uint32_t)(last - s->first + 1),
                       .scalar = BW_F64,
                       .clip = tool_copy(""),
                       .next = next_frame,
                       .close = close_sequence,
                       .self = s};
    frames->times = tool_alloc(frames->frame_count, sizeof *frames->times);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        frames->times[i] = (double)(s->first + i) / (desc->fps > 0 ? desc->fps : ANIMATION_FPS);
    return true;
}
