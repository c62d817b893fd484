/* Boxes for new positions: every leaf has its faces, vertices and edges already. */
#include "swept/swept.h"

#include "base/tasks.h"

enum { LEAVES_A_TASK = 512, VERTICES_A_TASK = 4096 };

static void bound_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    bw_swept *s = context;
    (void)worker;
    bw_swept_kernels_of(bw_simd_level(BW_SIMD_AUTO))
        ->bound(s->paths + begin, end - begin, s->bounds + begin, s->floats + begin);
}

void bw_swept_bound(bw_swept *s, const bw_tasks *tasks)
{
    bw_parallel(tasks, bound_range, s, s->vertex_count, VERTICES_A_TASK);
}

static void refit_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    bw_swept_kernels_of(bw_simd_level(BW_SIMD_AUTO))->refit(context, begin, end);
}

void bw_swept_refit(bw_swept *s, const bw_tasks *tasks)
{
    bw_parallel(tasks, refit_range, s, s->leaf_count, LEAVES_A_TASK);
    bw_wide_bounds_up(&s->tree, tasks);
}
