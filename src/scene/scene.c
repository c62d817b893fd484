/* Scenes: objects with ids in one of the two kinds of trees; insert, remove, move. */
#include "scene/scene.h"

#include "geom/box.h"
#include "scene/instances.h"
#include "scene/tracker.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_THRESHOLD = 96 };

bw_result bw_stage_create_at(const bw_scene_desc *desc, bw_simd simd, bw_scene **out)
{
    static const bw_scene_desc defaults;
    if (desc == NULL)
        desc = &defaults;
    if (out == NULL || desc->nesting < BW_NESTING_AUTO || desc->nesting > BW_NESTING_ICOSEPTREE ||
        (desc->tasks != NULL && (desc->tasks->parallel_for == NULL || desc->tasks->worker_count < 1 ||
                                 desc->tasks->worker_count > BW_MAX_WORKERS)))
        return BW_ERROR_ARGUMENT;
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
    scene->asked = desc->nesting;
    scene->used = desc->nesting == BW_NESTING_AUTO ? BW_NESTING_MODERN : desc->nesting;
    scene->leafy = desc->leafy;
    scene->threshold = desc->split_threshold == 0 ? DEFAULT_THRESHOLD : desc->split_threshold;
    scene->reason = desc->nesting == BW_NESTING_AUTO ? "no objects have been looked at yet" : "asked for";
    scene->table = bw_table_empty();
    scene->anchor = bw_anchor_empty();
    if (!bw_stage_is_anchor(scene))
        scene->classic = bw_classic_empty(scene->used, scene->leafy, scene->threshold);
    if (desc->track_pairs && !bw_tracker_create(scene)) {
        bw_release(&allocator, scene, 1, sizeof *scene);
        return BW_ERROR_MEMORY;
    }
    *out = scene;
    return BW_OK;
}

bw_result bw_scene_create(const bw_scene_desc *desc, bw_scene **out)
{
    return bw_stage_create_at(desc, BW_SIMD_AUTO, out);
}

void bw_scene_destroy(bw_scene *scene)
{
    if (scene == NULL)
        return;
    bw_family_leave(scene);
    bw_tracker_destroy(scene);
    bw_table_release(&scene->table, &scene->allocator);
    bw_anchor_release(&scene->anchor, &scene->allocator);
    if (!bw_stage_is_anchor(scene))
        bw_classic_release(&scene->classic, &scene->allocator);
    bw_allocator allocator = scene->allocator;
    bw_release(&allocator, scene, 1, sizeof *scene);
}

bool bw_stage_convert(bw_scene *scene, bw_nesting nesting, bool leafy)
{
    if (nesting == scene->used && leafy == scene->leafy)
        return true;
    uint32_t count = bw_stage_objects(scene), end = scene->table.entries.end, k = 0;
    bw_box *boxes = NULL;
    bw_id *ids = NULL;
    bw_anchor_tree anchor = bw_anchor_empty();
    bw_classic_tree classic = {0};
    bool ok = true;
    if (nesting != BW_NESTING_MODERN)
        classic = bw_classic_empty(nesting, leafy, scene->threshold);
    if (count != 0) {
        boxes = bw_allocate(&scene->allocator, count, sizeof *boxes);
        ids = bw_allocate(&scene->allocator, count, sizeof *ids);
        ok = boxes != NULL && ids != NULL;
        for (uint32_t i = 0; ok && i < end; i++) {
            uint32_t generation = bw_table_entry(&scene->table, i)->generation;
            if ((generation & 1) == 0)
                continue;
            boxes[k] = bw_anchor_unpack(bw_stage_object_box(scene, i));
            ids[k++] = bw_id_of(i, generation);
        }
        /* Builders write places only once nothing can fail any more. */
        if (ok && nesting == BW_NESTING_MODERN) {
            bw_anchor_context context = {&anchor, &scene->table, &scene->allocator, NULL, scene->simd};
            ok = bw_anchor_build(&context, boxes, ids, count);
        } else if (ok) {
            bw_classic_context context = {&classic, &scene->table, &scene->allocator};
            ok = bw_classic_build(&context, boxes, ids, count);
            if (!ok)
                bw_classic_release(&classic, &scene->allocator);
        }
    }
    bw_release(&scene->allocator, boxes, count, sizeof *boxes);
    bw_release(&scene->allocator, ids, count, sizeof *ids);
    if (!ok)
        return false;
    if (bw_stage_is_anchor(scene))
        bw_anchor_release(&scene->anchor, &scene->allocator);
    else
        bw_classic_release(&scene->classic, &scene->allocator);
    scene->used = nesting;
    scene->leafy = leafy;
    scene->anchor = anchor;
    scene->classic = classic;
    return true;
}

