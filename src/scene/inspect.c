/* Preparation, statistics, checks and visits. */
#include "base/stack.h"
#include "scene/instances.h"
#include "scene/tracker.h"

bw_result bw_scene_prepare(bw_scene *scene, const bw_box *region, bw_prepare_report *report)
{
    if (scene == NULL)
        return BW_ERROR_ARGUMENT;
    float packed[6];
    if (region != NULL) {
        bw_result blame = bw_zone_box_blame(region);
        if (blame != BW_OK)
            return blame;
        bw_anchor_pack(region, packed);
    }
    bw_result result = BW_OK;
    uint32_t objects = bw_stage_objects(scene);
    /* Looking again is worth it once the scene has doubled or halved. */
    if (scene->asked == BW_NESTING_AUTO && region == NULL &&
        (objects > 2 * scene->chosen_at || objects < scene->chosen_at / 2)) {
        bw_nesting nesting;
        bool leafy;
        bw_stage_choose(scene, NULL, 0, &nesting, &leafy);
        if (!bw_stage_convert(scene, nesting, leafy))
            result = BW_ERROR_MEMORY;
    }
    bw_prepare_report done = {0};
    if (!bw_stage_is_anchor(scene)) {
        bw_classic_context context = bw_stage_classic(scene);
        if (!bw_classic_prepare(&context, region == NULL ? NULL : packed, true, &done))
            result = BW_ERROR_MEMORY;
    } else if (region == NULL) {
        bw_anchor_context context = bw_stage_anchor(scene);
        bw_anchor_renew_large(&context);
    }
    bw_family_bounds_changed(scene);
    if (result == BW_OK && report != NULL)
        *report = done;
    return result;
}

typedef struct level {
    bw_stage_ref ref;
    uint32_t depth;
    float box[6];
} level;

bw_result bw_scene_visit(const bw_scene *scene, bw_scene_visitor *visitor, void *user)
{
    if (scene == NULL || visitor == NULL)
        return BW_ERROR_ARGUMENT;
    level first[64];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    if (bw_stage_root(scene) != 0) {
        level *root = bw_stack_push(&stack);
        root->ref = bw_stage_root(scene);
        root->depth = 0;
        memcpy(root->box, bw_stage_bounds(scene), sizeof root->box);
    }
    bw_result result = BW_OK;
    bw_stage_expansion x;
    while (stack.count != 0 && result == BW_OK) {
        level at = *(level *)bw_stack_pop(&stack);
        bw_stage_expand(scene, at.ref, &x);
        bw_box box = bw_anchor_unpack(at.box);
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
    return result;
}

/* The depth without a stack: every node climbs. */
static uint32_t bw_anchor_depth(const bw_anchor_tree *tree)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < tree->leaves.end; i++) {
        const bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, i);
        if (leaf->count == BW_ANCHOR_FREE)
            continue;
        uint32_t d = 0;
        for (uint32_t up = leaf->parent; up != BW_ANCHOR_NO_PARENT; up = tree->links[up >> 3].parent)
            d++;
        depth = d > depth ? d : depth;
    }
    return depth;
}

void bw_scene_get_stats(const bw_scene *scene, bw_scene_stats *out)
{
    if (scene == NULL || out == NULL)
        return;
    bw_scene_stats s = {.nesting = scene->used, .leafy = scene->leafy, .reason = scene->reason};
    s.objects = bw_stage_objects(scene);
    s.bytes = sizeof *scene + bw_slab_bytes(&scene->table.entries) + bw_slab_bytes(&scene->table.users) +
              bw_tracker_bytes(scene) + bw_family_bytes(scene);
    if (bw_stage_is_anchor(scene)) {
        const bw_anchor_tree *tree = &scene->anchor;
        s.nodes = bw_slab_live(&tree->nodes) + bw_slab_live(&tree->leaves);
        s.leaves = bw_slab_live(&tree->leaves);
        s.depth = bw_anchor_depth(tree);
        for (uint32_t i = 0; i < tree->leaves.end; i++) {
            uint32_t count = bw_anchor_leaf_at(tree, i)->count;
            s.largest_leaf = count != BW_ANCHOR_FREE && count > s.largest_leaf ? count : s.largest_leaf;
        }
        s.splits = tree->splits;
        s.merges = tree->merges;
        s.reinserted = tree->reinserted;
        s.rebuilt = tree->rebuilt;
        s.bytes += bw_slab_bytes(&tree->nodes) + bw_slab_bytes(&tree->leaves) +
                   tree->link_capacity * sizeof *tree->links;
    } else {
        const bw_classic_tree *tree = &scene->classic;
        s.nodes = bw_slab_live(&tree->nodes);
        for (uint32_t i = 0; i < tree->nodes.end; i++) {
            const bw_classic_node *node = bw_classic_at(tree, i);
            if (node->parent == BW_CLASSIC_FREE)
                continue;
            s.leaves += node->block == BW_CLASSIC_NONE;
            s.largest_leaf = node->count > s.largest_leaf ? node->count : s.largest_leaf;
            uint32_t d = 0;
            for (uint32_t up = node->parent; up != BW_CLASSIC_NONE; up = bw_classic_at(tree, up)->parent)
                d++;
            s.depth = d > s.depth ? d : s.depth;
        }
        s.splits = tree->splits;
        s.merges = tree->merges;
        s.reinserted = tree->reinserted;
        s.bytes += bw_classic_bytes(tree);
    }
    *out = s;
}

const char *bw_scene_check(const bw_scene *scene)
{
    if (scene == NULL)
        return "there is no scene";
    const char *fault = bw_stage_is_anchor(scene) ? bw_anchor_check(&scene->anchor, &scene->table)
                                                  : bw_classic_check(&scene->classic, &scene->table);
    if (fault == NULL && bw_slab_live(&scene->table.entries) != bw_stage_objects(scene))
        fault = "ids and objects differ in number";
    if (fault == NULL)
        fault = bw_tracker_check(scene);
    if (fault == NULL)
        fault = bw_family_check(scene);
    return fault;
}
