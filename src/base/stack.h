/* A stack that starts in memory the caller gives (usually an array on the C stack) and moves to the allocator
 * when that is full: traversals allocate nothing in the common case and never drop an entry. */
#ifndef BW_BASE_STACK_H
#define BW_BASE_STACK_H

#include "base/memory.h"

typedef struct bw_stack {
    char *items;
    size_t count, capacity; /* in elements */
    size_t element;         /* bytes of one */
    const bw_allocator *allocator;
    bool owned; /* items came from the allocator */
} bw_stack;

static inline bw_stack bw_stack_over(void *memory, size_t bytes, size_t element,
                                     const bw_allocator *allocator)
{
    return (bw_stack){(char *)memory, 0, bytes / element, element, allocator, false};
}

/* Makes room for `more` further elements; false when the allocation fails, with the contents as they were. */
bool bw_stack_grow(bw_stack *stack, size_t more);
void bw_stack_release(bw_stack *stack);

/* The slot for a new top element, or NULL when memory runs out. */
static inline void *bw_stack_push(bw_stack *stack)
{
    if (stack->count == stack->capacity && !bw_stack_grow(stack, 1))
        return NULL;
    return stack->items + stack->element * stack->count++;
}

/* The element taken off, valid until the next push; NULL when empty. */
static inline void *bw_stack_pop(bw_stack *stack)
{
    return stack->count == 0 ? NULL : stack->items + stack->element * --stack->count;
}

#endif
