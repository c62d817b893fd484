/* The triangles of a body's tree, and which of its vertices are at one place. */
#ifndef BW_CONTACT_INSIDE_PIECES_H
#define BW_CONTACT_INSIDE_PIECES_H

#include "contact/inside/immersion.h"

/* Fills the body with its triangles, places and area, and memory for the rest; windings, jumps and cuts are
 * zero. The mesh has a primitive in the tree. BW_ERROR_MEMORY leaves what is made so far to be released. */
bw_result bw_pieces_find(const bw_body *body, const bw_allocator *allocator, bw_immersed *out);
void bw_pieces_release(const bw_allocator *allocator, bw_immersed *body);

#endif
