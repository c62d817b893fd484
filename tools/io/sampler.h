/* What a file in motion offers, whoever reads it: when something has a key, and where every vertex is at any
 * time. Positions are worked out one time after the other, so that nobody has to hold a film. */
#ifndef TOOL_IO_SAMPLER_H
#define TOOL_IO_SAMPLER_H

#include "io/model.h"

/* What is wished of a file in motion. */
typedef struct animation_desc {
    const char *clip; /* which animation of a file: its name, or its number from 1; NULL: the first */
    double fps;       /* frames a second in what counts in frames, as sequences and PC2 caches do; 0: 24 */
    double rate; /* rotations and skins bend the path of a vertex: it is sampled at every key, and in between
                    at least so often a second; 0: 60 */
    bool even;   /* sampled only at equal steps of 1 / rate instead, the last at or after the end */
} animation_desc;

enum { ANIMATION_FPS = 24, ANIMATION_RATE = 60 };

typedef struct sampler {
    uint32_t clip; /* of the model's clips: the one that is played */
    double *keys;  /* seconds; ascending, each time once. None: nothing moves */
    size_t key_count;
    double *jumps; /* of the keys, those at which something jumps from one value to another */
    size_t jump_count;
    bool bends; /* between two keys some path is not straight (rotations, skins, splines) */
    /* x, y, z of every vertex of the model at a time. At a jump: as it is from then on; before: as it was
     * until then. */
    void (*positions)(void *self, double time, bool before, double *out);
    void (*close)(void *self); /* NULL: nothing to give back */
    void *self;
} sampler;

/* Reads a file for playing: out is flat and has the file's clips and its rest pose, and *sampler plays
 * desc->clip (NULL: the first; see sampler_find_clip). A file that stands still has no keys. On success the
 * caller closes the sampler; on failure both are untouched. */
typedef bool sampler_open_fn(const char *file, const animation_desc *desc, model *out, sampler *sampler,
                             fault *why);

/* Takes over times, in any order and number, not finite ones left out, as keys (or jumps): sorted, each once.
 * Returns how many are left. */
size_t sampler_merge(double *times, size_t count);
/* The clip of that name, or with that number from 1; NULL, or where there are none: the first. The fault
 * lists what there is. */
bool sampler_find_clip(const model *model, const char *wanted, uint32_t *out, fault *why);
void sampler_close(sampler *sampler);

/* When to sample. Every key once; where paths bend, in between at least `rate` times a second; a jump twice,
 * at the same time: what was before it, then what is after. With even: at steps of 1 / rate from the first
 * key, the last at or after the last key; jumps once. A count of 0 with keys: more than 2^32 samples, a
 * fault. */
typedef struct sampler_times {
    double *at;
    uint32_t count;
} sampler_times;

bool sampler_plan(const sampler *sampler, const char *file, double rate, bool even, sampler_times *out,
                  fault *why);

#endif
