/* The inner loops of the broad phase, one lane after the other, and the choice of the level. */
#include "swept/swept.h"

#if BW_SIMD_HAS_SCALAR
#    define WIDE_LEVEL 1
#    define KERNELS bw_swept_kernels_scalar
#    include "swept/kernels_template.h"
#endif

const bw_swept_kernels *bw_swept_kernels_of(bw_simd simd)
{
    return BW_SIMD_PICK(simd, &bw_swept_kernels);
}
