/* Merged key times of an imported animation, and where it jumps. */
#include "io/assimp_keys.h"

#include "io/sampler.h"

#include <string.h>

/* Every kind of key begins with its time. */
static double *time_of(void *keys, size_t size, unsigned i)
{
    return (double *)((char *)keys + size * i);
}

static void scale_times(void *keys, size_t size, unsigned count, double ticks)
{
    for (unsigned i = 0; i < count; i++)
        *time_of(keys, size, i) /= ticks;
}

void assimp_keys_to_seconds(const struct aiScene *scene)
{
    for (unsigned i = 0; i < scene->mNumAnimations; i++) {
        struct aiAnimation *a = scene->mAnimations[i];
        double ticks = a->mTicksPerSecond > 0 ? a->mTicksPerSecond : 25;
        for (unsigned k = 0; k < a->mNumChannels; k++) {
            struct aiNodeAnim *c = a->mChannels[k];
            scale_times(c->mPositionKeys, sizeof *c->mPositionKeys, c->mNumPositionKeys, ticks);
            scale_times(c->mRotationKeys, sizeof *c->mRotationKeys, c->mNumRotationKeys, ticks);
            scale_times(c->mScalingKeys, sizeof *c->mScalingKeys, c->mNumScalingKeys, ticks);
        }
        for (unsigned k = 0; k < a->mNumMorphMeshChannels; k++) {
            struct aiMeshMorphAnim *c = a->mMorphMeshChannels[k];
            scale_times(c->mKeys, sizeof *c->mKeys, c->mNumKeys, ticks);
        }
        a->mTicksPerSecond = 1;
    }
}

typedef struct times {
    double *at;
    size_t count, capacity;
} times;

static void add(times *t, double time)
{
    t->at = tool_grow(t->at, t->count, &t->capacity, sizeof *t->at);
    t->at[t->count++] = time;
}

/* Adds the keys of a channel, and the times at which two of them stand with different values behind their
 * time; value: how many bytes that has. */
static void add_keys(void *keys, size_t size, size_t value, unsigned count, bool step, times *all,
                     times *jumps)
{
    for (unsigned i = 0; i < count; i++) {
        double *now = time_of(keys, size, i);
        add(all, *now);
        if (i > 0 && (step || *now == *time_of(keys, size, i - 1)) &&
            memcmp(now + 1, time_of(keys, size, i - 1) + 1, value) != 0)
            add(jumps, *now);
    }
}

assimp_keys assimp_keys_of(const struct aiAnimation *a, bool step)
{
    times all = {.at = NULL}, jumps = {.at = NULL};
    for (unsigned i = 0; i < a->mNumChannels; i++) {
        struct aiNodeAnim *c = a->mChannels[i];
        add_keys(c->mPositionKeys, sizeof *c->mPositionKeys, sizeof c->mPositionKeys->mValue,
                 c->mNumPositionKeys, step, &all, &jumps);
        add_keys(c->mRotationKeys, sizeof *c->mRotationKeys, sizeof c->mRotationKeys->mValue,
                 c->mNumRotationKeys, step, &all, &jumps);
        add_keys(c->mScalingKeys, sizeof *c->mScalingKeys, sizeof c->mScalingKeys->mValue, c->mNumScalingKeys,
                 step, &all, &jumps);
    }
    for (unsigned i = 0; i < a->mNumMorphMeshChannels; i++) {
        struct aiMeshMorphAnim *c = a->mMorphMeshChannels[i];
        /* Weights stand behind pointers: two keys at one time count as a jump whatever they are. */
        for (unsigned k = 0; k < c->mNumKeys; k++) {
            add(&all, c->mKeys[k].mTime);
            if (k > 0 && (step || c->mKeys[k].mTime == c->mKeys[k - 1].mTime))
                add(&jumps, c->mKeys[k].mTime);
        }
    }
    assimp_keys out = {.keys = all.at, .jumps = jumps.at, .all = all.count};
    out.key_count = sampler_merge(all.at, all.count);
    out.jump_count = sampler_merge(jumps.at, jumps.count);
    return out;
}

static bool changes(void *keys, size_t size, size_t value, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        if (memcmp(time_of(keys, size, i) + 1, time_of(keys, size, 0) + 1, value) != 0)
            return true;
    return false;
}

bool assimp_keys_bend(const struct aiAnimation *a)
{
    for (unsigned i = 0; i < a->mNumChannels; i++) {
        struct aiNodeAnim *c = a->mChannels[i];
        if (changes(c->mRotationKeys, sizeof *c->mRotationKeys, sizeof c->mRotationKeys->mValue,
                    c->mNumRotationKeys) ||
            changes(c->mScalingKeys, sizeof *c->mScalingKeys, sizeof c->mScalingKeys->mValue,
                    c->mNumScalingKeys))
            return true;
    }
    return false;
}
