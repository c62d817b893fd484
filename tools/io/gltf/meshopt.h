/* EXT_meshopt_compression: the streams of meshoptimizer. */
#ifndef TOOL_IO_GLTF_MESHOPT_H
#define TOOL_IO_GLTF_MESHOPT_H

#include "io/gltf/document.h"

#define MESHOPT_EXTENSION "EXT_meshopt_compression"
#define MESHOPT_MISSING MESHOPT_EXTENSION ": this build has no decoder for it (libmeshoptimizer)"

bool meshopt_is_there(void);
/* The bytes of a view from its extension, which stands at `at`. */
bool meshopt_decode(gltf *g, const path *at, size_t view_size, gltf_bytes *out);

#endif
