/* Allocation through the hook of an object, with overflow of count * size answered like any other failure. */
#ifndef BW_BASE_MEMORY_H
#define BW_BASE_MEMORY_H

#include <boxwood/base.h>

/* The hook to copy into an object: *given, or the C library's heap where given is NULL, which is asked for
 * large pages (decision 14). */
bw_allocator bw_allocator_or_heap(const bw_allocator *given);

/* Room for count elements of the given size, aligned to 64 bytes (a cache line, and any SIMD register). NULL
 * on failure, and for count == 0. The bytes are not initialised. */
void *bw_allocate(const bw_allocator *allocator, size_t count, size_t size);
/* The same, all bytes zero. */
void *bw_allocate_zero(const bw_allocator *allocator, size_t count, size_t size);
/* Gives back what bw_allocate returned for the same count and size. NULL is allowed. */
void bw_release(const bw_allocator *allocator, void *memory, size_t count, size_t size);

#endif
