/* Which level of the kernels of wide trees to use. */
#include "collide/pair/kernels.h"

const bw_wide_kernels *bw_wide_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX2)
        return &bw_wide_kernels_avx2;
    if (level == BW_SIMD_128)
        return &bw_wide_kernels_128;
#endif
    (void)level;
    return &bw_wide_kernels_scalar;
}
