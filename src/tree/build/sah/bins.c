/* Binning of references for the surface-area heuristic. */
#include "tree/build/sah/bins.h"

#include "base/simd/f32x4.h"

#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

static void lay_out(bw_bins *b, const bw_box *hint)
{
    float extent[3], longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = 2 * (hint->max[axis] - hint->min[axis]);
        longest = extent[axis] > longest ? extent[axis] : longest;
    }
    b->axes = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (extent[axis] < BW_AXIS_WORTH * longest)
            continue;
        b->which[b->axes] = axis;
        b->low[b->axes] = 2 * hint->min[axis];
        b->scale[b->axes] = extent[axis] > 0x1p-110f ? (float)b->bins / extent[axis] : 0;
        b->axes++;
    }
    for (uint32_t k = b->axes; k < 4; k++) {
        b->which[k] = 0;
        b->low[k] = b->scale[k] = 0;
    }
}

void bw_bins_begin(bw_bins *b, const bw_box *hint, uint32_t bins)
{
    b->bins = bins;
    b->total = 0;
    lay_out(b, hint);
    for (uint32_t k = 0; k < b->axes; k++)
        for (uint32_t bin = 0; bin < bins; bin++) {
            for (int i = 0; i < 8; i++)
                b->axis[k].box[bin][i] = BW_WIDE_EMPTY;
            b->axis[k].count[bin] = 0;
        }
}

static inline uint32_t add_one(bw_bins *b, const bw_ref *ref, const uint32_t bin[3], const uint32_t axes)
{
    const v4 low = v4_load(ref->low), high = v4_load(ref->negative_high);
    uint32_t word = 0;
    for (uint32_t k = 0; k < axes; k++) {
        float *box = b->axis[k].box[bin[k]];
        v4_store(box, v4_min(low, v4_load(box)));
        v4_store(box + 4, v4_min(high, v4_load(box + 4)));
        b->axis[k].count[bin[k]]++;
        word |= bin[k] << 8 * k;
    }
    return word;
}

static inline uint32_t add_some(bw_bins *b, const bw_ref *ref)
{
    uint32_t bin[3];
    for (uint32_t k = 0; k < b->axes; k++)
        bin[k] = bw_bins_of(b, ref, (int)k);
    return add_one(b, ref, bin, b->axes);
}

/* Of all three axes, which are then in their order: the three bins at once. */
typedef struct lay_out_three {
    v4 low, scale, top;
} lay_out_three;

static inline uint32_t add_three(bw_bins *b, const lay_out_three *lay, const bw_ref *ref)
{
    const v4 centre = v4_load(ref->low) - v4_load(ref->negative_high);
    const v4 at = v4_min(v4_max((centre - lay->low) * lay->scale, v4_all(0)), lay->top);
    const i4 bins = __builtin_convertvector(at, i4);
    const uint32_t bin[3] = {(uint32_t)bins[0], (uint32_t)bins[1], (uint32_t)bins[2]};
    return add_one(b, ref, bin, 3);
}

/* Neighbours fall into the same bins, and would wait for each other there: references of the two halves come
 * in turn. */
static void add_plain(bw_bins *b, const bw_ref *refs, uint32_t count, uint32_t stride, uint32_t *packed)
{
    const uint32_t steps = (count + stride - 1) / stride, half = steps / 2 * stride;
    const lay_out_three lay = {v4_load(b->low), v4_load(b->scale), v4_all((float)(b->bins - 1))};
    const bool three = b->axes == 3;
    for (uint32_t i = 0; i < half; i += stride) {
        const uint32_t first = three ? add_three(b, &lay, &refs[i]) : add_some(b, &refs[i]),
                       second = three ? add_three(b, &lay, &refs[half + i]) : add_some(b, &refs[half + i]);
        if (packed != NULL) {
            packed[i] = first;
            packed[half + i] = second;
        }
    }
    if (steps % 2 != 0) {
        const size_t i = 2 * (size_t)half;
        const uint32_t last = three ? add_three(b, &lay, &refs[i]) : add_some(b, &refs[i]);
        if (packed != NULL)
            packed[i] = last;
    }
}

#if BW_SIMD_X86
typedef struct lay_out_avx2 {
    __m128 low, scale, top;
    __m128i which;
} lay_out_avx2;

__attribute__((target("avx2"), always_inline)) static inline uint32_t
add_one_avx2(bw_bins *b, const lay_out_avx2 *lay, const bw_ref *ref, const uint32_t axes)
{
    __m256 r = _mm256_load_ps(ref->low);
    __m128 centre = _mm_sub_ps(_mm256_castps256_ps128(r), _mm256_extractf128_ps(r, 1));
    __m128 at = _mm_mul_ps(_mm_sub_ps(_mm_permutevar_ps(centre, lay->which), lay->low), lay->scale);
    __m128i bins = _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(at, _mm_setzero_ps()), lay->top));
    uint64_t pair = (uint64_t)_mm_cvtsi128_si64(bins);
    const uint32_t bin[3] = {(uint32_t)pair, (uint32_t)(pair >> 32), (uint32_t)_mm_extract_epi32(bins, 2)};
    uint32_t word = 0;
    for (uint32_t k = 0; k < axes; k++) {
        float *box = b->axis[k].box[bin[k]];
        _mm256_store_ps(box, _mm256_min_ps(r, _mm256_load_ps(box)));
        b->axis[k].count[bin[k]]++;
        word |= bin[k] << 8 * k;
    }
    return word;
}

/* One copy for each number of axes: the loop over them is unrolled. In turn, as above. */
__attribute__((target("avx2"), always_inline)) static inline void
add_axes_avx2(bw_bins *b, const bw_ref *refs, uint32_t count, uint32_t stride, uint32_t *packed,
              const uint32_t axes)
{
    const lay_out_avx2 lay = {_mm_loadu_ps(b->low), _mm_loadu_ps(b->scale), _mm_set1_ps((float)(b->bins - 1)),
                              _mm_loadu_si128((const __m128i *)(const void *)b->which)};
    const uint32_t steps = (count + stride - 1) / stride, half = steps / 2 * stride;
    for (uint32_t i = 0; i < half; i += stride) {
        const uint32_t first = add_one_avx2(b, &lay, &refs[i], axes);
        const uint32_t second = add_one_avx2(b, &lay, &refs[half + i], axes);
        if (packed != NULL) {
            packed[i] = first;
            packed[half + i] = second;
        }
    }
    if (steps % 2 != 0) {
        const uint32_t last = add_one_avx2(b, &lay, &refs[2 * (size_t)half], axes);
        if (packed != NULL)
            packed[2 * (size_t)half] = last;
    }
}

__attribute__((target("avx2"))) static void add_avx2(bw_bins *b, const bw_ref *refs, uint32_t count,
                                                     uint32_t stride, uint32_t *packed)
{
    if (b->axes == 3)
        add_axes_avx2(b, refs, count, stride, packed, 3);
    else if (b->axes == 2)
        add_axes_avx2(b, refs, count, stride, packed, 2);
    else
        add_axes_avx2(b, refs, count, stride, packed, 1);
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
#endif
    (void)simd;
    add_plain(b, refs, count, stride, packed);
}
