/* The pool of boxwood/pool.h for benches. */
#include "pool.h"
#include "runner.h"

bw_pool *bench_pool_create(uint32_t workers)
{
    bw_pool *made;
    bench_require(workers >= 1 && workers <= BW_MAX_WORKERS, "a pool of that many threads is not possible");
    bench_require(bw_pool_create(workers, &made, NULL) == BW_OK, "cannot start a thread");
    return made;
}
