/* Allocation through the hook of an object, with overflow of count * size answered like any other failure. */
#ifndef BW_BASE_MEMORY_H
#define BW_BASE_MEMORY_H

#include <boxwood/base.h>

/* The hook to copy into an object: *given, or the C library's heap where given is NULL. */
bw_allocator bw_allocator_or_heap(const bw_allocator *given);

/* Whether it is the C library's heap: its large blocks are fresh pages, small ones most likely, each of which
 * the kernel has just cleared, in the cache, when it is first written. */
bool bw_allocator_is_heap(const bw_allocator *allocator);

/* Room for count elements of the given size, aligned to 64 bytes (a cache line, and any SIMD register). NULL
 * on failure, and for count == 0. The bytes are not initialised. */
void *bw_allocate(const bw_allocator *allocator, size_t count, size_t size);
/* The same, all bytes zero. */
void *bw_allocate_zero(const bw_allocator *allocator, size_t count, size_t size);
/* Gives back what bw_allocate returned for the same count and size. NULL is allowed. */
void bw_release(const bw_allocator *allocator, void *memory, size_t count, size_t size);

#endif
