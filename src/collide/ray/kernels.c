/* Rays at the 128-bit level, the choice of a level, and the table of orders. */
#define WIDE_LEVEL 2
#include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_128 = {{NULL, NULL}, RAY_TRACES, {stream_near, stream_some}};

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
