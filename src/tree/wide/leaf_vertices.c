/* The compact form's lists of vertices: gathered block by block, one list right after the other, then put
 * together. */
#include "tree/wide/leaf_vertices.h"
#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/build/first_touch.h"
#include "tree/wide/leaf_corners.h"

#include <string.h>

enum { BLOCK = 1024, LIST = BW_WIDE_LIST, VECTORS = LIST / BW_WIDTH };

typedef int32_t int_lanes __attribute__((vector_size(32)));

/* Sorts count > 0 numbers and leaves each out but once: every one is put where as many are lower, equal ones
 * to the same place, and the places that stayed free are left out. Quadratic, but without a branch and eight
 * at a time. */
__attribute__((always_inline)) static inline uint32_t sort_unique_any(const uint32_t *in, uint32_t count,
                                                                      uint32_t *out)
{
    int32_t keys[LIST], ranks[LIST];
    for (uint32_t i = 0; i < LIST; i++) /* ordered as signed numbers; the rest repeats the first */
        keys[i] = (int32_t)((i < count ? in[i] : in[0]) ^ 0x80000000u);
    int_lanes key[VECTORS];
    memcpy(key, keys, sizeof keys);
    int_lanes below0 = {0}, below1 = {0}, below2 = {0}; /* an array would not stay in registers */
    for (uint32_t k = 0; k < count; k++) {
        below0 += key[0] > keys[k]; /* true is -1 */
        below1 += key[1] > keys[k];
        below2 += key[2] > keys[k];
    }
    const int_lanes rank[VECTORS] = {-below0, -below1, -below2};
    const int_lanes one = {1, 1, 1, 1, 1, 1, 1, 1}, taken = one << rank[0] | one << rank[1] | one << rank[2];
    memcpy(ranks, rank, sizeof ranks);
    uint32_t sorted[LIST] = {0}, places = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++)
        sorted[ranks[i]] = in[i];
    for (int lane = 0; lane < BW_WIDTH; lane++)
        places |= (uint32_t)taken[lane];
    for (uint32_t k = 0; k < count; k++) {
        out[kept] = sorted[k];
        kept += places >> k & 1;
    }
    return kept;
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

uint32_t bw_wide_list_leaf(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd,
                           uint32_t out[LIST])
{
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t corners = mesh->indices == NULL ? 1 : 3;
    uint32_t in[LIST], count = 0;
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++)
        for (uint32_t k = 0; k < corners; k++)
            in[count++] = bw_mesh_view_index(mesh, primitives[i], k);
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
    return bw_wide_list_leaf(wide, leaf, mesh, bw_simd_level(BW_SIMD_AUTO), out);
}

typedef struct packing {
    bw_wide *wide;
    const bw_vertex_block *blocks;
} packing;

static void pack_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const packing *p = context;
    for (uint32_t i = begin; i < end; i++) {
        const bw_vertex_block *block = &p->blocks[i];
        if (block->used == 0)
            continue;
        memcpy(p->wide->vertices + block->base, block->rows, block->used * sizeof *block->rows);
        for (uint32_t leaf = block->first; leaf < block->end; leaf++)
            p->wide->vertex_first[leaf] += block->base;
    }
}

bw_result bw_wide_pack_vertices(bw_wide *wide, uint32_t *first, bw_vertex_block *blocks, uint32_t count,
                                const bw_tasks *tasks)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        blocks[i].base = used;
        used += blocks[i].used;
    }
    uint32_t *vertices = bw_allocate(&wide->allocator, used, sizeof *vertices);
    if (vertices == NULL)
        return BW_ERROR_MEMORY;
    wide->vertex_first = first;
    wide->vertices = vertices;
    wide->vertex_used = wide->vertex_capacity = used;
    packing p = {wide, blocks};
    bw_parallel_first_touch(tasks, pack_blocks, &p, count, count / 64 + 1, NULL, 0);
    return BW_OK;
}

typedef struct job {
    bw_wide *wide;
    const bw_mesh *mesh;
    bw_simd simd;
    uint32_t *rows, *first;
    bw_vertex_block *blocks;
} job;

static void gather_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
    for (uint32_t i = begin; i < end; i++) {
        bw_vertex_block *block = &work->blocks[i];
        block->first = i * BLOCK;
        block->end =
            work->wide->leaf_count - block->first < BLOCK ? work->wide->leaf_count : block->first + BLOCK;
        block->used = 0;
        uint32_t *rows = work->rows + (size_t)block->first * LIST;
        block->rows = rows;
        for (uint32_t leaf = block->first; leaf < block->end; leaf++) {
            const uint32_t count =
                bw_wide_list_leaf(work->wide, leaf, work->mesh, work->simd, rows + block->used);
            work->first[leaf] = block->used;
            work->wide->leaves[leaf].vertex_count = (uint16_t)count;
            block->used += count;
        }
    }
}

bw_result bw_wide_fill_vertices(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks)
{
    const bw_allocator *allocator = &wide->allocator;
    const uint32_t blocks = wide->leaf_count / BLOCK + (wide->leaf_count % BLOCK != 0);
    job work = {.wide = wide, .mesh = mesh, .simd = bw_simd_level(BW_SIMD_AUTO)};
    work.rows = bw_allocate(allocator, wide->leaf_count, LIST * sizeof *work.rows);
    work.first = bw_allocate(allocator, wide->leaf_capacity, sizeof *work.first);
    work.blocks = bw_allocate(allocator, blocks, sizeof *work.blocks);
    bw_result result = BW_ERROR_MEMORY;
    if (work.rows != NULL && work.first != NULL && work.blocks != NULL) {
        bw_parallel_first_touch(tasks, gather_blocks, &work, blocks, 1, NULL, 0);
        result = bw_wide_pack_vertices(wide, work.first, work.blocks, blocks, tasks);
    }
    if (result != BW_OK) {
        bw_release(allocator, work.first, wide->leaf_capacity, sizeof *work.first);
        for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++)
            wide->leaves[leaf].vertex_count = 0;
    }
    bw_release(allocator, work.blocks, blocks, sizeof *work.blocks);
    bw_release(allocator, work.rows, wide->leaf_count, LIST * sizeof *work.rows);
    return result;
}
