/* A min-heap of ids 0, 1, 2, ... with keys of double: the smallest key first, equal keys by id, so that the
 * order of what comes out depends on nothing but what is in. Any id can be found, moved and removed in O(log
 * n). */
#ifndef BW_BASE_HEAP_H
#define BW_BASE_HEAP_H

#include "base/memory.h"

#define BW_HEAP_ABSENT UINT32_MAX

typedef struct bw_heap_item {
    double key;
    uint32_t id;
} bw_heap_item;

typedef struct bw_heap {
    bw_heap_item *items; /* four children a node */
    uint32_t *place;     /* of each id, or BW_HEAP_ABSENT */
    uint32_t count;      /* ids in the heap */
    uint32_t room;       /* ids that are known: all below this may be inserted */
    const bw_allocator *allocator;
} bw_heap;

static inline bw_heap bw_heap_over(const bw_allocator *allocator)
{
    return (bw_heap){NULL, NULL, 0, 0, allocator};
}

/* Makes the ids below `ids` known, so that nothing below can fail; false when memory runs out, with all as it
 * was. */
bool bw_heap_reserve(bw_heap *heap, uint32_t ids);
void bw_heap_release(bw_heap *heap);
/* All memory held. */
size_t bw_heap_bytes(const bw_heap *heap);

static inline bool bw_heap_has(const bw_heap *heap, uint32_t id)
{
    return heap->place[id] != BW_HEAP_ABSENT;
}

/* The id must be absent, its key no NaN; infinities are fine. */
void bw_heap_insert(bw_heap *heap, uint32_t id, double key);
/* The id must be present. */
void bw_heap_update(bw_heap *heap, uint32_t id, double key);
void bw_heap_remove(bw_heap *heap, uint32_t id);
/* Whichever it takes to give an id a key; INFINITY: out. */
void bw_heap_set(bw_heap *heap, uint32_t id, double key);
double bw_heap_key(const bw_heap *heap, uint32_t id);
/* The smallest; false when the heap is empty. */
bool bw_heap_top(const bw_heap *heap, bw_heap_item *out);
/* The smallest of the others; false where there is no other. */
bool bw_heap_second(const bw_heap *heap, bw_heap_item *out);
/* Ids whose keys are not above `until`, not many more than the first ones: at most `room`; how many. */
uint32_t bw_heap_until(const bw_heap *heap, double until, uint32_t *ids, uint32_t room);
bool bw_heap_pop(bw_heap *heap, bw_heap_item *out);
void bw_heap_clear(bw_heap *heap);

/* NULL if the invariants hold, otherwise a sentence about the first that does not. */
const char *bw_heap_check(const bw_heap *heap);

#endif
