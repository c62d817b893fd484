/* Eight floats at once, at one of three levels. A file that includes this defines WIDE_LEVEL first: 1 scalar,
 * 2 SSE2, 3 AVX2 (the numbers of bw_simd). All three give the same bits: every operation is one IEEE
 * operation a lane, minimum and maximum take the second operand where the first does not win, and comparisons
 * with NaN are false. */
#ifndef BW_COLLIDE_WIDE_LANES_H
#define BW_COLLIDE_WIDE_LANES_H

#include "base/simd.h"

#if WIDE_LEVEL == 3
#    define LANES_TARGET __attribute__((target("avx2")))
#else
#    define LANES_TARGET
#endif
#define LANES_FN LANES_TARGET static inline __attribute__((always_inline))

#if WIDE_LEVEL == 3
#    include <immintrin.h>

typedef __m256 v8;
typedef __m256 m8; /* all bits of a lane set: true */

LANES_FN v8 v8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
LANES_FN void v8_store(float *p, v8 a)
{
    _mm256_storeu_ps(p, a);
}
LANES_FN v8 v8_all(float a)
{
    return _mm256_set1_ps(a);
}
LANES_FN v8 v8_add(v8 a, v8 b)
{
    return _mm256_add_ps(a, b);
}
LANES_FN v8 v8_sub(v8 a, v8 b)
{
    return _mm256_sub_ps(a, b);
}
LANES_FN v8 v8_mul(v8 a, v8 b)
{
    return _mm256_mul_ps(a, b);
}
LANES_FN v8 v8_min(v8 a, v8 b)
{
    return _mm256_min_ps(a, b);
}
LANES_FN v8 v8_max(v8 a, v8 b)
{
    return _mm256_max_ps(a, b);
}
LANES_FN float v8_sum(v8 a)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
LANES_FN float v8_lowest(v8 a)
{
    __m128 s = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_min_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_min_ss(s, _mm_shuffle_ps(s, s, 1)));
}
LANES_FN float v8_highest(v8 a)
{
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_shuffle_ps(s, s, 1)));
}
LANES_FN m8 v8_greater(v8 a, v8 b)
{
    return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}
LANES_FN v8 v8_choose(m8 m, v8 yes, v8 no)
{
    return _mm256_blendv_ps(no, yes, m);
}
LANES_FN m8 m8_or(m8 a, m8 b)
{
    return _mm256_or_ps(a, b);
}
LANES_FN m8 m8_and(m8 a, m8 b)
{
    return _mm256_and_ps(a, b);
}
LANES_FN m8 m8_xor(m8 a, m8 b)
{
    return _mm256_xor_ps(a, b);
}
LANES_FN m8 m8_without(m8 a, m8 b)
{
    return _mm256_andnot_ps(b, a);
}
LANES_FN uint32_t m8_bits(m8 a)
{
    return (uint32_t)_mm256_movemask_ps(a);
}

#elif WIDE_LEVEL == 2
#    include <emmintrin.h>

typedef struct v8 {
    __m128 low, high;
} v8;
typedef v8 m8;

#    define LANES_PAIR(expression_low, expression_high) ((v8){(expression_low), (expression_high)})
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
LANES_FN v8 v8_min(v8 a, v8 b)
{
    return LANES_PAIR(_mm_min_ps(a.low, b.low), _mm_min_ps(a.high, b.high));
}
LANES_FN v8 v8_max(v8 a, v8 b)
{
    return LANES_PAIR(_mm_max_ps(a.low, b.low), _mm_max_ps(a.high, b.high));
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

#else

typedef struct v8 {
    float lane[8];
} v8;
typedef struct m8 {
    uint32_t bits;
} m8;

#    define LANES_EACH(expression)                                                                           \
        v8 r;                                                                                                \
        for (int i = 0; i < 8; i++)                                                                          \
            r.lane[i] = (expression);                                                                        \
        return r
LANES_FN v8 v8_load(const float *p)
{
    LANES_EACH(p[i]);
}
LANES_FN void v8_store(float *p, v8 a)
{
    for (int i = 0; i < 8; i++)
        p[i] = a.lane[i];
}
LANES_FN v8 v8_all(float a)
{
    LANES_EACH(a);
}
LANES_FN v8 v8_add(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] + b.lane[i]);
}
LANES_FN v8 v8_sub(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] - b.lane[i]);
}
LANES_FN v8 v8_mul(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] * b.lane[i]);
}
LANES_FN v8 v8_min(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
LANES_FN v8 v8_max(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}
/* The two halves first, then pairs: the order of the others. */
#    define LANES_FOLD(combine)                                                                              \
        float s[4];                                                                                          \
        for (int i = 0; i < 4; i++)                                                                          \
            s[i] = combine(a.lane[i], a.lane[i + 4]);                                                        \
        s[0] = combine(s[0], s[2]);                                                                          \
        s[1] = combine(s[1], s[3]);                                                                          \
        return combine(s[0], s[1])
#    define LANES_PLUS(x, y) ((x) + (y))
#    define LANES_LESS(x, y) ((x) < (y) ? (x) : (y))
#    define LANES_MORE(x, y) ((x) > (y) ? (x) : (y))
LANES_FN float v8_sum(v8 a)
{
    LANES_FOLD(LANES_PLUS);
}
LANES_FN float v8_lowest(v8 a)
{
    LANES_FOLD(LANES_LESS);
}
LANES_FN float v8_highest(v8 a)
{
    LANES_FOLD(LANES_MORE);
}
LANES_FN m8 v8_greater(v8 a, v8 b)
{
    m8 r = {0};
    for (int i = 0; i < 8; i++)
        r.bits |= (uint32_t)(a.lane[i] > b.lane[i]) << i;
    return r;
}
LANES_FN v8 v8_choose(m8 m, v8 yes, v8 no)
{
    LANES_EACH((m.bits >> i & 1) != 0 ? yes.lane[i] : no.lane[i]);
}
LANES_FN m8 m8_or(m8 a, m8 b)
{
    return (m8){a.bits | b.bits};
}
LANES_FN m8 m8_and(m8 a, m8 b)
{
    return (m8){a.bits & b.bits};
}
LANES_FN m8 m8_xor(m8 a, m8 b)
{
    return (m8){a.bits ^ b.bits};
}
LANES_FN m8 m8_without(m8 a, m8 b)
{
    return (m8){a.bits & ~b.bits};
}
LANES_FN uint32_t m8_bits(m8 a)
{
    return a.bits;
}

#endif
#endif