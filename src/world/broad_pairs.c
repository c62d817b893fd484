/* Broad pairs: the scene tells which pairs of boxes began and ended to meet; the list is kept in order by merging. */
#include "world/broad_pairs.h"

#include "base/radix_sort.h"
#include "world/filters.h"

#include <string.h>

static uint64_t key_of(bw_id a, bw_id b)
{
    const uint32_t x = bw_place_of(a), y = bw_place_of(b);
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

static bw_broad_key *key_at(const bw_array *list, size_t i)
{
    return bw_array_at(list, i);
}

/* ---- what began and ended ---- */

typedef struct inbox {
    bw_array *pairs;
    bool failed;
} inbox;

static bool receive(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    inbox *in = user;
    (void)paths;
    bw_pair *slots = bw_array_extend(in->pairs, count);
    if (slots == NULL) {
        in->failed = true;
        return false;
    }
    memcpy(slots, pairs, count * sizeof *slots);
    return true;
}

/* Sorts pairs by key. */
static bool sort_pairs(bw_array *pairs, const bw_allocator *allocator)
{
    const size_t count = pairs->count;
    if (count < 2)
        return true;
    bw_pair *all = (bw_pair *)(void *)pairs->items, *copy = bw_allocate(allocator, count, sizeof *copy);
    uint64_t *keys = bw_allocate(allocator, 2 * count, sizeof *keys);
    uint32_t *order = bw_allocate(allocator, 2 * count, sizeof *order);
    const bool fine = copy != NULL && keys != NULL && order != NULL;
    if (fine) {
        for (size_t i = 0; i < count; i++) {
            copy[i] = all[i];
            keys[i] = key_of(all[i].a, all[i].b);
            order[i] = (uint32_t)i;
        }
        bw_sort_u64(keys, order, keys + count, order + count, (uint32_t)count);
        for (size_t i = 0; i < count; i++)
            all[i] = copy[order[i]];
    }
    bw_release(allocator, copy, count, sizeof *copy);
    bw_release(allocator, keys, 2 * count, sizeof *keys);
    bw_release(allocator, order, 2 * count, sizeof *order);
    return fine;
}

/* ---- the list ---- */

static bool same(const bw_broad_pair *kept, const bw_pair *told)
{
    return (kept->a == told->a && kept->b == told->b) || (kept->a == told->b && kept->b == told->a);
}

static void give_back(bw_world *world, uint32_t index)
{
    bw_broad_pair *pair = bw_broad_pair_at(world, index);
    bw_pair_cache_destroy(pair->cache);
    *pair = (bw_broad_pair){.a = 0};
    *(uint32_t *)bw_array_push(&world->free) = index; /* reserved when the pair was made */
}

/* Room for so many more broad pairs in every array that will hold them. */
static bool reserve(bw_world *world, size_t more)
{
    const size_t fresh = more > world->free.count ? more - world->free.count : 0;
    const size_t all = world->broad_pairs.count + fresh;
    bw_array *const lists[] = {&world->broad_pairs, &world->free, &world->merged};
    const size_t wanted[] = {all, all, world->broad_keys.count + more};
    for (int i = 0; i < 3; i++)
        if (lists[i]->capacity < wanted[i] && !bw_array_grow(lists[i], wanted[i] - lists[i]->count))
            return false;
    return true;
}

static bw_broad_key take(bw_world *world, const bw_pair *told)
{
    uint32_t index;
    if (world->free.count != 0) {
        index = ((const uint32_t *)(void *)world->free.items)[--world->free.count];
    } else {
        index = (uint32_t)world->broad_pairs.count;
        bw_array_push(&world->broad_pairs);
    }
    const bool ordered = bw_place_of(told->a) < bw_place_of(told->b);
    bw_broad_pair *pair = bw_broad_pair_at(world, index);
    *pair = (bw_broad_pair){.a = ordered ? told->a : told->b, .b = ordered ? told->b : told->a};
    const uint32_t pa = bw_place_of(pair->a), pb = bw_place_of(pair->b);
    return (bw_broad_key){(uint64_t)pa << 32 | pb, index,
                          bw_filters_part(world, bw_member_at(world, pa), bw_member_at(world, pb))};
}

/* One pass over three lists in order: what there is, without what ended, and what began. Of one key first the old
 * pair goes, then the new one comes: a place may have been taken over. */
static void merge(bw_world *world)
{
    const bw_pair *began = (const bw_pair *)(void *)world->began.items;
    const bw_pair *ended = (const bw_pair *)(void *)world->ended_pairs.items;
    size_t b = 0, e = 0;
    world->merged.count = 0;
    for (size_t i = 0; i <= world->broad_keys.count; i++) {
        const bool last = i == world->broad_keys.count;
        const bw_broad_key old = last ? (bw_broad_key){.key = UINT64_MAX} : *key_at(&world->broad_keys, i);
        for (; b < world->began.count && key_of(began[b].a, began[b].b) < old.key; b++)
            *(bw_broad_key *)bw_array_push(&world->merged) = take(world, &began[b]);
        if (last)
            break;
        while (e < world->ended_pairs.count && key_of(ended[e].a, ended[e].b) < old.key)
            e++;
        bool gone = false;
        for (size_t k = e; k < world->ended_pairs.count && key_of(ended[k].a, ended[k].b) == old.key; k++)
            gone |= same(bw_broad_pair_at(world, old.pair), &ended[k]);
        if (gone)
            give_back(world, old.pair);
        else
            *(bw_broad_key *)bw_array_push(&world->merged) = old;
    }
    const bw_array swap = world->broad_keys;
    world->broad_keys = world->merged;
    world->merged = swap;
}

/* Pairs of the scene that began and ended, or, where some were told and lost for lack of memory, all of them in place
 * of all broad pairs. */
static bool ask_scene(bw_world *world)
{
    inbox began = {&world->began, false}, ended = {&world->ended_pairs, false};
    const bw_pair_output out_began = {.on_pairs = receive, .user = &began};
    const bw_pair_output out_ended = {.on_pairs = receive, .user = &ended};
    world->began.count = world->ended_pairs.count = 0;
    if (!world->recount)
        return bw_scene_pairs_changed(world->scene, &out_began, &out_ended, NULL, NULL, NULL) == BW_OK &&
               !began.failed && !ended.failed;
    for (size_t i = 0; i < world->broad_keys.count; i++)
        give_back(world, key_at(&world->broad_keys, i)->pair);
    world->broad_keys.count = 0;
    return bw_scene_pairs_changed(world->scene, NULL, NULL, NULL, NULL, NULL) == BW_OK &&
           bw_scene_pairs(world->scene, &out_began, NULL, NULL) == BW_OK && !began.failed;
}

bw_result bw_broad_pairs_update(bw_world *world)
{
    const bool asked = ask_scene(world);
    const bool quiet = asked && world->began.count == 0 && world->ended_pairs.count == 0;
    if (!quiet &&
        !(asked && sort_pairs(&world->began, &world->allocator) &&
          sort_pairs(&world->ended_pairs, &world->allocator) && reserve(world, world->began.count))) {
        world->recount = true;
        return BW_ERROR_MEMORY;
    }
    if (!quiet)
        merge(world);
    world->recount = false;
    return BW_OK;
}

void bw_broad_pairs_release(bw_world *world)
{
    for (size_t i = 0; i < world->broad_pairs.count; i++)
        bw_pair_cache_destroy(bw_broad_pair_at(world, (uint32_t)i)->cache);
    bw_array_release(&world->broad_pairs);
    bw_array_release(&world->free);
    bw_array_release(&world->broad_keys);
}

/* ---- which of them to look at ---- */

static bool boxes_meet(const bw_box *a, const bw_box *b)
{
    bool meet = true;
    for (int i = 0; i < 3; i++)
        meet &= (a->min[i] <= b->max[i]) & (b->min[i] <= a->max[i]);
    return meet;
}

bw_result bw_broad_pairs_select(bw_world *world, const bw_box *boxes,
                                bool (*may_meet)(void *user, bw_id a, bw_id b), void *user)
{
    world->active.count = 0;
    if (world->active.capacity < world->broad_keys.count &&
        !bw_array_grow(&world->active, world->broad_keys.count))
        return BW_ERROR_MEMORY;
    const bw_box *all = boxes != NULL ? boxes : (const bw_box *)(void *)world->boxes.items;
    uint32_t *active = (uint32_t *)(void *)world->active.items;
    bw_broad_key *broad_keys = (bw_broad_key *)(void *)world->broad_keys.items;
    size_t count = 0;
    for (size_t i = 0; i < world->broad_keys.count; i++) {
        bw_broad_key *at = &broad_keys[i];
        const uint32_t pa = (uint32_t)(at->key >> 32), pb = (uint32_t)at->key;
        if (world->filters_changed)
            at->apart = bw_filters_part(world, bw_member_at(world, pa), bw_member_at(world, pb));
        if (at->apart != 0 || !boxes_meet(&all[pa], &all[pb]))
            continue;
        const bw_broad_pair *pair = may_meet == NULL ? NULL : bw_broad_pair_at(world, at->pair);
        if (pair == NULL || may_meet(user, pair->a, pair->b))
            active[count++] = at->pair;
    }
    world->active.count = count;
    world->filters_changed = false;
    return BW_OK;
}
