/* The kernels of moments at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "anytime/moments/kernels_template.h"

const bw_moment_kernels bw_moment_kernels_avx2 = {map_parts, distances, weigh, likeliest, sound};
#endif
