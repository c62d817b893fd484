/* Giving memory back: blocks in use move to the front of their pool, and its end is cut off. */
#include "scene/modern/modern.h"

static bool leaf_used(const bw_modern_tree *tree, uint32_t index)
{
    return bw_modern_leaf_at(tree, index)->count != BW_MODERN_FREE;
}

static bool node_used(const bw_modern_tree *tree, uint32_t index)
{
    return tree->links[index].parent != BW_MODERN_FREE_NODE;
}

/* Where many blocks are free: the last ones in use go into the first free ones. */
static void compact(bw_modern_tree *tree, bw_slab *slab, bool (*used)(const bw_modern_tree *, uint32_t),
                    void (*relocate)(bw_modern_tree *, uint32_t, uint32_t))
{
    uint32_t low = 0, high = slab->end;
    if (slab->free_count <= 64 + slab->end / 4)
        return;
    for (uint32_t live = bw_slab_live(slab); high > live;) {
        if (!used(tree, high - 1)) {
            high--;
            continue;
        }
        while (used(tree, low))
            low++;
        relocate(tree, high - 1, low);
    }
    bw_slab_cut(slab, tree->base.allocator, high);
}

void bw_modern_compact(bw_scene_tree *base)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    compact(tree, &tree->leaves, leaf_used, bw_modern_relocate_leaf);
    compact(tree, &tree->nodes, node_used, bw_modern_relocate_node);
}
