/* The queries of modern trees at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_modern_kernels_128
#include "scene/modern/kernels_template.h"

const bw_modern_kernels *bw_modern_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_modern_kernels);
}
