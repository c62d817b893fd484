/* Worlds: creation and destruction. */
#include "world/world.h"

#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "world/broad_pairs.h"

#include <math.h>

static void prepare_arrays(bw_world *w)
{
    const bw_allocator *from = &w->allocator;
    w->members = bw_array_of(sizeof(bw_member), from);
    w->boxes = bw_array_of(sizeof(bw_box), from);
    w->moving = bw_array_of(sizeof(bw_moving), from);
    w->broad_pairs = bw_array_of(sizeof(bw_broad_pair), from);
    w->free = bw_array_of(sizeof(uint32_t), from);
    w->broad_keys = bw_array_of(sizeof(bw_broad_key), from);
    w->merged = bw_array_of(sizeof(bw_broad_key), from);
    w->began = bw_array_of(sizeof(bw_pair), from);
    w->ended_pairs = bw_array_of(sizeof(bw_pair), from);
    w->allowed = bw_array_of(sizeof(bw_allowed), from);
    w->active = bw_array_of(sizeof(uint32_t), from);
    w->pieces = bw_array_of(sizeof(bw_piece), from);
    for (int i = 0; i < 2; i++) {
        w->contacts[i] = bw_array_of(sizeof(bw_world_contact), from);
        w->pairs[i] = bw_array_of(sizeof(bw_world_pair), from);
    }
    w->ended = bw_array_of(sizeof(bw_world_contact), from);
}

bw_result bw_world_create(const bw_world_desc *desc, bw_world **out, bw_fault *fault)
{
    bw_result result = out == NULL ? BW_ERROR_ARGUMENT : bw_desc_check(desc);
    if (result == BW_OK && desc != NULL)
        result = bw_tasks_check(desc->tasks);
    if (result == BW_OK && desc != NULL &&
        !(desc->separation >= 0 && desc->separation <= (double)BW_SCENE_COORDINATE_MAX))
        result = BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return bw_fail(fault, result);
    const bw_allocator allocator = bw_allocator_or_heap(desc == NULL ? NULL : desc->allocator);
    bw_world *w = bw_allocate_zero(&allocator, 1, sizeof *w);
    if (w == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    w->allocator = allocator;
    if (desc != NULL) {
        w->separation = desc->separation;
        w->threaded = desc->tasks != NULL;
        if (w->threaded)
            w->tasks = *desc->tasks;
    }
    w->next_contact = 1;
    prepare_arrays(w);
    const bw_scene_desc scene = {.nesting = BW_NESTING_MODERN,
                                 .track_pairs = true,
                                 .allocator = &w->allocator,
                                 .tasks = bw_world_tasks(w)};
    result = bw_scene_create(&scene, &w->scene, fault);
    if (result != BW_OK) {
        bw_release(&allocator, w, 1, sizeof *w);
        return result;
    }
    *out = w;
    return bw_fail(fault, BW_OK);
}

static void release_pieces(bw_world *w)
{
    for (size_t i = 0; i < w->pieces.count; i++) {
        bw_piece *piece = bw_array_at(&w->pieces, i);
        bw_array_release(&piece->contacts);
        bw_array_release(&piece->meetings);
        bw_array_release(&piece->keys);
        bw_array_release(&piece->order);
        bw_array_release(&piece->unsorted);
    }
    bw_array_release(&w->pieces);
}

void bw_world_destroy(bw_world *w)
{
    if (w == NULL)
        return;
    bw_scene_destroy(w->scene);
    bw_broad_pairs_release(w);
    release_pieces(w);
    bw_array_release(&w->members);
    bw_array_release(&w->boxes);
    bw_array_release(&w->moving);
    bw_array_release(&w->merged);
    bw_array_release(&w->began);
    bw_array_release(&w->ended_pairs);
    bw_array_release(&w->allowed);
    bw_array_release(&w->active);
    for (int i = 0; i < 2; i++) {
        bw_array_release(&w->contacts[i]);
        bw_array_release(&w->pairs[i]);
    }
    bw_array_release(&w->ended);
    const bw_allocator allocator = w->allocator;
    bw_release(&allocator, w, 1, sizeof *w);
}

bw_member *bw_world_find(const bw_world *w, bw_id id, bw_result *why)
{
    const uint32_t place = bw_place_of(id);
    if (id == 0 || place >= w->members.count) {
        *why = BW_ERROR_ARGUMENT;
        return NULL;
    }
    bw_member *member = bw_member_at(w, place);
    if (member->id == id)
        return member;
    uint64_t user;
    *why = bw_scene_get(w->scene, id, NULL, &user, NULL); /* it knows stale ids from those it never gave */
    return NULL;
}

bw_body bw_member_body(const bw_member *member)
{
    bw_body body = member->mesh;
    body.pose = member->posed ? &member->pose : NULL;
    return body;
}

bw_placed_shape bw_member_shape(const bw_member *member)
{
    return (bw_placed_shape){&member->shape, member->posed ? &member->pose : NULL};
}

uint32_t bw_world_body_count(const bw_world *world)
{
    return bw_scene_count(world->scene);
}
