/* The kernels of wide queries at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_wide_kernels_128
#include "collide/pair/kernels_template.h"

const bw_wide_kernels *bw_wide_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_wide_kernels);
}
