/* Leaves filled from the mesh after a build: corners, boxes and numbers. */
#include "tree/wide/leaf_corners.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build/first_touch.h"
#include "tree/wide/load_vertex.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

enum { GRAIN = 256 };

static bw_box leaf_box(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh)
{
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    bw_box all = bw_box_empty();
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++) {
        bw_vec3 corners[3];
        bw_mesh_view_corners(mesh, primitives[i], corners);
        bw_box box = bw_box_of_points(corners, 3);
        all = bw_box_union(&all, &box);
    }
    for (int axis = 0; axis < 3; axis++) { /* no -0 */
        all.min[axis] += 0.0f;
        all.max[axis] += 0.0f;
    }
    return all;
}

static void set_origin(bw_wide_corners *out, const bw_box *box)
{
    for (int axis = 0; axis < 3; axis++)
        out->origin[axis] = 0.5f * (box->min[axis] + box->max[axis]);
}

/* A float minus the float origin is rounded once, a double minus it twice. */
static bw_box fit_scalar(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_wide_corners *out)
{
    const uint32_t count = wide->leaves[leaf].count;
    bw_box box = leaf_box(wide, leaf, mesh);
    set_origin(out, &box);
    out->magnitude = 0;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        uint32_t primitive = wide->primitives[(size_t)leaf * BW_WIDTH + (slot < count ? slot : 0)];
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t vertex = bw_mesh_view_index(mesh, primitive, corner);
            for (uint32_t axis = 0; axis < 3; axis++) {
                float x = mesh->scalar == BW_F64
                              ? (float)(bw_mesh_view_f64(mesh, vertex)[axis] - (double)out->origin[axis])
                              : bw_mesh_view_f32(mesh, vertex)[axis] - out->origin[axis];
                out->coordinate[corner][axis][slot] = x;
                out->magnitude = fmaxf(out->magnitude, fabsf(x));
            }
        }
    }
    return box;
}

#if BW_SIMD_X86
/* Lanes x, y, z: the smallest of each row's four. */
__attribute__((target("sse2"))) static inline __m128 row_minima(__m128 x, __m128 y, __m128 z)
{
    __m128 xy = _mm_min_ps(_mm_unpacklo_ps(x, y), _mm_unpackhi_ps(x, y));
    __m128 zz = _mm_min_ps(_mm_unpacklo_ps(z, z), _mm_unpackhi_ps(z, z));
    return _mm_min_ps(_mm_movelh_ps(xy, zz), _mm_movehl_ps(zz, xy));
}

__attribute__((target("sse2"))) static inline __m128 row_maxima(__m128 x, __m128 y, __m128 z)
{
    __m128 xy = _mm_max_ps(_mm_unpacklo_ps(x, y), _mm_unpackhi_ps(x, y));
    __m128 zz = _mm_max_ps(_mm_unpacklo_ps(z, z), _mm_unpackhi_ps(z, z));
    return _mm_max_ps(_mm_movelh_ps(xy, zz), _mm_movehl_ps(zz, xy));
}

/* Triangles of floats: first the coordinates as they are, with the box on the way, then all about the box's
 * middle. */
