/* Rays at the level AVX-512: one by one. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define RAY_MASKS 1
#    include "collide/ray/trace_template.h"

const bw_ray_kernels bw_ray_kernels_avx512 = {
    RAY_USUAL, RAY_TRACES, {bw_ray_stream_near_avx2, bw_ray_stream_some_avx2}};
#endif
