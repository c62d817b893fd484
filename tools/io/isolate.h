/* A reader in a process of its own: assimp reads some fifty formats, and a broken file that makes it crash or
 * take all memory must not take the command with it. */
#ifndef TOOL_IO_ISOLATE_H
#define TOOL_IO_ISOLATE_H

#include "io/model.h"

/* wish is what else the reader is told. */
typedef bool reader_fn(const char *file, const void *wish, model *out, fault *why);

/* Runs the reader in a child and carries its model, with its film, or its fault over. A child that ends
 * without an answer is a fault. */
bool isolate_read(reader_fn *reader, const char *file, const void *wish, model *out, fault *why);

#endif
