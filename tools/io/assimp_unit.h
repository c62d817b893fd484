/* The unit and the up axis that a file states, whatever its importer makes of them. */
#ifndef TOOL_IO_ASSIMP_UNIT_H
#define TOOL_IO_ASSIMP_UNIT_H

#include "io/model.h"

#include <assimp/scene.h>

/* Sets the model's unit and up axis. Importers that turn and scale the root of the scene to metres and y up
 * (COLLADA, IFC), or turn it (Quake's formats), have that undone: coordinates are those of the file. */
void assimp_unit(const char *file, const struct aiScene *scene, model *model);

#endif
