/* boxwood bake: any animation as a cache of positions, for other programs. */
#define _POSIX_C_SOURCE 200809L
#include "body.h"
#include "commands.h"
#include "io/animation.h"
#include "io/cache.h"
#include "io/obj_write.h"
#include "per_file.h"
#include "printable.h"
#include "progress.h"

#include <boxwood/motion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"fps", "F", "samples a second, and frames a second of sequences and caches (default 24)"},
    {"clip", "NAME",
     "which animation of the file, by name or number from 1 (default: the first);\nboxwood info lists them"},
    {"mesh", "OUT.obj", "write the mesh, as it is at the first sample, beside the cache"},
    {"json", NULL, "print what was written as JSON"},
    {NULL, NULL, NULL}};

/* What is written: samples at equal steps. */
typedef struct plan {
    double *times;
    uint32_t count;
    bool as_read; /* each sample is a frame of the stream */
} plan;

static plan plan_samples(const stream *frames, double fps)
{
    plan p = {.count = frames->frame_count > 0 ? frames->frame_count : 1, .as_read = true};
    const double *times = frames->times;
    for (uint32_t i = 0; i < frames->frame_count; i++)
        p.as_read &= fabs((times[i] - times[0]) * fps - i) < 1e-3;
    if (!p.as_read) /* the last may stand after the end */
        p.count = (uint32_t)ceil((times[frames->frame_count - 1] - times[0]) * fps - 1e-6) + 1;
    p.times = tool_alloc(p.count, sizeof *p.times);
    for (uint32_t i = 0; i < p.count; i++)
        p.times[i] = frames->frame_count == 0 ? 0 : p.as_read ? times[i] : times[0] + i / fps;
    return p;
}

/* The two frames around the present sample. */
typedef struct window {
    stream *frames;
    const model *model;
    void *before, *after;
} window;

static bool step(window *w, fault *why)
{
    void *old = w->before;
    w->before = w->after;
    w->after = old;
    return stream_next(w->frames, w->model, w->after, why);
}

/* The frame at a time that is not before the last one; after the end, as at the end. */
static bool sample(window *w, double time, void *out, fault *why)
{
    const stream *s = w->frames;
    const double *times = s->times;
    while (s->at == 0 || (s->at < s->frame_count && (times[s->at - 1] < time || times[s->at] == time)))
        if (!step(w, why))
            return false;
    const size_t size = s->scalar == BW_F32 ? sizeof(float) : sizeof(double);
    if (s->at == 1 || times[s->at - 1] <= time) {
        memcpy(out, w->after, 3 * size * w->model->vertex_count);
        return true;
    }
    const void *const two[2] = {w->before, w->after};
    const bw_motion motion = {.kind = BW_MOTION_KEYFRAMES,
                              .vertex_count = w->model->vertex_count,
                              .scalar = s->scalar,
                              .frame_count = 2,
                              .times = times + s->at - 2,
                              .frames = two};
    bw_result result = bw_motion_sample(&motion, time, out, NULL);
    return result == BW_OK || fault_set(why, "%s: %g s: %s", w->model->file, time, bw_result_string(result));
}

/* Sample by sample from the stream into the file; *first gets the positions of the first. */
static bool write_samples(const plan *p, window *w, cache_writer *to, double *first, fault *why)
{
    const bw_scalar scalar = w->frames->scalar;
    const size_t count = 3 * (size_t)w->model->vertex_count;
    void *frame = tool_alloc(count, sizeof(double));
    bool fine = true;
    progress_total(p->count);
    for (uint32_t i = 0; i < p->count && fine && to->whole; i++) {
        fine = p->as_read ? stream_next(w->frames, w->model, frame, why) : sample(w, p->times[i], frame, why);
        for (size_t k = 0; fine && i == 0 && k < count; k++)
            first[k] = scalar == BW_F64 ? ((double *)frame)[k] : (double)((float *)frame)[k];
        if (fine)
            cache_write(to, scalar, frame);
        progress_done(1);
    }
    free(frame);
    return fine;
}

