/* The corners of a polygon by place: which of them lie in a triangle. */
#ifndef TOOL_IO_POLYGON_INDEX_H
#define TOOL_IO_POLYGON_INDEX_H

#include "io/polygon/plane.h"

enum { INDEX_LEAF = 8 };

typedef struct index_box {
    double low[2], high[2];
    uint32_t alive; /* corners in it that have not been taken out */
} index_box;

/* Corners in the order of a space-filling curve, eight to a leaf; boxes in levels, two to one above. */
typedef struct corner_index {
    const plane_polygon *p;
    uint32_t *order, *place; /* the corners, and where each stands among them */
    bool *out;
    index_box *boxes; /* level by level, the leaves first */
    uint32_t level_first[32], level_count[32], levels;
} corner_index;

corner_index index_create(const plane_polygon *polygon);
void index_free(corner_index *index);
/* A corner that is in no triangle's way any more. */
void index_take(corner_index *index, uint32_t corner);
/* Asked about another corner in the place of b: whether it is in the triangle's way. */
typedef bool index_copy_fn(const void *user, uint32_t a, uint32_t b, uint32_t c, uint32_t copy);
/* A corner in the closed triangle a, b, c, which has area and runs counter-clockwise, and not in the place of
 * one of these three, or one in the place of b that is in the way; BW_NONE: there is none. */
uint32_t index_inside(const corner_index *index, uint32_t a, uint32_t b, uint32_t c, index_copy_fn *copy,
                      const void *user);

#endif
