/* Baked motion: a position of every vertex at every sample, in the two formats of the trade.
 *
 * PC2: the bytes "POINTCACHE2" and a zero, then version 1, the count of points, the first frame, frames from
 * one sample to the next, the count of samples, then x, y, z as floats; all little-endian.
 * MDD: the counts of samples and of points, the time of each sample in seconds, then x, y, z; all big-endian.
 */
#ifndef TOOL_IO_CACHE_H
#define TOOL_IO_CACHE_H

#include "io/stream.h"

#include <stdio.h>

/* Whether the name ends as one of a cache does. */
bool cache_is_name(const char *file);
/* The frames of a cache with as many points as the model has vertices. */
bool cache_open(const char *file, const animation_desc *desc, const model *model, stream *frames, fault *why);
/* The same from a file of that size that is open, which the stream closes, also where this fails. */
bool cache_start(FILE *in, const char *file, uint64_t size, const animation_desc *desc, const model *model,
                 stream *frames, fault *why);

/* Writes a cache, PC2 or MDD as the name says, frame by frame: the times ascend in equal steps. */
typedef struct cache_writer {
    FILE *out;
    const char *file;
    bool big, whole;
    uint32_t points;
    char *beside,
        *real; /* where it is written first, and what it then replaces; NULL: written in its place */
} cache_writer;

bool cache_create(const char *file, double fps, const double *times, uint32_t samples, uint32_t points,
                  cache_writer *writer, fault *why);
void cache_write(cache_writer *writer, bw_scalar scalar, const void *frame);
/* Closes the file; one that is not whole is removed. */
bool cache_finish(cache_writer *writer, bool whole, fault *why);

#endif
