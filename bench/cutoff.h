/* A plain traversal, depth first in the order of the tree, cut off after some steps or nanoseconds: what a
 * budget buys without estimates. (bw_collide itself looks best first.) */
#ifndef BENCH_CUTOFF_H
#define BENCH_CUTOFF_H

#include "anytime_inputs.h"

typedef struct cutoff_answer {
    bool found, finished;
    uint64_t steps;
} cutoff_answer;

/* A step compares the children of two nodes or the triangles of two leaves. nanoseconds 0: no limit; the
 * clock is looked at as budgeted queries do. */
cutoff_answer cutoff_query(const anytime_object *object, const bw_transform *pose, uint64_t max_steps,
                           uint64_t nanoseconds);

#endif
