/* A small pool of threads behind the library's task hook. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <boxwood/base.h>

typedef struct bench_pool bench_pool;

/* workers counts the calling thread; the others sleep until there is work. The program ends where threads
 * cannot start. */
bench_pool *bench_pool_create(uint32_t workers);
void bench_pool_destroy(bench_pool *pool);
/* The hook; valid as long as the pool. One thread at a time may use it; a parallel_for within another runs in
 * the worker that asked for it. */
const bw_tasks *bench_pool_tasks(const bench_pool *pool);

#endif
