/* bw_tree_prepare_clearance: the distance of each cell's middle, by bw_nearest_many. */
#include "base/fault.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "tree/clearance.h"
#include "tree/kind.h"

#include <boxwood/nearest.h>

enum { CELLS_PER_LEAF = 16, CELLS_LEAST = 4096, CELLS_MOST = 1 << 18, AT_ONCE = 1 << 14 };

static uint32_t default_cells(const bw_wide *wide)
{
    const uint64_t cells = (uint64_t)CELLS_PER_LEAF * wide->leaf_count;
    return (uint32_t)(cells < CELLS_LEAST ? CELLS_LEAST : cells > CELLS_MOST ? CELLS_MOST : cells);
}

typedef struct workspace {
    bw_vec3 points[AT_ONCE];
    bw_nearest_hit hits[AT_ONCE];
} workspace;

static bw_result fill(const bw_body *body, const bw_nearest_desc *desc, workspace *work, bw_clearance *grid)
{
    for (size_t first = 0; first < grid->value_count; first += AT_ONCE) {
        const size_t left = grid->value_count - first, count = left < AT_ONCE ? left : AT_ONCE;
        for (size_t i = 0; i < count; i++)
            work->points[i] = bw_clearance_middle(grid, first + i);
        const bw_result result =
            bw_nearest_many(body, work->points, (uint32_t)count, desc, work->hits, NULL, NULL);
        if (result != BW_OK)
            return result;
        for (size_t i = 0; i < count; i++)
            grid->values[first + i] = bw_float_down(work->hits[i].distance / grid->cell * (1.0 - 0x1p-40));
    }
    return BW_OK;
}

bw_result bw_tree_prepare_clearance(bw_tree *tree, const bw_mesh *mesh, uint32_t cells, const bw_tasks *tasks,
                                    bw_fault *fault)
{
    if (tree == NULL || mesh == NULL || bw_tasks_check(tasks) != BW_OK)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (tree->kind != &bw_kind_wide || tree->owner.box != NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result result = bw_tree_accepts(tree, mesh);
    bw_wide *wide = &tree->wide;
    if (result != BW_OK || wide->primitive_count == 0)
        return bw_fail(fault, result);
    bw_clearance *grid = bw_clearance_create(wide, cells > 0 ? cells : default_cells(wide));
    workspace *work = bw_allocate(&wide->allocator, 1, sizeof *work);
    const bw_body body = {tree, mesh, NULL};
    const bw_nearest_desc desc = {.tasks = tasks, .allocator = &wide->allocator};
    result = grid != NULL && work != NULL ? fill(&body, &desc, work, grid) : BW_ERROR_MEMORY;
    if (result == BW_OK)
        bw_clearance_set(wide, grid);
    else if (grid != NULL)
        bw_release(&wide->allocator, grid, 1, bw_clearance_bytes(grid));
    if (work != NULL)
        bw_release(&wide->allocator, work, 1, sizeof *work);
    return bw_fail(fault, result);
}
