/* The compact form's lists of vertices: gathered block by block into rows of the longest possible list, then
 * packed. */
#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/wide_fill.h"

#include <string.h>

enum { BLOCK = 1024, LIST = 3 * BW_WIDTH, VECTORS = LIST / BW_WIDTH };

typedef int32_t int_lanes __attribute__((vector_size(32)));

/* Sorts count > 0 numbers and leaves each out but once: for every one, whether an earlier one equals it, and
 * how many of the others are lower. A repeated one has the place of its equal. Quadratic, but without a
 * branch and eight at a time. */
__attribute__((always_inline)) static inline uint32_t sort_unique_any(const uint32_t *in, uint32_t count,
                                                                      uint32_t *out)
{
    static const int_lanes lane = {0, 1, 2, 3, 4, 5, 6, 7};
    int32_t keys[LIST], repeated[LIST], ranks[LIST];
    for (uint32_t i = 0; i < LIST; i++) /* ordered as signed numbers; the rest repeats the first */
        keys[i] = (int32_t)((i < count ? in[i] : in[0]) ^ 0x80000000u);
    int_lanes key[VECTORS], repeat[VECTORS], rank[VECTORS];
    memcpy(key, keys, sizeof keys);
    for (int v = 0; v < VECTORS; v++)
        repeat[v] = rank[v] = (int_lanes){0};
    for (int32_t k = 0; k < LIST; k++)
        for (int32_t v = 0; v < VECTORS; v++)
            repeat[v] |= (key[v] == keys[k]) & (lane > k - v * BW_WIDTH);
    memcpy(repeated, repeat, sizeof repeated);
    int32_t kept = LIST;
    for (uint32_t k = 0; k < LIST; k++) {
        for (int v = 0; v < VECTORS; v++)
            rank[v] -= (key[v] > keys[k]) & ~repeated[k];
        kept += repeated[k]; /* 0 or -1 */
    }
    memcpy(ranks, rank, sizeof ranks);
    for (uint32_t i = 0; i < count; i++)
        out[ranks[i]] = in[i];
    return (uint32_t)kept;
}

static uint32_t sort_unique_plain(const uint32_t *in, uint32_t count, uint32_t *out)
{
    return sort_unique_any(in, count, out);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static uint32_t sort_unique_avx2(const uint32_t *in, uint32_t count,
                                                                 uint32_t *out)
{
    return sort_unique_any(in, count, out);
}
#endif

static uint32_t list_vertices(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd,
                              uint32_t out[LIST])
{
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t corners = mesh->indices == NULL ? 1 : 3;
    uint32_t in[LIST], count = 0;
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++)
        for (uint32_t k = 0; k < corners; k++)
            in[count++] = bw_view_index(mesh, primitives[i], k);
    if (count == 0)
        return 0;
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return sort_unique_avx2(in, count, out);
#endif
    (void)simd;
    return sort_unique_plain(in, count, out);
}

uint32_t bw_wide_list_vertices(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, uint32_t out[LIST])
{
    return list_vertices(wide, leaf, mesh, bw_simd_level(BW_SIMD_AUTO), out);
}

typedef struct job {
    bw_wide *wide;
    const bw_mesh *mesh;
    bw_simd simd;
    uint32_t *rows; /* one a leaf */
} job;

static void gather_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *work = context;
    for (uint32_t leaf = begin; leaf < end; leaf++)
        work->wide->leaves[leaf].vertex_count = (uint16_t)list_vertices(
            work->wide, leaf, work->mesh, work->simd, work->rows + (size_t)leaf * LIST);
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
    job work = {.wide = wide, .mesh = mesh, .simd = bw_simd_level(BW_SIMD_AUTO)};
    work.rows = rows;
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
