/* The motion of what assimp reads: rotations, skins and morph targets become positions of vertices. */
#include "io/assimp.h"
#include "io/assimp_keys.h"
#include "io/collada_curves.h"
#include "io/isolate.h"
#include "io/readers.h"

#include <inttypes.h>

static void positions(void *self, double time, bool before, double *out)
{
    assimp_scene *from = self;
    rig_pose(&from->rig, time, before);
    for (uint32_t k = 0; k < from->place_count; k++) {
        rig_vertices(&from->rig, from->nodes[k], time, before, out);
        out += 3 * (size_t)rig_vertex_count(&from->rig, from->nodes[k]);
    }
}

/* Keys that all hold their value are played so; of curves only the keys themselves are right. */
static void join_keys(const char *file, rig *keys, model *m)
{
    const collada_curves curves =
        assimp_is_collada(file) ? collada_curves_of(file) : (collada_curves){0, 0, 0};
    keys->step = curves.step > 0 && curves.linear == 0 && curves.other == 0;
    if (!keys->step && curves.step + curves.other > 0)
        model_note(m,
                   "%" PRIu64 " of its %" PRIu64
                   " keys are STEP or curves, which its importer drops: they are joined by straight lines",
                   curves.step + curves.other, curves.linear + curves.step + curves.other);
}

static bool open_here(const char *file, const animation_desc *desc, model *out, sampler *s, fault *why)
{
    assimp_scene *from = tool_alloc(1, sizeof *from);
    *s = (sampler){.keys = NULL};
    if (!assimp_import(file, from, out, why) || !model_flatten(out, why))
        return false;
    if (!sampler_find_clip(out, desc->clip, &s->clip, why))
        return false;
    if (out->clip_count == 0)
        return true;
    const struct aiAnimation *animation = from->scene->mAnimations[s->clip];
    join_keys(file, &from->rig, out);
    assimp_keys keys = assimp_keys_of(animation, from->rig.step);
    rig_play(&from->rig, animation);
    out->losses.strange_channels = from->rig.strange_channels;
    out->losses.animations = 0;
    *s = (sampler){.clip = s->clip,
                   .keys = keys.keys,
                   .key_count = keys.key_count,
                   .jumps = keys.jumps,
                   .jump_count = keys.jump_count,
                   .bends = !from->rig.step && assimp_keys_bend(animation),
                   .positions = positions,
                   .self = from};
    return true;
}

bool open_assimp(const char *file, const animation_desc *desc, model *out, stream *frames, fault *why)
{
    return isolate_play(open_here, file, desc, out, frames, why);
}
