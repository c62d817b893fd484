/* The binary container (GLB): a JSON chunk and one of bytes. */
#ifndef TOOL_IO_GLTF_CONTAINER_H
#define TOOL_IO_GLTF_CONTAINER_H

#include "io/gltf/document.h"

/* The JSON text of either form, within bytes; the binary chunk is copied to the document. */
bool container_open(gltf *g, const void *bytes, size_t size, const char **json, size_t *json_size);

#endif
