/* The passes over lines at the 128-bit level, which serves where there are no such registers as well, and the
 * choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_segment_kernels_128
#include "kinetic/segment/kernels_template.h"

const bw_segment_kernels *bw_segment_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level >= BW_SIMD_AVX2)
        return &bw_segment_kernels_avx2;
#endif
    (void)level;
    return &bw_segment_kernels_128;
}
