/* What a tree over a mesh needs beside the boxes that builders take: those boxes, copies of corners, vertex
 * lists. */
#ifndef BW_TREE_WIDE_FILL_H
#define BW_TREE_WIDE_FILL_H

#include "tree/wide.h"

/* out[i] is the smallest float box of the primitive ids[i], or of i where ids is NULL. Indices in range,
 * coordinates finite. Zeros are never -0. */
void bw_wide_boxes(const bw_mesh *mesh, const uint32_t *ids, uint32_t count, bw_box *out,
                   const bw_tasks *tasks, bw_simd simd);

/* The rigid form: a copy of the corners in every leaf. On failure (BW_ERROR_MEMORY) the tree stays as it was.
 */
bw_result bw_wide_fill_corners(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks, bw_simd simd);
/* The compact form: the list of its vertices in every leaf. On failure the tree stays as it was. */
bw_result bw_wide_fill_vertices(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks);

/* Writes the corners of one leaf about the middle of its box, which is returned. simd is a level, not AUTO.
 */
bw_box bw_wide_fit_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd);
/* The same where the corners of many leaves are written anew and not looked at soon: past the cache, which
 * then need not read them first. When done, each thread calls the second before others may read. */
bw_box bw_wide_renew_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd);
void bw_wide_renewed_corners(bw_simd simd);
enum { BW_WIDE_MANY_LEAVES = 8192 }; /* beyond so many, that is faster */
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
