/* The keys of an imported animation, in seconds. */
#ifndef TOOL_IO_ASSIMP_KEYS_H
#define TOOL_IO_ASSIMP_KEYS_H

#include "io/model.h"

#include <assimp/scene.h>

/* The key times of all channels, each once; those at which a channel has two keys of different values; and
 * how many keys there are in all. */
typedef struct assimp_keys {
    double *keys, *jumps;
    size_t key_count, jump_count;
    uint64_t all;
} assimp_keys;

/* Changes the times of all keys from ticks to seconds; where a file does not say, 25 ticks are a second. */
void assimp_keys_to_seconds(const struct aiScene *scene);
/* Something jumps where a channel has two keys of different values at one time; with step, at every key whose
 * value differs from the one before. */
assimp_keys assimp_keys_of(const struct aiAnimation *animation, bool step);
/* Whether a vertex may leave the straight line between two keys: something turns or changes its size. Moves
 * and morph targets alone add up to straight lines. */
bool assimp_keys_bend(const struct aiAnimation *animation);

#endif
