/* What a separation is made of; each method has its part. */
#ifndef BW_INCREMENTAL_SEPARATION_SEPARATION_H
#define BW_INCREMENTAL_SEPARATION_SEPARATION_H

#include "incremental/policy.h"
#include "incremental/schedule.h"
#include "incremental/timeline/events.h"

struct bw_separation {
    bw_allocator allocator;
    bw_separation_method method; /* asked for */
    bool self;
    double begin, end, now;
    double step;           /* the last one forward in time; 0: none yet */
    const bw_tasks *tasks; /* into hook */
    bw_tasks hook;
    bw_separation_report total;
    bw_policy policy;   /* AUTO */
    bw_mover movers[2]; /* all but EVENTS; self: the first only */
    bw_schedule schedule;
    bool scheduled; /* the schedule holds the present time: COMPILED, and AUTO where it chose it */
    bw_list list;
};

/* Where a fresh traversal of the test tree stops at the present time: trees a and b fitted to it. */
bw_result bw_cut_visit(const bw_allocator *allocator, const bw_wide *a, const bw_wide *b, bool self,
                       bw_separation_visitor *visitor, void *user);

#endif
