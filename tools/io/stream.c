/* Frames one after the other: what is common to all sources, and the frames of a sampler. */
#include "io/stream.h"

#include <boxwood/motion.h>
#include <inttypes.h>
#include <stdlib.h>

bool stream_times_ascend(const stream *s, const model *m, fault *why)
{
    for (uint32_t i = 1; i < s->frame_count; i++)
        if (!(s->times[i] > s->times[i - 1]) &&
            !(s->jumps && s->times[i] == s->times[i - 1] && (i == 1 || s->times[i] > s->times[i - 2])))
            return fault_set(why, "%s: frame %" PRIu32 " is at %g s, and the one before it at %g s", m->file,
                             i, s->times[i], s->times[i - 1]);
    return true;
}

/* A single frame is no motion; taken twice, it can be validated like one. */
static bool frame_is_sound(const stream *s, const model *m, const void *frame, fault *why)
{
    const void *const twice[2] = {frame, frame};
    static const double any_times[2] = {0, 1};
    const bw_motion motion = {.kind = BW_MOTION_KEYFRAMES,
                              .vertex_count = m->vertex_count,
                              .scalar = s->scalar,
                              .frame_count = 2,
                              .times = any_times,
                              .frames = twice};
    bw_fault where;
    bw_result result = bw_motion_validate(&motion, &where);
    if (result == BW_ERROR_NOT_FINITE || result == BW_ERROR_RANGE)
        return fault_set(why, "%s: frame %" PRIu32 " (%g s): vertex %" PRIu32 ": %c = %g: %s", m->file, s->at,
                         s->times[s->at], where.vertex, "xyz"[where.axis % 3], where.value, where.text);
    return result == BW_OK || fault_set(why, "%s: frame %" PRIu32 " (%g s): %s", m->file, s->at,
                                        s->times[s->at], bw_result_string(result));
}

bool stream_next(stream *s, const model *m, void *out, fault *why)
{
    if (!s->next(s->self, m, s->at, out, why) || !frame_is_sound(s, m, out, why))
        return false;
    s->at++;
    return true;
}

void stream_close(stream *s)
{
    if (s->close)
        s->close(s->self);
    free(s->times);
    free(s->clip);
    *s = (stream){.times = NULL};
}

/* ---- of a sampler ---- */

typedef struct player {
    sampler sampler;
    const double *times; /* of the stream */
    uint32_t frame_count;
    bool even;
    double *all; /* a frame */
} player;

static bool play(void *self, const model *m, uint32_t frame, void *out, fault *why)
{
    player *p = self;
    float *to = out;
    (void)why;
    /* The first of two equal times is before the jump. */
    bool before = !p->even && frame + 1 < p->frame_count && p->times[frame + 1] == p->times[frame];
    double time = p->times[frame], last = p->sampler.keys[p->sampler.key_count - 1];
    p->sampler.positions(p->sampler.self, time < last ? time : last, before, p->all);
    for (size_t i = 0; i < 3 * (size_t)m->vertex_count; i++)
        to[i] = (float)p->all[i];
    return true;
}

static void stop(void *self)
{
    player *p = self;
    sampler_close(&p->sampler);
    free(p->all);
    free(p);
}

bool stream_of_sampler(sampler *s, const animation_desc *desc, const model *m, stream *out, fault *why)
{
    sampler_times times;
    if (!sampler_plan(s, m->file, desc->rate > 0 ? desc->rate : ANIMATION_RATE, desc->even, &times, why)) {
        sampler_close(s);
        return false;
    }
    *out = (stream){.frame_count = 0};
    if (times.count == 0) {
        sampler_close(s);
        return true;
    }
    player *p = tool_alloc(1, sizeof *p);
    *p = (player){*s, times.at, times.count, desc->even, NULL};
    p->all = tool_alloc(m->vertex_count, 3 * sizeof *p->all);
    *out = (stream){.frame_count = times.count,
                    .times = times.at,
                    .jumps = true,
                    .scalar = BW_F32,
                    .clip = tool_copy(s->clip < m->clip_count ? m->clips[s->clip].name : ""),
                    .next = play,
                    .close = stop,
                    .self = p};
    return true;
}

bool stream_open(sampler_open_fn *open, const char *file, const animation_desc *desc, model *out,
                 stream *frames, fault *why)
{
    model m;
    sampler s;
    if (!open(file, desc, &m, &s, why))
        return false;
    if (!stream_of_sampler(&s, desc, &m, frames, why)) {
        model_free(&m);
        return false;
    }
    *out = m;
    return true;
}
