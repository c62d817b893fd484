/* Any bytes as a source of frames: caches and Quake's models are refused, or play; any keys make a plan whose
 * times ascend and hold every key. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz/bytes.h"

#include "io/cache.h"
#include "io/film.h"
#include "io/quake.h"

#include <boxwood/motion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool good)
{
    if (!good)
        abort();
}

static void need_name(const fault *why, const char *file)
{
    need(strncmp(why->text, file, strlen(file)) == 0);
}

/* Held in memory or, every other time, in a file: the times ascend and every frame is sound. */
static void hold(model *m, stream *frames, const char *file, bool in_file)
{
    fault why;
    const uint32_t count = frames->frame_count;
    if (!film_hold(m, frames, NULL, in_file ? 0 : FILM_IN_MEMORY, &why)) {
        need(strncmp(why.text, "base: ", 6) == 0 || strncmp(why.text, file, strlen(file)) == 0);
        return;
    }
    need(m->film.frame_count == (count > 1 ? count : 0));
    for (uint32_t i = 1; i < m->film.frame_count; i++)
        need(m->film.times[i] >= m->film.times[i - 1]);
    for (size_t i = 0; i < 3 * (size_t)m->vertex_count; i++)
        need(isfinite(m->positions[i]) || count == 0);
    model_free(m);
}

static void read_cache(const char *name, bytes *b)
{
    fault why;
    const uint8_t points = bytes_u8(b), wish = bytes_u8(b);
    model m = {.file = tool_copy("base"), .vertex_count = points};
    m.positions = tool_alloc(points, 3 * sizeof *m.positions);
    memset(m.positions, 0, 3 * sizeof *m.positions * points);
    const animation_desc desc = {.fps = wish % 4};
    stream frames;
    char nothing = 0;
    FILE *in = fmemopen(b->left > 0 ? (void *)(uintptr_t)b->data : &nothing, b->left > 0 ? b->left : 1, "rb");
    need(in != NULL);
    if (cache_start(in, name, b->left, &desc, &m, &frames, &why)) {
        hold(&m, &frames, name, wish & 8);
    } else {
        need_name(&why, name);
        model_free(&m);
    }
}

static void read_model(const char *name, bytes *b)
{
    fault why;
    model m;
    sampler s;
    stream frames;
    const uint8_t wish = bytes_u8(b);
    char *copy = tool_alloc(b->left + 1, 1);
    memcpy(copy, b->data, b->left);
    copy[b->left] = 0;
    const text t = {name, copy, b->left, copy, copy + b->left, 1};
    const animation_desc desc = {
        .fps = wish % 4, .even = wish & 4, .rate = wish & 8 ? 7 : 0, .clip = wish & 16 ? "2" : NULL};
    if (quake_begins(copy, b->left)) {
        if (!quake_play(&t, &desc, &m, &s, &why))
            need_name(&why, name);
        else if (stream_of_sampler(&s, &desc, &m, &frames, &why))
            /* A byte of frames may be a thousand vertices: what is held is bounded by the input. */
            hold(&m, &frames, name, false);
        else
            model_free(&m);
    }
    free(copy);
}

/* A plan in which every key stands, or one within a rounding of it, and every jump twice. */
static void plan(bytes *b)
{
    sampler s = {.bends = bytes_u8(b) & 1};
    const bool even = bytes_u8(b) & 1;
    const double rate = 1 + bytes_u8(b);
    double times[64], jumps[64];
    size_t count = 0, jump_count = 0;
    while (b->left >= 4 && count < 64) {
        uint8_t kind = bytes_u8(b);
        double time = (double)bytes_u8(b) + (double)bytes_u8(b) / 256 + (double)bytes_u8(b) / 65536;
        times[count++] = kind == 255 ? NAN : kind == 254 ? INFINITY : kind == 253 ? time * 1e-12 : time;
        if (kind & 1)
            jumps[jump_count++] = times[count - 1];
    }
    s.keys = tool_alloc(count, sizeof *s.keys);
    s.jumps = tool_alloc(jump_count, sizeof *s.jumps);
    memcpy(s.keys, times, count * sizeof *times);
    memcpy(s.jumps, jumps, jump_count * sizeof *jumps);
    s.key_count = sampler_merge(s.keys, count);
    s.jump_count = sampler_merge(s.jumps, jump_count);
    for (size_t i = 1; i < s.key_count; i++)
        need(s.keys[i] > s.keys[i - 1]);
    sampler_times out;
    fault why;
    need(sampler_plan(&s, "keys", rate, even, &out, &why));
    need((out.count > 0) == (s.key_count > 0));
    size_t at = 0;
    for (uint32_t i = 1; i < out.count; i++) {
        need(even ? out.at[i] > out.at[i - 1] : out.at[i] >= out.at[i - 1]);
        if (s.bends && !even)
            need(out.at[i] - out.at[i - 1] <= 1.001 / rate);
    }
    for (size_t k = 0; k < s.key_count && !even; k++) {
        while (at + 1 < out.count && out.at[at + 1] <= s.keys[k])
            at++;
        need(fabs(out.at[at] - s.keys[k]) <= 2e-9 * (s.keys[s.key_count - 1] - s.keys[0]));
    }
    for (size_t k = 0; k < s.jump_count && !even; k++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < out.count; i++)
            found += out.at[i] == s.jumps[k];
        need(found == (s.jumps[k] == s.keys[0] ? 1 : 2));
    }
    free(out.at);
    sampler_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    switch (bytes_u8(&b) % 4) {
    case 0:
        read_cache("f.pc2", &b);
        break;
    case 1:
        read_cache("f.mdd", &b);
        break;
    case 2:
        read_model("f.md2", &b);
        break;
    default:
        plan(&b);
    }
    return 0;
}
