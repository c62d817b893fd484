/* Rays at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_avx2 = {
    RAY_USUAL, RAY_TRACES, {stream_near, stream_some}, bw_rays_ordinary};

void bw_ray_stream_near_avx2(bw_ray_job *job)
{
    stream_near(job);
}

void bw_ray_stream_some_avx2(bw_ray_job *job)
{
    stream_some(job);
}
#endif
