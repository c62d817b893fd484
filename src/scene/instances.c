/* Scenes in scenes: instances, their bounds, and who holds whom. */
#include "scene/instances.h"

#include "geom/box.h"
#include "scene/tracker.h"

#include <math.h>
#include <string.h>

/* ---- boxes under poses ---- */

static float clamp(float x)
{
    return x > BW_SCENE_COORDINATE_MAX    ? BW_SCENE_COORDINATE_MAX
           : x < -BW_SCENE_COORDINATE_MAX ? -BW_SCENE_COORDINATE_MAX
                                          : x;
}

static bw_box transformed(const bw_box *box, const bw_transform *pose, double margin)
{
    bw_box out;
    for (int i = 0; i < 3; i++) {
        double low = 0, high = 0, size = fabs(pose->m[i][3]);
        for (int j = 0; j < 3; j++) {
            double a = pose->m[i][j] * (double)box->min[j], b = pose->m[i][j] * (double)box->max[j];
            low += a < b ? a : b;
            high += a < b ? b : a;
            size += fabs(a) > fabs(b) ? fabs(a) : fabs(b);
        }
        /* Products of a float and a double, and sums of four, are off by less than eight units in the last
         * place. */
        low = low + pose->m[i][3] - size * (0x1p-50 + margin);
        high = high + pose->m[i][3] + size * (0x1p-50 + margin);
        out.min[i] = clamp(bw_float_down(low));
        out.max[i] = clamp(bw_float_up(high));
    }
    return out;
}

bw_box bw_box_transformed(const bw_box *box, const bw_transform *pose)
{
    return transformed(box, pose, 0);
}

bw_box bw_family_box_around(const bw_box *box, const bw_transform *pose)
{
    return transformed(box, pose, 0x1p-40);
}

static bw_box instance_box(const bw_scene *child, const bw_transform *pose)
{
    const float *bounds = bw_stage_bounds(child);
    bw_box box = {{0, 0, 0}, {0, 0, 0}};
    if (bounds[0] != INFINITY)
        box = bw_anchor_unpack(bounds);
    return bw_family_box_around(&box, pose);
}

/* ---- relatives ---- */

/* Where an id stands, or would. */
static uint32_t position(const bw_family *family, bw_id id)
{
    uint32_t low = 0, high = family->instance_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (bw_id_index(family->instances[middle].id) < bw_id_index(id))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const bw_family_instance *bw_family_find(const bw_scene *scene, bw_id id)
{
    const bw_family *family = scene->family;
    if (family == NULL)
        return NULL;
    uint32_t at = position(family, id);
    return at < family->instance_count && family->instances[at].id == id ? &family->instances[at] : NULL;
}

void bw_family_bounds_changed(bw_scene *scene)
{
    bw_family *family = scene->family;
    if (family == NULL || family->holder_count == 0 ||
        memcmp(family->bounds, bw_stage_bounds(scene), sizeof family->bounds) == 0)
        return;
    memcpy(family->bounds, bw_stage_bounds(scene), sizeof family->bounds);
    for (uint32_t i = 0; i < family->holder_count; i++) {
        bw_family_holder holder = family->holders[i];
        bw_box box = instance_box(scene, &bw_family_find(holder.scene, holder.id)->pose);
        bw_stage_move(holder.scene, holder.id, &box);
    }
}

static void free_if_alone(bw_scene *scene)
{
    bw_family *family = scene->family;
    if (family->instance_count != 0 || family->holder_count != 0)
        return;
    bw_release(&scene->allocator, family->instances, family->instance_capacity, sizeof *family->instances);
    bw_release(&scene->allocator, family->holders, family->holder_capacity, sizeof *family->holders);
    bw_release(&scene->allocator, family, 1, sizeof *family);
    scene->family = NULL;
}

void bw_family_drop(bw_scene *scene, bw_id id)
{
    const bw_family_instance *found = bw_family_find(scene, id);
    if (found == NULL)
        return;
    bw_scene *child = found->child;
    bw_family *family = scene->family;
    uint32_t at = position(family, id);
    memmove(family->instances + at, family->instances + at + 1,
            (family->instance_count - at - 1) * sizeof *family->instances);
    family->instance_count--;
    bw_family *theirs = child->family;
    for (uint32_t i = 0; i < theirs->holder_count; i++)
        if (theirs->holders[i].scene == scene && theirs->holders[i].id == id) {
            memmove(theirs->holders + i, theirs->holders + i + 1,
                    (theirs->holder_count - i - 1) * sizeof *theirs->holders);
            theirs->holder_count--;
            break;
        }
    free_if_alone(child);
    free_if_alone(scene);
}

void bw_family_leave(bw_scene *scene)
{
    while (scene->family != NULL && scene->family->holder_count != 0) {
        bw_family_holder holder = scene->family->holders[scene->family->holder_count - 1];
        bw_stage_remove(holder.scene, holder.id);
    }
    while (scene->family != NULL)
        bw_family_drop(scene, scene->family->instances[scene->family->instance_count - 1].id);
}

size_t bw_family_bytes(const bw_scene *scene)
{
    const bw_family *family = scene->family;
    if (family == NULL)
        return 0;
    return sizeof *family + family->instance_capacity * sizeof *family->instances +
           family->holder_capacity * sizeof *family->holders;
}

static bool contains(const bw_scene *outer, const bw_scene *inner)
{
    if (outer == inner)
        return true;
    for (uint32_t i = 0; outer->family != NULL && i < outer->family->instance_count; i++)
        if (contains(outer->family->instances[i].child, inner))
            return true;
    return false;
}

static bool reserve(bw_scene *scene, bool instance, bool holder)
{
    if (scene->family == NULL) {
        scene->family = bw_allocate_zero(&scene->allocator, 1, sizeof *scene->family);
        if (scene->family == NULL)
            return false;
    }
    bw_family *family = scene->family;
    if (instance && family->instance_count == family->instance_capacity) {
        uint32_t capacity = family->instance_capacity == 0 ? 4 : 2 * family->instance_capacity;
        bw_family_instance *instances = bw_allocate(&scene->allocator, capacity, sizeof *instances);
        if (instances == NULL)
            return false;
        if (family->instance_count != 0)
            memcpy(instances, family->instances, family->instance_count * sizeof *instances);
        bw_release(&scene->allocator, family->instances, family->instance_capacity, sizeof *instances);
        family->instances = instances;
        family->instance_capacity = capacity;
    }
    if (holder && family->holder_count == family->holder_capacity) {
        uint32_t capacity = family->holder_capacity == 0 ? 4 : 2 * family->holder_capacity;
        bw_family_holder *holders = bw_allocate(&scene->allocator, capacity, sizeof *holders);
        if (holders == NULL)
            return false;
        if (family->holder_count != 0)
            memcpy(holders, family->holders, family->holder_count * sizeof *holders);
        bw_release(&scene->allocator, family->holders, family->holder_capacity, sizeof *holders);
        family->holders = holders;
        family->holder_capacity = capacity;
    }
    return true;
}

static bw_result pose_blame(const bw_transform *pose)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            if (!isfinite(pose->m[i][j]))
                return BW_ERROR_NOT_FINITE;
            if (fabs(pose->m[i][j]) > (double)BW_SCENE_COORDINATE_MAX)
                return BW_ERROR_RANGE;
        }
    return BW_OK;
}

