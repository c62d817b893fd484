/* The steps of bw_wide_bounds_up that a refit shares: the union of a node's lanes, and the chunks of the node
 * array. */
#ifndef BW_TREE_WIDE_BOUNDS_UP_H
#define BW_TREE_WIDE_BOUNDS_UP_H

#include "base/simd/f32x4.h"
#include "tree/wide/wide.h"

enum { BW_WIDE_CHUNK = 512 }; /* nodes: 128 KB, about 28,000 primitives */

static inline uint32_t bw_wide_chunks(const bw_wide *wide)
{
    return wide->node_count / BW_WIDE_CHUNK + (wide->node_count % BW_WIDE_CHUNK != 0);
}

static inline void bw_wide_chunk(const bw_wide *wide, uint32_t chunk, uint32_t *first, uint32_t *last)
{
    *first = chunk * BW_WIDE_CHUNK;
    *last = wide->node_count - *first < BW_WIDE_CHUNK ? wide->node_count : *first + BW_WIDE_CHUNK;
}

/* Calls push for the nodes whose subtree does not end in their chunk, children before parents. preorder
 * holds. */
void bw_wide_each_top(const bw_wide *wide, void (*push)(void *context, uint32_t index), void *context);

/* The union of the lanes: unused ones are empty and take no part. Zeros are never -0, so the order does not
 * matter. */
static inline bw_box bw_wide_reduce(const bw_wide_node *node)
{
    v4 low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = v4_min(v4_load(node->min[axis]), v4_load(node->min[axis] + 4));
        high[axis] = v4_max(v4_load(node->max[axis]), v4_load(node->max[axis] + 4));
    }
    bw_box box;
    v4_store_box(&box, v4_row_minima(low[0], low[1], low[2]), v4_row_maxima(high[0], high[1], high[2]));
    return box;
}

#endif
