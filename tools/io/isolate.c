#define _POSIX_C_SOURCE 200809L
#include "io/isolate.h"

#include <errno.h>
#include <signal.h>
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

/* What the receiver knows of a stream before its frames. */
static void carry_plan(channel *c, stream *s)
{
    carry(c, &s->frame_count, 1, sizeof s->frame_count);
    carry(c, &s->scalar, 1, sizeof s->scalar);
    carry(c, &s->jumps, 1, sizeof s->jumps);
    if (c->broken || s->frame_count == 0)
        return;
    s->clip = carry_string(c, s->clip);
    s->times = carry_array(c, s->times, s->frame_count, sizeof *s->times);
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
}

static size_t frame_size(const model *m, bw_scalar scalar)
{
    return 3 * (size_t)m->vertex_count * (scalar == BW_F32 ? sizeof(float) : sizeof(double));
}

/* What the child is to do: read, or open and play. */
typedef struct task {
    const char *file;
    reader_fn *reader;
    const void *wish;
    sampler_open_fn *open;
    const animation_desc *desc;
} task;

static void send_frames(channel *c, const model *m, stream *s)
{
    void *frame = tool_alloc(frame_size(m, s->scalar), 1);
    fault why;
    memset(&why, 0, sizeof why);
    for (uint32_t i = 0; i < s->frame_count && !c->broken; i++) {
        /* Not stream_next: the receiver validates what arrives. */
        bool fine = s->next(s->self, m, i, frame, &why);
        carry(c, &fine, 1, sizeof fine);
        if (fine)
            carry(c, frame, frame_size(m, s->scalar), 1);
        else
            carry(c, why.text, sizeof why.text, 1);
    }
    free(frame);
}

/* Ends without running what the parent registered for its own end. */
static _Noreturn void child(const task *t, int descriptor)
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    channel c = {fdopen(descriptor, "wb"), true, false};
    if (!c.stream)
        _exit(EXIT_FAULT);
    model m = {.file = NULL};
    stream frames = {.frame_count = 0};
    fault why;
    memset(&why, 0, sizeof why);
    bool fine = t->reader ? t->reader(t->file, t->wish, &m, &why)
                          : stream_open(t->open, t->file, t->desc, &m, &frames, &why);
    carry(&c, &fine, 1, sizeof fine);
    if (fine) {
        carry_model(&c, &m);
        carry_plan(&c, &frames);
        fflush(c.stream);
        send_frames(&c, &m, &frames);
    } else {
        carry(&c, why.text, sizeof why.text, 1);
    }
    _exit(fflush(c.stream) == 0 && !c.broken ? 0 : EXIT_FAULT);
}

typedef struct connection {
    channel channel;
    pid_t pid;
} connection;

/* Ends the child, which may still be at work, and tells how it ended: a signal that it did not get from here,
 * or 0. */
static int hang_up(connection *c)
{
    int status = 0;
    bool killed = false;
    fclose(c->channel.stream);
    /* What has answered in full has nothing left to do. */
    if (!c->channel.broken)
        killed = kill(c->pid, SIGKILL) == 0;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFSIGNALED(status) && !(killed && WTERMSIG(status) == SIGKILL) ? WTERMSIG(status) : 0;
}

static bool connect_child(const task *t, connection *out, fault *why)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fault_set(why, "%s: %s", t->file, strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        return fault_set(why, "%s: %s", t->file, strerror(error));
    }
    if (pid == 0) {
        close(ends[0]);
        child(t, ends[1]);
    }
    close(ends[1]);
    *out = (connection){{fdopen(ends[0], "rb"), false, false}, pid};
    if (out->channel.stream)
        return true;
    int error = errno;
    close(ends[0]);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return fault_set(why, "%s: %s", t->file, strerror(error));
}

static bool without_answer(connection *c, const char *file, fault *why)
{
    int died_of = hang_up(c);
    return died_of != 0
               ? fault_set(why, "%s: the importer crashed on this file (%s)", file, strsignal(died_of))
               : fault_set(why, "%s: the importer ended without an answer", file);
}

/* The answer up to the frames; the connection stays where that is told. */
static bool receive(const task *t, connection *c, model *out, stream *frames, fault *why)
{
    bool fine = false;
    model m = {.file = tool_copy(t->file)};
    carry(&c->channel, &fine, 1, sizeof fine);
    if (!c->channel.broken && fine) {
        carry_model(&c->channel, &m);
        carry_plan(&c->channel, frames);
    } else if (!c->channel.broken) {
        carry(&c->channel, why->text, sizeof why->text, 1);
    }
    if (fine && !c->channel.broken) {
        *out = m;
        return true;
    }
    model_free(&m);
    stream_close(frames);
    if (c->channel.broken)
        return without_answer(c, t->file, why);
    hang_up(c);
    return false;
}

bool isolate_read(reader_fn *reader, const char *file, const void *wish, model *out, fault *why)
{
    const task t = {.file = file, .reader = reader, .wish = wish};
    connection c;
    stream none = {.frame_count = 0};
    if (!connect_child(&t, &c, why) || !receive(&t, &c, out, &none, why))
        return false;
    hang_up(&c);
    return true;
}

static bool next_frame(void *self, const model *m, uint32_t frame, void *out, fault *why)
{
    connection *c = self;
    bool fine = false;
    (void)frame;
    carry(&c->channel, &fine, 1, sizeof fine);
    if (!c->channel.broken && fine)
        carry(&c->channel, out, frame_size(m, BW_F32), 1);
    else if (!c->channel.broken)
        carry(&c->channel, why->text, sizeof why->text, 1);
    if (c->channel.broken)
        return fault_set(why, "%s: the importer ended before its last frame", m->file);
    return fine;
}

static void end_child(void *self)
{
    hang_up(self);
    free(self);
}

bool isolate_play(sampler_open_fn *open, const char *file, const animation_desc *desc, model *out,
                  stream *frames, fault *why)
{
    const task t = {.file = file, .open = open, .desc = desc};
    connection *c = tool_alloc(1, sizeof *c);
    *frames = (stream){.frame_count = 0};
    if (!connect_child(&t, c, why) || !receive(&t, c, out, frames, why)) {
        free(c);
        return false;
    }
    if (frames->frame_count == 0) {
        end_child(c);
        return true;
    }
    frames->next = next_frame;
    frames->close = end_child;
    frames->self = c;
    return true;
}
