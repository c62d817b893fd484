/* What readers through assimp share. They run in a process of their own (io/isolate.h), which ends after
 * them: what assimp and they allocate is not given back. */
#ifndef TOOL_IO_ASSIMP_H
#define TOOL_IO_ASSIMP_H

#include "io/assimp_rig.h"
#include "io/sampler.h"

#include <assimp/scene.h>

typedef struct assimp_scene {
    const struct aiScene *scene;
    rig rig;
    uint32_t *nodes; /* of each place of the model: the node of the rig that stands there */
    uint32_t place_count;
} assimp_scene;

/* By its name. */
bool assimp_is_collada(const char *file);
bool assimp_import(const char *file, assimp_scene *from, model *out, fault *why);

#endif
