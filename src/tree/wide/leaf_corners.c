/* Leaves filled from the mesh after a build: corners, boxes and numbers. */
#include "tree/wide/leaf_corners.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build/first_touch.h"
#include "tree/wide/gather_corners.h"
#include "tree/wide/rows.h"

#include <assert.h>
#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

enum { GRAIN = 256 };

static bw_box fit_points(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_wide_corners *out)
{
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH], count = wide->leaves[leaf].count;
    bw_vec3 points[BW_WIDTH];
    for (uint32_t i = 0; i < count; i++)
        points[i] = bw_mesh_view_vertex(mesh, primitives[i]);
    bw_box box = bw_box_of_points(points, count);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] += 0.0f; /* no -0 */
        box.max[axis] += 0.0f;
        out->origin[axis] = 0.5f * (box.min[axis] + box.max[axis]);
    }
    memset(out->reserved, 0, sizeof out->reserved);
    bw_wide_corners_gather(mesh, primitives, count, false, out);
    return box;
}

static bw_box fit(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd, bool past_cache)
{
    assert(wide->obbs.of_node == NULL); /* they would hold what was there before */
    if (!bw_rows_fit(mesh))
        return fit_points(wide, leaf, mesh, &wide->corners[leaf]);
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
