/* Bodies that come, go and move. The scene holds a room around each box that is somewhat larger, so that small moves
 * leave the scene, and with it the list of broad pairs, as they are. */
#include "world/bodies.h"

#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "scene/region_test.h"
#include "tree/kind.h"
#include "tree/tree.h"
#include "world/filters.h"
#include "world/query.h"

/* How much larger, as a share of the box's longest side, and how many moves like the last one ahead. */
static const float ROOM = 0.1f, AHEAD = 2;

bw_box bw_box_grown(const bw_box *box, double by)
{
    bw_box out;
    for (int i = 0; i < 3; i++) {
        out.min[i] = by == 0 ? box->min[i] : bw_float_down((double)box->min[i] - by);
        out.max[i] = by == 0 ? box->max[i] : bw_float_up((double)box->max[i] + by);
    }
    return out;
}

static bool inside(const bw_box *box, const bw_box *room)
{
    bool all = true;
    for (int i = 0; i < 3; i++)
        all &= box->min[i] >= room->min[i] && box->max[i] <= room->max[i];
    return all;
}

/* The room for a box that comes from another (NULL: from nowhere). */
static bw_box room_for(const bw_member *m, const bw_box *from, const bw_box *box)
{
    if (m->fixed)
        return *box;
    float side = 0;
    for (int i = 0; i < 3; i++)
        side = fmaxf(side, box->max[i] - box->min[i]);
    bw_box room;
    for (int i = 0; i < 3; i++) {
        const float ahead = from == NULL ? 0 : AHEAD * (box->min[i] - from->min[i]);
        room.min[i] = box->min[i] - ROOM * side + fminf(ahead, 0);
        room.max[i] = box->max[i] + ROOM * side + fmaxf(ahead, 0);
    }
    return bw_box_clipped(room);
}

static bw_result pose_check(const bw_transform *pose)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(pose->m[i][j]))
                return BW_ERROR_NOT_FINITE;
    return BW_OK;
}

static bw_result place_shape(const bw_member *m, const bw_transform *pose, bw_convex *placed, bw_box *box,
                             bw_fault *fault)
{
    const bw_result result = bw_convex_place(&m->shape, pose, placed);
    if (result != BW_OK)
        return bw_convex_fail(&m->shape, pose, result, BW_NONE, fault);
    *box = bw_convex_box(placed);
    return bw_fail(fault, BW_OK);
}

static bw_result place_mesh(const bw_member *m, const bw_transform *pose, bw_box *box, bw_fault *fault)
{
    const bw_result result = pose == NULL ? BW_OK : pose_check(pose);
    if (result != BW_OK)
        return bw_fail(fault, result);
    *box = bw_tree_bounds(m->mesh.tree);
    if (box->min[0] > box->max[0]) /* an empty tree stands where its origin is */
        *box = (bw_box){{0}, {0}};
    if (pose != NULL)
        *box = bw_box_transformed(box, pose);
    return BW_OK;
}

bw_result bw_member_measure(const bw_world *world, const bw_member *m, const bw_transform *pose,
                            bw_convex *placed, bw_box *out, bw_fault *fault)
{
    bw_box box;
    const bw_result result =
        m->is_shape ? place_shape(m, pose, placed, &box, fault) : place_mesh(m, pose, &box, fault);
    if (result != BW_OK)
        return result;
    if (world->separation > 0)
        box = bw_box_grown(&box, world->separation / 2);
    if (m->is_shape && m->shape.kind == BW_SHAPE_HALF_SPACE)
        box = bw_box_clipped(box);
    *out = box;
    bw_fault where = BW_FAULT_NOWHERE;
    return bw_fail_with(fault, bw_object_box_check(out, &where), &where);
}

/* The tree and mesh of a kinetic body at its present time. */
static bw_result follow(bw_member *m, bw_fault *fault)
{
    return m->kinetic == NULL ? BW_OK : bw_kinetic_body(m->kinetic, &m->mesh, fault);
}

static bw_result member_of(const bw_world *world, const bw_world_body *body, bw_member *out, bw_box *box,
                           bw_fault *fault)
{
    const int kinds = (body->tree != NULL) + (body->shape != NULL) + (body->kinetic != NULL);
    if (kinds != 1 || (body->tree != NULL) != (body->mesh != NULL))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    *out = (bw_member){.fixed = body->fixed,
                       .layers = body->layers == 0 ? 1 : body->layers,
                       .mask = body->mask == 0 ? UINT32_MAX : body->mask,
                       .group = body->group,
                       .user = body->user,
                       .is_shape = body->shape != NULL,
                       .mesh = {body->tree, body->mesh, NULL},
                       .kinetic = body->kinetic,
                       .posed = body->pose != NULL};
    if (out->posed)
        out->pose = *body->pose;
    if (out->is_shape)
        out->shape = *body->shape;
    bw_result result = follow(out, fault);
    if (result == BW_OK && !out->is_shape) {
        result = bw_tree_accepts_lazily(out->mesh.tree, out->mesh.mesh);
        if (result == BW_OK && (out->mesh.tree->kind != &bw_kind_wide || out->mesh.tree->points))
            result = BW_ERROR_UNSUPPORTED;
        bw_fail(fault, result);
    }
    return result == BW_OK ? bw_member_measure(world, out, body->pose, &out->placed, box, fault) : result;
}

