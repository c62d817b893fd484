/* Features to leaves: see assign.c. */
#ifndef BW_SWEPT_ASSIGN_H
#define BW_SWEPT_ASSIGN_H

#include "swept/swept.h"

typedef struct bw_swept_assignment {
    bw_swept_leaf *leaves;  /* leaf_count */
    bw_swept_group *groups; /* group_count */
    uint32_t leaf_count, group_count;
} bw_swept_assignment;

/* Made with s's allocator; of s only the topology counts. The boxes of the groups are left for
 * bw_swept_refit. Nothing is left behind on failure. */
bw_result bw_swept_assign(const bw_swept *s, const bw_wide *tree, const bw_tasks *tasks,
                          bw_swept_assignment *out);

#endif
