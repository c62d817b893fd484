/* Which level of the distance kernels to use. */
#include "collide/distance/kernels.h"

const bw_distance_kernels *bw_distance_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX2)
        return &bw_distance_kernels_avx2;
    if (level == BW_SIMD_128)
        return &bw_distance_kernels_128;
#endif
    (void)level;
    return &bw_distance_kernels_scalar;
}