bw_result bw_scene_insert_scene(bw_scene *scene, bw_scene *child, const bw_transform *pose, uint64_t user,
                                bw_id *out)
{
    if (scene == NULL || child == NULL || pose == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = pose_blame(pose);
    if (result != BW_OK)
        return result;
    if (contains(child, scene))
        return BW_ERROR_CYCLE;
    bw_id id = 0;
    result = BW_ERROR_MEMORY;
    if (reserve(scene, true, false) && reserve(child, false, true)) {
        bw_box box = instance_box(child, pose);
        result = bw_stage_insert(scene, &box, user, &id);
    }
    if (result == BW_OK) {
        bw_family *ours = scene->family, *theirs = child->family;
        uint32_t at = position(ours, id);
        memmove(ours->instances + at + 1, ours->instances + at,
                (ours->instance_count - at) * sizeof *ours->instances);
        ours->instances[at] = (bw_family_instance){id, child, *pose};
        ours->instance_count++;
        theirs->holders[theirs->holder_count++] = (bw_family_holder){scene, id};
        memcpy(theirs->bounds, bw_stage_bounds(child), sizeof theirs->bounds);
        *out = id;
        return BW_OK;
    }
    if (scene->family != NULL)
        free_if_alone(scene);
    if (child->family != NULL)
        free_if_alone(child);
    return result;
}

bw_result bw_scene_set_pose(bw_scene *scene, bw_id id, const bw_transform *pose)
{
    if (scene == NULL || pose == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = pose_blame(pose);
    if (result != BW_OK)
        return result;
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_table_blame(&scene->table, id);
    const bw_family_instance *instance = bw_family_find(scene, id);
    if (instance == NULL)
        return BW_ERROR_UNSUPPORTED;
    scene->family->instances[position(scene->family, id)].pose = *pose;
    bw_box box = instance_box(instance->child, pose);
    bw_stage_move(scene, id, &box);
    return BW_OK;
}

bw_scene *bw_scene_child(const bw_scene *scene, bw_id id, bw_transform *pose)
{
    const bw_family_instance *instance = scene == NULL ? NULL : bw_family_find(scene, id);
    if (instance == NULL)
        return NULL;
    if (pose != NULL)
        *pose = instance->pose;
    return instance->child;
}

const char *bw_family_check(const bw_scene *scene)
{
    const bw_family *family = scene->family;
    if (family == NULL)
        return NULL;
    for (uint32_t i = 0; i < family->instance_count; i++) {
        const bw_family_instance *instance = &family->instances[i];
        if (bw_table_find(&scene->table, instance->id) == NULL)
            return "an instance is not an object of its scene";
        if (i != 0 && bw_id_index(instance[-1].id) >= bw_id_index(instance->id))
            return "the instances are not in order";
        bw_box box = bw_anchor_unpack(bw_stage_object_box(scene, bw_id_index(instance->id)));
        bw_box wanted = instance_box(instance->child, &instance->pose);
        for (int k = 0; k < 3; k++)
            if (box.min[k] != wanted.min[k] || box.max[k] != wanted.max[k])
                return "an instance's box is not that of its scene";
        uint32_t known = 0;
        for (uint32_t h = 0; h < instance->child->family->holder_count; h++)
            known += instance->child->family->holders[h].scene == scene &&
                     instance->child->family->holders[h].id == instance->id;
        if (known != 1)
            return "a scene does not know who holds it";
    }
    return NULL;
}
