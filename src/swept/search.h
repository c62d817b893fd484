/* The search for candidates and contacts of one or two meshes: over the trees, or over candidates kept from a
 * step before. */
#ifndef BW_SWEPT_SEARCH_H
#define BW_SWEPT_SEARCH_H

#include "base/array.h"
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
    const bw_swept_query *query; /* mode, tolerance, separation, filter and tasks count */
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
    /* Found. */
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
/* Mode EARLIEST: all parts. False when memory runs out. */
bool bw_swept_run_earliest(bw_swept_search *search, bw_swept_worker *workers);
/* Of the contacts that were met on the way only the earliest counts. */
void bw_swept_keep_earliest(bw_swept_report *report);

/* Lists candidates. */
bw_swept_take bw_swept_take_candidates;
/* Finds contacts: narrow_phase.c. */
bw_swept_take bw_swept_take_contacts;
/* A pair that keeps apart until here has no contact that is told as earlier than `latest`, nor as equal: times
 * are early by the tolerance at most. */
static inline double bw_swept_until(double latest, double tolerance)
{
    return latest + tolerance * (1 + 0x1p-10);
}
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

/* By how much each box grows for a separation: by half of it, and enough for the rounding of sums. */
float bw_swept_growth(const bw_swept *a, const bw_swept *b, double separation);
/* The largest magnitude of the coordinates of both. */
double bw_swept_extent(const bw_swept *a, const bw_swept *b);

/* The vertices of a pair, and of which meshes they are. */
static inline void bw_swept_vertices_of(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature,
                                        uint32_t number_a, uint32_t number_b, uint32_t vertices[4],
                                        const bw_swept *meshes[4])
{
    if (feature == BW_CCD_EDGE_EDGE) {
        for (int i = 0; i < 2; i++) {
            vertices[i] = a->edges[number_a][i];
            vertices[2 + i] = b->edges[number_b][i];
            meshes[i] = a;
            meshes[2 + i] = b;
        }
        return;
    }
    /* The vertex stands first, whichever mesh it is of. */
    bool turned = feature == BW_CCD_FACE_VERTEX || feature == BW_CCD_EDGE_VERTEX,
         face = feature == BW_CCD_VERTEX_FACE || feature == BW_CCD_FACE_VERTEX;
    const bw_swept *other = turned ? a : b;
    uint32_t number = turned ? number_a : number_b, last = face ? 2 : feature != BW_CCD_VERTEX_VERTEX;
    const uint32_t *corners = face ? other->faces[number] : last == 1 ? other->edges[number] : &number;
    vertices[0] = turned ? number_b : number_a;
    meshes[0] = turned ? b : a;
    for (uint32_t i = 0; i < 3; i++) {
        vertices[1 + i] = corners[i < last ? i : last];
        meshes[1 + i] = other;
    }
}

/* Whether the meshes have such features. */
bool bw_swept_has(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature, uint32_t number_a,
                  uint32_t number_b);
/* The thicknesses of both sides of a pair together. */
double bw_swept_pair_thickness(bw_ccd_feature feature, const uint32_t vertices[4],
                               const bw_swept *const meshes[4]);

/* The same step up to a time: topology and paths are those of s, the boxes are for [0, until]. The same bits
 * for any tasks. False when memory runs out; bw_swept_shorter_release in either case. */
bool bw_swept_shorten(const bw_swept *s, double until, const bw_allocator *allocator, const bw_tasks *tasks,
                      bw_swept *out);
void bw_swept_shorter_release(bw_swept *shorter, const bw_allocator *allocator);

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
