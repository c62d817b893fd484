#include "pool.h"
#include "runner.h"

bench_pool *bench_pool_create(uint32_t workers)
{
    bench_pool *made;
    bench_require(workers >= 1 && workers <= BW_MAX_WORKERS, "a pool of that many threads is not possible");
    bench_require(pool_create(workers, &made) == 0, "cannot start a thread");
    return made;
}

void bench_pool_destroy(bench_pool *pool)
{
    pool_destroy(pool);
}

const bw_tasks *bench_pool_tasks(const bench_pool *pool)
{
    return pool_tasks(pool);
}
