/* The modern tree as a kind of scene tree: its table of methods, its nodes for traversals, its statistics. */
#include "scene/modern/modern.h"

#include "scene/traverse.h"

static const bw_modern_tree *modern(const bw_scene_tree *tree)
{
    return (const bw_modern_tree *)tree;
}

static void remove_object(bw_scene_tree *tree, uint32_t object)
{
    bw_modern_remove((bw_modern_tree *)tree, bw_table_entry(tree->table, object)->location);
}

static bool prepare(bw_scene_tree *tree, const float region[6], bw_prepare_report *report)
{
    (void)report; /* nothing is split or recalculated late */
    if (region == NULL)
        bw_modern_rebuild_large((bw_modern_tree *)tree);
    return true;
}

static bw_result query(const bw_scene_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
    switch (test->kind) {
    case BW_REGION_BOX:
        return bw_modern_query_box(modern(tree), test, sink);
    case BW_REGION_PLANES:
        return bw_modern_query_planes(modern(tree), test, sink);
    default:
        return bw_traverse_region(&(bw_traversal){.tree = tree}, test, sink);
    }
}

static bw_node_ref root(const bw_scene_tree *tree)
{
    return modern(tree)->root;
}

static const float *bounds(const bw_scene_tree *tree)
{
    return modern(tree)->bounds;
}

static void expand(const bw_scene_tree *tree, bw_node_ref ref, bw_node_contents *out)
{
    out->children = out->objects = 0;
    if (bw_modern_is_leaf(ref)) {
        const bw_modern_leaf *leaf = bw_modern_leaf_at(modern(tree), bw_modern_leaf_of(ref));
        out->objects = leaf->count;
        out->boxes = leaf->boxes;
        out->ids = leaf->ids;
        return;
    }
    const bw_modern_node *node = bw_modern_node_at(modern(tree), bw_modern_node_of(ref));
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        if (node->child[slot] == 0)
            continue;
        for (int i = 0; i < 6; i++)
            out->box[out->children][i] = node->box[i][slot];
        out->child[out->children++] = node->child[slot];
    }
}

static uint32_t node_number(const bw_scene_tree *tree, bw_node_ref ref)
{
    return bw_modern_is_leaf(ref) ? modern(tree)->nodes.end + bw_modern_leaf_of(ref) : bw_modern_node_of(ref);
}

static uint32_t node_limit(const bw_scene_tree *tree)
{
    return modern(tree)->nodes.end + modern(tree)->leaves.end;
}

static const float *object_box(const bw_scene_tree *tree, uint32_t object)
{
    return bw_modern_box_at(modern(tree), bw_table_entry(tree->table, object)->location);
}

static void stats(const bw_scene_tree *base, bw_scene_stats *out)
{
    const bw_modern_tree *tree = modern(base);
    out->leaf_count = bw_slab_live(&tree->leaves);
    out->node_count = bw_slab_live(&tree->nodes) + out->leaf_count;
    for (uint32_t i = 0; i < tree->leaves.end; i++) {
        const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, i);
        if (leaf->count == BW_MODERN_FREE)
            continue;
        uint32_t depth = 0;
        for (uint32_t up = leaf->parent; up != BW_MODERN_NO_PARENT; up = tree->links[up >> 3].parent)
            depth++;
        out->depth = depth > out->depth ? depth : out->depth;
        out->largest_leaf_count =
            leaf->count > out->largest_leaf_count ? leaf->count : out->largest_leaf_count;
    }
    out->bytes += sizeof *tree + bw_slab_bytes(&tree->nodes) + bw_slab_bytes(&tree->leaves) +
                  tree->link_capacity * sizeof *tree->links;
}

const bw_scene_kind bw_kind_modern = {.size = sizeof(bw_modern_tree),
                                      .init = bw_modern_init,
                                      .clear = bw_modern_clear,
                                      .build = bw_modern_build,
                                      .insert = bw_modern_insert,
                                      .remove = remove_object,
                                      .move = bw_modern_move,
                                      .move_many = bw_modern_move_many,
                                      .compact = bw_modern_compact,
                                      .prepare = prepare,
                                      .query = query,
                                      .pairs = bw_modern_pairs,
                                      .root = root,
                                      .bounds = bounds,
                                      .expand = expand,
                                      .node_number = node_number,
                                      .node_limit = node_limit,
                                      .object_box = object_box,
                                      .stats = stats,
                                      .check = bw_modern_check};
