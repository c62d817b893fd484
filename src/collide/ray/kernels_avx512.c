/* Rays at the level AVX-512: one by one. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define RAY_MASKS 1
#    include "collide/ray/trace_template.h"

_Static_assert(sizeof(bw_ray) == 64 && offsetof(bw_ray, t_max) == 48,
               "six coordinates and a limit in a register");

/* bw_ray_ordinary_fn: a ray in a register. */
RAY_TARGET static bool all_ordinary(const bw_ray *rays, uint32_t count)
{
    const __m512d zero = _mm512_setzero_pd(), least = _mm512_set1_pd(BW_RAY_ORDINARY_MIN),
                  most = _mm512_set1_pd(BW_RAY_ORDINARY_MAX);
    uint32_t bad = 0, between = 0;
    for (uint32_t i = 0; i < count; i++) {
        const __m512d v = _mm512_loadu_pd(&rays[i].origin.x), size = _mm512_abs_pd(v);
        const uint32_t other = _mm512_cmp_pd_mask(v, zero, _CMP_NEQ_UQ),
                       outside = _mm512_cmp_pd_mask(size, least, _CMP_LT_OQ) |
                                 _mm512_cmp_pd_mask(size, most, _CMP_NLE_UQ),
                       ahead = _mm512_cmp_pd_mask(v, zero, _CMP_GE_OQ);
        bad |= (outside & other & 0x3F) | (~ahead & 0x40) | (uint32_t)((other & 0x38) == 0);
        between |= (uint32_t)rays[i].between;
    }
    /* A second point may be that of the origin, and may be zero. */
    return between != 0 ? bw_rays_ordinary(rays, count) : bad == 0;
}

const bw_ray_kernels bw_ray_kernels_avx512 = {
    RAY_USUAL, RAY_TRACES, {bw_ray_stream_near_avx2, bw_ray_stream_some_avx2}, all_ordinary};
#endif
