/* What a budgeted query keeps so that the next call can go on from it. */
#include "anytime/query/state.h"

#include <string.h>

bw_result bw_adb_state_create(const bw_allocator *given, bw_adb_state **out)
{
    if (out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_allocator allocator = bw_allocator_or_heap(given);
    bw_adb_state *state = bw_allocate_zero(&allocator, 1, sizeof *state);
    if (state == NULL)
        return BW_ERROR_MEMORY;
    state->allocator = allocator;
    state->stack = bw_stack_over(state->room, sizeof state->room, sizeof *state->room, &state->allocator);
    *out = state;
    return BW_OK;
}

void bw_adb_state_destroy(bw_adb_state *state)
{
    if (state == NULL)
        return;
    bw_allocator allocator = state->allocator;
    bw_stack_release(&state->stack);
    bw_release(&allocator, state, 1, sizeof *state);
}

bool bw_adb_state_resumable(const bw_adb_state *state)
{
    return state != NULL && state->resumable;
}

bool bw_adb_state_fits(const bw_adb_state *s, const bw_adb *a, const bw_adb *b, const bw_relative_pose *pose)
{
    return s->a == a && s->b == b && s->changes_a == a->changes && s->changes_b == b->changes &&
           s->pose.identity == pose->identity && memcmp(s->pose.map.m, pose->map.m, sizeof pose->map.m) == 0;
}
