/* A pool of equal elements, named by index, in chunks: growing copies nothing, so it never doubles the
 * memory, and chunks at the end go back when they are free. The first chunk alone grows by copying, so that
 * small scenes stay small: pointers are valid until the next bw_slab_take. */
#ifndef BW_SCENE_SLAB_H
#define BW_SCENE_SLAB_H

#include "base/memory.h"

#define BW_SLAB_NONE UINT32_MAX

typedef struct bw_slab {
    char **chunks;
    uint32_t chunk_count, chunk_room; /* room: of the array of chunks */
    uint32_t first_capacity;          /* elements in chunk 0; the others are full */
    uint32_t shift;                   /* log2 of the elements of a full chunk */
    uint32_t element;                 /* bytes, at least 4 */
    uint32_t end;                     /* indices below this were given out once */
    uint32_t free_head, free_count;   /* a list through the first four bytes of free elements */
} bw_slab;

static inline bw_slab bw_slab_empty(uint32_t element, uint32_t shift)
{
    return (bw_slab){.shift = shift, .element = element, .free_head = BW_SLAB_NONE};
}

static inline void *bw_slab_at(const bw_slab *pool, uint32_t index)
{
    return pool->chunks[index >> pool->shift] + (size_t)(index & ((1u << pool->shift) - 1u)) * pool->element;
}

/* Makes sure that the next `count` calls of bw_slab_take succeed. */
bool bw_slab_reserve(bw_slab *pool, const bw_allocator *allocator, uint32_t count);
/* An element, its bytes undefined. Only after a reservation. */
uint32_t bw_slab_take(bw_slab *pool);
void bw_slab_give(bw_slab *pool, uint32_t index);
/* Releases chunks at the end that hold no element in use. used tells whether an index is; called for few
 * indices. */
void bw_slab_trim(bw_slab *pool, const bw_allocator *allocator,
                  bool (*used)(const void *context, uint32_t index), const void *context);
/* The same where the caller moved all elements in use below end: none is free there. */
void bw_slab_cut(bw_slab *pool, const bw_allocator *allocator, uint32_t end);
void bw_slab_release(bw_slab *pool, const bw_allocator *allocator);
size_t bw_slab_bytes(const bw_slab *pool);

static inline uint32_t bw_slab_live(const bw_slab *pool)
{
    return pool->end - pool->free_count;
}

#endif
