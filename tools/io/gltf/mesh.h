/* Meshes: their primitives joined into one set of vertices and triangles. */
#ifndef TOOL_IO_GLTF_MESH_H
#define TOOL_IO_GLTF_MESH_H

#include "io/gltf/document.h"

/* Which primitives are wanted: triangles, or where no mesh of the scene has any, points. Counts what is left
 * out, and finds which meshes are skinned. To be called once the places are known. */
bool mesh_survey(gltf *g);
/* Reads a mesh that is not read yet. */
bool mesh_read(gltf *g, uint32_t mesh);
void mesh_free(gltf_mesh *mesh);

#endif
