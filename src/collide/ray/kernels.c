/* Rays at the 128-bit level, the choice of a level, and the table of orders. */
#define WIDE_LEVEL 2
#include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_128 = {RAY_TRACES, {stream_near, stream_some}};

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
#define FOUR(o, m) FIRST(o, m), FIRST(o, (m) + 1), FIRST(o, (m) + 2), FIRST(o, (m) + 3)
#define SIXTEEN(o, m) FOUR(o, m), FOUR(o, (m) + 4), FOUR(o, (m) + 8), FOUR(o, (m) + 12)
#define ALL(o) {SIXTEEN(o, 0), SIXTEEN(o, 16), SIXTEEN(o, 32), SIXTEEN(o, 48), SIXTEEN(o, 64), SIXTEEN(o, 80), \
                SIXTEEN(o, 96), SIXTEEN(o, 112), SIXTEEN(o, 128), SIXTEEN(o, 144), SIXTEEN(o, 160), SIXTEEN(o, 176), \
                SIXTEEN(o, 192), SIXTEEN(o, 208), SIXTEEN(o, 224), SIXTEEN(o, 240)}

#define FLIPS(o, k) (((o) >> (k) / 9 & 1) << 2 | ((o) >> (k) / 3 % 3 & 1) << 1 | ((o) >> (k) % 3 & 1))
#define NINE(o, k) FLIPS(o, k), FLIPS(o, (k) + 1), FLIPS(o, (k) + 2), FLIPS(o, (k) + 3), FLIPS(o, (k) + 4), \
                   FLIPS(o, (k) + 5), FLIPS(o, (k) + 6), FLIPS(o, (k) + 7), FLIPS(o, (k) + 8)
#define ORDERS(o) {NINE(o, 0), NINE(o, 9), NINE(o, 18)}
/* clang-format on */

const uint8_t bw_ray_first_lane[8][256] = {ALL(0), ALL(1), ALL(2), ALL(3), ALL(4), ALL(5), ALL(6), ALL(7)};

const uint8_t bw_ray_flips[8][BW_RAY_ORDERS] = {ORDERS(0), ORDERS(1), ORDERS(2), ORDERS(3),
                                                ORDERS(4), ORDERS(5), ORDERS(6), ORDERS(7)};
