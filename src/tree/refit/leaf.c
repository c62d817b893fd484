/* Refit of leaves: boxes from corners, and copies of corners. */
#include "tree/refit/leaf.h"

#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide/load_vertex.h"

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

static void box_f32_scalar(const bw_leaf_source *source, const uint32_t *list, uint32_t count, bw_box *out)
{
    const float *first = bw_mesh_view_f32(source->mesh, list[0]);
    float low[3] = {first[0], first[1], first[2]}, high[3] = {first[0], first[1], first[2]};
    for (uint32_t i = 1; i < count; i++) {
        const float *p = bw_mesh_view_f32(source->mesh, list[i]);
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
    const double *first = bw_mesh_view_f64(source->mesh, list[0]);
    double low[3] = {first[0], first[1], first[2]}, high[3] = {first[0], first[1], first[2]};
    for (uint32_t i = 1; i < count; i++) {
        const double *p = bw_mesh_view_f64(source->mesh, list[i]);
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

__attribute__((target("sse2"))) static void box_f32_128(const bw_leaf_source *source, const uint32_t *list,
                                                        uint32_t count, bw_box *out)
{
    const char *positions = source->positions;
    const size_t stride = source->stride;
    __m128 low = bw_load3_128(positions + list[count - 1] * stride), high = low;
    if (list[count - 1] == source->last) {
        for (uint32_t i = 0; i + 1 < count; i++) {
            __m128 p = bw_load3_128(positions + list[i] * stride);
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

/* The corners of eight boxes, as rows of four, turned into three rows of eight. */
__attribute__((target("avx2"))) static inline void store_rows(const __m128 rows[BW_WIDTH],
                                                              float out[3][BW_WIDTH])
{
    __m256 a = _mm256_set_m128(rows[4], rows[0]), b = _mm256_set_m128(rows[5], rows[1]);
    __m256 c = _mm256_set_m128(rows[6], rows[2]), d = _mm256_set_m128(rows[7], rows[3]);
    __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d); /* x x y y */
    __m256 zab = _mm256_unpackhi_ps(a, b), zcd = _mm256_unpackhi_ps(c, d);
    _mm256_store_ps(out[0], _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0)));
    _mm256_store_ps(out[1], _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2)));
    _mm256_store_ps(out[2], _mm256_shuffle_ps(zab, zcd, _MM_SHUFFLE(1, 0, 1, 0)));
}

/* The same bits as lane by lane: two vertices a step, and all boxes of a node written at once. */
__attribute__((target("avx2"))) static void fit_f32_tight_avx2(const bw_leaf_source *source,
                                                               const bw_wide *wide, bw_wide_node *node)
{
    const float *positions = (const float *)(const void *)source->positions;
    const __m128 zero = _mm_setzero_ps();
    __m128 lows[BW_WIDTH], highs[BW_WIDTH];
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        lows[lane] = _mm_set1_ps(BW_WIDE_EMPTY);
        highs[lane] = _mm_set1_ps(-BW_WIDE_EMPTY);
    }
    for (uint32_t lane = 0; lane < node->count; lane++) {
        const uint32_t leaf = node->child[lane] & ~BW_WIDE_LEAF;
        const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
        const uint32_t count = wide->leaves[leaf].vertex_count, others = count - 1;
        /* Only the last can be the mesh's last vertex, beyond which nothing may be read. */
        const __m128 end = bw_load3_128((const char *)(positions + 3 * (size_t)list[others]));
        __m256 low = _mm256_set_m128(end, end), high = low;
        uint32_t i = 0;
        for (; i + 2 <= others; i += 2) {
            __m128 p = _mm_loadu_ps(positions + 3 * (size_t)list[i]);
            __m128 q = _mm_loadu_ps(positions + 3 * (size_t)list[i + 1]);
            __m256 both = _mm256_set_m128(q, p);
            low = _mm256_min_ps(both, low);
            high = _mm256_max_ps(both, high);
        }
        __m128 l = _mm_min_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(low, 1));
        __m128 h = _mm_max_ps(_mm256_castps256_ps128(high), _mm256_extractf128_ps(high, 1));
        if (i < others) {
            __m128 p = _mm_loadu_ps(positions + 3 * (size_t)list[i]);
            l = _mm_min_ps(p, l);
            h = _mm_max_ps(p, h);
        }
        lows[lane] = _mm_add_ps(l, zero);
        highs[lane] = _mm_add_ps(h, zero);
    }
    store_rows(lows, node->min);
    store_rows(highs, node->max);
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
    bw_leaf_source source = {mesh,
                             mesh->positions,
                             bw_mesh_view_stride(mesh),
                             mesh->vertex_count - 1,
                             mesh->scalar == BW_F64 ? box_f64_scalar : box_f32_scalar,
                             NULL};
    simd = bw_simd_level(simd);
#if BW_SIMD_X86
    if (simd >= BW_SIMD_128 && mesh->scalar == BW_F32)
        source.box = box_f32_128;
    if (simd >= BW_SIMD_AVX2 && mesh->scalar == BW_F64)
        source.box = box_f64_avx2;
    if (simd >= BW_SIMD_AVX2 && mesh->scalar == BW_F32 && source.stride == 3 * sizeof(float))
        source.fit = fit_f32_tight_avx2;
#endif
    return source;
}
