#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static void *heap_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    /* aligned_alloc wants a multiple of the alignment. */
    size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void heap_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

bw_allocator bw_allocator_or_heap(const bw_allocator *given)
{
    if (given != NULL)
        return *given;
    return (bw_allocator){heap_alloc, heap_free, NULL};
}

bool bw_allocator_is_heap(const bw_allocator *allocator)
{
    return allocator->alloc == heap_alloc;
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