/* A shape that is placed points to the pose of its member, which may have moved. */
static void bind(bw_member *m)
{
    if (m->is_shape && m->posed)
        m->placed.pose = &m->pose;
}

/* Room for so many more places. */
static bool reserve(bw_world *world, uint32_t more)
{
    if (world->boxes.capacity - world->boxes.count < more && !bw_array_grow(&world->boxes, more))
        return false;
    if (world->members.capacity - world->members.count >= more)
        return true;
    if (!bw_array_grow(&world->members, more))
        return false;
    for (uint32_t place = 0; place < world->members.count; place++)
        bind(bw_member_at(world, place));
    return true;
}

static void seat(bw_world *world, const bw_member *member, const bw_box *box, bw_id id)
{
    while (world->members.count <= bw_place_of(id)) { /* reserved */
        *(bw_member *)bw_array_push(&world->members) = (bw_member){.id = 0};
        *(bw_box *)bw_array_push(&world->boxes) = *box;
    }
    bw_member *m = bw_member_at(world, bw_place_of(id));
    *m = *member;
    m->id = id;
    bind(m);
    *bw_box_at(world, bw_place_of(id)) = *box;
}

bw_result bw_world_insert_many(bw_world *world, const bw_world_body *bodies, uint32_t count, bw_id *out,
                               bw_fault *fault)
{
    if (world == NULL || (count != 0 && (bodies == NULL || out == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_desc_check(bodies);
    if (count == 0 || result != BW_OK)
        return bw_fail(fault, result);
    const size_t stride = bodies->size == 0 ? sizeof *bodies : bodies->size;
    bw_member *members = bw_allocate(&world->allocator, count, sizeof *members);
    bw_box *boxes = bw_allocate(&world->allocator, count, sizeof *boxes);
    bw_box *rooms = bw_allocate(&world->allocator, count, sizeof *rooms);
    if (members == NULL || boxes == NULL || rooms == NULL || !reserve(world, count))
        result = bw_fail(fault, BW_ERROR_MEMORY);
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        const bw_world_body *body = (const bw_world_body *)(const void *)((const char *)bodies + i * stride);
        result = member_of(world, body, &members[i], &boxes[i], fault);
        if (result != BW_OK && fault != NULL)
            fault->element = i;
        else if (result == BW_OK)
            rooms[i] = members[i].room = room_for(&members[i], NULL, &boxes[i]);
    }
    if (result == BW_OK)
        result = bw_scene_insert_many(world->scene, rooms, NULL, count, out, fault);
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        seat(world, &members[i], &boxes[i], out[i]);
    bw_release(&world->allocator, members, count, sizeof *members);
    bw_release(&world->allocator, boxes, count, sizeof *boxes);
    bw_release(&world->allocator, rooms, count, sizeof *rooms);
    return result;
}

bw_result bw_world_insert(bw_world *world, const bw_world_body *body, bw_id *out, bw_fault *fault)
{
    const bw_result result = bw_world_insert_many(world, body, 1, out, fault);
    if (result != BW_OK && fault != NULL)
        fault->element = BW_NONE;
    return result;
}

bw_result bw_world_remove(bw_world *world, bw_id id, bw_fault *fault)
{
    bw_result result = BW_ERROR_ARGUMENT;
    bw_member *m = world == NULL ? NULL : bw_world_find(world, id, &result);
    if (m == NULL)
        return bw_fail(fault, result);
    result = bw_scene_remove(world->scene, id, fault);
    if (result == BW_OK) {
        *m = (bw_member){.id = 0};
        bw_filters_forget(world, id);
    }
    return result;
}

/* ---- moves ---- */

typedef struct moves {
    const bw_world *world;
    const bw_id *ids;
    const bw_transform *poses; /* NULL: their own */
    bw_moving *each;
} moves;

static bw_result measure(const moves *m, uint32_t i, bw_moving *out, bw_fault *fault)
{
    bw_result result;
    const bw_member *found = bw_world_find(m->world, m->ids[i], &result);
    if (found == NULL)
        return bw_fail(fault, result);
    const bw_transform *pose = m->poses != NULL ? &m->poses[i] : found->posed ? &found->pose : NULL;
    result = bw_member_measure(m->world, found, pose, &out->placed, &out->box, fault);
    out->leaves = result == BW_OK && !inside(&out->box, &found->room);
    return result;
}

static void measure_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const moves *m = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++)
        m->each[i].result = measure(m, i, &m->each[i], NULL);
}

bw_result bw_world_place(bw_world *world, const bw_id *ids, const bw_box *boxes, uint32_t count)
{
    const bw_result result = bw_scene_move_many(world->scene, ids, boxes, count, NULL);
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        bw_member_at(world, bw_place_of(ids[i]))->room = boxes[i];
    return result;
}

