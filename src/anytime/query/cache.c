/* What a budgeted query keeps so that the next call can go on from it. */
#include "anytime/query/cache.h"
#include "base/fault.h"

#include <string.h>

bw_result bw_anytime_cache_create(const bw_allocator *given, bw_anytime_cache **out, bw_fault *fault)
{
    if (out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_allocator allocator = bw_allocator_or_heap(given);
    bw_anytime_cache *state = bw_allocate_zero(&allocator, 1, sizeof *state);
    if (state == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    state->allocator = allocator;
    state->stack = bw_stack_over(state->room, sizeof state->room, sizeof *state->room, &state->allocator);
    *out = state;
    return bw_fail(fault, BW_OK);
}

void bw_anytime_cache_destroy(bw_anytime_cache *state)
{
    if (state == NULL)
        return;
    bw_allocator allocator = state->allocator;
    bw_stack_release(&state->stack);
    bw_release(&allocator, state, 1, sizeof *state);
}

bool bw_anytime_cache_resumable(const bw_anytime_cache *state)
{
    return state != NULL && state->resumable;
}

bool bw_anytime_cache_fits(const bw_anytime_cache *s, const bw_anytime *a, const bw_anytime *b,
                           const bw_relative_pose *pose)
{
    return s->a == a && s->b == b && s->changes_a == a->changes && s->changes_b == b->changes &&
           s->pose.identity == pose->identity && memcmp(s->pose.map.m, pose->map.m, sizeof pose->map.m) == 0;
}
