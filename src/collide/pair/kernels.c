/* The kernels of wide queries at the scalar level, and the choice of a level. */
#include "collide/pair/kernels.h"

#if BW_SIMD_HAS_SCALAR
#    define WIDE_LEVEL 1
#    define KERNELS bw_wide_kernels_scalar
#    include "collide/pair/kernels_template.h"
#endif

const bw_wide_kernels *bw_wide_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_wide_kernels);
}
