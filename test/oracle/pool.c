/* The pool of boxwood/pool.h for tests: whatever goes wrong aborts. */
#include "oracle/pool.h"

#include <stdlib.h>

bw_pool *test_pool_create(uint32_t workers)
{
    bw_pool *made;
    if (workers < 1 || bw_pool_create(workers, &made, NULL) != BW_OK)
        abort();
    return made;
}
