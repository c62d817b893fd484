#define _DEFAULT_SOURCE /* madvise */
#include "pages.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21, NONE = -1 };

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    const size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void give_back(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

const bw_allocator *bench_small_pages(void)
{
    static const bw_allocator allocator = {allocate, give_back, NULL};
    return &allocator;
}

enum { KEPT = 16 };

static struct {
    void *memory;
    size_t size;
} kept[KEPT];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER; /* tasks of a build may allocate too */

/* The block of that size, or an empty place where size is 0; NONE where there is none. */
static int find_kept(size_t size)
{
    for (int i = 0; i < KEPT; i++)
        if (kept[i].size == size)
            return i;
    return NONE;
}

static void *allocate_large(void *user, size_t size, size_t alignment)
{
    void *block = allocate(user, size, size >= (size_t)LARGE_PAGE ? (size_t)LARGE_PAGE : alignment);
#if defined(MADV_HUGEPAGE)
    if (block != NULL && size >= (size_t)LARGE_PAGE)
        (void)madvise(block, size & ~((size_t)LARGE_PAGE - 1), MADV_HUGEPAGE);
#endif
    return block;
}

static void *allocate_kept(void *user, size_t size, size_t alignment)
{
    void *memory = NULL;
    if (size >= (size_t)LARGE_PAGE) {
        pthread_mutex_lock(&guard);
        const int i = find_kept(size);
        if (i != NONE) {
            memory = kept[i].memory;
            kept[i].size = 0;
        }
        pthread_mutex_unlock(&guard);
    }
    return memory != NULL ? memory : allocate_large(user, size, alignment);
}

static void give_back_kept(void *user, void *memory, size_t size)
{
    if (memory != NULL && size >= (size_t)LARGE_PAGE) {
        pthread_mutex_lock(&guard);
        const int i = find_kept(0);
        if (i != NONE) {
            kept[i].memory = memory;
            kept[i].size = size;
            memory = NULL;
        }
        pthread_mutex_unlock(&guard);
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
    for (int i = 0; i < KEPT; i++)
        if (kept[i].size != 0) {
            free(kept[i].memory);
            kept[i].size = 0;
        }
}
