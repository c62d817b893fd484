/* Asking early for what a triangle will be read from, where triangles are visited in an order that is not the
 * mesh's: its indices first, and when they have come, the positions that they name. Does nothing for points.
 */
#ifndef BW_TREE_WIDE_PREFETCH_H
#define BW_TREE_WIDE_PREFETCH_H

#include "base/simd/level.h"
#include "mesh/view.h"

static inline void bw_fetch_indices(const bw_mesh *mesh, uint32_t triangle)
{
    BW_ONLY_PREFETCHES;
    if (mesh->indices != NULL)
        BW_PREFETCH(mesh->indices + 3 * (size_t)triangle);
}

static inline void bw_fetch_positions(const bw_mesh *mesh, uint32_t triangle)
{
    BW_ONLY_PREFETCHES;
    if (mesh->indices == NULL)
        return;
    const size_t stride = bw_mesh_view_stride(mesh);
    const uint32_t *corners = mesh->indices + 3 * (size_t)triangle;
    for (uint32_t corner = 0; corner < 3; corner++) {
        const char *at = (const char *)mesh->positions + corners[corner] * stride;
        BW_PREFETCH(at);
        if (mesh->scalar == BW_F64) /* a fourth of them cross a line of the cache */
            BW_PREFETCH(at + 2 * sizeof(double));
    }
}

#endif
