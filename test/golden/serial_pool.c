/* The pool of boxwood/pool.h where there are no threads (WebAssembly): ranges one after the other, from the last to the first and
 * by workers in turn, which is an order that threads may have, too. */
#include <boxwood/pool.h>
#include <stdlib.h>

struct bw_pool {
    bw_tasks tasks;
};

static void parallel_for(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    const bw_pool *pool = user;
    const uint32_t step = grain > 0 ? grain : 1;
    const uint32_t ranges =
        count / step > 0 ? count / step : (count > 0 ? 1 : 0); /* the last takes the rest */
    for (uint32_t i = ranges; i-- > 0;)
        fn(context, i * step, i + 1 < ranges ? (i + 1) * step : count, i % pool->tasks.worker_count);
}

bw_result bw_pool_create(uint32_t thread_count, bw_pool **out, bw_fault *fault)
{
    (void)fault;
    bw_pool *pool = malloc(sizeof *pool);
    if (pool == NULL)
        return BW_ERROR_MEMORY;
    pool->tasks = (bw_tasks){.parallel_for = parallel_for, .user = pool, .worker_count = thread_count};
    *out = pool;
    return BW_OK;
}

void bw_pool_destroy(bw_pool *pool)
{
    free(pool);
}

const bw_tasks *bw_pool_tasks(const bw_pool *pool)
{
    return &pool->tasks;
}
