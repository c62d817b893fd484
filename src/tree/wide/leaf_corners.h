/* What a tree over a mesh needs beside the boxes that builders take: those boxes, copies of corners, vertex
 * lists. */
#ifndef BW_TREE_WIDE_LEAF_CORNERS_H
#define BW_TREE_WIDE_LEAF_CORNERS_H

#include "tree/wide/wide.h"

/* The rigid form: a copy of the corners in every leaf. On failure (BW_ERROR_MEMORY) the tree stays as it was.
 */
bw_result bw_wide_fill_corners(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks, bw_simd simd);

/* Writes the corners of one leaf about the middle of its box, which is returned. simd is a level, not AUTO.
 */
bw_box bw_wide_fit_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd);
/* The same where the corners of many leaves are written again and not read soon: past the cache, which
 * then need not read them first. When done, each thread calls the second before others may read. */
bw_box bw_wide_renew_corners(bw_wide *wide, uint32_t leaf, const bw_mesh *mesh, bw_simd simd);
void bw_wide_renewed_corners(bw_simd simd);
enum { BW_WIDE_MANY_LEAVES = 8192 }; /* beyond so many, that is faster */

#endif
