/* What readers through assimp share. They run in a process of their own (io/isolate.h), which ends after
 * them: what assimp and they allocate is not given back. */
#ifndef TOOL_IO_ASSIMP_H
#define TOOL_IO_ASSIMP_H

#include "io/model.h"

#include <assimp/scene.h>

typedef struct assimp_place {
    const struct aiNode *node;
    const struct aiMesh *mesh;
} assimp_place;

typedef struct assimp_scene {
    const struct aiScene *scene;
    assimp_place *places; /* as the model has them */
    uint32_t place_count;
} assimp_scene;

bool assimp_import(const char *file, assimp_scene *from, model *out, fault *why);
/* Ticks of an animation to a second; where a file does not say, 25. */
double assimp_ticks_per_second(const struct aiAnimation *animation);
/* The times of all keys of all channels in seconds, as they stand in the file. */
double *assimp_key_times(const struct aiAnimation *animation, size_t *count);
bw_transform assimp_transform(const struct aiMatrix4x4 *matrix);

#endif
