/* Preparation, statistics, checks and visits. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "scene/instances.h"
#include "scene/tracker.h"

bw_result bw_scene_prepare(bw_scene *scene, const bw_box *region, bw_prepare_report *report, bw_fault *fault)
{
    if (scene == NULL || bw_report_check(report) != BW_OK)
        return bw_fail(fault, scene == NULL ? BW_ERROR_ARGUMENT : bw_report_check(report));
    float packed[6];
    if (region != NULL) {
        bw_fault where = BW_FAULT_NOWHERE;
        bw_result result = bw_object_box_check(region, &where);
        if (result != BW_OK)
            return bw_fail_with(fault, result, &where);
        bw_packed_of(region, packed);
    }
    bw_result result = BW_OK;
    uint32_t objects = scene->tree->objects;
    /* Looking again is worth it once the scene has doubled or halved. */
    if (scene->wanted == BW_NESTING_AUTO && region == NULL &&
        (objects > 2 * scene->chosen_at || objects < scene->chosen_at / 2)) {
        bw_nesting nesting;
        bool leafy;
        bw_scene_choose_nesting(scene, NULL, 0, &nesting, &leafy);
        if (!bw_scene_change_nesting(scene, nesting, leafy))
            result = BW_ERROR_MEMORY;
    }
    bw_prepare_report done = {0};
    if (!scene->tree->kind->prepare(scene->tree, region == NULL ? NULL : packed, &done))
        result = BW_ERROR_MEMORY;
    bw_instances_bounds_changed(scene);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, done);
    return bw_fail(fault, result);
}

typedef struct level {
    bw_node_ref ref;
    uint32_t depth;
    float box[6];
} level;

bw_result bw_scene_visit(const bw_scene *scene, bw_scene_visitor *visitor, void *user, bw_fault *fault)
{
    if (scene == NULL || visitor == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_scene_tree *tree = scene->tree;
    level first[64];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    if (tree->kind->root(tree) != 0) {
        level *root = bw_stack_push(&stack);
        root->ref = tree->kind->root(tree);
        root->depth = 0;
        memcpy(root->box, tree->kind->bounds(tree), sizeof root->box);
    }
    bw_result result = BW_OK;
    bw_node_contents x;
    while (stack.count != 0 && result == BW_OK) {
        level at = *(level *)bw_stack_pop(&stack);
        tree->kind->expand(tree, at.ref, &x);
        bw_box box = bw_packed_box(at.box);
        if (!visitor(user, &box, at.depth, x.objects == 0 ? NULL : x.ids, x.objects))
            break;
        for (uint32_t c = x.children; c-- > 0 && result == BW_OK;) {
            level *top = bw_stack_push(&stack);
            if (top == NULL) {
                result = BW_ERROR_MEMORY;
                break;
            }
            top->ref = x.child[c];
            top->depth = at.depth + 1;
            memcpy(top->box, x.box[c], sizeof top->box);
        }
    }
    bw_stack_release(&stack);
    return bw_fail(fault, result);
}

void bw_scene_get_stats(const bw_scene *scene, bw_scene_stats *out)
{
    if (scene == NULL || out == NULL || bw_report_check(out) != BW_OK)
        return;
    const bw_scene_tree *tree = scene->tree;
    bw_scene_stats s = {.nesting = scene->used,
                        .leafy = scene->leafy,
                        .reason = scene->reason,
                        .object_count = tree->objects,
                        .split_count = tree->splits,
                        .merge_count = tree->merges,
                        .reinserted_count = tree->reinserted,
                        .rebuilt_count = tree->rebuilt};
    s.bytes = sizeof *scene + bw_slab_bytes(&scene->table.entries) + bw_slab_bytes(&scene->table.users) +
              bw_tracker_bytes(scene) + bw_instances_bytes(scene);
    tree->kind->stats(tree, &s);
    bw_report_set(out, s);
}

const char *bw_scene_check(const bw_scene *scene)
{
    if (scene == NULL)
        return "there is no scene";
    const char *fault = scene->tree->kind->check(scene->tree);
    if (fault == NULL && bw_slab_live(&scene->table.entries) != scene->tree->objects)
        fault = "ids and objects differ in number";
    if (fault == NULL)
        fault = bw_tracker_check(scene);
    if (fault == NULL)
        fault = bw_instances_check(scene);
    return fault;
}
