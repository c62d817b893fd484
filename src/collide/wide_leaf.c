/* Leaves made ready for comparison: corners gathered from the mesh, moved to the origin, in float. */
#include "collide/wide_leaf.h"

#include "mesh/view.h"
#include "tree/wide_lazy.h"
#include "tree/wide_load.h"

/* A float minus the float origin is rounded once, a double minus it twice. */
static void gather_scalar(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                          bw_wide_corners *out)
{
    out->magnitude = 0.0f;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        uint32_t primitive = primitives[slot < count ? slot : 0];
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t vertex = bw_view_index(mesh, primitive, corner);
            for (int axis = 0; axis < 3; axis++) {
                float f = mesh->scalar == BW_F64
                              ? (float)(bw_view_f64(mesh, vertex)[axis] - (double)out->origin[axis])
                              : bw_view_f32(mesh, vertex)[axis] - out->origin[axis];
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
        bw_load_rows_avx2(mesh->positions, bw_view_stride(mesh), corners, corner, rows);
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

static void gather(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bool vectors,
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
    gather(tree, mesh, leaf, bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2, out);
}

void bw_wide_leaf_cache_init(bw_wide_leaf_cache *cache, const bw_wide *tree, const bw_mesh *mesh,
                             const bw_wide_kernels *kernels, const bw_wide_frame *frame, bool second)
{
    cache->tree = tree;
    cache->mesh = mesh;
    cache->kernels = kernels;
    cache->frame = frame;
    cache->second = second;
    cache->shift = 0;
    cache->mask = BW_WIDE_LEAF_CACHE_PAIR - 1; /* more would only be more to fetch */
    bw_wide_leaf_cache_set_keys(cache, NULL);
}

void bw_wide_leaf_cache_set_keys(bw_wide_leaf_cache *cache, const uint32_t *keys)
{
    cache->keys = keys;
    for (uint32_t i = 0; i <= cache->mask; i++)
        cache->leaf[i] = BW_NONE;
}

void bw_wide_leaf_cache_halve(bw_wide_leaf_cache *cache)
{
    cache->shift = 1;
    cache->mask = BW_WIDE_LEAF_CACHE - 1;
    bw_wide_leaf_cache_set_keys(cache, cache->keys);
}

static void load_keys(const bw_wide_leaf_cache *cache, bw_wide_ready *r)
{
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        const uint32_t *v = cache->mesh->indices + 3 * (size_t)r->primitives[i < r->count ? i : 0];
        for (int k = 0; k < 3; k++) {
            r->vertex[k][i] = v[k];
            r->key[k][i] = cache->keys[v[k]];
        }
    }
}

void bw_wide_leaf_load(bw_wide_leaf_cache *cache, uint32_t leaf)
{
    uint32_t slot = bw_wide_leaf_slot(cache, leaf);
    const bw_wide *tree = cache->tree;
    const bw_wide_corners *corners = &cache->gathered[slot];
    if (tree->corners != NULL)
        corners = &tree->corners[leaf];
    else
        gather(tree, cache->mesh, leaf, cache->kernels == bw_wide_kernels_for(BW_SIMD_AVX2),
               &cache->gathered[slot]);
    const uint32_t *primitives = tree->primitives + leaf * (size_t)BW_WIDTH, count = tree->leaves[leaf].count;
    cache->leaf[slot] = leaf;
    if (cache->keys != NULL) {
        cache->kernels->own_leaf(cache->frame, corners, primitives, count, &cache->ready[slot]);
        load_keys(cache, &cache->ready[slot]);
        return;
    }
    cache->kernels->prepare_leaf(cache->frame, cache->second, corners, primitives, count,
                                 &cache->ready[slot]);
}
