/* boxwood bake: any animation as a cache of positions, for other programs. */
#define _POSIX_C_SOURCE 200809L
#include "body.h"
#include "commands.h"
#include "io/animation.h"
#include "io/cache.h"
#include "io/film.h"
#include "io/obj_write.h"
#include "printable.h"
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"fps", "F", "samples a second, and frames a second of sequences and caches (default 24)"},
    {"clip", "NAME", "which animation of the file, by name or number from 1 (default: the first)"},
    {"mesh", "OUT.obj", "write the mesh, as it is at the first sample, beside the cache"},
    {"json", NULL, "print what was written as JSON"},
    {NULL, NULL, NULL}};

/* A film at equal steps: as it is if it has them, sampled anew otherwise. */
static void resample(model *m, double fps)
{
    const model_film *film = &m->film;
    uint32_t last = film->frame_count - 1;
    bool even = true;
    for (uint32_t i = 0; i <= last; i++)
        even &= fabs((film->times[i] - film->times[0]) * fps - i) < 1e-3;
    if (even)
        return;
    double span = film->times[last] - film->times[0];
    uint32_t count = (uint32_t)ceil(span * fps - 1e-6) + 1;
    model old = *m;
    m->film = (model_film){.frame_count = 0};
    bw_motion motion = animation_motion(&old);
    film_reserve(m, count, old.film.scalar, old.film.clip);
    for (uint32_t i = 0; i < count; i++) {
        m->film.times[i] = old.film.times[0] + i / fps;
        /* The last sample may stand after the end: there, as at the end. */
        bw_motion_sample(&motion, fmin(m->film.times[i], old.film.times[last]), m->film.frames[i]);
    }
    film_free(&old.film);
}

static void report(const args *given, const model *m, double fps)
{
    uint32_t samples = m->film.frame_count > 0 ? m->film.frame_count : 1;
    double first = m->film.frame_count > 0 ? m->film.times[0] : 0;
    double last = m->film.frame_count > 0 ? m->film.times[samples - 1] : 0;
    if (args_given(given, "json")) {
        json j = json_start(stdout);
        json_object(&j, NULL);
        json_string(&j, "file", m->file);
        json_string(&j, "cache", given->names[1]);
        json_count(&j, "vertices", m->vertex_count);
        json_count(&j, "samples", samples);
        json_number(&j, "fps", fps);
        json_number(&j, "begin", first);
        json_number(&j, "end", last);
        json_object_end(&j);
        json_finish(&j);
        return;
    }
    printf("%s: %" PRIu32 " samples of %" PRIu32 " vertices, %g to %g s", printable(given->names[1]), samples,
           m->vertex_count, first, last);
    if (m->film.frame_count > 0 && *m->film.clip)
        printf(", \"%s\"", printable(m->film.clip));
    puts(m->film.frame_count > 0 ? "" : ": nothing moves");
}

static int run(const args *given)
{
    fault why;
    double fps = ANIMATION_FPS;
    const char *mesh = args_value(given, "mesh");
    model m;
    if (!args_number(given, "fps", 1e-3, 1e6, "a number of frames a second", &fps, &why))
        return complain("%s", why.text);
    if (!cache_is_name(given->names[1]))
        return complain("%s: a cache is called .pc2 or .mdd", given->names[1]);
    animation_desc desc = {.clip = args_value(given, "clip"), .fps = fps, .rate = fps, .even = true};
    progress_step("reading %s", given->names[0]);
    if (!animation_read(given->names[0], &desc, &m, &why)) {
        progress_end();
        return complain("%s", why.text);
    }
    if (desc.clip && m.clip_count == 0) {
        progress_end();
        model_free(&m);
        return complain("--clip %s: %s has no animations to choose from", desc.clip, given->names[0]);
    }
    if (m.film.frame_count > 0)
        resample(&m, fps);
    progress_step("writing %s", given->names[1]);
    bool fine = cache_write(given->names[1], fps, &m, &why) && (!mesh || obj_write(mesh, &m, NULL, &why));
    progress_end();
    model_warn(&m);
    if (fine)
        report(given, &m, fps);
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
