/* Eight floats in two registers. Included by base/simd/f32x8.h only. */
#ifndef BW_BASE_SIMD_F32X8_SSE_H
#define BW_BASE_SIMD_F32X8_SSE_H

#include <emmintrin.h>

typedef struct v8 {
    __m128 low, high;
} v8;
typedef v8 m8;

#define LANES_PAIR(expression_low, expression_high) ((v8){(expression_low), (expression_high)})
LANES_FN v8 v8_load(const float *p)
{
    return LANES_PAIR(_mm_loadu_ps(p), _mm_loadu_ps(p + 4));
}
LANES_FN void v8_store(float *p, v8 a)
{
    _mm_storeu_ps(p, a.low);
    _mm_storeu_ps(p + 4, a.high);
}
LANES_FN v8 v8_all(float a)
{
    return LANES_PAIR(_mm_set1_ps(a), _mm_set1_ps(a));
}
LANES_FN v8 v8_add(v8 a, v8 b)
{
    return LANES_PAIR(_mm_add_ps(a.low, b.low), _mm_add_ps(a.high, b.high));
}
LANES_FN v8 v8_sub(v8 a, v8 b)
{
    return LANES_PAIR(_mm_sub_ps(a.low, b.low), _mm_sub_ps(a.high, b.high));
}
LANES_FN v8 v8_mul(v8 a, v8 b)
{
    return LANES_PAIR(_mm_mul_ps(a.low, b.low), _mm_mul_ps(a.high, b.high));
}
LANES_FN v8 v8_div(v8 a, v8 b)
{
    return LANES_PAIR(_mm_div_ps(a.low, b.low), _mm_div_ps(a.high, b.high));
}
LANES_FN v8 v8_sqrt(v8 a)
{
    return LANES_PAIR(_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high));
}
LANES_FN v8 v8_min(v8 a, v8 b)
{
    return LANES_PAIR(_mm_min_ps(a.low, b.low), _mm_min_ps(a.high, b.high));
}
LANES_FN v8 v8_max(v8 a, v8 b)
{
    return LANES_PAIR(_mm_max_ps(a.low, b.low), _mm_max_ps(a.high, b.high));
}
LANES_FN float v8_first(v8 a)
{
    return _mm_cvtss_f32(a.low);
}
LANES_FN float v8_sum(v8 a)
{
    __m128 s = _mm_add_ps(a.low, a.high);
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
LANES_FN float v8_lowest(v8 a)
{
    __m128 s = _mm_min_ps(a.low, a.high);
    s = _mm_min_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_min_ss(s, _mm_shuffle_ps(s, s, 1)));
}
LANES_FN float v8_highest(v8 a)
{
    __m128 s = _mm_max_ps(a.low, a.high);
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_shuffle_ps(s, s, 1)));
}
LANES_FN m8 v8_greater(v8 a, v8 b)
{
    return LANES_PAIR(_mm_cmpgt_ps(a.low, b.low), _mm_cmpgt_ps(a.high, b.high));
}
LANES_FN v8 v8_choose(m8 m, v8 yes, v8 no)
{
    return LANES_PAIR(_mm_or_ps(_mm_and_ps(m.low, yes.low), _mm_andnot_ps(m.low, no.low)),
                      _mm_or_ps(_mm_and_ps(m.high, yes.high), _mm_andnot_ps(m.high, no.high)));
}
LANES_FN m8 m8_or(m8 a, m8 b)
{
    return LANES_PAIR(_mm_or_ps(a.low, b.low), _mm_or_ps(a.high, b.high));
}
LANES_FN m8 m8_and(m8 a, m8 b)
{
    return LANES_PAIR(_mm_and_ps(a.low, b.low), _mm_and_ps(a.high, b.high));
}
LANES_FN m8 m8_xor(m8 a, m8 b)
{
    return LANES_PAIR(_mm_xor_ps(a.low, b.low), _mm_xor_ps(a.high, b.high));
}
LANES_FN m8 m8_without(m8 a, m8 b)
{
    return LANES_PAIR(_mm_andnot_ps(b.low, a.low), _mm_andnot_ps(b.high, a.high));
}
LANES_FN uint32_t m8_bits(m8 a)
{
    return (uint32_t)_mm_movemask_ps(a.low) | (uint32_t)_mm_movemask_ps(a.high) << 4;
}

