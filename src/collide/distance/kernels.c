/* The kernels of distance queries at the scalar level, and the choice of a level. */
#include "collide/distance/kernels.h"

#if BW_SIMD_HAS_SCALAR
#    define WIDE_LEVEL 1
#    define KERNELS bw_distance_kernels_scalar
#    include "collide/distance/kernels_template.h"
#endif

const bw_distance_kernels *bw_distance_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_distance_kernels);
}
