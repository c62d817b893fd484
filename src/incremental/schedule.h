/* COMPILED: what a sweep over a span of time found, in order of time, and what of it is of the moment. */
#ifndef BW_INCREMENTAL_SCHEDULE_H
#define BW_INCREMENTAL_SCHEDULE_H

#include "collide/hit_sink.h"
#include "incremental/sweep.h"

typedef struct bw_schedule {
    bw_sweep sweep;  /* its pairs, in the order of the walk */
    double from, to; /* the span; NAN: none */
    double at;       /* the part of it that the present time is */
    bw_array order;  /* uint32_t: pairs by the time from which they count */
    bw_array keys;   /* for the sort */
    bw_array active; /* uint32_t: pairs that count now, and some that do no more */
    size_t next;     /* in order */
} bw_schedule;

bw_result bw_schedule_create(const bw_allocator *allocator, bw_mover *a, bw_mover *b, bw_schedule *out);
void bw_schedule_release(bw_schedule *schedule);
size_t bw_schedule_bytes(const bw_schedule *schedule);
/* Whether the time is in the span that is prepared. */
bool bw_schedule_holds(const bw_schedule *schedule, double time);
/* Prepares a span. BW_ERROR_MEMORY: none is prepared. */
bw_result bw_schedule_prepare(bw_schedule *schedule, double from, double to);
/* Goes to a time of the span. BW_ERROR_MEMORY: none is prepared any more. */
bw_result bw_schedule_advance(bw_schedule *schedule, double time);
/* The contacts at a time of the span, to which it was advanced. */
void bw_schedule_collide(bw_schedule *schedule, double time, bw_hit_sink *sink);
/* Proves that every pair of triangles whose boxes and faces meet at the time is among those that count: all
 * pairs are tried, so it is for tests on small meshes. NULL, or a sentence about the first fault. */
const char *bw_schedule_check(const bw_schedule *schedule, double time);

#endif
