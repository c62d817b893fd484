/* boxwood/pool.h, which is a library of its own beside the others. */
#include "calls.h"

#include <boxwood/pool.h>

static void count(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    uint32_t *done = (uint32_t *)context;
    CHECK(worker < BW_MAX_WORKERS);
    for (uint32_t i = begin; i < end; i++)
        done[i]++;
}

void call_pool(void)
{
    bw_pool *pool = NULL;
    uint32_t done[100] = {0}, once = 0;
    CHECK(bw_pool_default_workers() >= 1);
    CHECK(bw_pool_create(2, &pool, NULL) == BW_OK);
    const bw_tasks *tasks = bw_pool_tasks(pool);
    tasks->parallel_for(tasks->user, count, done, 100, 1);
    for (int i = 0; i < 100; i++)
        once += done[i] == 1;
    CHECK(once == 100);
    bw_pool_destroy(pool);
}
