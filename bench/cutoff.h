/* Plain traversals, cut off after some steps or nanoseconds: what a budget buys without estimates. */
#ifndef BENCH_CUTOFF_H
#define BENCH_CUTOFF_H

#include "anytime_inputs.h"

typedef enum cutoff_order {
    CUTOFF_DEPTH_FIRST, /* in the order of the tree */
    CUTOFF_BEST_FIRST,  /* bw_collide itself: of all pairs that wait the one whose middles are nearest, in
                           sizes of the boxes, for 16 visits; then in the order of the tree. It runs to its
                           end, and is cut off if that came too late. That flatters it: only visits of nodes
                           count as steps, and of its time the least of three runs, with no clock looked at */
    CUTOFF_ORDERS
} cutoff_order;

typedef struct cutoff_answer {
    bool found, finished;
    uint64_t steps;
} cutoff_answer;

/* A step compares the children of two nodes or the triangles of two leaves. nanoseconds 0: no limit; the
 * clock is looked at as budgeted queries do. */
cutoff_answer cutoff_query(const anytime_object *object, const bw_transform *pose, cutoff_order order,
                           uint64_t max_steps, uint64_t nanoseconds);

#endif
