/* Which leaves hold a vertex, as an index from vertices to leaves. */
#include "kinetic/reach.h"

#include <string.h>

static void fill(const bw_wide *wide, uint32_t vertices, bw_vertex_leaves *reach)
{
    uint32_t *first = reach->first;
    memset(first, 0, ((size_t)vertices + 1) * sizeof *first);
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        for (uint32_t j = 0; j < wide->leaves[i].vertex_count; j++)
            first[wide->vertices[wide->vertex_first[i] + j] + 1]++;
    for (uint32_t v = 0; v < vertices; v++)
        first[v + 1] += first[v];
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        for (uint32_t j = 0; j < wide->leaves[i].vertex_count; j++)
            reach->leaf[first[wide->vertices[wide->vertex_first[i] + j]]++] = i;
    for (uint32_t v = vertices; v > 0; v--) /* each was moved to the start of the next */
        first[v] = first[v - 1];
    first[0] = 0;
}

bw_result bw_vertex_leaves_make(bw_vertex_leaves *reach, const bw_wide *wide, uint32_t vertices,
                                const bw_allocator *a)
{
    if (reach->first != NULL)
        return BW_OK;
    bw_vertex_leaves fresh = {.vertices = vertices};
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        fresh.uses += wide->leaves[i].vertex_count;
    fresh.first = bw_allocate(a, (size_t)vertices + 1, sizeof *fresh.first);
    fresh.leaf = bw_allocate(a, (size_t)fresh.uses + 1, sizeof *fresh.leaf);
    fresh.vertex_stamp = bw_allocate_zero(a, vertices, sizeof *fresh.vertex_stamp);
    if (fresh.first == NULL || fresh.leaf == NULL || fresh.vertex_stamp == NULL) {
        bw_vertex_leaves_drop(&fresh, a);
        return BW_ERROR_MEMORY;
    }
    fill(wide, vertices, &fresh);
    *reach = fresh;
    return BW_OK;
}

void bw_vertex_leaves_drop(bw_vertex_leaves *reach, const bw_allocator *a)
{
    bw_release(a, reach->first, (size_t)reach->vertices + 1, sizeof *reach->first);
    bw_release(a, reach->leaf, (size_t)reach->uses + 1, sizeof *reach->leaf);
    bw_release(a, reach->vertex_stamp, reach->vertices, sizeof *reach->vertex_stamp);
    *reach = (bw_vertex_leaves){0};
}

size_t bw_vertex_leaves_bytes(const bw_vertex_leaves *reach)
{
    return reach->first == NULL ? 0 : (2 * (size_t)reach->vertices + reach->uses + 2) * sizeof(uint32_t);
}

uint32_t bw_vertex_leaves_stamp(bw_vertex_leaves *reach, const uint32_t *vertices, uint32_t count)
{
    if (reach->stamp == UINT32_MAX) {
        memset(reach->vertex_stamp, 0, reach->vertices * sizeof *reach->vertex_stamp);
        reach->stamp = 0;
    }
    reach->stamp++;
    for (uint32_t i = 0; i < count; i++)
        reach->vertex_stamp[vertices[i]] = reach->stamp;
    return reach->stamp;
}
