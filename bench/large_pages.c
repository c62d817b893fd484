#define _DEFAULT_SOURCE /* madvise */
#include "large_pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

/* Only whole large pages of the block are named, so that it takes no more memory than it asks for. */
static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    const bool large = size >= 2 * (size_t)LARGE_PAGE;
    const size_t unit = large ? LARGE_PAGE : alignment, rounded = (size + unit - 1) & ~(unit - 1);
    void *block = rounded < size ? NULL : aligned_alloc(unit, rounded);
#if defined(MADV_HUGEPAGE)
    if (large && block != NULL)
        (void)madvise(block, size & ~((size_t)LARGE_PAGE - 1), MADV_HUGEPAGE);
#endif
    return block;
}

static void give_back(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

const bw_allocator *bench_large_pages(void)
{
    static const bw_allocator allocator = {allocate, give_back, NULL};
    return &allocator;
}
