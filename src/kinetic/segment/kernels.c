/* The passes over lines at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_segment_kernels_128
#include "kinetic/segment/kernels_template.h"

const bw_segment_kernels *bw_segment_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_segment_kernels);
}
