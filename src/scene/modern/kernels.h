/* The few operations on boxes that all of the time goes into, scalar and AVX2, equal in every bit: only
 * comparisons, minima, sums and products in the same order. Files that use them are compiled twice from one
 * template: KERNEL(name) names the function at hand. */
#ifndef BW_SCENE_MODERN_KERNELS_H
#define BW_SCENE_MODERN_KERNELS_H

#include "scene/modern/modern.h"

#if BW_SIMD_X86
#    include <immintrin.h>
#    define BW_AVX2 __attribute__((target("avx2")))
#endif

/* Calls the kernel of a level. */
#if BW_SIMD_X86
#    define AT_LEVEL(simd, name, ...)                                                                        \
        ((simd) >= BW_SIMD_AVX2 ? name##_avx2(__VA_ARGS__) : name##_scalar(__VA_ARGS__))
#else
#    define AT_LEVEL(simd, name, ...) ((void)(simd), name##_scalar(__VA_ARGS__))
#endif

enum { KERNEL_LEAVES = 1, KERNEL_DIRTY = 2 };

/* ---- scalar ---- */

/* Children of a node that meet a query: max x, y, z, negated min x, y, z. One bit a slot. */
static inline uint32_t node_meets_scalar(const bw_modern_node *node, const float query[8])
{
    uint32_t mask = 0;
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        bool meets = true;
        for (int i = 0; i < 6; i++)
            meets &= node->box[i][slot] <= query[i];
        mask |= (uint32_t)meets << slot;
    }
    return mask;
}

/* Of at most 32 boxes, those that meet a query, one bit each. */
static inline uint32_t boxes_meet_scalar(const float (*boxes)[6], uint32_t count, const float query[8])
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool meets = true;
        for (int i = 0; i < 6; i++)
            meets &= boxes[k][i] <= query[i];
        mask |= (uint32_t)meets << k;
    }
    return mask;
}

/* The same for the first objects of a leaf. */
static inline uint32_t leaf_meets_scalar(const bw_modern_leaf *leaf, uint32_t count, const float query[8])
{
    return boxes_meet_scalar(leaf->boxes, count, query);
}

/* Gives an object its new box where its centre stays in the leaf's cell; otherwise says that it leaves.
 * DIRTY: the leaf's box grew or is to be recomputed, or the leaf is degraded. */
static inline uint32_t leaf_update_scalar(bw_modern_leaf *leaf, uint32_t slot, const bw_box *box)
{
    float now[6];
    bw_packed_of(box, now);
    for (int i = 0; i < 6; i++)
        if (now[i] - now[(i + 3) % 6] < leaf->cell[i])
            return KERNEL_LEAVES;
    bool flush = false, grows = false;
    float *old = leaf->boxes[slot];
    for (int i = 0; i < 6; i++) {
        flush |= old[i] <= leaf->box[i] && now[i] > leaf->box[i];
        grows |= now[i] < leaf->box[i];
        leaf->box[i] = now[i] < leaf->box[i] ? now[i] : leaf->box[i];
        old[i] = now[i];
    }
    leaf->shrinks += flush;
    leaf->changes += 2;
    return grows || leaf->shrinks >= BW_MODERN_SHRINKS || bw_modern_degraded(leaf) ? KERNEL_DIRTY : 0;
}

/* Whether a box may be an object's. */
static inline bool box_valid_scalar(const bw_box *box)
{
    bool valid = true;
    for (int i = 0; i < 3; i++)
        valid &= box->min[i] <= box->max[i] && box->min[i] >= -BW_SCENE_COORDINATE_MAX &&
                 box->max[i] <= BW_SCENE_COORDINATE_MAX;
    return valid;
}

static inline void node_box_scalar(const bw_modern_node *node, float out[6])
{
    bw_modern_node_box(node, out);
}

static inline void leaf_box_scalar(const bw_modern_leaf *leaf, float out[6])
{
    bw_modern_leaf_box(leaf, out);
}

#if BW_SIMD_X86

/* ---- AVX2 ---- */

BW_AVX2 static inline uint32_t node_meets_avx2(const bw_modern_node *node, const float query[8])
{
    __m256 meets = _mm256_cmp_ps(_mm256_load_ps(node->box[0]), _mm256_set1_ps(query[0]), _CMP_LE_OQ);
    for (int i = 1; i < 6; i++)
        meets = _mm256_and_ps(
            meets, _mm256_cmp_ps(_mm256_load_ps(node->box[i]), _mm256_set1_ps(query[i]), _CMP_LE_OQ));
    return (uint32_t)_mm256_movemask_ps(meets);
}

/* Reads two floats beyond a box: the ids follow the boxes everywhere. query[6] and [7] count for nothing. */
BW_AVX2 static inline uint32_t boxes_meet_avx2(const float (*boxes)[6], uint32_t count, const float query[8])
{
    __m256 q = _mm256_loadu_ps(query);
    uint32_t mask = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t sides =
            (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(boxes[k]), q, _CMP_LE_OQ));
        mask |= (uint32_t)((sides & 63u) == 63u) << k;
    }
    return mask;
}

/* Of four boxes, those that meet a query. Comparisons shrink to bytes, so that a box is one 32-bit half in
 * each half of the register. */
