/* A step cut short: once a contact is known, nothing after it counts, and boxes up to its time are smaller
 * ones. Topology and paths are shared with the whole step; only boxes are made. */
#include "swept/search/shorten.h"

#include "base/tasks.h"

enum { VERTICES_A_TASK = 4096, CHUNK = 64 };

typedef struct job {
    const bw_swept *s;
    double until;
    bw_swept_bounds *bounds;
} job;

/* Positions at the end are rounded to the nearest, for which bw_swept_growth makes up. */
static void bound_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const job *j = context;
    const bw_swept_kernels *kernels = bw_swept_kernels_of(bw_simd_level(BW_SIMD_AUTO));
    bw_ccd_path paths[CHUNK];
    bw_swept_floats floats[CHUNK];
    (void)worker;
    for (uint32_t first = begin; first < end; first += CHUNK) {
        uint32_t count = end - first < CHUNK ? end - first : CHUNK;
        for (uint32_t i = 0; i < count; i++) {
            const double *at = j->s->paths[first + i].at;
            paths[i] = j->s->paths[first + i]; /* with the thickness */
            for (int k = 0; k < 3; k++)
                paths[i].at[4 + k] = at[k] + j->until * (at[4 + k] - at[k]) + 0.0;
        }
        kernels->bound(paths, count, j->bounds + first, floats);
    }
}

bool bw_swept_shorten(const bw_swept *s, double until, const bw_allocator *allocator, const bw_tasks *tasks,
                      bw_swept *out)
{
    *out = *s;
    out->bounds = bw_allocate(allocator, s->vertex_count, sizeof *out->bounds);
    out->groups = bw_allocate(allocator, s->group_count, sizeof *out->groups);
    out->tree.nodes = bw_allocate(allocator, s->tree.node_count, sizeof *out->tree.nodes);
    if (out->bounds == NULL || out->groups == NULL || out->tree.nodes == NULL)
        return false;
    memcpy(out->groups, s->groups, s->group_count * sizeof *s->groups);
    memcpy(out->tree.nodes, s->tree.nodes, s->tree.node_count * sizeof *s->tree.nodes);
    job j = {s, until, out->bounds};
    bw_parallel(tasks, bound_range, &j, s->vertex_count, VERTICES_A_TASK);
    bw_swept_refit(out, tasks);
    return true;
}

void bw_swept_shorter_release(bw_swept *shorter, const bw_allocator *allocator)
{
    bw_release(allocator, shorter->bounds, shorter->vertex_count, sizeof *shorter->bounds);
    bw_release(allocator, shorter->groups, shorter->group_count, sizeof *shorter->groups);
    bw_release(allocator, shorter->tree.nodes, shorter->tree.node_count, sizeof *shorter->tree.nodes);
    *shorter = (bw_swept){0};
}
