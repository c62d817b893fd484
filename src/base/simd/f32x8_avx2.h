/* Eight floats in one register. Included by base/simd/f32x8.h only. */
#ifndef BW_BASE_SIMD_F32X8_AVX2_H
#define BW_BASE_SIMD_F32X8_AVX2_H

#include "base/simd/f32x4.h"

#include <immintrin.h>

typedef __m256 v8;
typedef __m256 m8; /* all bits of a lane set: true */

LANES_FN v8 v8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
/* Eight indices, each below eight, in the bytes of a word. */
typedef __m256i pick8;
LANES_FN pick8 pick8_of(uint64_t bytes)
{
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes));
}
LANES_FN v8 v8_pick(const float *p, pick8 index)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(p), index);
}
LANES_FN void pick8_words(uint32_t *out, const uint32_t *p, pick8 index)
{
    _mm256_storeu_si256(
        (__m256i *)(void *)out,
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p), index));
}
LANES_FN void v8_store(float *p, v8 a)
{
    _mm256_storeu_ps(p, a);
}
/* Past the cache; p is aligned. */
LANES_FN void v8_stream(float *p, v8 a)
{
    _mm256_stream_ps(p, a);
}
LANES_FN v8 v8_join(v4 low, v4 high)
{
    return _mm256_set_m128(high, low);
}
LANES_FN v8 v8_all(float a)
{
    return _mm256_set1_ps(a);
}
/* Rows that were stored and are read again lane by lane, by v8_all: from memory, where a lane in all lanes is one
 * load. Compilers that remember the register take it from there by two shuffles, and only one port has those. */
#define LANES_FROM_MEMORY(rows) __asm__("" : "+m"(rows))
/* Of two operands, lane by lane. */
/* clang-format off */
LANES_OF_TWO(v8, v8_add, v8, _mm256_add_ps(a, b))
LANES_OF_TWO(v8, v8_sub, v8, _mm256_sub_ps(a, b))
LANES_OF_TWO(v8, v8_mul, v8, _mm256_mul_ps(a, b))
LANES_OF_TWO(v8, v8_div, v8, _mm256_div_ps(a, b))
LANES_OF_TWO(v8, v8_min, v8, _mm256_min_ps(a, b))
LANES_OF_TWO(v8, v8_max, v8, _mm256_max_ps(a, b))
LANES_OF_TWO(m8, v8_greater, v8, _mm256_cmp_ps(a, b, _CMP_GT_OQ))
LANES_OF_TWO(m8, v8_equal, v8, _mm256_cmp_ps(a, b, _CMP_EQ_OQ))
LANES_OF_TWO(m8, m8_or, m8, _mm256_or_ps(a, b))
LANES_OF_TWO(m8, m8_and, m8, _mm256_and_ps(a, b))
LANES_OF_TWO(m8, m8_xor, m8, _mm256_xor_ps(a, b))
LANES_OF_TWO(m8, m8_without, m8, _mm256_andnot_ps(b, a))
/* clang-format on */
LANES_FN v8 v8_sqrt(v8 a)
{
    return _mm256_sqrt_ps(a);
}
LANES_FN v8 v8_abs(v8 a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
/* The lesser, or the larger, of both halves. */
LANES_FN v4 v8_fold_min(v8 a)
{
    return v4_min(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
}
LANES_FN v4 v8_fold_max(v8 a)
{
    return v4_max(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
}
LANES_FN float v8_first(v8 a)
{
    return _mm256_cvtss_f32(a);
}
LANES_FN float v8_sum(v8 a)
{
    return v4_sum(_mm256_castps256_ps128(a) + _mm256_extractf128_ps(a, 1));
}
LANES_FN float v8_lowest(v8 a)
{
    return v4_lowest(v8_fold_min(a));
}
LANES_FN float v8_highest(v8 a)
{
    return v4_highest(v8_fold_max(a));
}
LANES_FN v8 v8_choose(m8 m, v8 yes, v8 no)
{
    return _mm256_blendv_ps(no, yes, m);
}
LANES_FN uint32_t m8_bits(m8 a)
{
    return (uint32_t)_mm256_movemask_ps(a);
}
/* Of two: those of a, then those of b. */
LANES_FN uint32_t m8_bits_of_two(m8 a, m8 b)
{
    return m8_bits(a) | m8_bits(b) << 8;
}
/* Replaces the lowest six bits of lane k by 8 row + k. */
LANES_FN v8 v8_number(v8 a, uint32_t row)
{
    const int n = 8 * (int)row;
    const __m256i bits = _mm256_andnot_si256(_mm256_set1_epi32(63), _mm256_castps_si256(a));
    return _mm256_castsi256_ps(
        _mm256_or_si256(bits, _mm256_setr_epi32(n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7)));
}
/* The lanes of a set of bits. */
LANES_FN m8 m8_of(uint32_t bits)
{
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), each), each));
}
/* Those of a row of eight such sets. */
LANES_FN m8 m8_of_row(uint64_t rows, uint32_t row)
{
    const int first = 1 << 8 * (row & 3);
    const __m256i each = _mm256_setr_epi32(first, first * 2, first * 4, first * 8, first * 16, first * 32,
                                           first * 64, (int)((uint32_t)first << 7));
    const __m256i half = _mm256_set1_epi32((int)(row < 4 ? rows : rows >> 32));
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(half, each), each));
}
/* The lanes whose highest bit is set. */
LANES_FN uint32_t lanes_signs(const uint32_t *words)
{
    __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)words);
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(w));
}
LANES_FN m8 lanes_equal(const uint32_t *a, const uint32_t *b)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)a);
    __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)b);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y));
}
/* Sets bits in the words of the lanes of a set. */
LANES_FN void lanes_mark(uint32_t *words, m8 set, uint32_t bits)
{
    __m256i *w = (__m256i *)(void *)words;
    __m256i marks = _mm256_and_si256(_mm256_castps_si256(set), _mm256_set1_epi32((int)bits));
    _mm256_storeu_si256(w, _mm256_or_si256(_mm256_loadu_si256(w), marks));
}
LANES_FN m8 lanes_equal_to(const uint32_t *a, uint32_t b)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)a);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(x, _mm256_set1_epi32((int)b)));
}
/* Of a set of lanes, not empty, the one with the least value, and of several to a relative 2^-20 the first.
 * No value is negative, so that their bits are in their order, and the last three make room for the lane. */
