/* The search for candidates and contacts of one or two meshes: over the trees, or over candidates kept from a
 * step before. */
#ifndef BW_SWEPT_SEARCH_SEARCH_H
#define BW_SWEPT_SEARCH_SEARCH_H

#include "base/array.h"
#include "base/cancel.h"
#include "geom/ccd/ccd.h"
#include "swept/swept.h"

/* A part of the work, and what it found: nothing depends on who does it. */
typedef struct bw_swept_part {
    bw_swept_item item;     /* where the walk begins, */
    uint64_t begin, end;    /* or which of the kept candidates */
    bw_array found;         /* of bw_swept_contact, mode ALL; of bw_swept_near_pair */
    bw_array candidates;    /* of bw_swept_candidate, where parts keep them */
    bw_swept_report report; /* its share of the counts, and its earliest */
    uint64_t near_count;    /* pairs nearer than the separation at time 0, where these may stay so */
    bool failed;            /* out of memory */
} bw_swept_part;

struct bw_swept_worker;
/* Takes pairs whose boxes meet and that may collide. */
typedef void bw_swept_take(struct bw_swept_worker *worker, bw_ccd_feature feature,
                           const bw_swept_pairs *pairs, uint32_t count);

typedef struct bw_swept_search {
    /* Set by the caller. */
    const bw_swept *a, *b;       /* equal for a mesh against itself */
    const bw_swept_query *query; /* mode, tolerance, separation, filter, tasks and progress count */
    const bw_allocator *allocator;
    bw_swept_take *take;
    size_t element;                 /* the size of what it finds */
    float grow;                     /* boxes are grown by this on every side */
    double from, to;                /* times beyond which nothing counts, for what takes the pairs */
    double keep;                    /* as in bw_swept_safe_desc; 0: near is contact from the start */
    double latest;                  /* mode EARLIEST: later contacts do not count */
    uint64_t listed;                /* how many candidates to list at most; mode CANDIDATES */
    bw_swept_candidate *list;       /* where one worker writes them; NULL: each part keeps its own */
    const bw_swept_candidate *kept; /* look at these only; NULL: walk the trees */
    uint64_t kept_count;
    /* What is walked: a and b, or for less of the step. */
    const bw_swept *walked_a, *walked_b;
    float walked_grow;
    bw_cancel asking;
    bw_cancel *cancel; /* NULL: nobody wants to be asked */
    /* Found. */
    bool stopped;         /* by the caller: what was found is not all */
    bw_swept_part *parts; /* in an order that is always the same */
    uint32_t part_count, part_capacity;
    uint64_t near_count;
    bw_swept_report report; /* of all parts; the status is left to the caller */
} bw_swept_search;

/* What one worker needs. */
typedef struct bw_swept_worker {
    bw_swept_traversal walk; /* first, so that a pointer to it is one to the whole */
    const bw_swept_search *search;
    double tolerance, separation, extent;
    double latest;    /* mode EARLIEST: later contacts do not count */
    bw_swept_far far; /* the filter in floats, up to that time */
    bool thick;       /* every pair has a separation of its own */
    bw_swept_part *now;
    uint32_t until_question;                /* batches of pairs before the next bw_cancel_step */
    uint64_t listed;                        /* candidates in the search's list */
    uint64_t candidates[BW_SWEPT_FEATURES]; /* of the part, by feature */
} bw_swept_worker;

/* BW_ERROR_MEMORY, or BW_OK; bw_swept_search_release in either case. */
bw_result bw_swept_search_run(bw_swept_search *search);
void bw_swept_search_release(bw_swept_search *search);
/* Runs so many parts from the first on: part i is that of number i * stride, modulo all. */
void bw_swept_run_round(bw_swept_search *search, bw_swept_worker *workers, uint32_t first, uint32_t count,
                        uint32_t stride);
static inline bw_swept_part *bw_swept_part_of(const bw_swept_search *s, uint32_t i, uint32_t stride)
{
    return &s->parts[(uint64_t)i * stride % s->part_count];
}

/* Lists candidates. */
bw_swept_take bw_swept_take_candidates;
/* A pair that keeps apart until here has no contact that is told as earlier than `latest`, nor as equal:
 * times are early by the tolerance at most. */
static inline double bw_swept_until(double latest, double tolerance)
{
    return latest + tolerance * (1 + 0x1p-10);
}
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

/* Which of two contacts is the earlier one; y may be none. */
static inline bool bw_swept_earlier(const bw_swept_contact *x, const bw_swept_contact *y)
{
    if (y->feature == BW_CCD_NOTHING || x->first.time != y->first.time)
        return y->feature == BW_CCD_NOTHING || x->first.time < y->first.time;
    return bw_swept_before(x, y);
}

#endif
