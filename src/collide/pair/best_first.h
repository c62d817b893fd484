/* Mode ANY: the likeliest pair first. */
#ifndef BW_COLLIDE_PAIR_BEST_FIRST_H
#define BW_COLLIDE_PAIR_BEST_FIRST_H

#include "collide/pair/traverse.h"

/* Takes up what is best of the item on top of the stack and all below it, which is left there. */
bool bw_traversal_best_first(bw_traversal *walk);

#endif