LANES_FN uint32_t v8_least_lane(v8 a, uint32_t lanes)
{
    const __m256i bits = _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(a));
    const __m256i keys = _mm256_or_si256(bits, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i kept = _mm256_or_si256(keys, _mm256_castps_si256(m8_of(~lanes)));
    __m128i least = _mm_min_epu32(_mm256_castsi256_si128(kept), _mm256_extracti128_si256(kept, 1));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0x4E));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(least) & 7;
}
/* The first three columns of eight rows of four. */
LANES_FN void v8_columns(const v4 rows[8], v8 out[3])
{
    const v8 a = v8_join(rows[0], rows[4]), b = v8_join(rows[1], rows[5]), c = v8_join(rows[2], rows[6]),
             d = v8_join(rows[3], rows[7]);
    const v8 xy_ab = _mm256_unpacklo_ps(a, b), z_ab = _mm256_unpackhi_ps(a, b);
    const v8 xy_cd = _mm256_unpacklo_ps(c, d), z_cd = _mm256_unpackhi_ps(c, d);
    out[0] = _mm256_shuffle_ps(xy_ab, xy_cd, _MM_SHUFFLE(1, 0, 1, 0));
    out[1] = _mm256_shuffle_ps(xy_ab, xy_cd, _MM_SHUFFLE(3, 2, 3, 2));
    out[2] = _mm256_shuffle_ps(z_ab, z_cd, _MM_SHUFFLE(1, 0, 1, 0));
}
/* Rows become columns. */
LANES_FN void v8_transpose(v8 r[8])
{
    v8 pairs[8], fours[8];
    for (int i = 0; i < 4; i++) {
        pairs[i] = _mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]);
        pairs[4 + i] = _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]);
    }
    for (int i = 0; i < 4; i++) { /* columns 0, 4; 2, 6; and 1, 5; 3, 7, each of rows 0 to 3 and of 4 to 7 */
        fours[i] = _mm256_shuffle_ps(pairs[2 * i], pairs[2 * i + 1], 0x44);
        fours[4 + i] = _mm256_shuffle_ps(pairs[2 * i], pairs[2 * i + 1], 0xEE);
    }
    for (int k = 0; k < 4; k++) {
        const int from = (k & 1) * 4 + (k & 2);
        r[k] = _mm256_permute2f128_ps(fours[from], fours[from + 1], 0x20);
        r[4 + k] = _mm256_permute2f128_ps(fours[from], fours[from + 1], 0x31);
    }
}

#endif
