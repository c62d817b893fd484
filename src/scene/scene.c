/* Scenes: objects with ids in a tree of one of two kinds; insert, remove, move. */
#include "scene/scene.h"

#include "base/fault.h"
#include "base/sized.h"
#include "geom/box.h"
#include "scene/instances.h"
#include "scene/modern/modern.h"
#include "scene/tracker.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_THRESHOLD = 96 };

static const bw_scene_kind *kind_of(bw_nesting nesting)
{
#if BW_RESEARCH
    return nesting == BW_NESTING_MODERN ? &bw_kind_modern : &bw_kind_shagam;
#else
    return nesting == BW_NESTING_MODERN ? &bw_kind_modern : NULL;
#endif
}

/* A tree without objects. NULL: no memory. */
static bw_scene_tree *create_tree(bw_scene *scene, bw_nesting nesting, bool leafy)
{
    const bw_scene_kind *kind = kind_of(nesting);
    bw_scene_tree *tree = bw_allocate_zero(&scene->allocator, 1, kind->size);
    if (tree == NULL)
        return NULL;
    *tree = (bw_scene_tree){.kind = kind,
                            .table = &scene->table,
                            .allocator = &scene->allocator,
                            .tasks = scene->has_tasks ? &scene->tasks : NULL,
                            .simd = scene->simd};
    kind->init(tree, nesting, leafy, scene->threshold);
    return tree;
}

static void destroy_tree(bw_scene_tree *tree)
{
    tree->kind->clear(tree);
    bw_release(tree->allocator, tree, 1, tree->kind->size);
}

bw_result bw_scene_create_at(const bw_scene_desc *desc, bw_simd simd, bw_scene **out)
{
    static const bw_scene_desc defaults;
    if (desc == NULL)
        desc = &defaults;
    bw_result result = bw_desc_check(desc);
    if (result != BW_OK)
        return result;
    if (out == NULL || desc->nesting < BW_NESTING_AUTO || desc->nesting > BW_NESTING_PER_NODE ||
        (desc->tasks != NULL && (desc->tasks->parallel_for == NULL || desc->tasks->worker_count < 1 ||
                                 desc->tasks->worker_count > BW_MAX_WORKERS)))
        return BW_ERROR_ARGUMENT;
    bw_nesting used = desc->nesting == BW_NESTING_AUTO ? BW_NESTING_MODERN : desc->nesting;
    if (kind_of(used) == NULL)
        return BW_ERROR_NOT_BUILT;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_scene *scene = bw_allocate_zero(&allocator, 1, sizeof *scene);
    if (scene == NULL)
        return BW_ERROR_MEMORY;
    scene->allocator = allocator;
    if (desc->tasks != NULL) {
        scene->tasks = *desc->tasks;
        scene->has_tasks = true;
    }
    scene->simd = bw_simd_level(simd);
    scene->wanted = desc->nesting;
    scene->used = used;
    scene->leafy = desc->leafy;
    scene->threshold = desc->split_threshold == 0 ? DEFAULT_THRESHOLD : desc->split_threshold;
    scene->reason =
        desc->nesting == BW_NESTING_AUTO ? "no objects have been looked at yet" : "chosen by the caller";
    scene->table = bw_table_empty();
    scene->tree = create_tree(scene, used, scene->leafy);
    if (scene->tree == NULL || (desc->track_pairs && !bw_tracker_create(scene))) {
        if (scene->tree != NULL)
            destroy_tree(scene->tree);
        bw_release(&allocator, scene, 1, sizeof *scene);
        return BW_ERROR_MEMORY;
    }
    *out = scene;
    return BW_OK;
}

bw_result bw_scene_create(const bw_scene_desc *desc, bw_scene **out, bw_fault *fault)
{
    return bw_fail(fault, bw_scene_create_at(desc, BW_SIMD_AUTO, out));
}

void bw_scene_destroy(bw_scene *scene)
{
    if (scene == NULL)
        return;
    bw_instances_leave(scene);
    bw_tracker_destroy(scene);
    bw_table_release(&scene->table, &scene->allocator);
    destroy_tree(scene->tree);
    bw_allocator allocator = scene->allocator;
    bw_release(&allocator, scene, 1, sizeof *scene);
}

