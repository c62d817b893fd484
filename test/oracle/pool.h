/* The pool of boxwood/pool.h for tests: ranges are handed out one by one, so every run has another order. */
#ifndef BW_ORACLE_POOL_H
#define BW_ORACLE_POOL_H

#include <boxwood/pool.h>

/* 1 <= workers <= BW_MAX_WORKERS; aborts where threads cannot be had. */
bw_pool *test_pool_create(uint32_t workers);

#endif
