/* Animations: channels with their keys. */
#ifndef TOOL_IO_GLTF_CLIP_H
#define TOOL_IO_GLTF_CLIP_H

#include "io/gltf/document.h"

bool clip_read(gltf *g, uint32_t clip);
void clip_free(gltf_clip_data *clip);

#endif
