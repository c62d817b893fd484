/* Boxes against eight boxes. Comparisons only, so that every level gives the same bits. */
#include "swept/swept.h"

static uint32_t meet(const float min[3], const float max[3], const float (*eight_min)[BW_WIDTH],
                     const float (*eight_max)[BW_WIDTH])
{
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        bool meets = true;
        for (int k = 0; k < 3; k++)
            meets &= min[k] <= eight_max[k][lane] && eight_min[k][lane] <= max[k];
        bits |= (uint32_t)meets << lane;
    }
    return bits;
}

static void meet_rows(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], uint32_t chosen, float grow,
                      const float (*eight_min)[BW_WIDTH], const float (*eight_max)[BW_WIDTH],
                      uint8_t rows[BW_WIDTH])
{
    for (uint32_t row = 0; row < BW_WIDTH; row++) {
        if ((chosen >> row & 1) == 0)
            continue;
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = min[k][row] - grow;
            high[k] = max[k][row] + grow;
        }
        rows[row] = (uint8_t)meet(low, high, eight_min, eight_max);
    }
}

const bw_swept_kernels bw_swept_kernels_scalar = {meet, meet_rows};

#if BW_SIMD_X86
#    include <immintrin.h>

__attribute__((target("avx2"))) static uint32_t meet_avx2(const float min[3], const float max[3],
                                                          const float (*eight_min)[BW_WIDTH],
                                                          const float (*eight_max)[BW_WIDTH])
{
    __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (int k = 0; k < 3; k++) {
        all = _mm256_and_ps(all,
                            _mm256_cmp_ps(_mm256_set1_ps(min[k]), _mm256_loadu_ps(eight_max[k]), _CMP_LE_OQ));
        all = _mm256_and_ps(all,
                            _mm256_cmp_ps(_mm256_loadu_ps(eight_min[k]), _mm256_set1_ps(max[k]), _CMP_LE_OQ));
    }
    return (uint32_t)_mm256_movemask_ps(all);
}

__attribute__((target("avx2"))) static void
meet_rows_avx2(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], uint32_t chosen, float grow,
               const float (*eight_min)[BW_WIDTH], const float (*eight_max)[BW_WIDTH], uint8_t rows[BW_WIDTH])
{
    __m256 low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = _mm256_loadu_ps(eight_min[k]);
        high[k] = _mm256_loadu_ps(eight_max[k]);
    }
    for (; chosen != 0; chosen &= chosen - 1) {
        uint32_t row = (uint32_t)__builtin_ctz(chosen);
        __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for (int k = 0; k < 3; k++) {
            all = _mm256_and_ps(all, _mm256_cmp_ps(_mm256_set1_ps(min[k][row] - grow), high[k], _CMP_LE_OQ));
            all = _mm256_and_ps(all, _mm256_cmp_ps(low[k], _mm256_set1_ps(max[k][row] + grow), _CMP_LE_OQ));
        }
        rows[row] = (uint8_t)_mm256_movemask_ps(all);
    }
}

const bw_swept_kernels bw_swept_kernels_avx2 = {meet_avx2, meet_rows_avx2};
#endif
