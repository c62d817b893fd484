/* PC2 and MDD caches, read and written frame by frame. */
#define _XOPEN_SOURCE 700
#include "io/cache.h"

#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PC2_HEAD = 32, MDD_HEAD = 8 };
static const char pc2_magic[12] = "POINTCACHE2";

static bool ends_with(const char *file, const char *extension)
{
    const char *dot = strrchr(file, '.');
    return dot && strcasecmp(dot, extension) == 0;
}

bool cache_is_name(const char *file)
{
    return ends_with(file, ".pc2") || ends_with(file, ".mdd");
}

/* Words of 32 bits in either order of bytes, whatever the machine's. */
static uint32_t get_word(const char *bytes, bool big)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word |= (uint32_t)(unsigned char)bytes[big ? 3 - i : i] << 8 * i;
    return word;
}

static void put_word(char *bytes, bool big, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[big ? 3 - i : i] = (char)(unsigned char)(word >> 8 * i);
}

static float get_float(const char *bytes, bool big)
{
    uint32_t word = get_word(bytes, big);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void put_float(char *bytes, bool big, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put_word(bytes, big, word);
}

/* What the head of a cache says. */
typedef struct cache_head {
    bool big;
    uint32_t samples, points;
    double first, step; /* PC2, in frames */
    uint64_t data;      /* where the positions begin */
} cache_head;

static bool read_head(FILE *in, const char *file, cache_head *head, fault *why)
{
    char bytes[PC2_HEAD];
    if (ends_with(file, ".mdd")) {
        size_t got = fread(bytes, 1, MDD_HEAD, in);
        if (got < MDD_HEAD)
            return fault_set(why, "%s: %zu bytes are too short for an MDD cache", file, got);
        *head =
            (cache_head){.big = true, .samples = get_word(bytes, true), .points = get_word(bytes + 4, true)};
        head->data = MDD_HEAD + 4 * (uint64_t)head->samples;
    } else {
        if (fread(bytes, 1, PC2_HEAD, in) < PC2_HEAD || memcmp(bytes, pc2_magic, sizeof pc2_magic) != 0)
            return fault_set(why, "%s: does not begin as a PC2 cache does", file);
        uint32_t version = get_word(bytes + 12, false);
        if (version != 1)
            return fault_set(why, "%s: is of version %" PRIu32 " of PC2; only 1 is known", file, version);
        *head = (cache_head){.points = get_word(bytes + 16, false),
                             .first = (double)get_float(bytes + 20, false),
                             .step = (double)get_float(bytes + 24, false),
                             .samples = get_word(bytes + 28, false),
                             .data = PC2_HEAD};
        if (!isfinite(head->first) || !(head->step > 0) || !isfinite(head->step))
            return fault_set(why, "%s: begins at frame %g, with %g frames from sample to sample", file,
                             head->first, head->step);
    }
    if (head->samples == 0)
        return fault_set(why, "%s: has no frames", file);
    if (head->points == 0) /* and so any number of frames, without a byte for them */
        return fault_set(why, "%s: has no points", file);
    return true;
}

static bool cut_short(const char *file, const cache_head *head, uint64_t frame, fault *why)
{
    return fault_set(why,
                     "%s: frame %" PRIu64 " is missing or cut short: the file ends before its %" PRIu32
                     " frames of %" PRIu32 " points do",
                     file, frame, head->samples, head->points);
}

static bool times_cut_short(const char *file, const cache_head *head, fault *why)
{
    return fault_set(why, "%s: ends within the times of its %" PRIu32 " frames", file, head->samples);
}

/* The size must be the one that the head tells, to the byte: a shorter file has lost frames. */
static bool check_size(const char *file, uint64_t size, const cache_head *head, fault *why)
{
    uint64_t frame = 12 * (uint64_t)head->points, room = size < head->data ? 0 : size - head->data;
    if (size < head->data)
        return times_cut_short(file, head, why);
    if (room / frame < head->samples)
        return cut_short(file, head, room / frame, why);
    if (room != frame * head->samples)
        return fault_set(why,
                         "%s: has %" PRIu64 " bytes more than its %" PRIu32 " frames of %" PRIu32 " points",
                         file, room - frame * head->samples, head->samples, head->points);
    return true;
}

typedef struct reader {
    FILE *in;
    char *file, *bytes; /* bytes: of a frame */
    cache_head head;
} reader;

static bool next_frame(void *self, const model *m, uint32_t frame, void *out, fault *why)
{
    reader *r = self;
    float *to = out;
    const size_t count = 3 * (size_t)m->vertex_count;
    if (fread(r->bytes, 4, count, r->in) != count)
        return cut_short(r->file, &r->head, frame, why);
    for (size_t k = 0; k < count; k++)
        to[k] = get_float(r->bytes + 4 * k, r->head.big);
    return true;
}

static void close_reader(void *self)
{
    reader *r = self;
    fclose(r->in);
    free(r->file);
    free(r->bytes);
    free(r);
}

static double *read_times(FILE *in, const char *file, const cache_head *head, double fps, fault *why)
{
    double *times = tool_alloc(head->samples, sizeof *times);
    for (uint32_t i = 0; i < head->samples; i++) {
        char bytes[4];
        if (head->big && fread(bytes, 4, 1, in) != 1) {
            times_cut_short(file, head, why);
            free(times);
            return NULL;
        }
        times[i] = head->big ? (double)get_float(bytes, true) : (head->first + i * head->step) / fps;
    }
    return times;
}

bool cache_start(FILE *in, const char *file, uint64_t size, const animation_desc *desc, const model *m,
                 stream *frames, fault *why)
{
    cache_head head = {.big = false};
    bool fine = read_head(in, file, &head, why);
    if (fine && head.points != m->vertex_count)
        fine = fault_set(why, "%s: has %" PRIu32 " points, and %s has %" PRIu32 " vertices", file,
                         head.points, m->file, m->vertex_count);
    fine = fine && check_size(file, size, &head, why);
    double *times = fine ? read_times(in, file, &head, desc->fps > 0 ? desc->fps : ANIMATION_FPS, why) : NULL;
    if (!times) {
        fclose(in);
        return false;
    }
    reader *r = tool_alloc(1, sizeof *r);
    *r = (reader){in, tool_copy(file), tool_alloc(head.points, 12), head};
    *frames = (stream){.frame_count = head.samples,
                       .times = times,
                       .scalar = BW_F32,
                       .clip = tool_copy(""),
                       .next = next_frame,
                       .close = close_reader,
                       .self = r};
    return true;
}

bool cache_open(const char *file, const animation_desc *desc, const model *m, stream *frames, fault *why)
{
    struct stat status;
    FILE *in = fopen(file, "rb");
    if (!in)
        return fault_set(why, "%s: %s", file, strerror(errno));
    if (fstat(fileno(in), &status) != 0 || !S_ISREG(status.st_mode)) {
        fclose(in);
        return fault_set(why, "%s: a cache is read from a file, whose size tells whether it is whole", file);
    }
    return cache_start(in, file, (uint64_t)status.st_size, desc, m, frames, why);
}

/* ---- writing ---- */

static bool write_head(cache_writer *w, double fps, const double *times, uint32_t samples)
{
    char head[PC2_HEAD];
    if (!w->big) {
        memcpy(head, pc2_magic, sizeof pc2_magic);
        put_word(head + 12, false, 1);
        put_word(head + 16, false, w->points);
        put_float(head + 20, false, (float)(times[0] * fps));
        put_float(head + 24, false,
                  samples > 1 ? (float)((times[samples - 1] - times[0]) * fps / (samples - 1)) : 1);
        put_word(head + 28, false, samples);
        return fwrite(head, 1, PC2_HEAD, w->out) == PC2_HEAD;
    }
    put_word(head, true, samples);
    put_word(head + 4, true, w->points);
    bool whole = fwrite(head, 1, MDD_HEAD, w->out) == MDD_HEAD;
    for (uint32_t i = 0; i < samples && whole; i++) {
        put_float(head, true, (float)times[i]);
        whole = fwrite(head, 1, 4, w->out) == 4;
    }
    return whole;
}

bool cache_create(const char *file, double fps, const double *times, uint32_t samples, uint32_t points,
                  cache_writer *w, fault *why)
{
    *w = (cache_writer){.file = file, .big = ends_with(file, ".mdd"), .points = points};
    /* A file that is there stays until the new one is whole: it may be what is read. */
    struct stat status;
    char *real = stat(file, &status) == 0 && S_ISREG(status.st_mode) ? realpath(file, NULL) : NULL;
    if (real) {
        size_t size = strlen(real) + 32;
        w->beside = tool_alloc(size, 1);
        snprintf(w->beside, size, "%s.%ld.tmp", real, (long)getpid());
        w->real = real;
    }
    w->out = output_open(w->beside ? w->beside : file, why);
    if (!w->out) {
        free(w->beside);
        free(w->real);
        return false;
    }
    w->whole = write_head(w, fps, times, samples);
    return true;
}

void cache_write(cache_writer *w, bw_scalar scalar, const void *frame)
{
    char bytes[12 * 256];
    size_t used = 0, count = 3 * (size_t)w->points;
    for (size_t i = 0; i < count && w->whole; i++) {
        float value = scalar == BW_F64 ? (float)((const double *)frame)[i] : ((const float *)frame)[i];
        put_float(bytes + used, w->big, value);
        used += 4;
        if (used == sizeof bytes || i + 1 == count) {
            w->whole = fwrite(bytes, 1, used, w->out) == used;
            used = 0;
        }
    }
}

bool cache_finish(cache_writer *w, bool whole, fault *why)
{
    fault written;
    bool fine = output_close(w->out, w->beside ? w->beside : w->file, whole && w->whole, &written);
    if (fine && w->beside && rename(w->beside, w->real) != 0) {
        fault_set(&written, "%s: %s", w->file, strerror(errno));
        remove(w->beside);
        fine = false;
    }
    free(w->beside);
    free(w->real);
    /* Where the caller gave up he has said why. */
    return fine || !whole ? fine : fault_set(why, "%s", written.text);
}
