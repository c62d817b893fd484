/* Proves the invariants of a world. */
#include "world/world.h"

#include "world/filters.h"

static bool inside(const bw_box *box, const bw_box *room)
{
    bool all = true;
    for (int i = 0; i < 3; i++)
        all &= box->min[i] >= room->min[i] && box->max[i] <= room->max[i];
    return all;
}

static const char *check_members(const bw_world *world)
{
    uint32_t count = 0;
    for (uint32_t place = 0; place < world->members.count; place++) {
        const bw_member *m = bw_member_at(world, place);
        if (m->id == 0)
            continue;
        count++;
        bw_box room;
        if (bw_place_of(m->id) != place || bw_scene_get(world->scene, m->id, &room, NULL, NULL) != BW_OK)
            return "a body has an id that its scene does not know";
        if (!inside(&m->room, &room) || !inside(&room, &m->room))
            return "a body's room is not the box in the scene";
        if (!inside(bw_box_at(world, place), &m->room))
            return "a body has left its room";
    }
    return count == bw_scene_count(world->scene) ? NULL
                                                 : "the scene has other objects than the world has bodies";
}

static const char *check_broad_pairs(const bw_world *world)
{
    uint64_t last = 0;
    for (size_t i = 0; i < world->broad_keys.count; i++) {
        const bw_broad_key *at = bw_array_at(&world->broad_keys, i);
        const bw_broad_pair *pair = bw_broad_pair_at(world, at->pair);
        if (at->key != ((uint64_t)bw_place_of(pair->a) << 32 | bw_place_of(pair->b)))
            return "a pair stands under another key";
        if (i != 0 && at->key <= last)
            return "broad_pairs are out of order, or one stands twice";
        last = at->key;
    }
    return world->broad_keys.count + world->free.count == world->broad_pairs.count
               ? NULL
               : "a pair is neither in use nor free";
}

static const char *check_allowed(const bw_world *world)
{
    for (size_t i = 0; i < world->allowed.count; i++) {
        const bw_allowed *pair = bw_array_at(&world->allowed, i), *before = pair - 1;
        bw_result why;
        if (bw_world_find(world, pair->a, &why) == NULL || bw_world_find(world, pair->b, &why) == NULL)
            return "an allowed pair names a body that is gone";
        if (pair->a >= pair->b ||
            (i != 0 && !(before->a < pair->a || (before->a == pair->a && before->b < pair->b))))
            return "allowed pairs are out of order, or one stands twice";
    }
    return NULL;
}

const char *bw_world_check(const bw_world *world)
{
    if (world == NULL)
        return "no world";
    const char *why = bw_scene_check(world->scene);
    if (why == NULL)
        why = check_members(world);
    if (why == NULL)
        why = check_broad_pairs(world);
    return why == NULL ? check_allowed(world) : why;
}
