/* The inner loops of the broad phase at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_swept_kernels_128
#include "swept/kernels_template.h"

const bw_swept_kernels *bw_swept_kernels_of(bw_simd simd)
{
    return BW_SIMD_PICK(simd, &bw_swept_kernels);
}
