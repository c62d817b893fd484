/* Triangles of lists, strips and fans. */
#ifndef TOOL_IO_GLTF_TRIANGLES_H
#define TOOL_IO_GLTF_TRIANGLES_H

#include "io/gltf/path.h"

/* At most so many corners come of count indices. */
size_t triangles_most_corners(uint64_t mode, size_t count);
/* Three corners for each triangle of modes 4 to 6, wound as the specification has it, or the points of mode
 * 0. indices NULL: 0, 1, 2, ... Triangles of strips and fans that have a corner twice join pieces of them and
 * are no surface: they are left out. Returns the number of corners. */
size_t triangles_list(uint64_t mode, const double *indices, size_t count, uint32_t *out);
/* A fault for an index that names no vertex, or that is the largest of its type, which restarts primitives.
 */
bool triangles_indices_in_range(const path *at, const double *indices, size_t count, uint32_t vertex_count,
                                uint32_t restart);
bool triangles_in_range(const path *at, const uint32_t *corners, size_t count, uint32_t vertex_count);

#endif
