/* The search for candidates and contacts of one or two meshes: over the trees, or over candidates kept from a
 * step before. */
#ifndef BW_SWEPT_SEARCH_H
#define BW_SWEPT_SEARCH_H

#include "base/array.h"
#include "swept/swept.h"

/* A part of the work, and what it found: nothing depends on who does it. */
typedef struct bw_swept_part {
    bw_swept_item item;     /* where the walk begins, */
    uint64_t begin, end;    /* or which of the kept candidates */
    bw_array contacts;      /* of bw_swept_contact; mode ALL */
    bw_array candidates;    /* of bw_swept_candidate, where parts keep them */
    bw_swept_report report; /* its share of the counts, and its earliest */
    bool failed;            /* out of memory */
} bw_swept_part;

typedef struct bw_swept_search {
    /* Set by the caller. */
    const bw_swept *a, *b;       /* equal for a mesh against itself */
    const bw_swept_query *query; /* mode, tolerance, separation and tasks count */
    const bw_allocator *allocator;
    float grow;                     /* boxes are grown by this on every side */
    uint64_t listed;                /* how many candidates to list at most; mode CANDIDATES */
    bw_swept_candidate *list;       /* where one worker writes them; NULL: each part keeps its own */
    const bw_swept_candidate *kept; /* look at these only; NULL: walk the trees */
    uint64_t kept_count;
    /* Found. */
    bw_swept_part *parts; /* in an order that is always the same */
    uint32_t part_count, part_capacity;
    bw_swept_report report; /* of all parts; the status is left to the caller */
} bw_swept_search;

/* BW_ERROR_MEMORY, or BW_OK; bw_swept_search_release in either case. */
bw_result bw_swept_search_run(bw_swept_search *search);
void bw_swept_search_release(bw_swept_search *search);

/* By how much each box grows for a separation: by half of it, and enough for the rounding of sums. */
float bw_swept_growth(const bw_swept *a, const bw_swept *b, double separation);
/* The largest magnitude of the coordinates of both. */
double bw_swept_extent(const bw_swept *a, const bw_swept *b);

/* The order of contacts: by feature, then a, then b. */
static inline bool bw_swept_before(const bw_swept_contact *x, const bw_swept_contact *y)
{
    if (x->feature != y->feature)
        return x->feature < y->feature;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

#endif
