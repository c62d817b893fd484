/* Which vector instructions the processor has. */
#include "base/simd/level.h"

/* Tests are built with less (test/golden). */
#ifndef BW_SIMD_MOST
#    define BW_SIMD_MOST BW_SIMD_AVX512
#endif

static bw_simd best_level(void)
{
#if BW_SIMD_X86
    /* A constructor has asked the processor, before any of the program's. */
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") ? BW_SIMD_AVX512
                                                                                        : BW_SIMD_AVX2;
#endif
    return BW_SIMD_128;
}

bw_simd bw_simd_level(bw_simd wanted)
{
    bw_simd best = best_level();
    best = best < BW_SIMD_MOST ? best : BW_SIMD_MOST;
    return wanted == BW_SIMD_AUTO || wanted > best ? best : wanted;
}
