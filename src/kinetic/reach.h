/* Which leaves hold a vertex, and what a change of plans has touched. */
#ifndef BW_KINETIC_REACH_H
#define BW_KINETIC_REACH_H

#include "tree/wide/wide.h"

typedef struct bw_vertex_leaves {
    uint32_t *first; /* by vertex: offsets into leaf, vertices + 1 of them; NULL: not made yet */
    uint32_t *leaf;  /* uses of them, and one to spare, as an empty tree has none */
    uint32_t *vertex_stamp;
    uint32_t vertices, uses, stamp;
} bw_vertex_leaves;

/* Makes it for the tree's leaves, if it is not there. BW_ERROR_MEMORY. */
bw_result bw_vertex_leaves_make(bw_vertex_leaves *reach, const bw_wide *wide, uint32_t vertices,
                                const bw_allocator *a);
/* Leaves *reach zero. */
void bw_vertex_leaves_drop(bw_vertex_leaves *reach, const bw_allocator *a);
size_t bw_vertex_leaves_bytes(const bw_vertex_leaves *reach);
/* Gives these vertices a stamp that no other one has, and returns it. */
uint32_t bw_vertex_leaves_stamp(bw_vertex_leaves *reach, const uint32_t *vertices, uint32_t count);

#endif
