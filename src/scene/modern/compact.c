/* Giving memory back: blocks in use move to the front of their pool, and its end is cut off. */
#include "scene/modern/modern.h"

#include <string.h>

static bool leaf_used(const bw_anchor_tree *tree, uint32_t index)
{
    return bw_anchor_leaf_at(tree, index)->count != BW_ANCHOR_FREE;
}

static bool node_used(const bw_anchor_tree *tree, uint32_t index)
{
    return tree->links[index].parent != BW_ANCHOR_FREE_NODE;
}

void bw_anchor_compact(bw_anchor_context *context)
{
    bw_anchor_tree *tree = context->tree;
    if (tree->leaves.free_count > 64 + tree->leaves.end / 4) {
        uint32_t low = 0, high = tree->leaves.end;
        for (uint32_t used = bw_slab_live(&tree->leaves); high > used;) {
            if (!leaf_used(tree, high - 1)) {
                high--;
                continue;
            }
            while (leaf_used(tree, low))
                low++;
            bw_anchor_carry_leaf(context, high - 1, low);
        }
        bw_slab_cut(&tree->leaves, context->allocator, high);
    }
    if (tree->nodes.free_count > 64 + tree->nodes.end / 4) {
        uint32_t low = 0, high = tree->nodes.end;
        for (uint32_t used = bw_slab_live(&tree->nodes); high > used;) {
            if (!node_used(tree, high - 1)) {
                high--;
                continue;
            }
            while (node_used(tree, low))
                low++;
            bw_anchor_carry_node(tree, high - 1, low);
        }
        bw_slab_cut(&tree->nodes, context->allocator, high);
    }
}
