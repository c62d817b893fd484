/* The pool of boxwood/pool.h for benches, which end where it cannot be had. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <boxwood/pool.h>

/* workers counts the calling thread. */
bw_pool *bench_pool_create(uint32_t workers);

#endif
