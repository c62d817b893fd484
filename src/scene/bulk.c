/* Many objects in one call. */
#include "scene/instances.h"
#include "scene/scene.h"
#include "scene/tracker.h"

static bw_result blame(uint32_t *bad, uint32_t index, bw_result result)
{
    if (bad != NULL)
        *bad = index;
    return result;
}

/* Into a scene without objects: one build. */
static bw_result insert_first(bw_scene *scene, const bw_box *boxes, const uint64_t *users, uint32_t count,
                              bw_id *out)
{
    if (scene->asked == BW_NESTING_AUTO) {
        bw_nesting nesting;
        bool leafy;
        bw_stage_choose(scene, boxes, count, &nesting, &leafy);
        if (!bw_stage_convert(scene, nesting, leafy))
            return BW_ERROR_MEMORY;
    }
    bw_id *ids = bw_allocate(&scene->allocator, count, sizeof *ids);
    if (ids == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = bw_table_take(&scene->table, users == NULL ? 0 : users[i]);
    bool done;
    if (bw_stage_is_anchor(scene)) {
        bw_anchor_context context = bw_stage_anchor(scene);
        done = bw_anchor_build(&context, boxes, ids, count);
    } else {
        bw_classic_context context = bw_stage_classic(scene);
        bw_prepare_report report = {0};
        done = bw_classic_build(&context, boxes, ids, count);
        /* Who left the choice to us need not know that this tree splits lazily. */
        if (done && scene->asked == BW_NESTING_AUTO)
            (void)bw_classic_prepare(&context, NULL, true, &report);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (done) {
            out[i] = ids[i];
            bw_tracker_touch(scene, bw_id_index(ids[i]));
        } else {
            bw_table_give(&scene->table, bw_id_index(ids[count - 1 - i]));
        }
    }
    bw_release(&scene->allocator, ids, count, sizeof *ids);
    return done ? BW_OK : BW_ERROR_MEMORY;
}

bw_result bw_scene_insert_many(bw_scene *scene, const bw_box *boxes, const uint64_t *users, uint32_t count,
                               bw_id *out, uint32_t *bad)
{
    if (scene == NULL || (count != 0 && (boxes == NULL || out == NULL)))
        return blame(bad, UINT32_MAX, BW_ERROR_ARGUMENT);
    for (uint32_t i = 0; i < count; i++) {
        bw_result result = bw_zone_box_blame(&boxes[i]);
        if (result != BW_OK)
            return blame(bad, i, result);
    }
    if (count == 0)
        return BW_OK;
    if (count > BW_SCENE_OBJECTS_MAX - bw_stage_objects(scene))
        return blame(bad, UINT32_MAX, BW_ERROR_SIZE);
    if (!bw_table_reserve(&scene->table, &scene->allocator, count) || !bw_tracker_reserve(scene, count))
        return blame(bad, UINT32_MAX, BW_ERROR_MEMORY);
    bw_result result = BW_OK;
    if (bw_stage_objects(scene) == 0) {
        result = insert_first(scene, boxes, users, count, out);
    } else {
        bw_id *ids = bw_allocate(&scene->allocator, count, sizeof *ids);
        uint32_t done = 0;
        result = ids == NULL ? BW_ERROR_MEMORY : BW_OK;
        for (; result == BW_OK && done < count; done += result == BW_OK)
            result = bw_stage_insert(scene, &boxes[done], users == NULL ? 0 : users[done], &ids[done]);
        for (uint32_t i = 0; i < done; i++) {
            if (result == BW_OK)
                out[i] = ids[i];
            else
                bw_stage_remove(scene, ids[done - 1 - i]);
        }
        bw_release(&scene->allocator, ids, count, sizeof *ids);
    }
    if (result != BW_OK)
        return blame(bad, UINT32_MAX, result);
    bw_family_bounds_changed(scene);
    return BW_OK;
}

bw_result bw_scene_move_many(bw_scene *scene, const bw_id *ids, const bw_box *boxes, uint32_t count,
                             uint32_t *bad)
{
    if (scene == NULL || (count != 0 && (ids == NULL || boxes == NULL)))
        return blame(bad, UINT32_MAX, BW_ERROR_ARGUMENT);
    bw_anchor_context anchor = bw_stage_anchor(scene);
    uint32_t wrong = bw_anchor_validate(&anchor, ids, boxes, count);
    if (wrong < count) {
        bw_result result = bw_zone_box_blame(&boxes[wrong]);
        return blame(bad, wrong, result != BW_OK ? result : bw_table_blame(&scene->table, ids[wrong]));
    }
    for (uint32_t i = 0; i < count && scene->family != NULL; i++)
        if (bw_family_is_instance(scene, ids[i]))
            return blame(bad, i, BW_ERROR_UNSUPPORTED);
    if (count == 0)
        return BW_OK;
    if (bw_stage_is_anchor(scene)) {
        if (!bw_anchor_move_many(&anchor, ids, boxes, count))
            return blame(bad, UINT32_MAX, BW_ERROR_MEMORY);
    } else {
        bw_classic_context context = bw_stage_classic(scene);
        for (uint32_t i = 0; i < count; i++) {
            float packed[6];
            bw_anchor_pack(&boxes[i], packed);
            bw_classic_move(&context, bw_id_index(ids[i]), packed);
        }
        /* Marked boxes are only too large: what cannot be computed now, when memory is short, can wait. */
        bw_prepare_report report = {0};
        (void)bw_classic_prepare(&context, NULL, false, &report);
    }
    for (uint32_t i = 0; i < count && scene->tracker != NULL; i++)
        bw_tracker_touch(scene, bw_id_index(ids[i]));
    bw_family_bounds_changed(scene);
    return BW_OK;
}

bw_result bw_scene_remove_many(bw_scene *scene, const bw_id *ids, uint32_t count, uint32_t *bad)
{
    if (scene == NULL || (count != 0 && ids == NULL))
        return blame(bad, UINT32_MAX, BW_ERROR_ARGUMENT);
    uint32_t wrong = count;
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && wrong == count; i++)
        if (bw_table_find(&scene->table, ids[i]) == NULL) {
            wrong = i;
            result = bw_table_blame(&scene->table, ids[i]);
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
        return blame(bad, wrong, result);
    for (uint32_t i = 0; i < count; i++)
        bw_stage_remove(scene, ids[i]);
    return BW_OK;
}
