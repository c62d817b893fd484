/* Asking early for what will be read. */
#ifndef BW_TREE_WIDE_PREFETCH_H
#define BW_TREE_WIDE_PREFETCH_H

#include "base/simd/level.h"
#include "mesh/view.h"
#include "tree/wide/lens.h"

/* Whether nodes and leaves come from afar: those of smaller trees are in the cache most often, and asking for them takes
 * longer than it gains. */
static inline bool bw_wide_is_far(const bw_wide *tree)
{
    return tree->leaf_count > 4096;
}

static inline void bw_fetch(const void *object, size_t size)
{
    BW_ONLY_PREFETCHES;
    for (size_t k = 0; k < size; k += 64)
        BW_PREFETCH((const char *)object + k);
}

static inline void bw_wide_fetch_node(const bw_wide *tree, uint32_t node)
{
    bw_fetch(&tree->nodes[node], sizeof *tree->nodes);
    if (tree->lenses != NULL)
        bw_fetch(&tree->lenses[node], sizeof *tree->lenses);
}

static inline void bw_wide_fetch_leaf(const bw_wide *tree, uint32_t leaf)
{
    if (tree->corners != NULL)
        bw_fetch(&tree->corners[leaf], sizeof *tree->corners);
    bw_fetch(tree->primitives + (size_t)leaf * BW_WIDTH, 1);
}

/* Whether a builder fetches triangles ahead: a mesh of fewer bytes is in the caches, or soon, and asking costs more
 * than it saves. False without a mesh, and for points. */
static inline bool bw_fetches_ahead(const bw_mesh *mesh)
{
    const size_t few = (size_t)5 << 20;
    return mesh != NULL && mesh->indices != NULL &&
           3 * sizeof *mesh->indices * mesh->triangle_count + bw_mesh_view_stride(mesh) * mesh->vertex_count >
               few;
}

/* Where triangles are visited in an order that is not the mesh's: indices first, and when they have come, the
 * positions that they name. For points nothing. */
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
