/* Buffers and views of them, each read when it is first needed. */
#ifndef TOOL_IO_GLTF_BUFFER_H
#define TOOL_IO_GLTF_BUFFER_H

#include "io/gltf/document.h"

/* Bytes of a buffer; at is what names that range, for faults. */
bool buffer_range(gltf *g, const path *at, uint32_t buffer, uint64_t offset, uint64_t length,
                  const uint8_t **out);
/* A buffer view, decompressed. stride is 0 where it has none of its own. */
bool buffer_view(gltf *g, uint32_t view, const uint8_t **bytes, size_t *size, size_t *stride);

#endif
