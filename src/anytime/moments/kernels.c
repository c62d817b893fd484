/* The scalar level of the kernel of distances M, and the choice among levels. */
#include "anytime/moments/kernels.h"

const bw_moment_kernels *bw_moment_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX2)
        return &bw_moment_kernels_avx2;
    if (level == BW_SIMD_128)
        return &bw_moment_kernels_128;
#endif
    (void)level;
    return &bw_moment_kernels_scalar;
}
