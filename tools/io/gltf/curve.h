/* The value of a channel at any time. */
#ifndef TOOL_IO_GLTF_CURVE_H
#define TOOL_IO_GLTF_CURVE_H

#include "io/gltf/document.h"

/* c->width numbers; rotations have length 1. Before the first key and after the last it is theirs. before: at
 * the time of a key where it jumps, the value up to then. */
void curve_at(const gltf_channel *c, double time, bool before, double *out);

#endif
