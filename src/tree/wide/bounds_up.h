/* The steps of bw_wide_bounds_up that a refit shares: the union of a node's lanes, and the chunks of the node
 * array. */
#ifndef BW_TREE_WIDE_BOUNDS_UP_H
#define BW_TREE_WIDE_BOUNDS_UP_H

#include "tree/wide/wide.h"

#if BW_SIMD_X86
#    include <emmintrin.h>
#endif

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

#if BW_SIMD_X86
/* The columns' minima of three rows of eight, as the first three lanes. */
__attribute__((target("sse2"))) static inline __m128 bw_wide_min3_128(const float rows[3][BW_WIDTH])
{
    __m128 x = _mm_min_ps(_mm_load_ps(rows[0]), _mm_load_ps(rows[0] + 4));
    __m128 y = _mm_min_ps(_mm_load_ps(rows[1]), _mm_load_ps(rows[1] + 4));
    __m128 z = _mm_min_ps(_mm_load_ps(rows[2]), _mm_load_ps(rows[2] + 4));
    __m128 xy = _mm_min_ps(_mm_unpacklo_ps(x, y), _mm_unpackhi_ps(x, y)); /* x02 y02 x13 y13 */
    __m128 zz = _mm_min_ps(_mm_unpacklo_ps(z, z), _mm_unpackhi_ps(z, z)); /* z02 z02 z13 z13 */
    return _mm_min_ps(_mm_movelh_ps(xy, zz), _mm_movehl_ps(zz, xy));
}

__attribute__((target("sse2"))) static inline __m128 bw_wide_max3_128(const float rows[3][BW_WIDTH])
{
    __m128 x = _mm_max_ps(_mm_load_ps(rows[0]), _mm_load_ps(rows[0] + 4));
    __m128 y = _mm_max_ps(_mm_load_ps(rows[1]), _mm_load_ps(rows[1] + 4));
    __m128 z = _mm_max_ps(_mm_load_ps(rows[2]), _mm_load_ps(rows[2] + 4));
    __m128 xy = _mm_max_ps(_mm_unpacklo_ps(x, y), _mm_unpackhi_ps(x, y));
    __m128 zz = _mm_max_ps(_mm_unpacklo_ps(z, z), _mm_unpackhi_ps(z, z));
    return _mm_max_ps(_mm_movelh_ps(xy, zz), _mm_movehl_ps(zz, xy));
}

__attribute__((target("sse2"))) static inline void bw_wide_reduce_128(const bw_wide_node *node, bw_box *out)
{
    float low[4], high[4];
    _mm_storeu_ps(low, bw_wide_min3_128(node->min));
    _mm_storeu_ps(high, bw_wide_max3_128(node->max));
    for (int axis = 0; axis < 3; axis++) {
        out->min[axis] = low[axis];
        out->max[axis] = high[axis];
    }
}
#endif

/* The union of the lanes: unused ones are empty and take no part. Zeros are never -0, so the order does not
 * matter. */
static inline void bw_wide_reduce(const bw_wide_node *node, bw_simd simd, bw_box *out)
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_128) {
        bw_wide_reduce_128(node, out);
        return;
    }
#endif
    (void)simd;
    *out = bw_wide_node_box(node);
}

#endif
