#ifndef BW_COLLIDE_REFERENCE_KDOP_PAIR_H
#define BW_COLLIDE_REFERENCE_KDOP_PAIR_H

#include "collide/reference/traverse.h"
#include "tree/reference/kdop/kdop.h"

/* All contacts of two k-DOP trees of one k, given to the traversal's sink. */
bw_result bw_kdop_pair(const bw_kdop *a, const bw_kdop *b, bw_binary_traversal *traversal);

#endif
