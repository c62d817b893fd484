/* The compact form of a tree over a mesh: the vertices of every leaf, each once. */
#ifndef BW_TREE_WIDE_LEAF_VERTICES_H
#define BW_TREE_WIDE_LEAF_VERTICES_H

#include "tree/wide/wide.h"

/* The compact form: the list of its vertices in every leaf. On failure the tree stays as it was. */
bw_result bw_wide_fill_vertices(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks);
/* The vertices of a leaf's primitives, each once, ascending; returns how many. Writes up to BW_WIDE_LIST, not
 * all of which mean something. The first one's simd is a level, not AUTO. */
enum { BW_WIDE_LIST = 3 * BW_WIDTH };
uint32_t bw_wide_list_leaf(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd,
                           uint32_t out[BW_WIDE_LIST]);
uint32_t bw_wide_list_vertices(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh,
                               uint32_t out[BW_WIDE_LIST]);

/* The lists of leaves first .. end - 1, one after the other. */
typedef struct bw_vertex_block {
    const uint32_t *rows;
    uint32_t first, end;
    uint32_t used; /* entries of rows */
    uint32_t base; /* where they go: bw_wide_pack_vertices finds that out */
} bw_vertex_block;

/* Makes the compact form of lists that stand in blocks of all leaves, in order; first[leaf] is where a list
 * begins in its block, and belongs to the tree from now on. On failure all stays as it was. */
bw_result bw_wide_pack_vertices(bw_wide *wide, uint32_t *first, bw_vertex_block *blocks, uint32_t count,
                                const bw_tasks *tasks);

#endif