static bool write_cache(const char *file, double fps, const plan *p, model *m, stream *frames, fault *why)
{
    cache_writer to;
    if (!stream_times_ascend(frames, m, why) ||
        !cache_create(file, fps, p->times, p->count, m->vertex_count, &to, why))
        return false;
    const size_t count = 3 * (size_t)m->vertex_count;
    bool fine = true;
    progress_step("writing %s", file);
    if (frames->frame_count == 0) {
        cache_write(&to, BW_F64, m->positions);
    } else {
        window w = {.frames = frames, .model = m};
        w.before = tool_alloc(count, sizeof(double));
        w.after = tool_alloc(count, sizeof(double));
        double *first = tool_alloc(count, sizeof *first);
        fine = write_samples(p, &w, &to, first, why);
        free(w.before);
        free(w.after);
        free(m->positions);
        m->positions = first;
    }
    fine = cache_finish(&to, fine, why) && fine;
    progress_end();
    return fine;
}

static void report(const args *given, const model *m, const plan *p, const stream *frames, double fps)
{
    double first = p->times[0], last = p->times[p->count - 1];
    if (args_given(given, "json")) {
        json_writer j = jw_start(stdout);
        jw_object(&j, NULL);
        jw_string(&j, "file", m->file);
        jw_string(&j, "cache", given->names[1]);
        jw_string(&j, "clip", frames->frame_count > 0 ? frames->clip : "");
        jw_count(&j, "vertices", m->vertex_count);
        jw_count(&j, "samples", p->count);
        jw_number(&j, "fps", fps);
        jw_number(&j, "begin", first);
        jw_number(&j, "end", last);
        jw_object_end(&j);
        jw_finish(&j);
        return;
    }
    printf("%s: %" PRIu32 " samples of %" PRIu32 " vertices, %g to %g s", printable(given->names[1]),
           p->count, m->vertex_count, first, last);
    if (frames->frame_count > 0 && *frames->clip)
        printf(", \"%s\"", printable(frames->clip));
    puts(frames->frame_count > 0 ? "" : ": nothing moves");
}

static int run(const args *given)
{
    fault why;
    double fps = ANIMATION_FPS;
    const char *mesh = args_value(given, "mesh");
    if (!args_number(given, "fps", 1e-3, 1e6, "a number of frames a second", &fps, &why))
        return complain("%s", why.text);
    if (!cache_is_name(given->names[1]))
        return complain("%s: a cache is called .pc2 or .mdd", given->names[1]);
    animation_desc desc = {.fps = fps, .rate = fps, .even = true};
    clip_wish clips;
    if (!clip_wish_read(given, 1, &clips, &why)) {
        clip_wish_free(&clips);
        return complain("%s", why.text);
    }
    desc.clip = clip_wish_of(&clips, 0);
    model m;
    stream frames;
    progress_step("reading %s", given->names[0]);
    bool fine = animation_open(given->names[0], &desc, &m, &frames, &why);
    progress_end();
    if (!fine) {
        clip_wish_free(&clips);
        return complain("%s", why.text);
    }
    fine = clip_wish_met(&clips, given, 1, &m.clip_count, &why);
    plan p = plan_samples(&frames, fps);
    fine = fine && write_cache(given->names[1], fps, &p, &m, &frames, &why) &&
           (!mesh || obj_write(mesh, &m, NULL, &why));
    model_warn(&m);
    if (fine)
        report(given, &m, &p, &frames, fps);
    free(p.times);
    clip_wish_free(&clips);
    stream_close(&frames);
    model_free(&m);
    return fine ? 0 : complain("%s", why.text);
}

const command command_bake = {
    "bake",
    "write an animation as a PC2 or MDD cache of positions",
    "FILE OUT.pc2|OUT.mdd [--fps F] [--clip NAME] [--mesh OUT.obj]",
    "Plays an animation and writes where every vertex is at every sample, at equal steps. FILE\n"
    "is an animated file (glTF with skins and morph targets, FBX, COLLADA, ...), a mesh and its\n"
    "cache MESH@CACHE, a file a frame NAME####.obj (# for digits), or scene:tablecloth[:SIZE]\n"
    "or scene:dress[:SIZE]. With --mesh the cache can be read back: OUT.obj@OUT.pc2.",
    options,
    "examples:\n"
    "  boxwood bake walk.glb walk.pc2 --mesh walk.obj\n"
    "  boxwood bake walk.glb run.mdd --clip Run --fps 60\n"
    "  boxwood bake \"cloth_####.obj\" cloth.pc2\n"
    "\n"
    "exit codes: 0 written, 2 error\n",
    2,
    2,
    run};
