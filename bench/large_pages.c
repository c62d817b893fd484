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

enum { KEPT = 16 };

static struct {
    void *memory;
    size_t size;
} kept[KEPT];

static void *allocate_kept(void *user, size_t size, size_t alignment)
{
    for (int i = 0; i < KEPT; i++)
        if (kept[i].memory != NULL && kept[i].size == size) {
            void *memory = kept[i].memory;
            kept[i].memory = NULL;
            return memory;
        }
    return allocate(user, size, alignment);
}

static void give_back_kept(void *user, void *memory, size_t size)
{
    for (int i = 0; memory != NULL && size >= (size_t)LARGE_PAGE && i < KEPT; i++)
        if (kept[i].memory == NULL) {
            kept[i].memory = memory;
            kept[i].size = size;
            return;
        }
    give_back(user, memory, size);
}

const bw_allocator *bench_kept_pages(void)
{
    static const bw_allocator allocator = {allocate_kept, give_back_kept, NULL};
    return &allocator;
}

void bench_kept_pages_release(void)
{
    for (int i = 0; i < KEPT; i++) {
        free(kept[i].memory);
        kept[i].memory = NULL;
    }
}
