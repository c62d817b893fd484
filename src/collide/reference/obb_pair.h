#ifndef BW_COLLIDE_REFERENCE_OBB_PAIR_H
#define BW_COLLIDE_REFERENCE_OBB_PAIR_H

#include "collide/reference/traverse.h"
#include "tree/reference/obb/obb.h"

/* All contacts of two OBB trees, given to the traversal's sink. */
bw_result bw_obb_pair(const bw_obb *a, const bw_obb *b, bw_binary_traversal *traversal);

#endif
