/* The task hook, from the inside. */
#ifndef BW_BASE_TASKS_H
#define BW_BASE_TASKS_H

#include <boxwood/base.h>

/* BW_ERROR_ARGUMENT for a hook without function or with a worker count outside its range; NULL is fine. */
static inline bw_result bw_tasks_check(const bw_tasks *tasks)
{
    if (tasks == NULL)
        return BW_OK;
    bool good =
        tasks->parallel_for != NULL && tasks->worker_count >= 1 && tasks->worker_count <= BW_MAX_WORKERS;
    return good ? BW_OK : BW_ERROR_ARGUMENT;
}

/* How many workers may run at once: room for so many of whatever each needs for itself. */
static inline uint32_t bw_workers(const bw_tasks *tasks)
{
#if defined(__wasm__) /* has no threads, and no room for code that would use them */
    (void)tasks;
    return 1;
#else
    return tasks == NULL ? 1 : tasks->worker_count;
#endif
}

/* fn over 0..count-1 in ranges of about grain; in one call where that is all the work or there is one worker.
 */
static inline void bw_parallel(const bw_tasks *tasks, bw_task_fn *fn, void *context, uint32_t count,
                               uint32_t grain)
{
    if (count == 0)
        return;
    if (bw_workers(tasks) <= 1 || count <= grain)
        fn(context, 0, count, 0);
    else
        tasks->parallel_for(tasks->user, fn, context, count, grain == 0 ? 1 : grain);
}

#endif
