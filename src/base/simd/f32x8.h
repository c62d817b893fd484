/* Eight floats at once, at one of two levels. A file that includes this defines WIDE_LEVEL first: 2 registers of
 * 128 bits, 3 AVX2 (the numbers of bw_simd). Both give the same bits: every operation is one IEEE operation
 * per lane, minimum and maximum take the second operand where the first does not win, sums fold halves before
 * pairs, and comparisons with NaN are false.
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
#ifdef BW_SMALL_CODE /* the small module of bindings/js: called rather than inlined, where that takes less room */
#    define LANES_FN LANES_TARGET static inline
#else
#    define LANES_FN LANES_TARGET static inline __attribute__((always_inline))
#endif

/* A function of two operands. */
#define LANES_OF_TWO(result, name, operand, ...)                                                             \
    LANES_FN result name(operand a, operand b)                                                               \
    {                                                                                                        \
        return __VA_ARGS__;                                                                                  \
    }

#if WIDE_LEVEL == 3
#    include "base/simd/f32x8_avx2.h"
#else
#    include "base/simd/f32x8_128.h"
#endif

#endif