/* ---- one object ---- */

bw_result bw_stage_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out)
{
    if (bw_stage_objects(scene) >= BW_SCENE_OBJECTS_MAX)
        return BW_ERROR_SIZE;
    if (!bw_table_reserve(&scene->table, &scene->allocator, 1) || !bw_tracker_reserve(scene, 1))
        return BW_ERROR_MEMORY;
    bw_id id = bw_table_take(&scene->table, user);
    float packed[6];
    bw_anchor_pack(box, packed);
    bw_anchor_context anchor = bw_stage_anchor(scene);
    bw_classic_context classic = bw_stage_classic(scene);
    bool done = bw_stage_is_anchor(scene) ? bw_anchor_insert(&anchor, packed, id)
                                          : bw_classic_insert(&classic, packed, id);
    if (!done) {
        bw_table_give(&scene->table, bw_id_index(id));
        return BW_ERROR_MEMORY;
    }
    bw_tracker_touch(scene, bw_id_index(id));
    bw_family_bounds_changed(scene);
    *out = id;
    return BW_OK;
}

void bw_stage_move(bw_scene *scene, bw_id id, const bw_box *box)
{
    if (bw_stage_is_anchor(scene)) {
        bw_anchor_context context = bw_stage_anchor(scene);
        bw_anchor_move(&context, id, box);
    } else {
        float packed[6];
        bw_anchor_pack(box, packed);
        bw_classic_context context = bw_stage_classic(scene);
        bw_classic_move(&context, bw_id_index(id), packed);
    }
    bw_tracker_touch(scene, bw_id_index(id));
    bw_family_bounds_changed(scene);
}

/* What removals leave behind goes back now and then, in time proportional to what was removed. */
static void give_back(bw_scene *scene)
{
    bw_anchor_context anchor = bw_stage_anchor(scene);
    if (bw_stage_objects(scene) == 0) {
        if (bw_stage_is_anchor(scene)) {
            uint64_t kept[4] = {scene->anchor.splits, scene->anchor.merges, scene->anchor.reinserted,
                                scene->anchor.rebuilt};
            bw_anchor_release(&scene->anchor, &scene->allocator);
            scene->anchor.splits = kept[0];
            scene->anchor.merges = kept[1];
            scene->anchor.reinserted = kept[2];
            scene->anchor.rebuilt = kept[3];
        } else {
            bw_classic_release(&scene->classic, &scene->allocator);
        }
        bw_table_trim(&scene->table, &scene->allocator);
    } else if (bw_stage_is_anchor(scene)) {
        bw_anchor_compact(&anchor);
    }
}

void bw_stage_remove(bw_scene *scene, bw_id id)
{
    uint32_t index = bw_id_index(id);
    bw_family_drop(scene, id);
    if (bw_stage_is_anchor(scene)) {
        bw_anchor_context context = bw_stage_anchor(scene);
        bw_anchor_remove(&context, bw_table_entry(&scene->table, index)->place);
    } else {
        bw_classic_context context = bw_stage_classic(scene);
        bw_classic_remove(&context, index);
    }
    bw_tracker_touch(scene, index);
    bw_table_give(&scene->table, index);
    give_back(scene);
    bw_family_bounds_changed(scene);
}

