/* Many objects in one call. */
#include "base/fault.h"
#include "base/simd/f32x4.h"
#include "scene/instances.h"
#include "scene/modern/modern.h"
#include "scene/scene.h"
#include "scene/tracker.h"

/* Into a scene without objects: one build. */
static bw_result insert_first(bw_scene *scene, const bw_box *boxes, const uint64_t *users, uint32_t count,
                              bw_id *out)
{
    if (scene->wanted == BW_NESTING_AUTO) {
        bw_nesting nesting;
        bool leafy;
        bw_scene_choose_nesting(scene, boxes, count, &nesting, &leafy);
        if (!bw_scene_change_nesting(scene, nesting, leafy))
            return BW_ERROR_MEMORY;
    }
    bw_id *list = NULL;
    bw_id_list ids = {NULL, 0};
    if (bw_table_takes_in_turn(&scene->table)) {
        ids.first = bw_table_take_in_turn(&scene->table, users, count);
    } else {
        ids.ids = list = bw_allocate(&scene->allocator, count, sizeof *list);
        if (list == NULL)
            return BW_ERROR_MEMORY;
        for (uint32_t i = 0; i < count; i++)
            list[i] = bw_table_take(&scene->table, users == NULL ? 0 : users[i]);
    }
    bw_scene_tree *tree = scene->tree;
    bool done = tree->kind->build(tree, boxes, ids, count);
    /* Who left the choice to us need not know that the paper's trees split lazily. */
    bw_prepare_report report = {0};
    if (done && scene->wanted == BW_NESTING_AUTO)
        (void)tree->kind->prepare(tree, NULL, &report);
    for (uint32_t i = 0; i < count; i++) {
        if (done) {
            out[i] = bw_id_at(&ids, i);
            bw_tracker_touch(scene, bw_id_index(out[i]));
        } else {
            bw_table_give(&scene->table, bw_id_index(bw_id_at(&ids, count - 1 - i)));
        }
    }
    bw_release(&scene->allocator, list, count, sizeof *list);
    return done ? BW_OK : BW_ERROR_MEMORY;
}

/* Whether all boxes may be objects'. */
static bool all_valid(const bw_box *boxes, uint32_t count)
{
    const v4 most = v4_all(BW_SCENE_COORDINATE_MAX);
    i4 good = {-1, -1, -1, -1};
    for (uint32_t i = 0; i < count; i++) {
        const v4 low = v4_load(boxes[i].min), last = v4_load(boxes[i].min + 2); /* x y z X, z X Y Z */
        const v4 high = V4_SHUFFLE(last, last, 1, 2, 3, 3);
        good &= (low <= high) & (low >= -most) & (high <= most);
    }
    return (i4_bits(good) & 7) == 7;
}

bw_result bw_scene_insert_many(bw_scene *scene, const bw_box *boxes, const uint64_t *users, uint32_t count,
                               bw_id *out, bw_fault *fault)
{
    if (scene == NULL || (count != 0 && (boxes == NULL || out == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    where.element = all_valid(boxes, count) ? count : 0;
    for (; where.element < count; where.element++) {
        bw_result result = bw_object_box_check(&boxes[where.element], &where);
        if (result != BW_OK)
            return bw_fail_with(fault, result, &where);
    }
    if (count == 0)
        return bw_fail(fault, BW_OK);
    if (count > BW_SCENE_OBJECTS_MAX - scene->tree->objects)
        return bw_fail(fault, BW_ERROR_SIZE);
    if (!bw_table_reserve(&scene->table, &scene->allocator, count) || !bw_tracker_reserve(scene, count))
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_result result = BW_OK;
    if (scene->tree->objects == 0) {
        result = insert_first(scene, boxes, users, count, out);
    } else {
        bw_id *ids = bw_allocate(&scene->allocator, count, sizeof *ids);
        uint32_t done = 0;
        result = ids == NULL ? BW_ERROR_MEMORY : BW_OK;
        for (; result == BW_OK && done < count; done += result == BW_OK)
            result = bw_object_insert(scene, &boxes[done], users == NULL ? 0 : users[done], &ids[done]);
        for (uint32_t i = 0; i < done; i++) {
            if (result == BW_OK)
                out[i] = ids[i];
            else
                bw_object_remove(scene, ids[done - 1 - i]);
        }
        bw_release(&scene->allocator, ids, count, sizeof *ids);
    }
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_instances_bounds_changed(scene);
    return bw_fail(fault, BW_OK);
}

bw_result bw_scene_move_many(bw_scene *scene, const bw_id *ids, const bw_box *boxes, uint32_t count,
                             bw_fault *fault)
{
    if (scene == NULL || (count != 0 && (ids == NULL || boxes == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    uint32_t wrong = bw_modern_validate(scene->tree, ids, boxes, count);
    if (wrong < count) {
        bw_fault where = BW_FAULT_NOWHERE;
        where.element = wrong;
        bw_result result = bw_object_box_check(&boxes[wrong], &where);
        return bw_fail_with(fault, result != BW_OK ? result : bw_table_id_error(&scene->table, ids[wrong]),
                            &where);
    }
    for (uint32_t i = 0; i < count && bw_instances_any(scene); i++)
        if (bw_instances_find(scene, ids[i]) != NULL)
            return bw_fail_at(fault, BW_ERROR_UNSUPPORTED, i);
    if (count == 0)
        return bw_fail(fault, BW_OK);
    if (!scene->tree->kind->move_many(scene->tree, ids, boxes, count))
        return bw_fail(fault, BW_ERROR_MEMORY);
    for (uint32_t i = 0; i < count && scene->tracker != NULL; i++)
        bw_tracker_touch(scene, bw_id_index(ids[i]));
    bw_instances_bounds_changed(scene);
    return bw_fail(fault, BW_OK);
}

bw_result bw_scene_remove_many(bw_scene *scene, const bw_id *ids, uint32_t count, bw_fault *fault)
{
    if (scene == NULL || (count != 0 && ids == NULL))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    uint32_t wrong = count;
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && wrong == count; i++)
        if (bw_table_find(&scene->table, ids[i]) == NULL) {
            wrong = i;
            result = bw_table_id_error(&scene->table, ids[i]);
        }
    /* Twice the same: an even generation stands for "seen" until the end of this pass. */
    uint32_t marked = 0;
    for (; wrong == count && marked < count; marked++) {
        bw_entry *entry = bw_table_entry(&scene->table, bw_id_index(ids[marked]));
        if ((entry->generation & 1) == 0) {
            wrong = marked;
            result = BW_ERROR_STALE;
            break;
        }
        entry->generation++;
    }
    for (uint32_t i = 0; i < marked; i++)
        bw_table_entry(&scene->table, bw_id_index(ids[i]))->generation--;
    if (wrong < count)
        return bw_fail_at(fault, result, wrong);
    for (uint32_t i = 0; i < count; i++)
        bw_object_remove(scene, ids[i]);
    return bw_fail(fault, BW_OK);
}
