/* The inner loops of the broad phase, one lane after the other, and the choice of the level. */
#define WIDE_LEVEL 1
#define KERNELS bw_swept_kernels_scalar
#include "swept/kernels_template.h"

const bw_swept_kernels *bw_swept_kernels_of(bw_simd simd)
{
#if BW_SIMD_X86
    if (simd == BW_SIMD_AVX2)
        return &bw_swept_kernels_avx2;
    if (simd == BW_SIMD_128)
        return &bw_swept_kernels_128;
#endif
    (void)simd;
    return &bw_swept_kernels_scalar;
}
