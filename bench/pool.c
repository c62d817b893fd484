#include "pool.h"
#include "../tools/pool.h"
#include "runner.h"

bench_pool *bench_pool_create(uint32_t workers)
{
    bench_pool *made;
    bench_require(workers >= 1 && workers <= BW_MAX_WORKERS, "a pool of that many threads is not possible");
    bench_require(pool_create(workers, &made) == 0, "cannot start a thread");
    return made;
}

void bench_pool_destroy(bench_pool *p)
{
    pool_destroy(p);
}

const bw_tasks *bench_pool_tasks(const bench_pool *p)
{
    return pool_tasks(p);
}
