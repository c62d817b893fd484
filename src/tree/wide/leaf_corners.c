/* Leaves filled from the mesh after a build: corners, boxes and numbers. */
#include "tree/wide/leaf_corners.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build/first_touch.h"
#include "tree/wide/rows.h"

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

/* A float minus the float origin is rounded once, a double minus it twice. */
static bw_box fit_any(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_wide_corners *out)
{
    const uint32_t count = wide->leaves[leaf].count;
    bw_box box = leaf_box(wide, leaf, mesh);
    for (int axis = 0; axis < 3; axis++)
        out->origin[axis] = 0.5f * (box.min[axis] + box.max[axis]);
    out->magnitude = 0;
    memset(out->reserved, 0, sizeof out->reserved);
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

static bw_box fit(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd, bool past_cache)
{
    assert(wide->obbs.of_node == NULL); /* they would hold what was there before */
    if (!bw_rows_fit(mesh))
        return fit_any(wide, leaf, mesh, &wide->corners[leaf]);
    return bw_row_kernels_for(simd)->fit(mesh, &wide->primitives[(size_t)leaf * BW_WIDTH],
                                         wide->leaves[leaf].count, past_cache, &wide->corners[leaf]);
}

bw_box bw_wide_fit_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd)
{
    return fit(wide, leaf, mesh, simd, false);
}

bw_box bw_wide_renew_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd)
{
    return fit(wide, leaf, mesh, simd, true);
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
