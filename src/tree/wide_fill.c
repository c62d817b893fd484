#include "tree/wide_fill.h"
#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/wide_load.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 256 };

/* Scalar twin: a float minus the float origin is rounded once, a double minus it twice. */
static void write_corners_scalar(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh,
                                 bw_wide_corners *out)
{
    const uint32_t count = wide->leaves[leaf].count;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        uint32_t primitive = wide->primitives[(size_t)leaf * BW_WIDTH + (slot < count ? slot : 0)];
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t vertex = bw_view_index(mesh, primitive, corner);
            for (uint32_t axis = 0; axis < 3; axis++) {
                float x = mesh->scalar == BW_F64
                              ? (float)(bw_view_f64(mesh, vertex)[axis] - (double)out->origin[axis])
                              : bw_view_f32(mesh, vertex)[axis] - out->origin[axis];
                out->coordinate[corner][axis][slot] = x;
                out->magnitude = fmaxf(out->magnitude, fabsf(x));
            }
        }
    }
}

#if BW_SIMD_X86
__attribute__((target("sse2"))) static void write_corners_f32_sse(const bw_wide *wide, uint32_t leaf,
                                                                  const bw_mesh *mesh, bw_wide_corners *out)
{
    const char *positions = mesh->positions;
    const size_t stride = bw_view_stride(mesh);
    const uint32_t count = wide->leaves[leaf].count;
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t *corners[BW_WIDTH];
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        corners[slot] = mesh->indices + 3 * (size_t)primitives[slot < count ? slot : 0];
    const __m128 origin = _mm_setr_ps(out->origin[0], out->origin[1], out->origin[2], 0);
    __m128 largest = _mm_setzero_ps();
    const __m128 magnitude_mask = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
    for (uint32_t corner = 0; corner < 3; corner++)
        for (uint32_t half = 0; half < BW_WIDTH; half += 4) {
            __m128 a = _mm_sub_ps(bw_load3_sse(positions + corners[half][corner] * stride), origin);
            __m128 b = _mm_sub_ps(bw_load3_sse(positions + corners[half + 1][corner] * stride), origin);
            __m128 c = _mm_sub_ps(bw_load3_sse(positions + corners[half + 2][corner] * stride), origin);
            __m128 d = _mm_sub_ps(bw_load3_sse(positions + corners[half + 3][corner] * stride), origin);
            _MM_TRANSPOSE4_PS(a, b, c, d);
            _mm_store_ps(&out->coordinate[corner][0][half], a);
            _mm_store_ps(&out->coordinate[corner][1][half], b);
            _mm_store_ps(&out->coordinate[corner][2][half], c);
            __m128 ab = _mm_max_ps(_mm_and_ps(a, magnitude_mask), _mm_and_ps(b, magnitude_mask));
            largest = _mm_max_ps(largest, _mm_max_ps(ab, _mm_and_ps(c, magnitude_mask)));
        }
    largest = _mm_max_ps(largest, _mm_movehl_ps(largest, largest));
    largest = _mm_max_ss(largest, _mm_shuffle_ps(largest, largest, 1));
    _mm_store_ss(&out->magnitude, largest);
}
#endif

void bw_wide_write_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd)
{
    bw_wide_corners *out = &wide->corners[leaf];
    const bw_wide_leaf *l = &wide->leaves[leaf];
    const bw_wide_node *parent = &wide->nodes[l->parent];
    for (int axis = 0; axis < 3; axis++)
        out->origin[axis] = 0.5f * (parent->min[axis][l->lane] + parent->max[axis][l->lane]);
    out->magnitude = 0;
    memset(out->reserved, 0, sizeof out->reserved);
#if BW_SIMD_X86
    if (simd >= BW_SIMD_SSE && mesh->scalar == BW_F32 && mesh->indices != NULL) {
        write_corners_f32_sse(wide, leaf, mesh, out);
        return;
    }
#endif
    (void)simd;
    write_corners_scalar(wide, leaf, mesh, out);
}

typedef struct job {
    bw_wide *wide;
    const bw_mesh *mesh;
    bw_simd simd;
    uint32_t *parts; /* entries of each block of GRAIN leaves */
} job;

static void corner_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *work = context;
    for (uint32_t leaf = begin; leaf < end; leaf++)
        if (work->wide->leaves[leaf].count != 0)
            bw_wide_write_corners(work->wide, leaf, work->mesh, work->simd);
}

bw_result bw_wide_fill_corners(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks, bw_simd simd)
{
    if (wide->corners == NULL) {
        wide->corners = bw_allocate(&wide->allocator, wide->leaf_capacity, sizeof *wide->corners);
        if (wide->corners == NULL)
            return BW_ERROR_MEMORY;
    }
    job work = {wide, mesh, bw_simd_level(simd), NULL};
    bw_parallel(tasks, corner_range, &work, wide->leaf_count, GRAIN);
    return BW_OK;
}