/* Eight indices, each below eight, in the bytes of a word. */
typedef uint64_t pick8;
LANES_FN pick8 pick8_of(uint64_t bytes)
{
    return bytes;
}
#define LANES_INDEX(pick, k) ((pick) >> 8 * (k)&7)
LANES_FN void pick8_words(uint32_t *out, const uint32_t *p, pick8 pick)
{
    for (int k = 0; k < 8; k++)
        out[k] = p[LANES_INDEX(pick, k)];
}
LANES_FN v8 v8_pick(const float *p, pick8 pick)
{
    return LANES_PAIR(_mm_setr_ps(p[LANES_INDEX(pick, 0)], p[LANES_INDEX(pick, 1)], p[LANES_INDEX(pick, 2)],
                                  p[LANES_INDEX(pick, 3)]),
                      _mm_setr_ps(p[LANES_INDEX(pick, 4)], p[LANES_INDEX(pick, 5)], p[LANES_INDEX(pick, 6)],
                                  p[LANES_INDEX(pick, 7)]));
}
/* Replaces the lowest three bits of each lane. */
LANES_FN v8 v8_number(v8 a, uint32_t number)
{
    const __m128i seven = _mm_set1_epi32(7), all = _mm_set1_epi32((int)number);
    return LANES_PAIR(_mm_castsi128_ps(_mm_or_si128(_mm_andnot_si128(seven, _mm_castps_si128(a.low)), all)),
                      _mm_castsi128_ps(_mm_or_si128(_mm_andnot_si128(seven, _mm_castps_si128(a.high)), all)));
}
/* The lanes of a set of bits. */
LANES_FN m8 m8_of(uint32_t bits)
{
    const __m128i all = _mm_set1_epi32((int)bits), low = _mm_setr_epi32(1, 2, 4, 8),
                  high = _mm_setr_epi32(16, 32, 64, 128);
    return LANES_PAIR(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(all, low), low)),
                      _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(all, high), high)));
}
/* The lanes whose highest bit is set. */
LANES_FN uint32_t lanes_signs(const uint32_t *words)
{
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)words);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(words + 4));
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(low)) |
           (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(high)) << 4;
}
LANES_FN m8 lanes_equal(const uint32_t *a, const uint32_t *b)
{
    const __m128i *x = (const __m128i *)(const void *)a, *y = (const __m128i *)(const void *)b;
    return LANES_PAIR(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_loadu_si128(x), _mm_loadu_si128(y))),
                      _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1))));
}
/* Sets bits in the words of the lanes of a set. */
LANES_FN void lanes_mark(uint32_t *words, m8 set, uint32_t bits)
{
    __m128i *w = (__m128i *)(void *)words, all = _mm_set1_epi32((int)bits);
    __m128i low = _mm_and_si128(_mm_castps_si128(set.low), all);
    __m128i high = _mm_and_si128(_mm_castps_si128(set.high), all);
    _mm_storeu_si128(w, _mm_or_si128(_mm_loadu_si128(w), low));
    _mm_storeu_si128(w + 1, _mm_or_si128(_mm_loadu_si128(w + 1), high));
}
LANES_FN m8 lanes_equal_to(const uint32_t *a, uint32_t b)
{
    const __m128i *x = (const __m128i *)(const void *)a, y = _mm_set1_epi32((int)b);
    return LANES_PAIR(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_loadu_si128(x), y)),
                      _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_loadu_si128(x + 1), y)));
}

#endif
