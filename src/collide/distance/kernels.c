/* The kernels of distance queries at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_distance_kernels_128
#include "collide/distance/kernels_template.h"

const bw_distance_kernels *bw_distance_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_distance_kernels);
}
