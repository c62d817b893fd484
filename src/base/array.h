/* A growing array of elements of one size, over an allocator. */
#ifndef BW_BASE_ARRAY_H
#define BW_BASE_ARRAY_H

#include "base/memory.h"

typedef struct bw_array {
    char *items;
    size_t count, capacity; /* in elements */
    size_t element;         /* bytes of one */
    const bw_allocator *allocator;
} bw_array;

static inline bw_array bw_array_of(size_t element, const bw_allocator *allocator)
{
    return (bw_array){NULL, 0, 0, element, allocator};
}

/* Makes room for `more` further elements, at least doubling; false when the allocation fails, with all as it
 * was. */
bool bw_array_grow(bw_array *array, size_t more);
/* Gives the memory back; the array is then empty and usable. */
void bw_array_release(bw_array *array);

/* The slots of `more` > 0 new elements at the end, not initialised, or NULL when memory runs out. */
static inline void *bw_array_extend(bw_array *array, size_t more)
{
    if (array->capacity - array->count < more && !bw_array_grow(array, more))
        return NULL;
    void *slot = array->items + array->element * array->count;
    array->count += more;
    return slot;
}

static inline void *bw_array_push(bw_array *array)
{
    return bw_array_extend(array, 1);
}

static inline void *bw_array_at(const bw_array *array, size_t i)
{
    return array->items + array->element * i;
}

#endif
