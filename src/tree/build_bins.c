#include "tree/build_bins.h"

#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

static void clear_bins(bw_bins *b)
{
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t bin = 0; bin < b->bins; bin++) {
            for (int i = 0; i < 8; i++)
                b->axis[axis].box[bin][i] = BW_WIDE_EMPTY;
            b->axis[axis].count[bin] = 0;
        }
}

void bw_bins_begin(bw_bins *b, const bw_box *hint, uint32_t bins)
{
    b->bins = bins;
    b->total = 0;
    b->low[3] = b->scale[3] = 0;
    for (int axis = 0; axis < 3; axis++) {
        float extent = 2 * (hint->max[axis] - hint->min[axis]);
        b->low[axis] = 2 * hint->min[axis];
        b->scale[axis] = extent > 0x1p-110f ? (float)bins / extent : 0;
    }
    clear_bins(b);
}

static inline uint32_t bin_at(const bw_bins *b, float centre, int axis)
{
    float at = (centre - b->low[axis]) * b->scale[axis], top = (float)(b->bins - 1);
    at = at > 0 ? at : 0;
    return (uint32_t)(at < top ? at : top);
}

uint32_t bw_bins_of(const bw_bins *b, const bw_ref *ref, int axis)
{
    return bin_at(b, ref->low[axis] - ref->negative_high[axis], axis);
}

static void add_scalar(bw_bins *b, const bw_ref *refs, uint32_t count, uint32_t stride, uint32_t *packed)
{
    for (uint32_t i = 0; i < count; i += stride) {
        uint32_t word = 0;
        for (int axis = 0; axis < 3; axis++) {
            uint32_t bin = bw_bins_of(b, &refs[i], axis);
            float *box = b->axis[axis].box[bin];
            for (int k = 0; k < 3; k++) {
                box[k] = refs[i].low[k] < box[k] ? refs[i].low[k] : box[k];
                box[4 + k] = refs[i].negative_high[k] < box[4 + k] ? refs[i].negative_high[k] : box[4 + k];
            }
            b->axis[axis].count[bin]++;
            word |= bin << 8 * axis;
        }
        if (packed != NULL)
            packed[i] = word;
    }
}

#if BW_SIMD_X86
__attribute__((target("sse2"))) static void add_sse(bw_bins *b, const bw_ref *refs, uint32_t count,
                                                    uint32_t stride, uint32_t *packed)
{
    const __m128 low = _mm_loadu_ps(b->low), scale = _mm_loadu_ps(b->scale);
    const __m128 top = _mm_set1_ps((float)(b->bins - 1)), zero = _mm_setzero_ps();
    for (uint32_t i = 0; i < count; i += stride) {
        __m128 l = _mm_load_ps(refs[i].low), h = _mm_load_ps(refs[i].negative_high);
        __m128 at = _mm_mul_ps(_mm_sub_ps(_mm_sub_ps(l, h), low), scale);
        __m128i bins = _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(at, zero), top));
        uint32_t bin[3] = {(uint32_t)_mm_cvtsi128_si32(bins),
                           (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(bins, 1)),
                           (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(bins, 2))};
        for (int axis = 0; axis < 3; axis++) {
            float *box = b->axis[axis].box[bin[axis]];
            _mm_store_ps(box, _mm_min_ps(l, _mm_load_ps(box)));
            _mm_store_ps(box + 4, _mm_min_ps(h, _mm_load_ps(box + 4)));
            b->axis[axis].count[bin[axis]]++;
        }
        if (packed != NULL)
            packed[i] = bin[0] | bin[1] << 8 | bin[2] << 16;
    }
}

__attribute__((target("avx2"))) static void add_avx2(bw_bins *b, const bw_ref *refs, uint32_t count,
                                                     uint32_t stride, uint32_t *packed)
{
    const __m128 low = _mm_loadu_ps(b->low), scale = _mm_loadu_ps(b->scale);
    const __m128 top = _mm_set1_ps((float)(b->bins - 1)), zero = _mm_setzero_ps();
    for (uint32_t i = 0; i < count; i += stride) {
        __m256 r = _mm256_load_ps(refs[i].low);
        __m128 centre = _mm_sub_ps(_mm256_castps256_ps128(r), _mm256_extractf128_ps(r, 1));
        __m128 at = _mm_mul_ps(_mm_sub_ps(centre, low), scale);
        __m128i bins = _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(at, zero), top));
        uint64_t xy = (uint64_t)_mm_cvtsi128_si64(bins);
        uint32_t x = (uint32_t)xy, y = (uint32_t)(xy >> 32), z = (uint32_t)_mm_extract_epi32(bins, 2);
        float *box_x = b->axis[0].box[x], *box_y = b->axis[1].box[y], *box_z = b->axis[2].box[z];
        __m256 union_x = _mm256_min_ps(r, _mm256_load_ps(box_x));
        __m256 union_y = _mm256_min_ps(r, _mm256_load_ps(box_y));
        __m256 union_z = _mm256_min_ps(r, _mm256_load_ps(box_z));
        _mm256_store_ps(box_x, union_x);
        _mm256_store_ps(box_y, union_y);
        _mm256_store_ps(box_z, union_z);
        b->axis[0].count[x]++;
        b->axis[1].count[y]++;
        b->axis[2].count[z]++;
        if (packed != NULL)
            packed[i] = x | y << 8 | z << 16;
    }
}
#endif

void bw_bins_add(bw_bins *b, const bw_ref *refs, uint32_t count, uint32_t stride, uint32_t *packed,
                 bw_simd simd)
{
    b->total += count / stride + (count % stride != 0);
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2) {
        add_avx2(b, refs, count, stride, packed);
        return;
    }
    if (simd >= BW_SIMD_SSE) {
        add_sse(b, refs, count, stride, packed);
        return;
    }
#endif
    (void)simd;
    add_scalar(b, refs, count, stride, packed);
}
