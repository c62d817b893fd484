/* Where the bytes of a buffer are: data URIs and names of files beside the document. */
#ifndef TOOL_IO_GLTF_URI_H
#define TOOL_IO_GLTF_URI_H

#include "io/gltf/path.h"

/* Both fill a block that the caller frees. at is where the URI stands, for faults. */
bool uri_data(const path *at, const char *uri, uint8_t **bytes, size_t *size);
/* The bytes of the file that a relative URI names, beside `file`. */
bool uri_file(const path *at, const char *file, const char *uri, uint8_t **bytes, size_t *size);
bool uri_is_data(const char *uri);

#endif
