/* The corners of leaves read from the mesh, for trees that keep none. */
#include "tree/wide/gather_corners.h"

#include "mesh/view.h"
#include "tree/wide/deferred.h"
#include "tree/wide/load_vertex.h"

/* A float minus the float origin is rounded once, a double minus it twice. */
static void gather_scalar(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                          bw_wide_corners *out)
{
    out->magnitude = 0.0f;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        uint32_t primitive = primitives[slot < count ? slot : 0];
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t vertex = bw_mesh_view_index(mesh, primitive, corner);
            for (int axis = 0; axis < 3; axis++) {
                float f = mesh->scalar == BW_F64
                              ? (float)(bw_mesh_view_f64(mesh, vertex)[axis] - (double)out->origin[axis])
                              : bw_mesh_view_f32(mesh, vertex)[axis] - out->origin[axis];
                float size = f < 0.0f ? -f : f;
                out->coordinate[corner][axis][slot] = f;
                out->magnitude = size > out->magnitude ? size : out->magnitude;
            }
        }
    }
}

#if BW_SIMD_X86
/* Triangles of floats. */
__attribute__((target("avx2"))) static void gather_f32_avx2(const bw_mesh *mesh, const uint32_t *primitives,
                                                            uint32_t count, bw_wide_corners *out)
{
    const uint32_t *corners[BW_WIDTH];
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        corners[slot] = mesh->indices + 3 * (size_t)primitives[slot < count ? slot : 0];
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 largest = _mm256_setzero_ps();
    for (uint32_t corner = 0; corner < 3; corner++) {
        __m256 rows[3];
        bw_load_rows_avx2(mesh->positions, bw_mesh_view_stride(mesh), corners, corner, rows);
        for (int axis = 0; axis < 3; axis++) {
            const __m256 row = _mm256_sub_ps(rows[axis], _mm256_set1_ps(out->origin[axis]));
            _mm256_storeu_ps(out->coordinate[corner][axis], row);
            largest = _mm256_max_ps(largest, _mm256_andnot_ps(sign, row));
        }
    }
    __m128 most = _mm_max_ps(_mm256_castps256_ps128(largest), _mm256_extractf128_ps(largest, 1));
    most = _mm_max_ps(most, _mm_movehl_ps(most, most));
    out->magnitude = _mm_cvtss_f32(_mm_max_ss(most, _mm_shuffle_ps(most, most, 1)));
}
#endif

void bw_wide_corners_gather(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bool vectors,
                            bw_wide_corners *out)
{
#if BW_SIMD_X86
    if (vectors && mesh->scalar == BW_F32 && mesh->indices != NULL) {
        gather_f32_avx2(mesh, primitives, count, out);
        return;
    }
#endif
    (void)vectors;
    gather_scalar(mesh, primitives, count, out);
}

void bw_wide_leaf_gather_at(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bool vectors,
                            bw_wide_corners *out)
{
    const bw_wide_leaf *l = &tree->leaves[leaf];
    const bw_wide_node *parent = &tree->nodes[l->parent];
    for (int axis = 0; axis < 3; axis++) /* bounds are below 2^101, halves cannot overflow */
        out->origin[axis] = 0.5f * parent->min[axis][l->lane] + 0.5f * parent->max[axis][l->lane];
    bw_wide_need_leaf(tree, leaf); /* its vertices may be still to be written */
    bw_wide_corners_gather(mesh, tree->primitives + (size_t)leaf * BW_WIDTH, l->count, vectors, out);
}

void bw_wide_leaf_gather(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bw_wide_corners *out)
{
    bw_wide_leaf_gather_at(tree, mesh, leaf, bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2, out);
}
