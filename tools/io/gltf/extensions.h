/* Which extensions are known: played, knowingly left aside, or a reason to refuse the file. */
#ifndef TOOL_IO_GLTF_EXTENSIONS_H
#define TOOL_IO_GLTF_EXTENSIONS_H

#include "io/gltf/document.h"

/* A fault for a required extension that is not known; a note for one that is used. */
bool extensions_check(gltf *g);
/* The extension of an object; its value is NULL where it has none. way receives the path to "extensions",
 * which the result needs. A fault where either is not an object. */
bool extensions_find(const path *above, const char *name, path *way, path *out);

#endif