__attribute__((target("sse2"))) static bw_box fit_f32_128(const bw_wide *wide, uint32_t leaf,
                                                          const bw_mesh *mesh, bw_wide_corners *out)
{
    const char *positions = mesh->positions;
    const size_t stride = bw_mesh_view_stride(mesh);
    const uint32_t count = wide->leaves[leaf].count;
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t *corners[BW_WIDTH];
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        corners[slot] = mesh->indices + 3 * (size_t)primitives[slot < count ? slot : 0];
    __m128 low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = _mm_set1_ps(INFINITY);
        high[axis] = _mm_set1_ps(-INFINITY);
    }
    for (uint32_t corner = 0; corner < 3; corner++)
        for (uint32_t half = 0; half < BW_WIDTH; half += 4) {
            __m128 x = bw_load3_128(positions + corners[half][corner] * stride);
            __m128 y = bw_load3_128(positions + corners[half + 1][corner] * stride);
            __m128 z = bw_load3_128(positions + corners[half + 2][corner] * stride);
            __m128 w = bw_load3_128(positions + corners[half + 3][corner] * stride);
            _MM_TRANSPOSE4_PS(x, y, z, w);
            _mm_store_ps(&out->coordinate[corner][0][half], x);
            _mm_store_ps(&out->coordinate[corner][1][half], y);
            _mm_store_ps(&out->coordinate[corner][2][half], z);
            low[0] = _mm_min_ps(low[0], x);
            low[1] = _mm_min_ps(low[1], y);
            low[2] = _mm_min_ps(low[2], z);
            high[0] = _mm_max_ps(high[0], x);
            high[1] = _mm_max_ps(high[1], y);
            high[2] = _mm_max_ps(high[2], z);
        }
    const __m128 zero = _mm_setzero_ps();
    _Alignas(16) float l[4], h[4];
    _mm_store_ps(l, _mm_add_ps(row_minima(low[0], low[1], low[2]), zero));
    _mm_store_ps(h, _mm_add_ps(row_maxima(high[0], high[1], high[2]), zero));
    const bw_box box = {{l[0], l[1], l[2]}, {h[0], h[1], h[2]}};
    set_origin(out, &box);
    const __m128 sign = _mm_set1_ps(-0.0f);
    __m128 largest = zero;
    for (int axis = 0; axis < 3; axis++) {
        const __m128 origin = _mm_set1_ps(out->origin[axis]);
        for (uint32_t corner = 0; corner < 3; corner++) {
            float *row = out->coordinate[corner][axis];
            __m128 a = _mm_sub_ps(_mm_load_ps(row), origin), b = _mm_sub_ps(_mm_load_ps(row + 4), origin);
            _mm_store_ps(row, a);
            _mm_store_ps(row + 4, b);
            largest = _mm_max_ps(largest, _mm_max_ps(_mm_andnot_ps(sign, a), _mm_andnot_ps(sign, b)));
        }
    }
    largest = _mm_max_ps(largest, _mm_movehl_ps(largest, largest));
    _mm_store_ss(&out->magnitude, _mm_max_ss(largest, _mm_shuffle_ps(largest, largest, 1)));
    return box;
}

__attribute__((target("avx2"), always_inline)) static inline __m128 fold_min(__m256 row)
{
    return _mm_min_ps(_mm256_castps256_ps128(row), _mm256_extractf128_ps(row, 1));
}

__attribute__((target("avx2"), always_inline)) static inline __m128 fold_max(__m256 row)
{
    return _mm_max_ps(_mm256_castps256_ps128(row), _mm256_extractf128_ps(row, 1));
}

/* The same with all nine rows in registers, written once: into the cache, or past it. */
__attribute__((target("avx2"), always_inline)) static inline bw_box
fit_f32_any(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_wide_corners *out, bool past_cache)
{
    const uint32_t count = wide->leaves[leaf].count;
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t *corners[BW_WIDTH];
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        corners[slot] = mesh->indices + 3 * (size_t)primitives[slot < count ? slot : 0];
    const size_t stride = bw_mesh_view_stride(mesh);
    __m256 rows[3][3];
    for (uint32_t corner = 0; corner < 3; corner++)
        bw_load_rows_avx2(mesh->positions, stride, corners, corner, rows[corner]);
    __m128 low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = fold_min(_mm256_min_ps(_mm256_min_ps(rows[0][axis], rows[1][axis]), rows[2][axis]));
        high[axis] = fold_max(_mm256_max_ps(_mm256_max_ps(rows[0][axis], rows[1][axis]), rows[2][axis]));
    }
    const __m128 zero = _mm_setzero_ps();
    const __m128 l = _mm_add_ps(row_minima(low[0], low[1], low[2]), zero);
    const __m128 h = _mm_add_ps(row_maxima(high[0], high[1], high[2]), zero);
    const __m128 origin = _mm_mul_ps(_mm_set1_ps(0.5f), _mm_add_ps(l, h));
    _Alignas(16) float lows[4], highs[4], origins[4];
    _mm_store_ps(lows, l);
    _mm_store_ps(highs, h);
    _mm_store_ps(origins, origin);
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 largest = _mm256_setzero_ps();
    for (uint32_t corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++) {
            __m256 row = _mm256_sub_ps(rows[corner][axis], _mm256_set1_ps(origins[axis]));
            largest = _mm256_max_ps(largest, _mm256_andnot_ps(sign, row));
            if (past_cache)
                _mm256_stream_ps(out->coordinate[corner][axis], row);
            else
                _mm256_store_ps(out->coordinate[corner][axis], row);
        }
    __m128 most = fold_max(largest);
    most = _mm_max_ps(most, _mm_movehl_ps(most, most));
    most = _mm_max_ss(most, _mm_shuffle_ps(most, most, 1));
    most = _mm_blend_ps(origin, _mm_shuffle_ps(most, most, 0), 8);
    if (past_cache) {
        _mm_stream_ps(out->origin, most);
        _mm_stream_ps(out->reserved, zero);
    } else {
        _mm_store_ps(out->origin, most);
        _mm_store_ps(out->reserved, zero);
    }
    return (bw_box){{lows[0], lows[1], lows[2]}, {highs[0], highs[1], highs[2]}};
}

