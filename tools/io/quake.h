/* The models of Quake and its successors: a position of every vertex for each frame.
 *
 * MDL (Quake, "IDPO") and MD2 (Quake II, "IDP2"): one mesh, bytes scaled and moved; MD3 (Quake III, "IDP3"):
 * surfaces, sixty-fourths. Frames have names such as run1, run2: what stands under one name is a clip. All
 * little-endian, z up. Assimp reads these too, but of MDL and MD3 only the first frame. */
#ifndef TOOL_IO_QUAKE_H
#define TOOL_IO_QUAKE_H

#include "io/stream.h"
#include "io/text.h"

/* Whether bytes begin as such a file does. */
bool quake_begins(const char *bytes, size_t size);
/* The first frame. */
bool read_quake(text *bytes, model *out, fault *why);
/* All frames, linear in between, desc->fps a second. The sampler looks into the bytes. */
bool quake_play(const text *bytes, const animation_desc *desc, model *out, sampler *sampler, fault *why);
/* The same of a file. */
bool quake_open(const char *file, const animation_desc *desc, model *out, sampler *sampler, fault *why);

#endif
