/* How the keys of a COLLADA file are joined, which assimp drops: it plays them all as straight lines. */
#ifndef TOOL_IO_COLLADA_CURVES_H
#define TOOL_IO_COLLADA_CURVES_H

#include <stdint.h>

/* How many keys of all samplers are of which kind, by the words in the file. */
typedef struct collada_curves {
    uint64_t linear, step, other; /* other: BEZIER, HERMITE, CARDINAL, BSPLINE */
} collada_curves;

/* All zero for what is not such a file, or packed. */
collada_curves collada_curves_of(const char *file);

#endif
