/* Which method to follow a motion with: the policy of BW_KINETIC_AUTO.
 *
 * It counts what has happened (frames a segment, nodes that queries wrote and looked at, plans that changed),
 * looks at a sample of the boxes for how loose blended ones would be, and compares what each method would
 * cost by the prices in auto.c. No clock: the same calls make the same choices. */
#ifndef BW_KINETIC_POLICY_H
#define BW_KINETIC_POLICY_H

#include <boxwood/kinetic.h>

enum { BW_POLICY_RANGE = 256 }; /* nodes that stand together, about a subtree: compiled or blended as one */

typedef struct bw_policy_range {
    uint32_t written; /* nodes, in this segment */
    bool tight;       /* COMPILED: whether to find its events, or to blend */
} bw_policy_range;

typedef struct bw_policy {
    bool on;
    uint32_t segment, frames;          /* the present one, and steps within it */
    double frames_a_segment;           /* 0: not known yet */
    double written, visits;            /* nodes a frame: written for queries, and looked at by them */
    uint64_t seen_visits, seen_cached; /* of the lazy tree's counters */
    double looseness;                  /* how much larger blended boxes are, on average over a segment */
    double events;                     /* a segment, if all were compiled */
    uint32_t sampled;                  /* where the leaves to look at for both begin; 0: not looked yet */
    double changes;                    /* plans a frame, */
    uint32_t changed;                  /* and in this one */
    double compared;                   /* queue: candidates a frame, */
    uint64_t seen_compared;            /* and of the total */
    uint32_t onward;                   /* frames since time last went back */
    uint32_t idle, patience;           /* frames since the queue was left, and for how many it stays so */
    bw_policy_range *range;            /* ranges of them */
    uint32_t ranges;
    double spent;          /* on answers from what queries remember, in this segment, */
    uint32_t spent_frames; /* in so many frames; */
    double remembered;     /* and a frame, when last all of a segment had them; 0: not known */
    uint32_t chances;      /* segments with blended boxes in which nothing was remembered */
    bw_kinetic_choice choice;
} bw_policy;

/* The method to begin with. */
bw_kinetic_method bw_policy_first(const struct bw_kinetic *k);
bw_result bw_policy_create(struct bw_kinetic *k);
void bw_policy_release(struct bw_kinetic *k);
size_t bw_policy_bytes(const struct bw_kinetic *k);
/* Before a step to a time: takes note of the frame that ends, and changes the method if another is cheaper.
 */
void bw_policy_step(struct bw_kinetic *k, double time);
/* After time went back, for which everything was started again. */
void bw_policy_restarted(struct bw_kinetic *k);
/* Room for a tree of so many nodes. BW_ERROR_MEMORY: all as it was. */
bw_result bw_policy_grow(struct bw_kinetic *k, uint32_t nodes);
/* So many plans are to change now: from now on a method that can have it. */
void bw_policy_change(struct bw_kinetic *k, uint32_t plans);

#endif
