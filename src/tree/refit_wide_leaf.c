#include "tree/refit_wide_leaf.h"

#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide_load.h"

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

static void box_f32_scalar(const bw_leaf_source *source, const uint32_t *list, uint32_t count, bw_box *out)
{
    const float *first = bw_view_f32(source->mesh, list[0]);
    float low[3] = {first[0], first[1], first[2]}, high[3] = {first[0], first[1], first[2]};
    for (uint32_t i = 1; i < count; i++) {
        const float *p = bw_view_f32(source->mesh, list[i]);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
            high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out->min[axis] = low[axis] + 0.0f;
        out->max[axis] = high[axis] + 0.0f;
    }
}

static void box_f64_scalar(const bw_leaf_source *source, const uint32_t *list, uint32_t count, bw_box *out)
{
    const double *first = bw_view_f64(source->mesh, list[0]);
    double low[3] = {first[0], first[1], first[2]}, high[3] = {first[0], first[1], first[2]};
    for (uint32_t i = 1; i < count; i++) {
        const double *p = bw_view_f64(source->mesh, list[i]);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
            high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out->min[axis] = bw_float_down(low[axis]) + 0.0f;
        out->max[axis] = bw_float_up(high[axis]) + 0.0f;
    }
}

#if BW_SIMD_X86
__attribute__((target("sse2"))) static inline void store_box(__m128 low, __m128 high, bw_box *out)
{
    const __m128 zero = _mm_setzero_ps();
    _Alignas(16) float l[4], h[4];
    _mm_store_ps(l, _mm_add_ps(low, zero));
    _mm_store_ps(h, _mm_add_ps(high, zero));
    for (int axis = 0; axis < 3; axis++) {
        out->min[axis] = l[axis];
        out->max[axis] = h[axis];
    }
}

__attribute__((target("sse2"))) static void box_f32_sse(const bw_leaf_source *source, const uint32_t *list,
                                                        uint32_t count, bw_box *out)
{
    const char *positions = source->positions;
    const size_t stride = source->stride;
    __m128 low = bw_load3_sse(positions + list[count - 1] * stride), high = low;
    if (list[count - 1] == source->last) {
        for (uint32_t i = 0; i + 1 < count; i++) {
            __m128 p = bw_load3_sse(positions + list[i] * stride);
            low = _mm_min_ps(p, low);
            high = _mm_max_ps(p, high);
        }
    } else { /* the lane beyond a vertex may be read, since another vertex follows */
        for (uint32_t i = 0; i + 1 < count; i++) {
            __m128 p = _mm_loadu_ps((const float *)(const void *)(positions + list[i] * stride));
            low = _mm_min_ps(p, low);
            high = _mm_max_ps(p, high);
        }
    }
    store_box(low, high, out);
}

/* Three doubles, without reading beyond. */
__attribute__((target("avx2"))) static inline __m256d load3_avx2(const char *at)
{
    const double *p = (const double *)(const void *)at;
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_load_sd(p + 2), 1);
}

__attribute__((target("avx2"))) static void box_f64_avx2(const bw_leaf_source *source, const uint32_t *list,
                                                         uint32_t count, bw_box *out)
{
    const char *positions = source->positions;
    const size_t stride = source->stride;
    __m256d low = load3_avx2(positions + list[count - 1] * stride), high = low;
    for (uint32_t i = 0; i + 1 < count; i++) {
        __m256d p = load3_avx2(positions + list[i] * stride);
        low = _mm256_min_pd(p, low);
        high = _mm256_max_pd(p, high);
    }
    _Alignas(32) double l[4], h[4];
    _mm256_store_pd(l, low);
    _mm256_store_pd(h, high);
    for (int axis = 0; axis < 3; axis++) {
        out->min[axis] = bw_float_down(l[axis]) + 0.0f;
        out->max[axis] = bw_float_up(h[axis]) + 0.0f;
    }
}
#endif

bw_leaf_source bw_leaf_source_of(const bw_mesh *mesh, bw_simd simd)
{
    bw_leaf_source source = {mesh, mesh->positions, bw_view_stride(mesh), mesh->vertex_count - 1,
                             mesh->scalar == BW_F64 ? box_f64_scalar : box_f32_scalar};
    simd = bw_simd_level(simd);
#if BW_SIMD_X86
    if (simd >= BW_SIMD_SSE && mesh->scalar == BW_F32)
        source.box = box_f32_sse;
    if (simd >= BW_SIMD_AVX2 && mesh->scalar == BW_F64)
        source.box = box_f64_avx2;
#endif
    return source;
}
