/* Eight floats at once, at one of three levels. A file that includes this defines WIDE_LEVEL first: 1 scalar,
 * 2 registers of 128 bits, 3 AVX2 (the numbers of bw_simd). All three give the same bits: every operation is
 * one IEEE operation per lane, minimum and maximum take the second operand where the first does not win, sums
 * fold halves before pairs, and comparisons with NaN are false.
 *
 * v8: eight floats; m8: eight truths; pick8: eight indices of lanes. */
#ifndef BW_BASE_SIMD_F32X8_H
#define BW_BASE_SIMD_F32X8_H

#include "base/simd/level.h"

#if WIDE_LEVEL == 3
#    define LANES_TARGET __attribute__((target("avx2")))
#else
#    define LANES_TARGET
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define LANES_SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#        define LANES_SANITIZED 1
#    endif
#endif
#if WIDE_LEVEL > 1
#    define LANES_FN LANES_TARGET static inline __attribute__((always_inline))
#elif defined(LANES_SANITIZED) && defined(__GNUC__)
/* Sanitized loops, inlined hundreds of times, would take the compiler minutes. */
#    define LANES_FN static __attribute__((noinline, unused))
#else
#    define LANES_FN static inline
#endif

/* A function of two operands. */
#define LANES_OF_TWO(result, name, operand, ...)                                                             \
    LANES_FN result name(operand a, operand b)                                                               \
    {                                                                                                        \
        return __VA_ARGS__;                                                                                  \
    }

#if WIDE_LEVEL < 3
/* Eight indices, each below eight, in the bytes of a word. */
typedef uint64_t pick8;
LANES_FN pick8 pick8_of(uint64_t bytes)
{
    return bytes;
}
#    define LANES_INDEX(pick, k) ((pick) >> 8 * (k)&7)
LANES_FN void pick8_words(uint32_t *out, const uint32_t *p, pick8 pick)
{
    for (int k = 0; k < 8; k++)
        out[k] = p[LANES_INDEX(pick, k)];
}
#endif

#if WIDE_LEVEL == 3
#    include "base/simd/f32x8_avx2.h"
#elif WIDE_LEVEL == 2
#    include "base/simd/f32x8_128.h"
#else
#    include "base/simd/f32x8_scalar.h"
#endif

#if WIDE_LEVEL < 3
/* Of a set of lanes, not empty, the one with the least value, and of several to a relative 2^-20 the first.
 * No value is negative, so that their bits are in their order, and the last three make room for the lane. */
LANES_FN uint32_t v8_least_lane(v8 a, uint32_t lanes)
{
    uint32_t bits[8], least = UINT32_MAX;
    memcpy(bits, &a, sizeof bits);
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes), key = (bits[lane] & ~7u) | lane;
        least = key < least ? key : least;
    }
    return least & 7;
}
#endif

#endif
