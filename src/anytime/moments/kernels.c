/* The kernels of moments at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_moment_kernels_128
#include "anytime/moments/kernels_template.h"

const bw_moment_kernels *bw_moment_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_moment_kernels);
}