bw_result bw_scene_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out)
{
    if (scene == NULL || box == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result blame = bw_zone_box_blame(box);
    return blame != BW_OK ? blame : bw_stage_insert(scene, box, user, out);
}

bw_result bw_scene_remove(bw_scene *scene, bw_id id)
{
    if (scene == NULL)
        return BW_ERROR_ARGUMENT;
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_table_blame(&scene->table, id);
    bw_stage_remove(scene, id);
    return BW_OK;
}

bw_result bw_scene_move(bw_scene *scene, bw_id id, const bw_box *box)
{
    if (scene == NULL || box == NULL)
        return BW_ERROR_ARGUMENT;
    bw_anchor_context context = bw_stage_anchor(scene);
    if (bw_anchor_validate(&context, &id, box, 1) == 0) {
        bw_result blame = bw_zone_box_blame(box);
        return blame != BW_OK ? blame : bw_table_blame(&scene->table, id);
    }
    if (bw_family_is_instance(scene, id))
        return BW_ERROR_UNSUPPORTED;
    bw_stage_move(scene, id, box);
    return BW_OK;
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
    return bw_zone_box_blame(out);
}

bw_result bw_scene_insert_sphere(bw_scene *scene, bw_vec3 centre, double radius, uint64_t user, bw_id *out)
{
    if (scene == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_box box;
    bw_result result = sphere_box(centre, radius, &box);
    return result != BW_OK ? result : bw_stage_insert(scene, &box, user, out);
}

bw_result bw_scene_move_sphere(bw_scene *scene, bw_id id, bw_vec3 centre, double radius)
{
    bw_box box;
    bw_result result = sphere_box(centre, radius, &box);
    return result != BW_OK ? result : bw_scene_move(scene, id, &box);
}

bw_result bw_scene_move_swept(bw_scene *scene, bw_id id, const bw_box *box, bw_vec3 displacement)
{
    if (box == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result blame = bw_zone_box_blame(box);
    if (blame != BW_OK)
        return blame;
    const double by[3] = {displacement.x, displacement.y, displacement.z};
    bw_box swept = *box;
    for (int i = 0; i < 3; i++) {
        if (!isfinite(by[i]))
            return BW_ERROR_NOT_FINITE;
        if (by[i] < 0)
            swept.min[i] = sum_down((double)box->min[i], by[i]);
        else if (by[i] > 0)
            swept.max[i] = -sum_down(-(double)box->max[i], -by[i]);
    }
    return bw_scene_move(scene, id, &swept);
}

bool bw_scene_has(const bw_scene *scene, bw_id id)
{
    return scene != NULL && bw_table_find(&scene->table, id) != NULL;
}

bw_result bw_scene_get(const bw_scene *scene, bw_id id, bw_box *box, uint64_t *user)
{
    if (scene == NULL)
        return BW_ERROR_ARGUMENT;
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_table_blame(&scene->table, id);
    if (box != NULL)
        *box = bw_anchor_unpack(bw_stage_object_box(scene, bw_id_index(id)));
    if (user != NULL)
        *user = *bw_table_user(&scene->table, bw_id_index(id));
    return BW_OK;
}

bw_result bw_scene_set_user(bw_scene *scene, bw_id id, uint64_t user)
{
    if (scene == NULL)
        return BW_ERROR_ARGUMENT;
    if (bw_table_find(&scene->table, id) == NULL)
        return bw_table_blame(&scene->table, id);
    *bw_table_user(&scene->table, bw_id_index(id)) = user;
    return BW_OK;
}

uint32_t bw_scene_count(const bw_scene *scene)
{
    return scene == NULL ? 0 : bw_stage_objects(scene);
}

bw_box bw_scene_bounds(const bw_scene *scene)
{
    return scene == NULL ? bw_box_empty() : bw_anchor_unpack(bw_stage_bounds(scene));
}
