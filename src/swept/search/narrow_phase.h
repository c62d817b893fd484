/* The narrow phase of a step: see narrow_phase.c. */
#ifndef BW_SWEPT_SEARCH_NARROW_PHASE_H
#define BW_SWEPT_SEARCH_NARROW_PHASE_H

#include "swept/search/search.h"

/* Finds contacts. */
bw_swept_take bw_swept_take_contacts;
/* From now on contacts of the worker's part that are later do not count. */
void bw_swept_limit(bw_swept_worker *worker, double latest);

/* Pairs of a batch that the filter in floats left, and what the next stages need of each. */
typedef struct bw_swept_left {
    uint32_t count;
    uint32_t place[BW_SWEPT_BATCH]; /* in the batch of the walk */
    bw_ccd_four paths[BW_SWEPT_BATCH];
    double separation[BW_SWEPT_BATCH]; /* where each has its own */
} bw_swept_left;

/* Leaves out pairs that keep farther apart than their separation at all times that count. */
void bw_swept_filter_floats(bw_swept_worker *worker, bw_ccd_feature feature, const bw_swept_pairs *pairs,
                            uint32_t count, bw_swept_left *out);

#endif