bool bw_scene_change_nesting(bw_scene *scene, bw_nesting nesting, bool leafy)
{
    if (nesting == scene->used && leafy == scene->leafy)
        return true;
    uint32_t count = scene->tree->objects, k = 0;
    bw_scene_tree *tree = create_tree(scene, nesting, leafy);
    bw_box *boxes = bw_allocate(&scene->allocator, count, sizeof *boxes);
    bw_id *ids = bw_allocate(&scene->allocator, count, sizeof *ids);
    bool ok = tree != NULL && (count == 0 || (boxes != NULL && ids != NULL));
    for (uint32_t i = 0; ok && k < count; i++) {
        uint32_t generation = bw_table_entry(&scene->table, i)->generation;
        if ((generation & 1) == 0)
            continue;
        boxes[k] = bw_packed_box(bw_object_box(scene, i));
        ids[k++] = bw_id_of(i, generation);
    }
    ok = ok && (count == 0 || tree->kind->build(tree, boxes, (bw_id_list){ids, 0}, count));
    bw_release(&scene->allocator, boxes, count, sizeof *boxes);
    bw_release(&scene->allocator, ids, count, sizeof *ids);
    if (!ok) {
        if (tree != NULL)
            destroy_tree(tree);
        return false;
    }
    destroy_tree(scene->tree);
    scene->tree = tree;
    scene->used = nesting;
    scene->leafy = leafy;
    return true;
}

/* ---- one object ---- */

bw_result bw_object_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out)
{
    if (scene->tree->objects >= BW_SCENE_OBJECTS_MAX)
        return BW_ERROR_SIZE;
    if (!bw_table_reserve(&scene->table, &scene->allocator, 1) || !bw_tracker_reserve(scene, 1))
        return BW_ERROR_MEMORY;
    bw_id id = bw_table_take(&scene->table, user);
    float packed[6];
    bw_packed_of(box, packed);
    if (!scene->tree->kind->insert(scene->tree, packed, id)) {
        bw_table_give(&scene->table, bw_id_index(id));
        return BW_ERROR_MEMORY;
    }
    bw_tracker_touch(scene, bw_id_index(id));
    bw_instances_bounds_changed(scene);
    *out = id;
    return BW_OK;
}

void bw_object_move(bw_scene *scene, bw_id id, const bw_box *box)
{
    scene->tree->kind->move(scene->tree, id, box);
    bw_tracker_touch(scene, bw_id_index(id));
    bw_instances_bounds_changed(scene);
}

void bw_object_remove(bw_scene *scene, bw_id id)
{
    bw_scene_tree *tree = scene->tree;
    bw_instances_drop(scene, id);
    tree->kind->remove(tree, bw_id_index(id));
    bw_tracker_touch(scene, bw_id_index(id));
    bw_table_give(&scene->table, bw_id_index(id));
    if (tree->objects != 0) {
        tree->kind->compact(tree);
    } else {
        tree->kind->clear(tree);
        bw_table_trim(&scene->table, &scene->allocator);
    }
    bw_instances_bounds_changed(scene);
}

