/* The kernels for looking ahead at the 128-bit level, and the choice of a level. */
#define WIDE_LEVEL 2
#define KERNELS bw_span_kernels_128
#include "collide/span/kernels_template.h"

const bw_span_kernels *bw_span_kernels_for(bw_simd level)
{
    return BW_SIMD_PICK(level, &bw_span_kernels);
}
