#define _POSIX_C_SOURCE 200809L
#include "io/cache.h"

#include "io/film.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    size_t times, data; /* where they begin; times 0: none */
} cache_head;

static bool read_head(const text *t, cache_head *head, fault *why)
{
    if (ends_with(t->file, ".mdd")) {
        if (t->size < MDD_HEAD)
            return fault_set(why, "%s: %zu bytes are too short for an MDD cache", t->file, t->size);
        *head = (cache_head){.big = true,
                             .samples = get_word(t->data, true),
                             .points = get_word(t->data + 4, true),
                             .times = MDD_HEAD};
        head->data = MDD_HEAD + 4 * (size_t)head->samples;
    } else {
        if (t->size < PC2_HEAD || memcmp(t->data, pc2_magic, sizeof pc2_magic) != 0)
            return fault_set(why, "%s: does not begin as a PC2 cache does", t->file);
        uint32_t version = get_word(t->data + 12, false);
        if (version != 1)
            return fault_set(why, "%s: is of version %" PRIu32 " of PC2; only 1 is known", t->file, version);
        *head = (cache_head){.points = get_word(t->data + 16, false),
                             .first = (double)get_float(t->data + 20, false),
                             .step = (double)get_float(t->data + 24, false),
                             .samples = get_word(t->data + 28, false),
                             .data = PC2_HEAD};
        if (!isfinite(head->first) || !(head->step > 0) || !isfinite(head->step))
            return fault_set(why, "%s: begins at frame %g, with %g frames from sample to sample", t->file,
                             head->first, head->step);
    }
    if (head->samples == 0)
        return fault_set(why, "%s: has no frames", t->file);
    if (head->points == 0) /* and so any number of frames, without a byte for them */
        return fault_set(why, "%s: has no points", t->file);
    return true;
}

/* The size must be the one that the head tells, to the byte: a shorter file has lost frames. */
static bool check_size(const text *t, const cache_head *head, fault *why)
{
    uint64_t frame = 12 * (uint64_t)head->points, room = t->size < head->data ? 0 : t->size - head->data;
    if (t->size < head->data)
        return fault_set(why, "%s: ends within the times of its %" PRIu32 " frames", t->file, head->samples);
    if (frame > 0 && room / frame < head->samples)
        return fault_set(why,
                         "%s: frame %" PRIu64 " is missing or cut short: the file ends before its %" PRIu32
                         " frames of %" PRIu32 " points do",
                         t->file, room / frame, head->samples, head->points);
    if (room != frame * head->samples)
        return fault_set(why,
                         "%s: has %" PRIu64 " bytes more than its %" PRIu32 " frames of %" PRIu32 " points",
                         t->file, room - frame * head->samples, head->samples, head->points);
    return true;
}

static void read_samples(const text *t, const cache_head *head, double fps, model *m)
{
    film_reserve(m, head->samples, BW_F32, "");
    for (uint32_t i = 0; i < head->samples; i++) {
        m->film.times[i] = head->times ? (double)get_float(t->data + head->times + 4 * (size_t)i, head->big)
                                       : (head->first + i * head->step) / fps;
        const char *from = t->data + head->data + 12 * (size_t)head->points * i;
        float *to = m->film.frames[i];
        for (size_t k = 0; k < 3 * (size_t)head->points; k++)
            to[k] = get_float(from + 4 * k, head->big);
    }
}

bool cache_parse(const text *t, const animation_desc *desc, model *m, fault *why)
{
    cache_head head = {.big = false};
    bool fine = read_head(t, &head, why);
    if (fine && head.points != m->vertex_count)
        fine = fault_set(why, "%s: has %" PRIu32 " points, and %s has %" PRIu32 " vertices", t->file,
                         head.points, m->file, m->vertex_count);
    fine = fine && check_size(t, &head, why);
    if (fine)
        read_samples(t, &head, desc->fps > 0 ? desc->fps : ANIMATION_FPS, m);
    else
        model_free(m);
    return fine;
}

bool cache_read(const char *file, const animation_desc *desc, model *m, fault *why)
{
    text t;
    if (!text_open(file, &t, why)) {
        model_free(m);
        return false;
    }
    bool fine = cache_parse(&t, desc, m, why);
    text_close(&t);
    return fine;
}

static bool write_samples(FILE *out, bool big, const model *m)
{
    char bytes[12 * 256];
    uint32_t samples = m->film.frame_count > 0 ? m->film.frame_count : 1;
    bw_motion motion = animation_motion(m);
    for (uint32_t i = 0; i < samples; i++) {
        size_t used = 0;
        for (uint32_t v = 0; v < m->vertex_count; v++) {
            const double *rest = m->positions + 3 * (size_t)v;
            bw_vec3 p = m->film.frame_count > 0 ? bw_motion_position(&motion, v, m->film.times[i])
                                                : (bw_vec3){rest[0], rest[1], rest[2]};
            put_float(bytes + used, big, (float)p.x);
            put_float(bytes + used + 4, big, (float)p.y);
            put_float(bytes + used + 8, big, (float)p.z);
            used += 12;
            if (used == sizeof bytes || v + 1 == m->vertex_count) {
                if (fwrite(bytes, 1, used, out) != used)
                    return false;
                used = 0;
            }
        }
    }
    return true;
}

static bool write_head(FILE *out, bool big, double fps, const model *m)
{
    const model_film *film = &m->film;
    uint32_t samples = film->frame_count > 0 ? film->frame_count : 1;
    char head[PC2_HEAD];
    if (!big) {
        memcpy(head, pc2_magic, sizeof pc2_magic);
        put_word(head + 12, false, 1);
        put_word(head + 16, false, m->vertex_count);
        put_float(head + 20, false, film->frame_count > 0 ? (float)(film->times[0] * fps) : 0);
        put_float(head + 24, false,
                  samples > 1 ? (float)((film->times[samples - 1] - film->times[0]) * fps / (samples - 1))
                              : 1);
        put_word(head + 28, false, samples);
        return fwrite(head, 1, PC2_HEAD, out) == PC2_HEAD;
    }
    put_word(head, true, samples);
    put_word(head + 4, true, m->vertex_count);
    if (fwrite(head, 1, MDD_HEAD, out) != MDD_HEAD)
        return false;
    for (uint32_t i = 0; i < samples; i++) {
        put_float(head, true, film->frame_count > 0 ? (float)film->times[i] : 0);
        if (fwrite(head, 1, 4, out) != 4)
            return false;
    }
    return true;
}

bool cache_write(const char *file, double fps, const model *m, fault *why)
{
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    bool big = ends_with(file, ".mdd");
    bool whole = write_head(out, big, fps, m) && write_samples(out, big, m);
    return output_close(out, file, whole, why);
}
