/* Where builders take boxes from: an array, or a mesh. The boxes of a mesh are made when they are needed, a
 * batch at a time, so that they take neither memory nor the time to fill it. */
#ifndef BW_TREE_BUILD_SOURCE_H
#define BW_TREE_BUILD_SOURCE_H

#include "base/simd/level.h"

#include <boxwood/mesh.h>

typedef struct bw_box_source {
    const bw_box *boxes; /* NULL: those of the mesh's primitives */
    const bw_mesh *mesh; /* NULL where there are boxes */
    const uint32_t *ids; /* the primitive of each element; NULL: i of i */
    uint32_t count;
    bw_simd simd; /* a level, not AUTO */
} bw_box_source;

enum { BW_SOURCE_BATCH = 64 };

/* The centres of a batch: min + max of each box, twice the true one. The rest of each row repeats the first.
 * Where boxes come from doubles, they may be those around the nearest floats: centres say in which order a
 * tree is built, not what it bounds. */
typedef struct bw_centres {
    _Alignas(32) float at[3][BW_SOURCE_BATCH];
} bw_centres;

static inline uint32_t bw_source_primitive(const bw_box_source *source, uint32_t element)
{
    return source->ids == NULL ? element : source->ids[element];
}

/* The boxes of the elements listed, at most a batch. */
void bw_source_boxes_of(const bw_box_source *source, const uint32_t *elements, uint32_t count, bw_box *out);

/* The centres of the elements first .. first + count - 1, or of those listed; 0 < count <= BW_SOURCE_BATCH.
 */
void bw_source_centres(const bw_box_source *source, uint32_t first, uint32_t count, bw_centres *out);
void bw_source_centres_of(const bw_box_source *source, const uint32_t *elements, uint32_t count,
                          bw_centres *out);

/* Between which the centres of all elements lie, from the vertices alone: false where the elements are not
 * all of a mesh, or looking at them is no more work. The bounds may be too wide, for vertices that no element
 * has.
 */
bool bw_source_vertex_bounds(const bw_box_source *source, const bw_tasks *tasks, float low[3], float high[3]);

#endif
