/* Growth of arrays over an allocator. */
#include "base/array.h"

#include <string.h>

bool bw_array_grow(bw_array *array, size_t more)
{
    size_t needed = array->count + more;
    if (needed < more)
        return false;
    if (needed <= array->capacity)
        return true;
    size_t capacity = array->capacity > SIZE_MAX / 2 ? SIZE_MAX : array->capacity * 2;
    if (capacity < 8)
        capacity = 8;
    if (capacity < needed)
        capacity = needed;
    char *items = bw_allocate(array->allocator, capacity, array->element);
    if (items == NULL)
        return false;
    if (array->count > 0)
        memcpy(items, array->items, array->count * array->element);
    bw_release(array->allocator, array->items, array->capacity, array->element);
    array->items = items;
    array->capacity = capacity;
    return true;
}

void bw_array_release(bw_array *array)
{
    bw_release(array->allocator, array->items, array->capacity, array->element);
    *array = bw_array_of(array->element, array->allocator);
}
