/* A pair or self query by several threads. */
#ifndef BW_COLLIDE_PAIR_PARALLEL_H
#define BW_COLLIDE_PAIR_PARALLEL_H

#include "collide/pair/traverse.h"

/* Runs the query of the plan; the same hits in the same order as one walk gives. */
bw_result bw_wide_parallel(const bw_wide_plan *plan, const bw_tasks *tasks, bw_hit_sink *sink);

#endif
