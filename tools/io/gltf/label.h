/* What the triangles of a mesh are called: by the bone that moves them and by their material. */
#ifndef TOOL_IO_GLTF_LABEL_H
#define TOOL_IO_GLTF_LABEL_H

#include "io/build.h"
#include "io/gltf/document.h"

/* The labels of all triangles of a mesh as a skin moves it (NULL: none does): "BONE", "material NAME", or
 * "BONE, material NAME"; BW_NONE where neither has a name. The bone is the joint with the greatest sum of
 * weights of the three corners, the first of equals. free() gives them back. */
uint32_t *label_triangles(const gltf *gltf, const gltf_mesh *mesh, const gltf_skin *skin, build *build);

#endif