bw_result bw_scene_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out, bw_fault *fault)
{
    if (scene == NULL || box == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = bw_object_box_check(box, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    return bw_fail(fault, bw_object_insert(scene, box, user, out));
}

bw_result bw_scene_remove(bw_scene *scene, bw_id id, bw_fault *fault)
{
    if (scene == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_fail(fault, bw_table_id_error(&scene->table, id));
    bw_object_remove(scene, id);
    return bw_fail(fault, BW_OK);
}

bw_result bw_scene_move(bw_scene *scene, bw_id id, const bw_box *box, bw_fault *fault)
{
    if (scene == NULL || box == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_modern_validate(scene->tree, &id, box, 1) == 0) {
        bw_fault where = BW_FAULT_NOWHERE;
        bw_result result = bw_object_box_check(box, &where);
        return bw_fail_with(fault, result != BW_OK ? result : bw_table_id_error(&scene->table, id), &where);
    }
    if (bw_instances_find(scene, id) != NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_object_move(scene, id, box);
    return bw_fail(fault, BW_OK);
}

/* The largest float that is not above a + b. */
static float sum_down(double a, double b)
{
    double sum = a + b, part = sum - a;
    double lost = (a - (sum - part)) + (b - part); /* exactly what the sum rounded away (Knuth) */
    float f = bw_float_down(sum);
    return (double)f == sum && lost < 0 ? bw_float_before(f) : f;
}

static bw_result sphere_box(bw_vec3 centre, double radius, bw_box *out)
{
    const double c[3] = {centre.x, centre.y, centre.z};
    if (!isfinite(radius) || !isfinite(c[0]) || !isfinite(c[1]) || !isfinite(c[2]))
        return BW_ERROR_NOT_FINITE;
    if (radius < 0)
        return BW_ERROR_ARGUMENT;
    for (int i = 0; i < 3; i++) {
        out->min[i] = sum_down(c[i], -radius);
        out->max[i] = -sum_down(-c[i], -radius);
    }
    return bw_object_box_check(out, NULL);
}

bw_result bw_scene_insert_sphere(bw_scene *scene, bw_vec3 centre, double radius, uint64_t user, bw_id *out,
                                 bw_fault *fault)
{
    if (scene == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_box box;
    bw_result result = sphere_box(centre, radius, &box);
    return bw_fail(fault, result != BW_OK ? result : bw_object_insert(scene, &box, user, out));
}

bw_result bw_scene_move_sphere(bw_scene *scene, bw_id id, bw_vec3 centre, double radius, bw_fault *fault)
{
    bw_box box;
    bw_result result = sphere_box(centre, radius, &box);
    return result != BW_OK ? bw_fail(fault, result) : bw_scene_move(scene, id, &box, fault);
}

bw_result bw_scene_move_swept(bw_scene *scene, bw_id id, const bw_box *box, bw_vec3 displacement,
                              bw_fault *fault)
{
    if (box == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = bw_object_box_check(box, &where);
    const double by[3] = {displacement.x, displacement.y, displacement.z};
    bw_box swept = *box;
    for (uint32_t i = 0; i < 3 && result == BW_OK; i++) {
        if (!isfinite(by[i])) {
            result = BW_ERROR_NOT_FINITE;
            where.axis = i;
            where.value = by[i];
        } else if (by[i] < 0) {
            swept.min[i] = sum_down((double)box->min[i], by[i]);
        } else if (by[i] > 0) {
            swept.max[i] = -sum_down(-(double)box->max[i], -by[i]);
        }
    }
    return result != BW_OK ? bw_fail_with(fault, result, &where) : bw_scene_move(scene, id, &swept, fault);
}

bool bw_scene_has(const bw_scene *scene, bw_id id)
{
    return scene != NULL && bw_table_find(&scene->table, id) != NULL;
}

bw_result bw_scene_get(const bw_scene *scene, bw_id id, bw_box *box, uint64_t *user, bw_fault *fault)
{
    if (scene == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_fail(fault, bw_table_id_error(&scene->table, id));
    if (box != NULL)
        *box = bw_packed_box(bw_object_box(scene, bw_id_index(id)));
    if (user != NULL)
        *user = *bw_table_user(&scene->table, bw_id_index(id));
    return bw_fail(fault, BW_OK);
}

bw_result bw_scene_set_user(bw_scene *scene, bw_id id, uint64_t user, bw_fault *fault)
{
    if (scene == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_fail(fault, bw_table_id_error(&scene->table, id));
    *bw_table_user(&scene->table, bw_id_index(id)) = user;
    return bw_fail(fault, BW_OK);
}

uint32_t bw_scene_count(const bw_scene *scene)
{
    return scene == NULL ? 0 : scene->tree->objects;
}

bw_box bw_scene_bounds(const bw_scene *scene)
{
    return scene == NULL ? bw_box_empty() : bw_packed_box(bw_scene_packed_bounds(scene));
}
