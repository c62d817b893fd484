/* A task hook with real threads, for tests: ranges are handed out one by one, so every run has another order.
 */
#ifndef BW_ORACLE_POOL_H
#define BW_ORACLE_POOL_H

#include <boxwood/base.h>

typedef struct pool bw_pool;

/* 1 <= workers <= BW_MAX_WORKERS; aborts where threads cannot be had. */
bw_pool *bw_pool_create(uint32_t workers);
void bw_pool_destroy(bw_pool *pool);
const bw_tasks *bw_pool_tasks(const bw_pool *pool);

#endif
