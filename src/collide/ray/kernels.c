/* Rays at the 128-bit level, the choice of a level, and the table of orders. */
#define WIDE_LEVEL 2
#include "collide/ray/stream_template.h"

bool bw_rays_ordinary(const bw_ray *rays, uint32_t count)
{
    const d2 least = d2_all(BW_RAY_ORDINARY_MIN), most = d2_all(BW_RAY_ORDINARY_MAX), zero = d2_all(0.0);
    m2 good = least < most; /* all */
    bool fit = true;
    for (uint32_t i = 0; i < count; i++) {
        const bw_vec3 *o = &rays[i].origin, *d = &rays[i].direction;
        const d2 pairs[3] = {d2_load(&o->x), d2_of(o->z, d->x), d2_load(&d->y)};
        for (int k = 0; k < 3; k++) {
            const d2 size = d2_abs(pairs[k]);
            good &= ((size >= least) & (size <= most)) | (pairs[k] == zero);
        }
        fit &= rays[i].t_max >= 0.0 && bw_ray_has_length(&rays[i]);
    }
    return fit && m2_bits(good) == 3;
}

const bw_ray_kernels bw_ray_kernels_128 = {
    {NULL, NULL}, RAY_TRACES, {stream_near, stream_some}, bw_rays_ordinary};

const bw_ray_kernels *bw_ray_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX512)
        return &bw_ray_kernels_avx512;
#endif
    return BW_SIMD_PICK(level, &bw_ray_kernels);
}

/* clang-format off */
#define HAS(o, m, i) ((m) >> ((i) ^ (o)) & 1)
#define FIRST(o, m) (HAS(o, m, 0) ? (o) : HAS(o, m, 1) ? 1 ^ (o) : HAS(o, m, 2) ? 2 ^ (o) : HAS(o, m, 3) ? 3 ^ (o) : \
                     HAS(o, m, 4) ? 4 ^ (o) : HAS(o, m, 5) ? 5 ^ (o) : HAS(o, m, 6) ? 6 ^ (o) : HAS(o, m, 7) ? 7 ^ (o) : 0)
#define EIGHT(t, m) {FIRST((t) ^ 0, m), FIRST((t) ^ 1, m), FIRST((t) ^ 2, m), FIRST((t) ^ 3, m), \
                     FIRST((t) ^ 4, m), FIRST((t) ^ 5, m), FIRST((t) ^ 6, m), FIRST((t) ^ 7, m)}
#define FOUR(t, m) EIGHT(t, m), EIGHT(t, (m) + 1), EIGHT(t, (m) + 2), EIGHT(t, (m) + 3)
#define SIXTEEN(t, m) FOUR(t, m), FOUR(t, (m) + 4), FOUR(t, (m) + 8), FOUR(t, (m) + 12)
#define MANY(t, m) SIXTEEN(t, m), SIXTEEN(t, (m) + 16), SIXTEEN(t, (m) + 32), SIXTEEN(t, (m) + 48)
#define ALL(t) {MANY(t, 0), MANY(t, 64), MANY(t, 128), MANY(t, 192)}
/* clang-format on */

const uint8_t bw_ray_first_lane[2][256][8] = {ALL(0), ALL(7)};
