/* The frames of a model held all together, so that any time of its film is at hand. */
#ifndef TOOL_IO_FILM_H
#define TOOL_IO_FILM_H

#include "io/animation.h"

/* Films of more bytes are held in a file instead of in memory. */
#define FILM_IN_MEMORY ((size_t)1 << 30)

/* Reads all frames of a stream and closes it. With a pose they are mapped by it, as doubles, and so is the
 * model that stands still. The positions of the first frame become the model's; one single frame is no film.
 * A film of more than `in_memory` bytes goes into a file without a name in TMPDIR, or /var/tmp, that is
 * mapped: its pages come and go. On failure the model is given back. */
bool film_hold(model *model, stream *frames, const bw_transform *pose, size_t in_memory, fault *why);

#endif
