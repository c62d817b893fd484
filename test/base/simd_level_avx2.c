/* The level AVX2 of simd_levels.c. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define RUN simd_avx2
#    define ROUND simd_avx2_round
#    include "base/simd_level_template.h"
#endif
