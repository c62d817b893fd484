/* Shagam's tree as a kind of scene tree: its table of methods, its nodes for traversals, its statistics. A
 * bw_node_ref is 1 + the index of a node. */
#include "scene/shagam/shagam.h"

#include "scene/traverse.h"

#include <string.h>

static const bw_shagam_tree *shagam(const bw_scene_tree *tree)
{
    return (const bw_shagam_tree *)tree;
}

static bool move_many(bw_scene_tree *tree, const bw_id *ids, const bw_box *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        bw_shagam_move(tree, ids[i], &boxes[i]);
    /* Marked boxes are only too large: what cannot be computed now, without memory, can wait. */
    bw_prepare_report report = {0};
    (void)bw_shagam_prepare((bw_shagam_tree *)tree, NULL, false, &report);
    return true;
}

static void compact(bw_scene_tree *tree)
{
    (void)tree; /* nodes give their arrays back one by one */
}

static bool prepare(bw_scene_tree *tree, const float region[6], bw_prepare_report *report)
{
    return bw_shagam_prepare((bw_shagam_tree *)tree, region, true, report);
}

static bw_result query(const bw_scene_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
    return bw_traverse_region(&(bw_traversal){.tree = tree}, test, sink);
}

static bw_node_ref root(const bw_scene_tree *tree)
{
    return shagam(tree)->root == BW_SHAGAM_NONE ? 0 : shagam(tree)->root + 1;
}

static const float *bounds(const bw_scene_tree *tree)
{
    static const float nothing[6] = {__builtin_inff(), __builtin_inff(), __builtin_inff(),
                                     __builtin_inff(), __builtin_inff(), __builtin_inff()};
    return shagam(tree)->root == BW_SHAGAM_NONE ? nothing
                                                : bw_shagam_at(shagam(tree), shagam(tree)->root)->box;
}

static void expand(const bw_scene_tree *base, bw_node_ref ref, bw_node_contents *out)
{
    const bw_shagam_tree *tree = shagam(base);
    const bw_shagam_node *node = bw_shagam_at(tree, ref - 1);
    out->children = 0;
    out->objects = node->count;
    out->boxes = (const float(*)[6])node->boxes;
    out->ids = node->ids;
    if (node->block == BW_SHAGAM_NONE)
        return;
    const uint32_t *children = bw_shagam_children(tree, node);
    uint32_t ways = bw_shagam_ways(node);
    for (uint32_t c = 0; c < ways; c++)
        if (children[c] != BW_SHAGAM_NONE)
            __builtin_prefetch(bw_shagam_at(tree, children[c]));
    for (uint32_t c = 0; c < ways; c++) {
        if (children[c] == BW_SHAGAM_NONE)
            continue;
        memcpy(out->box[out->children], bw_shagam_at(tree, children[c])->box, sizeof out->box[0]);
        out->child[out->children++] = children[c] + 1;
    }
}

static uint32_t node_number(const bw_scene_tree *tree, bw_node_ref ref)
{
    (void)tree;
    return ref - 1;
}

static uint32_t node_limit(const bw_scene_tree *tree)
{
    return shagam(tree)->nodes.end;
}

static const float *object_box(const bw_scene_tree *tree, uint32_t object)
{
    return bw_shagam_at(shagam(tree), bw_table_entry(tree->table, object)->location)
        ->boxes[shagam(tree)->slots[object]];
}

static void stats(const bw_scene_tree *base, bw_scene_stats *out)
{
    const bw_shagam_tree *tree = shagam(base);
    out->node_count = bw_slab_live(&tree->nodes);
    for (uint32_t i = 0; i < tree->nodes.end; i++) {
        const bw_shagam_node *node = bw_shagam_at(tree, i);
        if (node->parent == BW_SHAGAM_FREE)
            continue;
        out->leaf_count += node->block == BW_SHAGAM_NONE;
        out->largest_leaf_count =
            node->count > out->largest_leaf_count ? node->count : out->largest_leaf_count;
        uint32_t depth = 0;
        for (uint32_t up = node->parent; up != BW_SHAGAM_NONE; up = bw_shagam_at(tree, up)->parent)
            depth++;
        out->depth = depth > out->depth ? depth : out->depth;
    }
    out->bytes += bw_shagam_bytes(tree);
}

const bw_scene_kind bw_kind_shagam = {.size = sizeof(bw_shagam_tree),
                                      .init = bw_shagam_init,
                                      .clear = bw_shagam_clear,
                                      .build = bw_shagam_build,
                                      .insert = bw_shagam_insert,
                                      .remove = bw_shagam_remove,
                                      .move = bw_shagam_move,
                                      .move_many = move_many,
                                      .compact = compact,
                                      .prepare = prepare,
                                      .query = query,
                                      .root = root,
                                      .bounds = bounds,
                                      .expand = expand,
                                      .node_number = node_number,
                                      .node_limit = node_limit,
                                      .object_box = object_box,
                                      .stats = stats,
                                      .check = bw_shagam_check};
