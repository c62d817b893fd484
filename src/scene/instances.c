/* Scenes in scenes: instances, their bounds, and who holds whom. */
#include "scene/instances.h"

#include "base/fault.h"
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

bw_box bw_instances_box_around(const bw_box *box, const bw_transform *pose)
{
    return transformed(box, pose, 0x1p-40);
}

static bw_box instance_box(const bw_scene *child, const bw_transform *pose)
{
    const float *bounds = bw_scene_packed_bounds(child);
    bw_box box = {{0, 0, 0}, {0, 0, 0}};
    if (bounds[0] != INFINITY)
        box = bw_packed_box(bounds);
    return bw_instances_box_around(&box, pose);
}

/* ---- parents and children ---- */

static bw_instance *child_at(const bw_instances *instances, uint32_t k)
{
    return bw_array_at(&instances->children, k);
}

static bw_instance_parent *parent_at(const bw_instances *instances, uint32_t k)
{
    return bw_array_at(&instances->parents, k);
}

/* Where an id stands, or would. */
static uint32_t position(const bw_instances *instances, bw_id id)
{
    uint32_t low = 0, high = (uint32_t)instances->children.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (bw_id_index(child_at(instances, middle)->id) < bw_id_index(id))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const bw_instance *bw_instances_find(const bw_scene *scene, bw_id id)
{
    if (!bw_instances_any(scene))
        return NULL;
    uint32_t at = position(scene->instances, id);
    const bw_instance *found = child_at(scene->instances, at);
    return at < scene->instances->children.count && found->id == id ? found : NULL;
}

void bw_instances_bounds_changed(bw_scene *scene)
{
    bw_instances *own = scene->instances;
    const float *bounds = bw_scene_packed_bounds(scene);
    if (own == NULL || own->parents.count == 0 || memcmp(own->bounds, bounds, sizeof own->bounds) == 0)
        return;
    memcpy(own->bounds, bounds, sizeof own->bounds);
    for (uint32_t i = 0; i < own->parents.count; i++) {
        bw_instance_parent parent = *parent_at(own, i);
        bw_box box = instance_box(scene, &bw_instances_find(parent.scene, parent.id)->pose);
        bw_object_move(parent.scene, parent.id, &box);
    }
}

static void free_if_unused(bw_scene *scene)
{
    bw_instances *own = scene->instances;
    if (own == NULL || own->children.count != 0 || own->parents.count != 0)
        return;
    bw_array_release(&own->children);
    bw_array_release(&own->parents);
    bw_release(&scene->allocator, own, 1, sizeof *own);
    scene->instances = NULL;
}

static void erase(bw_array *array, uint32_t at)
{
    memmove(bw_array_at(array, at), bw_array_at(array, at + 1), (array->count - at - 1) * array->element);
    array->count--;
}

void bw_instances_drop(bw_scene *scene, bw_id id)
{
    const bw_instance *found = bw_instances_find(scene, id);
    if (found == NULL)
        return;
    bw_scene *child = found->child;
    erase(&scene->instances->children, position(scene->instances, id));
    bw_instances *theirs = child->instances;
    for (uint32_t i = 0; i < theirs->parents.count; i++)
        if (parent_at(theirs, i)->scene == scene && parent_at(theirs, i)->id == id) {
            erase(&theirs->parents, i);
            break;
        }
    free_if_unused(child);
    free_if_unused(scene);
}

void bw_instances_leave(bw_scene *scene)
{
    while (scene->instances != NULL && scene->instances->parents.count != 0) {
        bw_instance_parent parent =
            *parent_at(scene->instances, (uint32_t)scene->instances->parents.count - 1);
        bw_object_remove(parent.scene, parent.id);
    }
    while (scene->instances != NULL)
        bw_instances_drop(scene,
                          child_at(scene->instances, (uint32_t)scene->instances->children.count - 1)->id);
}

size_t bw_instances_bytes(const bw_scene *scene)
{
    const bw_instances *own = scene->instances;
    return own == NULL ? 0
                       : sizeof *own + own->children.capacity * own->children.element +
                             own->parents.capacity * own->parents.element;
}

static bool contains(const bw_scene *outer, const bw_scene *inner)
{
    if (outer == inner)
        return true;
    for (uint32_t i = 0; bw_instances_any(outer) && i < outer->instances->children.count; i++)
        if (contains(child_at(outer->instances, i)->child, inner))
            return true;
    return false;
}

/* Room for one more child and one more parent. False: no memory. */
static bool reserve(bw_scene *scene)
{
    if (scene->instances == NULL) {
        scene->instances = bw_allocate_zero(&scene->allocator, 1, sizeof *scene->instances);
        if (scene->instances == NULL)
            return false;
        scene->instances->children = bw_array_of(sizeof(bw_instance), &scene->allocator);
        scene->instances->parents = bw_array_of(sizeof(bw_instance_parent), &scene->allocator);
    }
    bw_array *lists[2] = {&scene->instances->children, &scene->instances->parents};
    for (int k = 0; k < 2; k++)
        if (lists[k]->count == lists[k]->capacity && !bw_array_grow(lists[k], 1))
            return false;
    return true;
}

/* where receives the row of the matrix and the value. */
static bw_result check_pose(const bw_transform *pose, bw_fault *where)
{
    for (uint32_t i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            where->axis = i;
            where->value = pose->m[i][j];
            if (!isfinite(pose->m[i][j]))
                return BW_ERROR_NOT_FINITE;
            if (fabs(pose->m[i][j]) > (double)BW_SCENE_COORDINATE_MAX)
                return BW_ERROR_RANGE;
        }
    return BW_OK;
}

bw_result bw_scene_insert_scene(bw_scene *scene, bw_scene *child, const bw_transform *pose, uint64_t user,
                                bw_id *out, bw_fault *fault)
{
    if (scene == NULL || child == NULL || pose == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = check_pose(pose, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    if (contains(child, scene))
        return bw_fail(fault, BW_ERROR_CYCLE);
    bw_id id = 0;
    result = BW_ERROR_MEMORY;
    if (reserve(scene) && reserve(child)) {
        bw_box box = instance_box(child, pose);
        result = bw_object_insert(scene, &box, user, &id);
    }
    if (result != BW_OK) {
        free_if_unused(scene);
        free_if_unused(child);
        return bw_fail(fault, result);
    }
    bw_array *children = &scene->instances->children;
    uint32_t at = position(scene->instances, id);
    (void)bw_array_push(children);
    memmove(bw_array_at(children, at + 1), bw_array_at(children, at),
            (children->count - 1 - at) * children->element);
    *child_at(scene->instances, at) = (bw_instance){id, child, *pose};
    *(bw_instance_parent *)bw_array_push(&child->instances->parents) = (bw_instance_parent){scene, id};
    memcpy(child->instances->bounds, bw_scene_packed_bounds(child), sizeof child->instances->bounds);
    *out = id;
    return bw_fail(fault, BW_OK);
}

bw_result bw_scene_set_pose(bw_scene *scene, bw_id id, const bw_transform *pose, bw_fault *fault)
{
    if (scene == NULL || pose == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = check_pose(pose, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_fail(fault, bw_table_id_error(&scene->table, id));
    const bw_instance *instance = bw_instances_find(scene, id);
    if (instance == NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    child_at(scene->instances, position(scene->instances, id))->pose = *pose;
    bw_box box = instance_box(instance->child, pose);
    bw_object_move(scene, id, &box);
    return bw_fail(fault, BW_OK);
}

bw_scene *bw_scene_child(const bw_scene *scene, bw_id id, bw_transform *pose)
{
    const bw_instance *instance = scene == NULL ? NULL : bw_instances_find(scene, id);
    if (instance == NULL)
        return NULL;
    if (pose != NULL)
        *pose = instance->pose;
    return instance->child;
}

const char *bw_instances_check(const bw_scene *scene)
{
    for (uint32_t i = 0; bw_instances_any(scene) && i < scene->instances->children.count; i++) {
        const bw_instance *instance = child_at(scene->instances, i);
        if (bw_table_find(&scene->table, instance->id) == NULL)
            return "an instance is not an object of its scene";
        if (i != 0 && bw_id_index(instance[-1].id) >= bw_id_index(instance->id))
            return "the instances are not in order";
        bw_box box = bw_packed_box(bw_object_box(scene, bw_id_index(instance->id)));
        bw_box expected = instance_box(instance->child, &instance->pose);
        for (int k = 0; k < 3; k++)
            if (box.min[k] != expected.min[k] || box.max[k] != expected.max[k])
                return "an instance's box is not that of its scene";
        const bw_instances *theirs = instance->child->instances;
        uint32_t known = 0;
        for (uint32_t p = 0; p < theirs->parents.count; p++)
            known += parent_at(theirs, p)->scene == scene && parent_at(theirs, p)->id == instance->id;
        if (known != 1)
            return "a scene does not know who holds it";
    }
    return NULL;
}
