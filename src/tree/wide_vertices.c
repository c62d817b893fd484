/* The compact form's lists of vertices: gathered block by block into rows of the longest possible list, then
 * packed. */
#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/wide_fill.h"

#include <string.h>

enum { BLOCK = 1024, LIST = 3 * BW_WIDTH };

uint32_t bw_wide_list_vertices(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, uint32_t out[LIST])
{
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t corners = mesh->indices == NULL ? 1 : 3;
    uint32_t count = 0;
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++)
        for (uint32_t k = 0; k < corners; k++) {
            uint32_t vertex = bw_view_index(mesh, primitives[i], k), at = count;
            while (at > 0 && out[at - 1] > vertex)
                at--;
            if (at > 0 && out[at - 1] == vertex)
                continue;
            memmove(out + at + 1, out + at, (count - at) * sizeof *out);
            out[at] = vertex;
            count++;
        }
    return count;
}

typedef struct job {
    bw_wide *wide;
    const bw_mesh *mesh;
    uint32_t *rows; /* one a leaf */
} job;

static void gather_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *work = context;
    for (uint32_t leaf = begin; leaf < end; leaf++)
        work->wide->leaves[leaf].vertex_count =
            (uint16_t)bw_wide_list_vertices(work->wide, leaf, work->mesh, work->rows + (size_t)leaf * LIST);
}

static void pack_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *work = context;
    for (uint32_t leaf = begin; leaf < end; leaf++)
        memcpy(work->wide->vertices + work->wide->vertex_first[leaf], work->rows + (size_t)leaf * LIST,
               work->wide->leaves[leaf].vertex_count * sizeof(uint32_t));
}

static bw_result fill(bw_wide *wide, const bw_mesh *mesh, uint32_t *rows, uint32_t *first,
                      const bw_tasks *tasks)
{
    job work = {wide, mesh, rows};
    bw_parallel(tasks, gather_range, &work, wide->leaf_count, BLOCK);
    uint32_t used = 0;
    for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++) {
        first[leaf] = used;
        used += wide->leaves[leaf].vertex_count;
    }
    uint32_t *vertices = bw_allocate(&wide->allocator, used, sizeof *vertices);
    if (vertices == NULL)
        return BW_ERROR_MEMORY;
    wide->vertex_first = first;
    wide->vertices = vertices;
    wide->vertex_used = wide->vertex_capacity = used;
    bw_parallel(tasks, pack_range, &work, wide->leaf_count, BLOCK);
    return BW_OK;
}

bw_result bw_wide_fill_vertices(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks)
{
    uint32_t *rows = bw_allocate(&wide->allocator, wide->leaf_count, LIST * sizeof *rows);
    uint32_t *first = bw_allocate(&wide->allocator, wide->leaf_capacity, sizeof *first);
    bw_result result = BW_ERROR_MEMORY;
    if (rows != NULL && first != NULL)
        result = fill(wide, mesh, rows, first, tasks);
    if (result != BW_OK) {
        bw_release(&wide->allocator, first, wide->leaf_capacity, sizeof *first);
        for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++)
            wide->leaves[leaf].vertex_count = 0;
    }
    bw_release(&wide->allocator, rows, wide->leaf_count, LIST * sizeof *rows);
    return result;
}
