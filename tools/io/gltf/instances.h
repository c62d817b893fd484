/* EXT_mesh_gpu_instancing: one mesh at many places below a node. */
#ifndef TOOL_IO_GLTF_INSTANCES_H
#define TOOL_IO_GLTF_INSTANCES_H

#include "io/gltf/document.h"

#define INSTANCES_EXTENSION "EXT_mesh_gpu_instancing"

/* A place for every instance, called NAME[0], NAME[1], ... */
bool instances_place(gltf *g, const path *extension, uint32_t node, const char *name);

#endif
