/* One interface to the nodes of both kinds of scene trees, for traversals that serve both. */
#include "scene/scene.h"

#include <string.h>

bw_stage_ref bw_stage_root(const bw_scene *scene)
{
    if (bw_stage_is_anchor(scene))
        return scene->anchor.root;
    return scene->classic.root == BW_CLASSIC_NONE ? 0 : scene->classic.root + 1;
}

static void expand_anchor(const bw_anchor_tree *tree, bw_anchor_ref ref, bw_stage_expansion *out)
{
    out->children = out->objects = 0;
    if (bw_anchor_is_leaf(ref)) {
        const bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, bw_anchor_leaf_of(ref));
        out->objects = leaf->count;
        out->boxes = leaf->boxes;
        out->ids = leaf->ids;
        return;
    }
    const bw_anchor_node *node = bw_anchor_node_at(tree, bw_anchor_node_of(ref));
    for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++) {
        if (node->child[slot] == 0)
            continue;
        for (int i = 0; i < 6; i++)
            out->box[out->children][i] = node->box[i][slot];
        out->child[out->children++] = node->child[slot];
    }
}

static void expand_classic(const bw_classic_tree *tree, bw_stage_ref ref, bw_stage_expansion *out)
{
    const bw_classic_node *node = bw_classic_at(tree, ref - 1);
    out->children = 0;
    out->objects = node->count;
    out->boxes = (const float(*)[6])node->boxes;
    out->ids = node->ids;
    if (node->block == BW_CLASSIC_NONE)
        return;
    const uint32_t *children = bw_classic_children(tree, node->block);
    for (uint32_t c = 0; c < tree->ways; c++)
        if (children[c] != BW_CLASSIC_NONE)
            __builtin_prefetch(bw_classic_at(tree, children[c]));
    for (uint32_t c = 0; c < tree->ways; c++) {
        if (children[c] == BW_CLASSIC_NONE)
            continue;
        memcpy(out->box[out->children], bw_classic_at(tree, children[c])->box, sizeof out->box[0]);
        out->child[out->children++] = children[c] + 1;
    }
}

void bw_stage_expand(const bw_scene *scene, bw_stage_ref ref, bw_stage_expansion *out)
{
    if (bw_stage_is_anchor(scene))
        expand_anchor(&scene->anchor, ref, out);
    else
        expand_classic(&scene->classic, ref, out);
}

uint32_t bw_stage_node_number(const bw_scene *scene, bw_stage_ref ref)
{
    if (!bw_stage_is_anchor(scene))
        return ref - 1;
    return bw_anchor_is_leaf(ref) ? scene->anchor.nodes.end + bw_anchor_leaf_of(ref) : bw_anchor_node_of(ref);
}

uint32_t bw_stage_node_limit(const bw_scene *scene)
{
    return bw_stage_is_anchor(scene) ? scene->anchor.nodes.end + scene->anchor.leaves.end
                                     : scene->classic.nodes.end;
}

const float *bw_stage_object_box(const bw_scene *scene, uint32_t index)
{
    uint32_t place = bw_table_entry(&scene->table, index)->place;
    if (bw_stage_is_anchor(scene))
        return bw_anchor_object_box(&scene->anchor, place);
    return bw_classic_at(&scene->classic, place)->boxes[scene->classic.slots[index]];
}

const float *bw_stage_bounds(const bw_scene *scene)
{
    static const float nothing[6] = {__builtin_inff(), __builtin_inff(), __builtin_inff(),
                                     __builtin_inff(), __builtin_inff(), __builtin_inff()};
    if (bw_stage_is_anchor(scene))
        return scene->anchor.bounds;
    return scene->classic.root == BW_CLASSIC_NONE ? nothing
                                                  : bw_classic_at(&scene->classic, scene->classic.root)->box;
}
