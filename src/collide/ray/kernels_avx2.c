/* Rays at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_avx2 = RAY_KERNELS;
#endif
