/* A small pool of threads behind the library's task hook (docs/decisions/0005-a-pool-of-threads.md). */
#ifndef TOOL_POOL_H
#define TOOL_POOL_H

#include <boxwood/base.h>

typedef struct pool pool;

/* workers (1 to BW_MAX_WORKERS) counts the calling thread; the others sleep until there is work. Returns 0,
 * or the error (as in errno.h) for which not all could be started. */
int pool_create(uint32_t workers, pool **out);
/* NULL is allowed. */
void pool_destroy(pool *pool);
/* The hook; valid as long as the pool. One thread at a time may use it; a parallel_for within another runs in
 * the worker that asked for it. */
const bw_tasks *pool_tasks(const pool *pool);
/* As many as the machine has processors in use, at least 1 and at most BW_MAX_WORKERS. */
uint32_t pool_default_workers(void);

#endif
