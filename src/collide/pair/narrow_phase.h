/* The lower half of the traversal: leaves compared, and pairs of triangles decided. */
#ifndef BW_COLLIDE_PAIR_NARROW_PHASE_H
#define BW_COLLIDE_PAIR_NARROW_PHASE_H

#include "collide/pair/traverse.h"

/* Two leaves whose boxes, along the axes of a, overlap. Their candidates join the batch. */
bool bw_wide_compare_leaves(bw_traversal *walk, bw_wide_leaf_pair pair);
/* The same for pairs of leaves below two nodes of two meshes, in the order of their bits. */
bool bw_wide_compare_visit(bw_traversal *walk, const bw_wide_leaf_visit *visit);
/* Decides the candidates of the batch, in their order: all full eights of them, and the rest stays; or all.
 */
bool bw_wide_decide_full(bw_traversal *walk);
bool bw_wide_decide_all(bw_traversal *walk);

#endif
