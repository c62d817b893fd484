/* Rays at the level SSE. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 2
#    include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_128 = RAY_KERNELS;
#endif
