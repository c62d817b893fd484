/* The boxes of a mesh's primitives. */
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/load_vertex.h"

enum { GRAIN = 4096 };

typedef struct job {
    const bw_mesh *mesh;
    const uint32_t *ids;
    bw_box *out;
    bw_simd simd;
} job;

static bw_box box_of(const bw_mesh *mesh, uint32_t primitive)
{
    bw_vec3 corners[3];
    bw_mesh_view_corners(mesh, primitive, corners);
    bw_box box = bw_box_of_points(corners, 3);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] += 0.0f;
        box.max[axis] += 0.0f;
    }
    return box;
}

#if BW_SIMD_X86
/* Triangles of floats. */
__attribute__((target("sse2"))) static void boxes_f32_128(const job *work, uint32_t begin, uint32_t end)
{
    const char *positions = work->mesh->positions;
    const size_t stride = bw_mesh_view_stride(work->mesh);
    const __m128 zero = _mm_setzero_ps();
    for (uint32_t i = begin; i < end; i++) {
        uint32_t primitive = work->ids == NULL ? i : work->ids[i];
        const uint32_t *corner = work->mesh->indices + 3 * (size_t)primitive;
        __m128 a = bw_load3_128(positions + corner[0] * stride);
        __m128 b = bw_load3_128(positions + corner[1] * stride);
        __m128 c = bw_load3_128(positions + corner[2] * stride);
        __m128 low = _mm_add_ps(_mm_min_ps(_mm_min_ps(a, b), c), zero);
        __m128 high = _mm_add_ps(_mm_max_ps(_mm_max_ps(a, b), c), zero);
        float *out = work->out[i].min;
        /* x y | z X | Y Z */
        __m128 middle = _mm_shuffle_ps(low, high, _MM_SHUFFLE(0, 0, 2, 2));
        _mm_storel_pi((__m64 *)(void *)out, low);
        _mm_storel_pi((__m64 *)(void *)(out + 2), _mm_shuffle_ps(middle, middle, _MM_SHUFFLE(2, 0, 2, 0)));
        _mm_storel_pi((__m64 *)(void *)(out + 4), _mm_shuffle_ps(high, high, _MM_SHUFFLE(2, 1, 2, 1)));
    }
}
#endif

static void boxes_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
#if BW_SIMD_X86
    if (work->simd >= BW_SIMD_128 && work->mesh->scalar == BW_F32 && work->mesh->indices != NULL) {
        boxes_f32_128(work, begin, end);
        return;
    }
#endif
    for (uint32_t i = begin; i < end; i++)
        work->out[i] = box_of(work->mesh, work->ids == NULL ? i : work->ids[i]);
}

void bw_wide_boxes(const bw_mesh *mesh, const uint32_t *ids, uint32_t count, bw_box *out,
                   const bw_tasks *tasks, bw_simd simd)
{
    job work = {mesh, ids, out, bw_simd_level(simd)};
    bw_parallel(tasks, boxes_range, &work, count, GRAIN);
}
