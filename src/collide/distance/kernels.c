/* Which level of the distance kernels to use. */
#include "collide/distance/kernels.h"

const bw_near_kernels *bw_near_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX2)
        return &bw_near_kernels_avx2;
    if (level == BW_SIMD_SSE)
        return &bw_near_kernels_sse;
#endif
    (void)level;
    return &bw_near_kernels_scalar;
}
