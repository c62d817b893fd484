/* Parallel loops over fresh memory. The kernel clears a page when it is first touched, and that can take
 * longer than the work in it:
 * - Where two threads touch the same large page at about the same time, each has one cleared, and one of the
 * two is thrown away. So workers are kept apart.
 * - Pages that a thread has given back, those of the last tree, say, lie ready for its core; another core
 * gets some that have long been out of use. A guest of a virtual machine may have to ask the host for these
 * first, which took up to 40 ms of processor time where the whole build takes 45. So as long as workers are
 * few, one of them, most likely the caller, touches what the others will write later. */
#ifndef BW_TREE_BUILD_FIRST_TOUCH_H
#define BW_TREE_BUILD_FIRST_TOUCH_H

#include "base/tasks.h"

#include <stddef.h>

/* Memory that nobody has written yet. */
typedef struct bw_fresh {
    void *memory; /* NULL: there is none */
    size_t bytes;
} bw_fresh;

/* The part of a block that, of so many workers who share it out in order, the first does not write; none
 * where there is only one, or so many that they had better do it themselves. */
bw_fresh bw_fresh_of_others(const bw_tasks *tasks, void *memory, size_t bytes);
/* All of it, under the same conditions: for blocks that are written in no order. */
bw_fresh bw_fresh_of_all(const bw_tasks *tasks, void *memory, size_t bytes);
/* The calling thread touches it. */
void bw_first_touch(const bw_fresh *fresh);

/* As bw_parallel, in ranges of up to grain > 0, for loops that write memory in the order of their indices.
 * Each worker has a stretch of its own, and takes what others have left only when it is done, from the far
 * end of theirs. The worker of the first stretch begins by touching the blocks named, which the loop does not
 * use. */
void bw_parallel_first_touch(const bw_tasks *tasks, bw_task_fn *fn, void *context, uint32_t count,
                             uint32_t grain, const bw_fresh *later, uint32_t later_count);

#endif
