/* Growth of traversal stacks. */
#include "base/stack.h"

#include <string.h>

bool bw_stack_grow(bw_stack *stack, size_t more)
{
    size_t needed = stack->count + more;
    if (needed < more)
        return false;
    if (needed <= stack->capacity)
        return true;
    size_t capacity = stack->capacity > SIZE_MAX / 2 ? SIZE_MAX : stack->capacity * 2;
    if (capacity < needed)
        capacity = needed;
    char *items = bw_allocate(stack->allocator, capacity, stack->element);
    if (items == NULL)
        return false;
    if (stack->count > 0)
        memcpy(items, stack->items, stack->count * stack->element);
    bw_stack_release(stack);
    stack->items = items;
    stack->capacity = capacity;
    stack->owned = true;
    return true;
}

void bw_stack_release(bw_stack *stack)
{
    if (stack->owned)
        bw_release(stack->allocator, stack->items, stack->capacity, stack->element);
    stack->owned = false;
}
