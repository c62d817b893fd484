/* A reader in a process of its own: assimp reads some fifty formats, and a broken file that makes it crash or
 * take all memory must not take the command with it. */
#ifndef TOOL_IO_ISOLATE_H
#define TOOL_IO_ISOLATE_H

#include "io/stream.h"

/* wish is what else the reader is told. */
typedef bool reader_fn(const char *file, const void *wish, model *out, fault *why);

/* Runs the reader in a child and carries its model, or its fault over. A child that ends
 * without an answer is a fault. */
bool isolate_read(reader_fn *reader, const char *file, const void *wish, model *out, fault *why);
/* The same for a file to be played: the child goes on and sends a frame whenever one is read here. It ends
 * with the stream. */
bool isolate_play(sampler_open_fn *open, const char *file, const animation_desc *desc, model *out,
                  stream *frames, fault *why);

#endif
