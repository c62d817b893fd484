/* The kernels of scene/modern/kernels.h at one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL and
 * KERNELS, the name of their table. */
#include "base/simd/f32x8.h"
#include "scene/modern/kernels.h"

enum { LEAVES_AT_ONCE = 32 };

/* Children of a node that meet a query: max x, y, z, negated min x, y, z. One bit per slot. */
LANES_FN uint32_t node_meets(const bw_modern_node *node, const float query[8])
{
    m8 outside = v8_greater(v8_load(node->box[0]), v8_all(query[0]));
    for (int i = 1; i < 6; i++)
        outside = m8_or(outside, v8_greater(v8_load(node->box[i]), v8_all(query[i])));
    return ~m8_bits(outside) & 255u;
}

#if WIDE_LEVEL == 3
/* Of four boxes, those that meet a query. Comparisons shrink to bytes, so that a box is one 32-bit half in
 * each half of the register. */
LANES_FN uint32_t four_meet(const float (*boxes)[6], v8 q)
{
    __m256i side[4];
    for (int k = 0; k < 4; k++)
        side[k] = _mm256_castps_si256(v8_greater(v8_load(boxes[k]), q));
    const __m256i all =
        _mm256_packs_epi16(_mm256_packs_epi32(side[0], side[1]), _mm256_packs_epi32(side[2], side[3]));
    /* Of the second half, only two sides count: the other two belong to the next box. */
    const __m128i high = _mm_and_si128(_mm256_extracti128_si256(all, 1), _mm_set1_epi32(0xffff));
    const __m128i outside = _mm_or_si128(_mm256_castsi256_si128(all), high);
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(outside, _mm_setzero_si128())));
}
#endif

/* Of at most 32 boxes, those that meet a query, one bit each. Reads two floats beyond a box: the ids follow the
 * boxes everywhere. query[6] and [7] count for nothing. */
LANES_TARGET static uint32_t boxes_meet(const float (*boxes)[6], uint32_t count, const float query[8])
{
    const v8 q = v8_load(query);
    uint32_t mask = 0, k = 0;
#if WIDE_LEVEL == 3
    for (; k + 4 <= count; k += 4)
        mask |= four_meet(boxes + k, q) << k;
#endif
    for (; k < count; k++)
        mask |= (uint32_t)((m8_bits(v8_greater(v8_load(boxes[k]), q)) & 63u) == 0) << k;
    return mask;
}

#if WIDE_LEVEL == 3
/* In two steps only, whatever the count: how many objects a leaf has is nothing that a processor can foresee.
 * Reads beyond the objects, up to the ids. */
LANES_FN uint32_t leaf_meets(const bw_modern_leaf *leaf, uint32_t count, const float query[8])
{
    const v8 q = v8_load(query);
    uint32_t mask = 0;
    for (uint32_t k = 0; k < 24; k += 4)
        mask |= four_meet(leaf->boxes + k, q) << k;
    if (count > 24)
        mask |= four_meet(leaf->boxes + 24, q) << 24 | four_meet(leaf->boxes + 26, q) << 26;
    return mask & ((1u << count) - 1u);
}
#else
/* The first objects of a leaf that meet a query. */
LANES_FN uint32_t leaf_meets(const bw_modern_leaf *leaf, uint32_t count, const float query[8])
{
    return boxes_meet(leaf->boxes, count, query);
}
#endif

#include "scene/modern/pairs_template.h"
#include "scene/modern/planes_template.h"
#include "scene/modern/query_template.h"

const bw_modern_kernels KERNELS = {boxes_meet, find_box, cull, join};
