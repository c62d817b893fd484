/* The kernels of moments at the level SSE2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 2
#    include "anytime/moments/kernels_template.h"

const bw_moment_kernels bw_moment_kernels_128 = {map_parts, distances, weigh, likeliest, sound};
#endif
