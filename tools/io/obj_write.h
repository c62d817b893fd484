/* A model as an OBJ file, every digit kept. */
#ifndef TOOL_IO_OBJ_WRITE_H
#define TOOL_IO_OBJ_WRITE_H

#include "io/model.h"

/* All vertices and triangles in their order, the parts as groups. left_out, if not NULL, tells which
 * primitives are not written, nor the vertices that only they use. "-" is the output. */
bool obj_write(const char *file, const model *model, const bool *left_out, fault *why);

#endif