__attribute__((target("avx2"))) static bw_box fit_f32_avx2(const bw_wide *wide, uint32_t leaf,
                                                           const bw_mesh *mesh, bw_wide_corners *out)
{
    return fit_f32_any(wide, leaf, mesh, out, false);
}

__attribute__((target("avx2"))) static bw_box fit_f32_past_cache(const bw_wide *wide, uint32_t leaf,
                                                                 const bw_mesh *mesh, bw_wide_corners *out)
{
    return fit_f32_any(wide, leaf, mesh, out, true);
}
#endif

bw_box bw_wide_fit_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd)
{
    assert(wide->obbs.of_node == NULL); /* they would hold what was there before */
    bw_wide_corners *out = &wide->corners[leaf];
    memset(out->reserved, 0, sizeof out->reserved);
#if BW_SIMD_X86
    if (mesh->scalar == BW_F32 && mesh->indices != NULL && simd >= BW_SIMD_128)
        return simd >= BW_SIMD_AVX2 ? fit_f32_avx2(wide, leaf, mesh, out)
                                    : fit_f32_128(wide, leaf, mesh, out);
#endif
    (void)simd;
    return fit_scalar(wide, leaf, mesh, out);
}

bw_box bw_wide_renew_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd)
{
    assert(wide->obbs.of_node == NULL);
#if BW_SIMD_X86
    if (mesh->scalar == BW_F32 && mesh->indices != NULL && simd >= BW_SIMD_AVX2)
        return fit_f32_past_cache(wide, leaf, mesh, &wide->corners[leaf]);
#endif
    return bw_wide_fit_corners(wide, leaf, mesh, simd);
}

void bw_wide_renewed_corners(bw_simd simd)
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        _mm_sfence();
#endif
    (void)simd;
}

typedef struct job {
    bw_wide *wide;
    const bw_mesh *mesh;
    bw_simd simd;
} job;

static void corner_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *work = context;
    const bool past_cache = work->wide->leaf_count > BW_WIDE_MANY_LEAVES;
    for (uint32_t leaf = begin; leaf < end; leaf++) {
        if (work->wide->leaves[leaf].count == 0)
            continue;
        if (past_cache)
            bw_wide_renew_corners(work->wide, leaf, work->mesh, work->simd);
        else
            bw_wide_fit_corners(work->wide, leaf, work->mesh, work->simd);
    }
    if (past_cache)
        bw_wide_renewed_corners(work->simd);
}

bw_result bw_wide_fill_corners(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks, bw_simd simd)
{
    if (wide->corners == NULL) {
        wide->corners = bw_allocate(&wide->allocator, wide->leaf_capacity, sizeof *wide->corners);
        if (wide->corners == NULL)
            return BW_ERROR_MEMORY;
    }
    job work = {wide, mesh, bw_simd_level(simd)};
    bw_parallel_first_touch(tasks, corner_range, &work, wide->leaf_count, GRAIN, NULL, 0);
    return BW_OK;
}
