/* The command's pool of threads (tools/pool.h) for benches, which end where it cannot be had. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <boxwood/base.h>

typedef struct pool bench_pool;

/* workers counts the calling thread. */
bench_pool *bench_pool_create(uint32_t workers);
void bench_pool_destroy(bench_pool *pool);
const bw_tasks *bench_pool_tasks(const bench_pool *pool);

#endif
