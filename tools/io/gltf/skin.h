/* Skins: which nodes pull at the vertices of a mesh. */
#ifndef TOOL_IO_GLTF_SKIN_H
#define TOOL_IO_GLTF_SKIN_H

#include "io/gltf/document.h"

/* The skins of the places, checked against their meshes, which are read by now. */
bool skin_read_used(gltf *g);
void skin_free(gltf_skin *skin);

#endif
