/* Rebuilding a subtree. The new one is built beside the old and then moved into its blocks, in their
 * order in memory: neighbours in space stay neighbours in memory, on which a query's time depends. */
#include "base/best_first.h"
#include "scene/modern/modern.h"

#include <string.h>

enum { FEW = 256, FEW_BLOCKS = 64 };

/* What a subtree consists of. The arrays may be NULL: then things are only counted. */
typedef struct parts {
    bw_box *boxes;
    bw_id *ids;
    uint32_t *leaves, *nodes;
    uint32_t object_count, leaf_count, node_count;
} parts;

static void gather(const bw_modern_tree *tree, bw_node_ref ref, parts *p)
{
    if (ref == 0)
        return;
    if (!bw_modern_is_leaf(ref)) {
        const bw_modern_node *node = bw_modern_node_at(tree, bw_modern_node_of(ref));
        if (p->nodes != NULL)
            p->nodes[p->node_count] = bw_modern_node_of(ref);
        p->node_count++;
        for (int slot = 0; slot < BW_MODERN_CHILDREN; slot++)
            gather(tree, node->child[slot], p);
        return;
    }
    uint32_t count = bw_modern_count_of(ref);
    if (p->leaves != NULL) {
        const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(ref));
        for (uint32_t i = 0; i < count; i++)
            p->boxes[p->object_count + i] = bw_packed_box(leaf->boxes[i]);
        memcpy(p->ids + p->object_count, leaf->ids, count * sizeof *p->ids);
        p->leaves[p->leaf_count] = bw_modern_leaf_of(ref);
    }
    p->object_count += count;
    p->leaf_count++;
}

static inline bool is_larger(const uint32_t *a, const uint32_t *b)
{
    return *a > *b;
}
BW_BEST_FIRST(largest, uint32_t, is_larger)

/* By a heap, which needs no memory. */
void bw_modern_sort(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        largest_put(values, i + 1, values[i]);
    for (uint32_t last = count; last-- > 1;) {
        const uint32_t value = values[last];
        values[last] = values[0];
        largest_replace(values, last, value);
    }
}

/* Carries the subtree in a place into old blocks, as far as there are any. */
static void relocate_below(bw_modern_tree *tree, uint32_t parent, const parts *old, parts *used)
{
    bw_node_ref ref = bw_modern_child(tree, parent);
    if (ref == 0)
        return;
    if (bw_modern_is_leaf(ref)) {
        uint32_t from = bw_modern_leaf_of(ref);
        if (used->leaf_count < old->leaf_count) {
            bw_modern_relocate_leaf(tree, from, old->leaves[used->leaf_count++]);
            bw_modern_give_leaf(tree, from);
        } else {
            bw_modern_record_leaf(tree, from);
        }
        return;
    }
    uint32_t node = bw_modern_node_of(ref);
    if (used->node_count < old->node_count) {
        bw_modern_relocate_node(tree, node, old->nodes[used->node_count]);
        bw_modern_give_node(tree, node);
        node = old->nodes[used->node_count++];
    }
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++)
        relocate_below(tree, 8 * node + slot, old, used);
}

static void replace(bw_modern_tree *tree, uint32_t parent, parts *old)
{
    float cell[6], box[6], before[6];
    bw_modern_cell(tree, parent, cell);
    bw_node_ref fresh =
        bw_modern_build_subtree(tree, old->boxes, (bw_id_list){old->ids, 0}, old->object_count, cell, box);
    if (fresh == 0)
        return;
    bw_modern_child_box(tree, parent, before);
    bw_modern_attach(tree, parent, fresh, before);
    bw_modern_raise(tree, parent, box);
    bw_modern_sort(old->leaves, old->leaf_count);
    bw_modern_sort(old->nodes, old->node_count);
    parts used = {0};
    relocate_below(tree, parent, old, &used);
    while (used.leaf_count < old->leaf_count)
        bw_modern_give_leaf(tree, old->leaves[used.leaf_count++]);
    while (used.node_count < old->node_count)
        bw_modern_give_node(tree, old->nodes[used.node_count++]);
    tree->base.rebuilt++;
}

void bw_modern_rebuild_below(bw_modern_tree *tree, uint32_t parent)
{
    /* Coincident objects are spread by a hash level by level: only all of them can be spread again. */
    while (parent != BW_MODERN_NO_PARENT &&
           (bw_modern_node_at(tree, parent >> 3)->axes & BW_MODERN_HASHED) != 0)
        parent = tree->links[parent >> 3].parent;
    bw_node_ref root = bw_modern_child(tree, parent);
    parts size = {0};
    gather(tree, root, &size);
    if (size.object_count <= FEW && size.leaf_count + size.node_count <= FEW_BLOCKS) {
        bw_box boxes[FEW];
        bw_id ids[FEW];
        uint32_t blocks[FEW_BLOCKS];
        parts old = {.boxes = boxes, .ids = ids, .leaves = blocks, .nodes = blocks + size.leaf_count};
        gather(tree, root, &old);
        replace(tree, parent, &old);
        return;
    }
    size_t blocks = (size_t)size.leaf_count + size.node_count;
    parts old = {.boxes = bw_allocate(tree->base.allocator, size.object_count, sizeof *old.boxes),
                 .ids = bw_allocate(tree->base.allocator, size.object_count, sizeof *old.ids),
                 .leaves = bw_allocate(tree->base.allocator, blocks, sizeof *old.leaves)};
    if (old.boxes != NULL && old.ids != NULL && old.leaves != NULL) {
        old.nodes = old.leaves + size.leaf_count;
        gather(tree, root, &old);
        replace(tree, parent, &old);
    }
    bw_release(tree->base.allocator, old.boxes, size.object_count, sizeof *old.boxes);
    bw_release(tree->base.allocator, old.ids, size.object_count, sizeof *old.ids);
    bw_release(tree->base.allocator, old.leaves, blocks, sizeof *old.leaves);
}
