/* Giving memory back: blocks in use move to the front of their pool, and its end is cut off. */
#include "scene/modern/modern.h"

#include <string.h>

static bool leaf_used(const bw_modern_tree *tree, uint32_t index)
{
    return bw_modern_leaf_at(tree, index)->count != BW_MODERN_FREE;
}

static bool node_used(const bw_modern_tree *tree, uint32_t index)
{
    return tree->links[index].parent != BW_MODERN_FREE_NODE;
}

void bw_modern_compact(bw_scene_tree *base)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    if (tree->leaves.free_count > 64 + tree->leaves.end / 4) {
        uint32_t low = 0, high = tree->leaves.end;
        for (uint32_t used = bw_slab_live(&tree->leaves); high > used;) {
            if (!leaf_used(tree, high - 1)) {
                high--;
                continue;
            }
            while (leaf_used(tree, low))
                low++;
            bw_modern_relocate_leaf(tree, high - 1, low);
        }
        bw_slab_cut(&tree->leaves, tree->base.allocator, high);
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
            bw_modern_relocate_node(tree, high - 1, low);
        }
        bw_slab_cut(&tree->nodes, tree->base.allocator, high);
    }
}
