/* Boxwood: a pool of threads behind the task hook, for who has none of his own.
 *
 * A small static library beside the library (CMake: boxwood::pool; pkg-config: boxwood-pool), on POSIX threads, so
 * that the library itself needs libc and libm only (docs/decisions/0005-a-pool-of-threads.md). Not among the
 * headers of boxwood/boxwood.h.
 *
 *   bw_pool *pool;
 *   if (bw_pool_create(0, &pool, NULL) != BW_OK) return 1;
 *   desc.tasks = bw_pool_tasks(pool);
 */
#ifndef BOXWOOD_POOL_H
#define BOXWOOD_POOL_H

#include <boxwood/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bw_pool bw_pool;

/* worker_count: 1 to BW_MAX_WORKERS, the calling thread among them; 0: bw_pool_default_workers. The others sleep
 * until there is work, and block all signals. BW_ERROR_ARGUMENT: more than that; BW_ERROR_MEMORY: not all threads
 * could be started (the fault's element is the first that could not). Pools do not survive a fork. */
bw_result bw_pool_create(uint32_t worker_count, bw_pool **out, bw_fault *fault);
/* Ends the threads and waits for them. NULL is allowed. */
void bw_pool_destroy(bw_pool *pool);
/* The hook; valid as long as the pool. One thread at a time may use it; a parallel_for within another runs in
 * the worker that calls it. */
const bw_tasks *bw_pool_tasks(const bw_pool *pool);
/* As many as the machine has processors online, at least 1 and at most BW_MAX_WORKERS. */
uint32_t bw_pool_default_workers(void);

#ifdef __cplusplus
}
#endif
#endif