BW_AVX2 static inline uint32_t four_meet_avx2(const float (*boxes)[6], __m256 q)
{
    __m256i a = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(boxes[0]), q, _CMP_NLE_UQ));
    __m256i b = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(boxes[1]), q, _CMP_NLE_UQ));
    __m256i c = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(boxes[2]), q, _CMP_NLE_UQ));
    __m256i d = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(boxes[3]), q, _CMP_NLE_UQ));
    __m256i all = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    /* Of the second half, only two sides count: the other two belong to the next box. */
    __m128i high = _mm_and_si128(_mm256_extracti128_si256(all, 1), _mm_set1_epi32(0xffff));
    __m128i outside = _mm_or_si128(_mm256_castsi256_si128(all), high);
    __m128i meets = _mm_cmpeq_epi32(outside, _mm_setzero_si128());
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(meets));
}

/* In two steps only, whatever the count: how many objects a leaf has is nothing that a processor can foresee.
 * Reads beyond the objects, up to the ids. */
BW_AVX2 static inline uint32_t leaf_meets_avx2(const bw_modern_leaf *leaf, uint32_t count,
                                               const float query[8])
{
    __m256 q = _mm256_loadu_ps(query);
    uint32_t mask = 0;
    for (uint32_t k = 0; k < 24; k += 4)
        mask |= four_meet_avx2(leaf->boxes + k, q) << k;
    if (count > 24)
        mask |= four_meet_avx2(leaf->boxes + 24, q) << 24 | four_meet_avx2(leaf->boxes + 26, q) << 26;
    return mask & ((1u << count) - 1u);
}

/* min x, y, z, negated max x, y, z, and two zeros. */
BW_AVX2 static inline __m256 packed_avx2(const bw_box *box)
{
    __m128 low = _mm_loadu_ps(box->min); /* and max x */
    __m128 high = _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)&box->max[1]);
    __m256 all = _mm256_set_m128(high, low);
    return _mm256_xor_ps(all, _mm256_setr_ps(0, 0, 0, -0.0f, -0.0f, -0.0f, 0, 0));
}

/* The negated max where the min was, and the reverse. */
BW_AVX2 static inline __m256 flipped_avx2(__m256 packed)
{
    return _mm256_permutevar8x32_ps(packed, _mm256_setr_epi32(3, 4, 5, 0, 1, 2, 6, 7));
}

BW_AVX2 static inline void store_packed_avx2(float to[6], __m256 packed)
{
    _mm_storeu_ps(to, _mm256_castps256_ps128(packed));
    _mm_storel_pi((__m64 *)(void *)(to + 4), _mm256_extractf128_ps(packed, 1));
}

BW_AVX2 static inline uint32_t leaf_update_avx2(bw_modern_leaf *leaf, uint32_t slot, const bw_box *box)
{
    __m256 now = packed_avx2(box);
    __m256 centre = _mm256_sub_ps(now, flipped_avx2(now));
    __m256 out = _mm256_cmp_ps(centre, _mm256_loadu_ps(leaf->cell), _CMP_LT_OQ);
    if ((_mm256_movemask_ps(out) & 63) != 0)
        return KERNEL_LEAVES;
    __m256 bounds = _mm256_loadu_ps(leaf->box), old = _mm256_loadu_ps(leaf->boxes[slot]);
    __m256 flush =
        _mm256_and_ps(_mm256_cmp_ps(old, bounds, _CMP_LE_OQ), _mm256_cmp_ps(now, bounds, _CMP_GT_OQ));
    int grows = _mm256_movemask_ps(_mm256_cmp_ps(now, bounds, _CMP_LT_OQ)) & 63;
    store_packed_avx2(leaf->boxes[slot], now);
    if (grows != 0)
        store_packed_avx2(leaf->box, _mm256_min_ps(now, bounds));
    leaf->shrinks += (_mm256_movemask_ps(flush) & 63) != 0;
    leaf->changes += 2;
    return grows != 0 || leaf->shrinks >= BW_MODERN_SHRINKS || bw_modern_degraded(leaf) ? KERNEL_DIRTY : 0;
}

BW_AVX2 static inline bool box_valid_avx2(const bw_box *box)
{
    __m256 packed = packed_avx2(box);
    __m256 ordered =
        _mm256_cmp_ps(_mm256_add_ps(packed, flipped_avx2(packed)), _mm256_setzero_ps(), _CMP_LE_OQ);
    __m256 least = _mm256_cmp_ps(packed, _mm256_set1_ps(-BW_SCENE_COORDINATE_MAX), _CMP_GE_OQ);
    return (_mm256_movemask_ps(_mm256_and_ps(ordered, least)) & 63) == 63;
}

BW_AVX2 static inline void node_box_avx2(const bw_modern_node *node, float out[6])
{
    __m128 row[6];
    for (int i = 0; i < 6; i++) {
        __m256 all = _mm256_load_ps(node->box[i]);
        row[i] = _mm_min_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
    }
    __m128 a = _mm_min_ps(_mm_unpacklo_ps(row[0], row[2]), _mm_unpackhi_ps(row[0], row[2]));
    __m128 b = _mm_min_ps(_mm_unpacklo_ps(row[1], row[3]), _mm_unpackhi_ps(row[1], row[3]));
    __m128 four = _mm_min_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    __m128 c = _mm_min_ps(_mm_unpacklo_ps(row[4], row[5]), _mm_unpackhi_ps(row[4], row[5]));
    __m128 two = _mm_min_ps(c, _mm_movehl_ps(c, c));
    _mm_storeu_ps(out, four);
    _mm_storel_pi((__m64 *)(void *)(out + 4), two);
}

BW_AVX2 static inline void leaf_box_avx2(const bw_modern_leaf *leaf, float out[6])
{
    __m256 box = _mm256_loadu_ps(leaf->boxes[0]);
    for (uint32_t k = 1; k < leaf->count; k++)
        box = _mm256_min_ps(box, _mm256_loadu_ps(leaf->boxes[k]));
    store_packed_avx2(out, box);
}

#endif
#endif
