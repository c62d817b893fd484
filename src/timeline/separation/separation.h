/* What a separation is made of; each method has its part. */
#ifndef BW_TIMELINE_SEPARATION_SEPARATION_H
#define BW_TIMELINE_SEPARATION_SEPARATION_H

#include "collide/span/pair_cache.h"
#include "timeline/moving_body.h"
#include "timeline/separation/events.h"

struct bw_separation {
    bw_allocator allocator;
    bw_separation_method method; /* the caller's */
    bool self;
    double begin, end, now;
    const bw_tasks *tasks; /* into hook */
    bw_tasks hook;
    bw_separation_report total;
    bw_moving_body bodies[2]; /* all but EVENTS; self: the first only */
    bw_pair_cache cache;      /* AUTO, COMPILED */
    uint64_t fillings;        /* of the cache, when last told */
    bool listed;              /* the cache holds for the present time */
    bw_list list;             /* EVENTS */
};

/* Where a fresh traversal of the test tree stops at the present time: trees a and b fitted to it. */
bw_result bw_cut_visit(const bw_allocator *allocator, const bw_wide *a, const bw_wide *b, bool self,
                       bw_separation_visitor *visitor, void *user);

#endif
