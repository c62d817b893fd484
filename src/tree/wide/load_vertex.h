/* Reading vertices of three floats into registers. */
#ifndef BW_TREE_WIDE_LOAD_VERTEX_H
#define BW_TREE_WIDE_LOAD_VERTEX_H

#include "base/simd/level.h"

#if BW_SIMD_X86
#    include <immintrin.h>

/* x, y, z, 0, without reading beyond z. */
__attribute__((target("sse2"))) static inline __m128 bw_load3_128(const char *at)
{
    /* Not _mm_load_sd: that wants an address aligned for a double. */
    __m128 xy = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)at));
    return _mm_movelh_ps(xy, _mm_load_ss((const float *)(const void *)(at + 8)));
}

/* Rows of eight: the same corner's x, y and z of eight triangles, whose indices start at corners[i]. */
__attribute__((target("avx2"), always_inline)) static inline void
bw_load_rows_avx2(const char *positions, size_t stride, const uint32_t *const corners[8], uint32_t corner,
                  __m256 rows[3])
{
    __m256 half[4];
    for (uint32_t i = 0; i < 4; i++)
        half[i] = _mm256_set_m128(bw_load3_128(positions + corners[i + 4][corner] * stride),
                                  bw_load3_128(positions + corners[i][corner] * stride));
    __m256 xy01 = _mm256_unpacklo_ps(half[0], half[1]), z01 = _mm256_unpackhi_ps(half[0], half[1]);
    __m256 xy23 = _mm256_unpacklo_ps(half[2], half[3]), z23 = _mm256_unpackhi_ps(half[2], half[3]);
    rows[0] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    rows[1] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    rows[2] = _mm256_shuffle_ps(z01, z23, _MM_SHUFFLE(1, 0, 1, 0));
}
#endif

#endif
