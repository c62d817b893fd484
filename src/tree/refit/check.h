/* Whether coordinates may enter a tree. */
#ifndef BW_TREE_REFIT_CHECK_H
#define BW_TREE_REFIT_CHECK_H

#include "tree/wide/wide.h"

/* Whether all coordinates of the vertices first .. first + count - 1 are zero or of a magnitude in the exact
 * range: one pass at about the speed of memory. */
bool bw_positions_sound(const bw_mesh *mesh, uint32_t first, uint32_t count, const bw_tasks *tasks,
                        bw_simd simd);
/* The first primitive in the tree with an unsound coordinate: its result code, and where it is
 * (may be NULL); BW_OK if there is none (the unsound vertices are not in use). */
bw_result bw_wide_find_unsound(const bw_wide *wide, const bw_mesh *mesh, bw_fault *where);

#endif
