/* Places along a Hilbert curve through a grid of cubes. Against the Morton order it has no jumps, so that
 * runs of neighbours make compact leaves without looking at boxes again.
 *   J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004. */
#ifndef BW_TREE_BUILD_HILBERT_H
#define BW_TREE_BUILD_HILBERT_H

#include "base/memory.h"
#include "tree/build/first_touch.h"
#include "tree/build/source.h"

#define BW_HILBERT_MAX_BITS 10 /* an axis */

/* The places of eight cells, by axis, each number below 2^bits; 2 <= bits <= BW_HILBERT_MAX_BITS. */
void bw_hilbert_code_eight(const uint32_t cells[3][8], unsigned bits, uint32_t out[8]);

/* The cubes of a grid around centres; a centre is min + max, twice the true one. */
typedef struct bw_hilbert_grid {
    float low[3];
    float scale;
    unsigned bits;
} bw_hilbert_grid;

typedef struct bw_centre_bounds {
    float low[3], high[3];
} bw_centre_bounds;

/* False where all centres coincide. */
bool bw_hilbert_make_grid(const bw_centre_bounds *bounds, unsigned bits, bw_hilbert_grid *out);

/* The keys of a batch: the place of each centre above its index. simd is a level, not AUTO. */
void bw_hilbert_code_batch(const bw_hilbert_grid *g, const bw_centres *centres, const uint32_t *indices,
                           uint32_t count, bw_simd simd, uint64_t *out);

/* Orders the elements' centres along the curve: BW_HILBERT_INDEX(keys[i]) is the i-th element. Centres that
 * share a cell with more than 63 others are ordered by a finer curve of their own. keys and scratch hold
 * source->count <= 2^30 elements, both are written only. Memory that tasks will want `later` is touched on
 * the way. False when memory runs out. */
bool bw_hilbert_order(const bw_box_source *source, uint64_t *keys, uint64_t *scratch, bw_fresh later,
                      const bw_allocator *allocator, const bw_tasks *tasks);

#define BW_HILBERT_INDEX(key) ((uint32_t)(key)&0x3fffffffu)
#define BW_HILBERT_CODE(key) ((key) >> 30)

#endif
