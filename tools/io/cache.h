/* Baked motion: a position of every vertex at every sample, in the two formats of the trade.
 *
 * PC2: the bytes "POINTCACHE2" and a zero, then version 1, the count of points, the first frame, frames from
 * one sample to the next, the count of samples, then x, y, z as floats; all little-endian.
 * MDD: the counts of samples and of points, the time of each sample in seconds, then x, y, z; all big-endian.
 */
#ifndef TOOL_IO_CACHE_H
#define TOOL_IO_CACHE_H

#include "io/animation.h"
#include "io/text.h"

/* Whether the name ends as one of a cache does. */
bool cache_is_name(const char *file);
/* Fills the film of a flat model from a cache of as many points. A cache of a single sample moves the model
 * there, and nothing moves. On failure the model is given back. */
bool cache_read(const char *file, const animation_desc *desc, model *model, fault *why);
/* The same from bytes at hand. */
bool cache_parse(const text *bytes, const animation_desc *desc, model *model, fault *why);
/* Writes a model's film, evenly sampled, or one sample of what stands still. PC2 or MDD, as the name says. */
bool cache_write(const char *file, double fps, const model *model, fault *why);

#endif
