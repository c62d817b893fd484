/* The corners of leaves read from the mesh, for trees that keep none. */
#ifndef BW_TREE_WIDE_GATHER_CORNERS_H
#define BW_TREE_WIDE_GATHER_CORNERS_H

#include "tree/wide/wide.h"

/* The corners of a leaf from the mesh, as bw_wide.corners holds them. The second is told whether AVX2 may be
 * used; the bits are the same. */
void bw_wide_leaf_gather(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bw_wide_corners *out);
void bw_wide_leaf_gather_at(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bool vectors,
                            bw_wide_corners *out);

/* The same for any primitives of any mesh, relative to out->origin. */
void bw_wide_corners_gather(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bool vectors,
                            bw_wide_corners *out);

/* As the tree keeps them, or read from the mesh into *gathered. */
static inline const bw_wide_corners *bw_wide_leaf_corners(const bw_wide *tree, const bw_mesh *mesh,
                                                          uint32_t leaf, bw_wide_corners *gathered)
{
    if (tree->corners != NULL)
        return &tree->corners[leaf];
    bw_wide_leaf_gather(tree, mesh, leaf, gathered);
    return gathered;
}

#endif
