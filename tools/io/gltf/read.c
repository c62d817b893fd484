/* glTF files as commands read them: at rest, and in motion. */
#include "io/gltf/document.h"
#include "io/names.h"

#include <stdlib.h>

bool read_gltf(const text *whole, model *out, fault *why)
{
    gltf *g;
    fault clips;
    if (!gltf_open_bytes(&(gltf_desc){.file = whole->file, .bytes = whole->data, .size = whole->size}, &g,
                         why))
        return false;
    if (!gltf_read_clips(g, &clips))
        gltf_note(g, "its animations are broken: %s", clips.text);
    bool fine = gltf_model(g, out, why);
    gltf_close(g);
    return fine;
}

typedef struct playing {
    gltf *g;
    uint32_t clip;
} playing;

static void positions(void *self, double time, bool before, double *out)
{
    const playing *p = self;
    gltf_positions(p->g, p->clip, time, before, out);
}

static void close_playing(void *self)
{
    playing *p = self;
    gltf_close(p->g);
    free(p);
}

static void start(gltf *g, model *m, uint32_t clip, sampler *out)
{
    gltf_clip_info info = gltf_clip(g, clip);
    playing *p = tool_alloc(1, sizeof *p);
    *p = (playing){g, clip};
    *out = (sampler){
        .clip = clip, .bends = info.bends, .positions = positions, .close = close_playing, .self = p};
    out->keys = gltf_clip_keys(g, clip, &out->key_count);
    out->jumps = gltf_clip_jumps(g, clip, &out->jump_count);
    m->losses.strange_channels = info.strange_channels;
    m->losses.animations = 0;
}

bool sample_gltf(const char *file, const animation_desc *desc, model *out, sampler *sampler_out, fault *why)
{
    gltf *g;
    model m = {.file = NULL};
    uint32_t index;
    if (!gltf_open(file, &g, why))
        return false;
    bool fine = gltf_read_clips(g, why) && gltf_model(g, &m, why);
    if (fine)
        names_unique(&m);
    fine = fine && model_flatten(&m, why);
    if (fine && !sampler_find_clip(&m, desc->clip, &index, why)) {
        model_free(&m);
        fine = false;
    }
    if (!fine) {
        gltf_close(g);
        return false;
    }
    *sampler_out = (sampler){.keys = NULL};
    if (gltf_clip_count(g) > 0)
        start(g, &m, index, sampler_out);
    else
        gltf_close(g);
    *out = m;
    return true;
}
