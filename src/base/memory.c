/* The allocator that is used where the caller gives none, and allocation of arrays. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#    include <sys/mman.h>
#elif defined(_WIN32)
#    include <malloc.h>
#endif

enum { ALIGNMENT = 64, LARGE_PAGE = 1 << 21 };

#if defined(_WIN32)
static void *aligned_block(size_t size, size_t alignment)
{
    return _aligned_malloc(size, alignment);
}

static void free_block(void *block)
{
    _aligned_free(block);
}
#else
/* aligned_alloc wants a multiple of the alignment. */
static void *aligned_block(size_t size, size_t alignment)
{
    const size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void free_block(void *block)
{
    free(block);
}
#endif

#if defined(MADV_HUGEPAGE)
/* A block of many pages in large ones, where the system gives them to those who ask: first touches are a
 * third of a fast build otherwise. Only whole large pages are named, so that no more memory is taken than
 * was asked for. An advice that is not followed costs nothing. */
static void *heap_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    if (size < 2 * (size_t)LARGE_PAGE)
        return aligned_block(size, alignment);
    void *block = aligned_block(size, LARGE_PAGE);
    if (block != NULL)
        (void)madvise(block, size & ~((size_t)LARGE_PAGE - 1), MADV_HUGEPAGE);
    return block;
}
#else
static void *heap_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    return aligned_block(size, alignment);
}
#endif

static void heap_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free_block(memory);
}

bw_allocator bw_allocator_or_heap(const bw_allocator *given)
{
    if (given != NULL)
        return *given;
    return (bw_allocator){heap_alloc, heap_free, NULL};
}

void *bw_allocate(const bw_allocator *allocator, size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > SIZE_MAX / size)
        return NULL;
    return allocator->alloc(allocator->user, count * size, ALIGNMENT);
}

void *bw_allocate_zero(const bw_allocator *allocator, size_t count, size_t size)
{
    void *memory = bw_allocate(allocator, count, size);
    if (memory != NULL)
        memset(memory, 0, count * size);
    return memory;
}

void bw_release(const bw_allocator *allocator, void *memory, size_t count, size_t size)
{
    if (memory != NULL)
        allocator->free(allocator->user, memory, count * size);
}
