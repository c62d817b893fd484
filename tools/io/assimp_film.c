/* The motion of what assimp reads, sampled: rotations, skins and morph targets become positions of vertices.
 */
#include "io/assimp_rig.h"
#include "io/film.h"
#include "io/isolate.h"
#include "io/readers.h"
#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times, in ticks. */
typedef struct ticks {
    double *at;
    size_t count, capacity;
} ticks;

static void add_tick(ticks *all, double tick)
{
    all->at = tool_grow(all->at, all->count, &all->capacity, sizeof *all->at);
    all->at[all->count++] = tick;
}

/* What a file says may be no number. */
static void add_key(ticks *all, double tick)
{
    if (isfinite(tick))
        add_tick(all, tick);
}

static int compare_ticks(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ticks key_ticks(const struct aiAnimation *animation)
{
    ticks all = {.at = NULL};
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        const struct aiNodeAnim *channel = animation->mChannels[i];
        for (unsigned k = 0; k < channel->mNumPositionKeys; k++)
            add_key(&all, channel->mPositionKeys[k].mTime);
        for (unsigned k = 0; k < channel->mNumRotationKeys; k++)
            add_key(&all, channel->mRotationKeys[k].mTime);
        for (unsigned k = 0; k < channel->mNumScalingKeys; k++)
            add_key(&all, channel->mScalingKeys[k].mTime);
    }
    for (unsigned i = 0; i < animation->mNumMorphMeshChannels; i++) {
        const struct aiMeshMorphAnim *channel = animation->mMorphMeshChannels[i];
        for (unsigned k = 0; k < channel->mNumKeys; k++)
            add_key(&all, channel->mKeys[k].mTime);
    }
    if (all.count > 0)
        qsort(all.at, all.count, sizeof *all.at, compare_ticks);
    return all;
}

/* The ticks at which to sample; steps is how many there are to a second. */
static ticks sample_ticks(const ticks *keys, double steps, bool even)
{
    ticks samples = {.at = NULL};
    double first = keys->at[0], last = keys->at[keys->count - 1], step = 1 / steps;
    /* Two keys that mean the same time differ by roundings. */
    double same = 1e-9 * (last - first);
    if (even) {
        uint64_t count = (uint64_t)ceil((last - first) / step - 1e-6);
        for (uint64_t i = 0; i <= count; i++)
            add_tick(&samples, first + (double)i * step);
        return samples;
    }
    add_tick(&samples, first);
    for (size_t i = 1; i < keys->count; i++) {
        double from = samples.at[samples.count - 1], gap = keys->at[i] - from;
        if (gap <= same)
            continue;
        uint64_t pieces = (uint64_t)fmax(1, ceil(gap / step - 1e-6));
        for (uint64_t k = 1; k < pieces; k++)
            add_tick(&samples, from + gap * ((double)k / (double)pieces));
        add_tick(&samples, keys->at[i]);
    }
    return samples;
}

static bool find_clip(const char *file, const struct aiScene *scene, const char *wanted, unsigned *out,
                      fault *why)
{
    *out = 0;
    if (!wanted)
        return true;
    for (unsigned i = 0; i < scene->mNumAnimations; i++)
        if (strcmp(scene->mAnimations[i]->mName.data, wanted) == 0) {
            *out = i;
            return true;
        }
    uint64_t number;
    if (number_count(wanted, scene->mNumAnimations, &number) && number >= 1) {
        *out = (unsigned)number - 1;
        return true;
    }
    char known[1024] = "";
    for (unsigned i = 0; i < scene->mNumAnimations && strlen(known) + 100 < sizeof known; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " \"%.90s\"",
                 scene->mAnimations[i]->mName.data);
    return fault_set(why, "%s: no animation \"%s\"; there are %u:%s", file, wanted, scene->mNumAnimations,
                     known);
}

/* What a scene of that many vertices and frames may take; a file of a few bytes can ask for any number. */
static bool fits(const model *m, size_t frames, fault *why)
{
    const double limit = 16e9, bytes = (double)frames * (double)m->vertex_count * 3 * sizeof(float);
    if (frames < UINT32_MAX && bytes <= limit)
        return true;
    return fault_set(why,
                     "%s: %zu frames of %" PRIu32 " vertices are %.1f GB, more than %.0f: sample less often",
                     m->file, frames, m->vertex_count, bytes / 1e9, limit / 1e9);
}

static bool film_scene(const assimp_scene *from, const struct aiAnimation *animation,
                       const animation_desc *desc, model *m, fault *why)
{
    ticks keys = key_ticks(animation);
    if (keys.count == 0)
        return true;
    const double per_second = animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 25;
    const double rate = desc->rate > 0 ? desc->rate : ANIMATION_RATE;
    /* Before anything of that many samples is made. */
    if (!fits(m,
              (size_t)fmin(1e18,
                           (keys.at[keys.count - 1] - keys.at[0]) / per_second * rate + (double)keys.count),
              why))
        return false;
    ticks samples = sample_ticks(&keys, rate / per_second, desc->even);
    rig r = rig_create(from, animation);
    film_reserve(m, (uint32_t)samples.count, BW_F32, animation->mName.data);
    double *all = tool_alloc(m->vertex_count, 3 * sizeof *all);
    for (uint32_t i = 0; i < m->film.frame_count; i++) {
        m->film.times[i] = samples.at[i] / per_second;
        rig_pose(&r, samples.at[i]);
        size_t vertex = 0;
        for (uint32_t k = 0; k < from->place_count; k++) {
            rig_vertices(&r, &from->places[k], samples.at[i], all + 3 * vertex);
            vertex += from->places[k].mesh->mNumVertices;
        }
        for (size_t k = 0; k < 3 * (size_t)m->vertex_count; k++)
            film_put(&m->film, i, k, all[k]);
    }
    m->losses.strange_channels = r.strange_channels;
    m->losses.animations = 0;
    return true;
}

static bool read_here(const char *file, const void *wish, model *out, fault *why)
{
    const animation_desc *desc = wish;
    assimp_scene from;
    unsigned clip;
    if (!assimp_import(file, &from, out, why) || !model_flatten(out, why))
        return false;
    if (from.scene->mNumAnimations == 0)
        return desc->clip == NULL ||
               fault_set(why, "%s: has no animations, so none called \"%s\"", file, desc->clip);
    return find_clip(file, from.scene, desc->clip, &clip, why) &&
           film_scene(&from, from.scene->mAnimations[clip], desc, out, why);
}

bool read_assimp_film(const char *file, const animation_desc *desc, model *out, fault *why)
{
    return isolate_read(read_here, file, desc, out, why) && film_finish(out, why);
}
