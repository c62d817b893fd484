#define _POSIX_C_SOURCE 200809L
#include "io/isolate.h"

#include "io/film.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* One function for both directions, so that they cannot differ. */
typedef struct channel {
    FILE *stream;
    bool sending;
    bool broken;
} channel;

static void carry(channel *c, void *data, size_t count, size_t size)
{
    if (c->broken || count == 0)
        return;
    size_t done = c->sending ? fwrite(data, size, count, c->stream) : fread(data, size, count, c->stream);
    c->broken = done != count;
}

/* An array that is there or not; the receiver allocates it. */
static void *carry_array(channel *c, void *data, size_t count, size_t size)
{
    bool there = data != NULL;
    carry(c, &there, 1, sizeof there);
    if (c->broken || !there)
        return NULL;
    if (!c->sending)
        data = tool_alloc(count, size);
    carry(c, data, count, size);
    return data;
}

static char *carry_string(channel *c, char *text)
{
    size_t length = c->sending ? strlen(text) + 1 : 0;
    carry(c, &length, 1, sizeof length);
    return c->broken ? NULL : carry_array(c, text, length, 1);
}

static void carry_places(channel *c, model *m)
{
    uint32_t count = m->place_count;
    carry(c, &count, 1, sizeof count);
    if (c->broken || count == 0)
        return;
    if (!c->sending)
        m->places = tool_alloc(count, sizeof *m->places);
    for (uint32_t i = 0; i < count && !c->broken; i++) {
        model_place *place = &m->places[i];
        if (!c->sending)
            *place = (model_place){.name = NULL};
        carry(c, &place->part, 1, sizeof place->part);
        carry(c, &place->first_vertex, 1, sizeof place->first_vertex);
        carry(c, &place->vertex_count, 1, sizeof place->vertex_count);
        carry(c, &place->pose, 1, sizeof place->pose);
        carry(c, &place->moved, 1, sizeof place->moved);
        place->name = carry_string(c, place->name);
        m->place_count = i + 1;
    }
}

static void carry_clips(channel *c, model *m)
{
    uint32_t count = m->clip_count;
    carry(c, &count, 1, sizeof count);
    if (c->broken || count == 0)
        return;
    if (!c->sending)
        m->clips = tool_alloc(count, sizeof *m->clips);
    for (uint32_t i = 0; i < count && !c->broken; i++) {
        model_clip *clip = &m->clips[i];
        if (!c->sending)
            *clip = (model_clip){.name = NULL};
        carry(c, &clip->begin, 1, sizeof clip->begin);
        carry(c, &clip->end, 1, sizeof clip->end);
        carry(c, &clip->channels, 1, sizeof clip->channels);
        carry(c, &clip->keys, 1, sizeof clip->keys);
        clip->name = carry_string(c, clip->name);
        m->clip_count = i + 1;
    }
}

static void carry_notes(channel *c, model *m)
{
    uint32_t count = m->note_count;
    carry(c, &count, 1, sizeof count);
    if (c->broken || count == 0)
        return;
    if (!c->sending)
        m->notes = tool_alloc(count, sizeof *m->notes);
    for (uint32_t i = 0; i < count && !c->broken; i++) {
        m->notes[i] = carry_string(c, c->sending ? m->notes[i] : NULL);
        m->note_count = i + 1;
    }
}

static void carry_film(channel *c, model *m)
{
    model_film *film = &m->film;
    uint32_t count = film->frame_count;
    bw_scalar scalar = film->scalar;
    carry(c, &count, 1, sizeof count);
    carry(c, &scalar, 1, sizeof scalar);
    if (c->broken || count == 0)
        return;
    char *clip = carry_string(c, film->clip);
    if (!c->sending) {
        if (clip)
            film_reserve(m, count, scalar, clip);
        free(clip);
    }
    carry(c, film->times, count, sizeof *film->times);
    size_t size = scalar == BW_F32 ? sizeof(float) : sizeof(double);
    for (uint32_t i = 0; i < count; i++)
        carry(c, film->frames[i], 3 * (size_t)m->vertex_count, size);
}

static void carry_model(channel *c, model *m)
{
    carry(c, m->format, sizeof m->format, 1);
    carry(c, &m->vertex_count, 1, sizeof m->vertex_count);
    carry(c, &m->triangle_count, 1, sizeof m->triangle_count);
    carry(c, &m->losses, 1, sizeof m->losses);
    carry(c, &m->unit, 1, sizeof m->unit);
    carry(c, &m->up, 1, sizeof m->up);
    m->positions = carry_array(c, m->positions, 3 * (size_t)m->vertex_count, sizeof *m->positions);
    m->indices = carry_array(c, m->indices, 3 * (size_t)m->triangle_count, sizeof *m->indices);
    m->faces = carry_array(c, m->faces, m->triangle_count, sizeof *m->faces);
    uint32_t parts = m->part_count;
    carry(c, &parts, 1, sizeof parts);
    if (c->broken)
        return;
    if (!c->sending)
        m->parts = tool_alloc(parts, sizeof *m->parts);
    for (uint32_t i = 0; i < parts && !c->broken; i++) {
        model_part *part = &m->parts[i];
        if (!c->sending)
            *part = (model_part){.name = NULL};
        carry(c, &part->first_triangle, 1, sizeof part->first_triangle);
        carry(c, &part->triangle_count, 1, sizeof part->triangle_count);
        carry(c, &part->face_count, 1, sizeof part->face_count);
        part->name = carry_string(c, part->name);
        m->part_count = i + 1;
    }
    carry_places(c, m);
    carry_clips(c, m);
    carry_notes(c, m);
    carry_film(c, m);
}

/* Ends without running what the parent registered for its own end. */
static _Noreturn void child(reader_fn *reader, const char *file, const void *wish, int descriptor)
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    channel c = {fdopen(descriptor, "wb"), true, false};
    if (!c.stream)
        _exit(EXIT_FAULT);
    model m = {.file = NULL};
    fault why;
    memset(&why, 0, sizeof why);
    bool fine = reader(file, wish, &m, &why);
    carry(&c, &fine, 1, sizeof fine);
    if (fine)
        carry_model(&c, &m);
    else
        carry(&c, why.text, sizeof why.text, 1);
    _exit(fflush(c.stream) == 0 && !c.broken ? 0 : EXIT_FAULT);
}

static bool receive(int descriptor, const char *file, model *out, fault *why)
{
    channel c = {fdopen(descriptor, "rb"), false, false};
    if (!c.stream) {
        close(descriptor);
        return fault_set(why, "%s: %s", file, strerror(errno));
    }
    fault_set(why, "%s: the importer ended without an answer", file);
    bool fine = false;
    model m = {.file = tool_copy(file)};
    carry(&c, &fine, 1, sizeof fine);
    if (!c.broken && fine)
        carry_model(&c, &m);
    else if (!c.broken)
        carry(&c, why->text, sizeof why->text, 1);
    fine = fine && !c.broken;
    fclose(c.stream);
    if (fine)
        *out = m;
    else
        model_free(&m);
    return fine;
}

bool isolate_read(reader_fn *reader, const char *file, const void *wish, model *out, fault *why)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fault_set(why, "%s: %s", file, strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return fault_set(why, "%s: %s", file, strerror(errno));
    }
    if (pid == 0) {
        close(ends[0]);
        child(reader, file, wish, ends[1]);
    }
    close(ends[1]);
    bool fine = receive(ends[0], file, out, why);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!fine && WIFSIGNALED(status))
        return fault_set(why, "%s: the importer crashed on this file (%s)", file,
                         strsignal(WTERMSIG(status)));
    return fine;
}