/* Gives those that leave their rooms new ones. */
static bw_result make_rooms(bw_world *world, const moves *m, uint32_t count)
{
    uint32_t leaving = 0, at = 0;
    for (uint32_t i = 0; i < count; i++)
        leaving += m->each[i].leaves;
    if (leaving == 0)
        return BW_OK;
    bw_id *ids = bw_allocate(&world->allocator, leaving, sizeof *ids);
    bw_box *rooms = bw_allocate(&world->allocator, leaving, sizeof *rooms);
    for (uint32_t i = 0; i < count && ids != NULL && rooms != NULL; i++) {
        if (!m->each[i].leaves)
            continue;
        const uint32_t place = bw_place_of(m->ids[i]);
        ids[at] = m->ids[i];
        rooms[at++] = room_for(bw_member_at(world, place), bw_box_at(world, place), &m->each[i].box);
    }
    const bw_result result = at == leaving ? bw_world_place(world, ids, rooms, leaving) : BW_ERROR_MEMORY;
    bw_release(&world->allocator, ids, leaving, sizeof *ids);
    bw_release(&world->allocator, rooms, leaving, sizeof *rooms);
    return result;
}

static void settle(bw_world *world, const moves *m, uint32_t i)
{
    const uint32_t place = bw_place_of(m->ids[i]);
    bw_member *member = bw_member_at(world, place);
    *bw_box_at(world, place) = m->each[i].box;
    if (m->poses != NULL) {
        member->pose = m->poses[i];
        member->posed = true;
    }
    if (member->is_shape)
        member->placed = m->each[i].placed;
    bind(member);
}

/* Whether this call names a body for the first time. */
static bool named_once(bw_world *world, bw_id id)
{
    bw_member *m = bw_member_at(world, bw_place_of(id));
    const bool first = m->call != world->call;
    m->call = world->call;
    return first;
}

static bw_result move_all(bw_world *world, const bw_id *ids, const bw_transform *poses, uint32_t count,
                          bw_fault *fault)
{
    world->moving.count = 0;
    if (world->moving.capacity < count && !bw_array_grow(&world->moving, count))
        return bw_fail(fault, BW_ERROR_MEMORY);
    moves m = {world, ids, poses, (bw_moving *)(void *)world->moving.items};
    bw_parallel(bw_world_tasks(world), measure_range, &m, count, 256);
    world->call++;
    for (uint32_t i = 0; i < count; i++)
        if (m.each[i].result != BW_OK || !named_once(world, ids[i])) {
            const bw_result again = measure(&m, i, &m.each[i], fault);
            const bw_result result = again != BW_OK ? again : bw_fail(fault, BW_ERROR_ARGUMENT);
            if (fault != NULL)
                fault->element = i;
            return result;
        }
    const bw_result result = make_rooms(world, &m, count);
    if (result != BW_OK)
        return bw_fail(fault, result);
    for (uint32_t i = 0; i < count; i++)
        settle(world, &m, i);
    return bw_fail(fault, BW_OK);
}

bw_result bw_world_move_many(bw_world *world, const bw_id *ids, const bw_transform *poses, uint32_t count,
                             bw_fault *fault)
{
    if (world == NULL || (count != 0 && (ids == NULL || poses == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    return move_all(world, ids, poses, count, fault);
}

bw_result bw_world_move(bw_world *world, bw_id id, const bw_transform *pose, bw_fault *fault)
{
    if (world == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_transform identity = bw_transform_identity();
    const bw_result result = move_all(world, &id, pose == NULL ? &identity : pose, 1, fault);
    if (result != BW_OK && fault != NULL)
        fault->element = BW_NONE;
    if (result == BW_OK && pose == NULL) {
        bw_member *m = bw_member_at(world, bw_place_of(id));
        m->posed = false;
        if (m->is_shape) /* as it was a moment ago, but for the pose */
            bw_convex_place(&m->shape, NULL, &m->placed);
    }
    return result;
}

bw_result bw_world_changed(bw_world *world, bw_id id, bw_fault *fault)
{
    bw_result result = BW_ERROR_ARGUMENT;
    bw_member *m = world == NULL ? NULL : bw_world_find(world, id, &result);
    if (m == NULL)
        return bw_fail(fault, result);
    result = follow(m, fault);
    return result == BW_OK ? move_all(world, &id, NULL, 1, fault) : result;
}

bw_result bw_world_get(const bw_world *world, bw_id id, bw_world_body *out, bw_fault *fault)
{
    bw_result result = BW_ERROR_ARGUMENT;
    const bw_member *m = world == NULL || out == NULL ? NULL : bw_world_find(world, id, &result);
    if (m == NULL)
        return bw_fail(fault, result);
    result = bw_report_check(out);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_report_set(out, (bw_world_body){.tree = m->kinetic == NULL ? m->mesh.tree : NULL,
                                       .mesh = m->kinetic == NULL ? m->mesh.mesh : NULL,
                                       .shape = m->is_shape ? &m->shape : NULL,
                                       .kinetic = m->kinetic,
                                       .pose = m->posed ? &m->pose : NULL,
                                       .fixed = m->fixed,
                                       .layers = m->layers,
                                       .mask = m->mask,
                                       .group = m->group,
                                       .user = m->user});
    return bw_fail(fault, BW_OK);
}
