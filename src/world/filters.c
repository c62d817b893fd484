/* Which bodies are looked at together: layers, masks, groups, fixed bodies and allowed pairs. */
#include "world/filters.h"

#include "base/fault.h"

#include <string.h>

bw_result bw_world_set_filter(bw_world *world, bw_id id, uint32_t layers, uint32_t mask, uint32_t group,
                              bw_fault *fault)
{
    bw_result result = BW_ERROR_ARGUMENT;
    bw_member *m = world == NULL ? NULL : bw_world_find(world, id, &result);
    if (m == NULL)
        return bw_fail(fault, result);
    m->layers = layers == 0 ? 1 : layers;
    m->mask = mask == 0 ? UINT32_MAX : mask;
    m->group = group;
    world->filters_changed = true;
    return bw_fail(fault, BW_OK);
}

/* Where a pair is in the list, or would be. */
static size_t allowed_at(const bw_world *world, bw_id a, bw_id b, bool *found)
{
    const bw_allowed *all = (const bw_allowed *)(const void *)world->allowed.items;
    size_t low = 0, high = world->allowed.count;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (all[mid].a < a || (all[mid].a == a && all[mid].b < b))
            low = mid + 1;
        else
            high = mid;
    }
    *found = low < world->allowed.count && all[low].a == a && all[low].b == b;
    return low;
}

static bool is_half_space(const bw_member *m)
{
    return m->is_shape && m->shape.kind == BW_SHAPE_HALF_SPACE;
}

bool bw_filters_part(const bw_world *world, const bw_member *a, const bw_member *b)
{
    if ((a->fixed && b->fixed) || (a->layers & b->mask) == 0 || (b->layers & a->mask) == 0 ||
        (a->group != 0 && a->group == b->group) || (is_half_space(a) && is_half_space(b)))
        return true;
    bool found = false;
    if (world->allowed.count != 0)
        allowed_at(world, a->id < b->id ? a->id : b->id, a->id < b->id ? b->id : a->id, &found);
    return found;
}

bw_result bw_world_allow(bw_world *world, bw_id a, bw_id b, bool allowed, bw_fault *fault)
{
    bw_result result = BW_ERROR_ARGUMENT;
    if (world == NULL || a == b || bw_world_find(world, a, &result) == NULL ||
        bw_world_find(world, b, &result) == NULL)
        return bw_fail(fault, result);
    const bw_allowed pair = {a < b ? a : b, a < b ? b : a};
    bool found;
    const size_t at = allowed_at(world, pair.a, pair.b, &found);
    if (found == allowed)
        return bw_fail(fault, BW_OK);
    if (allowed && bw_array_push(&world->allowed) == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_allowed *all = (bw_allowed *)(void *)world->allowed.items;
    if (allowed) {
        memmove(&all[at + 1], &all[at], (world->allowed.count - 1 - at) * sizeof *all);
        all[at] = pair;
    } else {
        memmove(&all[at], &all[at + 1], (world->allowed.count - 1 - at) * sizeof *all);
        world->allowed.count--;
    }
    world->filters_changed = true;
    return bw_fail(fault, BW_OK);
}

void bw_filters_forget(bw_world *world, bw_id id)
{
    bw_allowed *all = (bw_allowed *)(void *)world->allowed.items;
    size_t kept = 0;
    for (size_t i = 0; i < world->allowed.count; i++)
        if (all[i].a != id && all[i].b != id)
            all[kept++] = all[i];
    world->allowed.count = kept;
}

bool bw_filter_passes(const bw_world_filter *filter, const bw_member *member)
{
    if (filter == NULL)
        return true;
    return (filter->mask == 0 || (filter->mask & member->layers) != 0) && filter->except != member->id &&
           (filter->may_meet == NULL || filter->may_meet(filter->user, member->id));
}
