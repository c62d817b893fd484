/* The pool of the command (tools/pool.h) for tests: whatever goes wrong aborts. */
#include "oracle/pool.h"

#include "../tools/pool.h"

#include <stdlib.h>

bw_pool *bw_pool_create(uint32_t workers)
{
    bw_pool *made;
    if (workers < 1 || workers > BW_MAX_WORKERS || pool_create(workers, &made) != 0)
        abort();
    return made;
}

void bw_pool_destroy(bw_pool *p)
{
    pool_destroy(p);
}

const bw_tasks *bw_pool_tasks(const bw_pool *p)
{
    return pool_tasks(p);
}
