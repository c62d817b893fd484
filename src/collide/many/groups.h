/* Batches of pairs of bodies in groups, divided among threads: chunks of groups, the same for any number of
 * threads, within which one group may learn from the one before. */
#ifndef BW_COLLIDE_MANY_GROUPS_H
#define BW_COLLIDE_MANY_GROUPS_H

#include "base/cancel.h"
#include "base/memory.h"

#include <boxwood/collide.h>

/* What a chunk remembers from group to group, and room to sort: one entry per place of a group, or two. */
typedef struct bw_group_room {
    bw_witness *witnesses;
    uint32_t *order; /* places, in the order in which to look at them; room for as many behind */
    uint64_t *keys;  /* by which they are sorted; twice */
} bw_group_room;

typedef struct bw_groups bw_groups;
struct bw_groups {
    const bw_body_pair *pairs;
    uint32_t group_size, group_count;
    bool coherent; /* witnesses go from a group to the next */
    bw_cancel *cancel;
    /* Answers one group. */
    void (*answer)(const bw_groups *groups, uint32_t group, bw_group_room *room);
    /* For a group that nobody wants any more. */
    void (*skip)(const bw_groups *groups, uint32_t group);
};

/* Fills in what is not answer and skip, and answers all groups (of one pair where the size is 0).
 * BW_ERROR_ARGUMENT for pairs that make no whole groups, and for bad tasks; BW_ERROR_MEMORY. */
bw_result bw_groups_run(bw_groups *groups, const bw_body_pair *pairs, uint32_t pair_count,
                        uint32_t group_size, bool coherent, bw_progress progress, const bw_tasks *tasks,
                        const bw_allocator *allocator);
/* The same by a descriptor that has these. */
#define BW_GROUPS_RUN(groups, pairs, pair_count, desc)                                                       \
    bw_groups_run(groups, pairs, pair_count, (desc)->group_size, (desc)->coherent, (desc)->progress,         \
                  (desc)->tasks, (desc)->allocator)

#endif
