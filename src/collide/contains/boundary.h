/* The boundary of a surface that is not closed. */
#ifndef BW_COLLIDE_CONTAINS_BOUNDARY_H
#define BW_COLLIDE_CONTAINS_BOUNDARY_H

#include "base/array.h"
#include "tree/tree.h"

#include <boxwood/collide.h>

/* From one vertex to another, as triangles run through it; by how many more than run the other way. */
typedef struct bw_boundary_edge {
    uint32_t from, to, weight;
} bw_boundary_edge;

/* Appends to an array of bw_boundary_edge the edges of a body's triangles, known by the positions of their
 * ends, that do not run as often one way as the other, in an order that is the same for equal input. 72 bytes
 * per triangle are taken meanwhile. BW_ERROR_MEMORY, BW_ERROR_SIZE: with nothing appended. */
bw_result bw_boundary_find(const bw_body *body, const bw_allocator *allocator, bw_array *out);

#endif
