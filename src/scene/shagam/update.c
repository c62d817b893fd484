/* Inserting, deleting and updating (sections 2.1.2 to 2.1.4 of the paper). */
#include "scene/shagam/shagam.h"

#include <string.h>

/* Grows the boxes of a node and all above it. */
static void grow(bw_shagam_tree *tree, uint32_t index, const float box[6])
{
    for (; index != BW_SHAGAM_NONE; index = bw_shagam_at(tree, index)->parent) {
        bw_shagam_node *node = bw_shagam_at(tree, index);
        if (bw_packed_holds(node->box, box))
            return; /* those above hold this one */
        bw_packed_grow(node->box, box);
    }
}

/* Marks a node and those above it as far as the box that leaves was flush against theirs. */
static void mark_flush(bw_shagam_tree *tree, uint32_t index, const float box[6])
{
    for (uint32_t up = index; up != BW_SHAGAM_NONE; up = bw_shagam_at(tree, up)->parent) {
        bw_shagam_node *node = bw_shagam_at(tree, up);
        bool flush = false;
        for (int i = 0; i < 6; i++)
            flush |= box[i] <= node->box[i];
        if (!flush)
            return;
        if (!node->stale) {
            node->stale = true;
            bw_shagam_mark_work(tree, up);
        }
    }
}

/* The node that an object belongs to, from one downward, and the child of it that must be made first, or -1.
 */
static uint32_t descend(const bw_shagam_tree *tree, uint32_t index, const float box[6], int *missing)
{
    for (;;) {
        const bw_shagam_node *node = bw_shagam_at(tree, index);
        int child = bw_shagam_which(node, box);
        *missing = child;
        if (child < 0)
            return index;
        if (node->block == BW_SHAGAM_NONE || bw_shagam_children(tree, node)[child] == BW_SHAGAM_NONE)
            return index;
        index = bw_shagam_children(tree, node)[child];
    }
}

/* Puts an object into the node found by descend. False: no memory, nothing changed. */
static bool put(bw_shagam_tree *tree, uint32_t index, int missing, const float box[6], bw_id id)
{
    if (missing < 0) {
        bw_shagam_node *node = bw_shagam_at(tree, index);
        if (!bw_shagam_reserve_items(tree, node, node->count + 1))
            return false;
    } else {
        if (!bw_slab_reserve(&tree->nodes, tree->base.allocator, 1) ||
            !bw_slab_reserve(&tree->blocks[bw_shagam_at(tree, index)->nesting], tree->base.allocator, 1))
            return false;
        bw_shagam_node fresh = {0};
        if (!bw_shagam_reserve_items(tree, &fresh, 4))
            return false;
        uint32_t child = bw_shagam_take_node(tree, index);
        bw_shagam_node *node = bw_shagam_at(tree, child), *parent = bw_shagam_at(tree, index);
        bw_shagam_hand_items(&fresh, node);
        for (int a = 0; a < 3; a++)
            node->split[a] = 0.5f * (box[a] - box[a + 3]);
        if (parent->block == BW_SHAGAM_NONE)
            bw_shagam_take_block(tree, parent);
        bw_shagam_children(tree, parent)[missing] = child;
        index = child;
    }
    bw_shagam_append(tree, index, box, id);
    grow(tree, index, box);
    bw_shagam_node *node = bw_shagam_at(tree, index);
    if (!node->is_split && node->count >= tree->threshold)
        bw_shagam_mark_work(tree, index);
    return true;
}

bool bw_shagam_insert(bw_scene_tree *base, const float box[6], bw_id id)
{
    bw_shagam_tree *tree = (bw_shagam_tree *)base;
    if (!bw_shagam_reserve_slots(tree))
        return false;
    if (tree->root == BW_SHAGAM_NONE) {
        if (!bw_slab_reserve(&tree->nodes, tree->base.allocator, 1))
            return false;
        tree->root = bw_shagam_take_node(tree, BW_SHAGAM_NONE);
        if (!put(tree, tree->root, -1, box, id)) {
            bw_shagam_give_node(tree, tree->root);
            tree->root = BW_SHAGAM_NONE;
            return false;
        }
    } else {
        int missing;
        uint32_t index = descend(tree, tree->root, box, &missing);
        if (!put(tree, index, missing, box, id))
            return false;
    }
    tree->base.objects++;
    return true;
}

bool bw_shagam_build(bw_scene_tree *base, const bw_box *boxes, bw_id_list ids, uint32_t count)
{
    bw_shagam_tree *tree = (bw_shagam_tree *)base;
    if (!bw_shagam_reserve_slots(tree) || !bw_slab_reserve(&tree->nodes, tree->base.allocator, 1))
        return false;
    bw_shagam_node fresh = {0};
    if (!bw_shagam_reserve_items(tree, &fresh, count))
        return false;
    tree->root = bw_shagam_take_node(tree, BW_SHAGAM_NONE);
    bw_shagam_node *root = bw_shagam_at(tree, tree->root);
    bw_shagam_hand_items(&fresh, root);
    for (uint32_t i = 0; i < count; i++) {
        float packed[6];
        bw_packed_of(&boxes[i], packed);
        bw_shagam_append(tree, tree->root, packed, bw_id_at(&ids, i));
        bw_packed_grow(root->box, packed);
    }
    tree->base.objects = count;
    return true;
}

/* Deletes a node without objects and children, and so upward; a node that lost its last child is unsplit. */
static void collect(bw_shagam_tree *tree, uint32_t index)
{
    while (index != BW_SHAGAM_NONE) {
        bw_shagam_node *node = bw_shagam_at(tree, index);
        if (node->count != 0 || node->block != BW_SHAGAM_NONE)
            return;
        uint32_t parent = node->parent;
        bw_shagam_give_node(tree, index);
        if (parent == BW_SHAGAM_NONE) {
            tree->root = BW_SHAGAM_NONE;
            return;
        }
        bw_shagam_node *above = bw_shagam_at(tree, parent);
        uint32_t *children = bw_shagam_children(tree, above), left = 0;
        for (uint32_t c = 0; c < bw_shagam_ways(above); c++) {
            if (children[c] == index)
                children[c] = BW_SHAGAM_NONE;
            left += children[c] != BW_SHAGAM_NONE;
        }
        if (left != 0)
            return;
        bw_slab_give(&tree->blocks[above->nesting], above->block);
        above->block = BW_SHAGAM_NONE;
        above->is_split = false;
        tree->base.merges++;
        if (above->count >= tree->threshold)
            bw_shagam_mark_work(tree, parent);
        index = parent;
    }
}

static void take_out(bw_shagam_tree *tree, uint32_t index, uint32_t slot)
{
    bw_shagam_node *node = bw_shagam_at(tree, index);
    uint32_t last = --node->count;
    if (slot != last) {
        memcpy(node->boxes[slot], node->boxes[last], sizeof node->boxes[0]);
        node->ids[slot] = node->ids[last];
        tree->slots[bw_id_index(node->ids[slot])] = slot;
    }
    /* A quarter full: give the rest back, if the smaller arrays can be had. */
    if (node->capacity > 16 && node->count < node->capacity / 4 && node->count != 0)
        bw_shagam_shrink_items(tree, node, 2 * node->count);
    collect(tree, index);
}

void bw_shagam_remove(bw_scene_tree *base, uint32_t object)
{
    bw_shagam_tree *tree = (bw_shagam_tree *)base;
    uint32_t index = bw_table_entry(tree->base.table, object)->location, slot = tree->slots[object];
    mark_flush(tree, index, bw_shagam_at(tree, index)->boxes[slot]);
    take_out(tree, index, slot);
    tree->base.objects--;
}

void bw_shagam_move(bw_scene_tree *base, bw_id id, const bw_box *to_box)
{
    bw_shagam_tree *tree = (bw_shagam_tree *)base;
    float box[6];
    bw_packed_of(to_box, box);
    uint32_t object = bw_id_index(id);
    uint32_t index = bw_table_entry(tree->base.table, object)->location, slot = tree->slots[object],
             up = index;
    while (bw_shagam_at(tree, up)->parent != BW_SHAGAM_NONE &&
           !bw_packed_holds(bw_shagam_at(tree, up)->box, box))
        up = bw_shagam_at(tree, up)->parent;
    int missing;
    uint32_t to = descend(tree, up, box, &missing);
    float old[6];
    memcpy(old, bw_shagam_at(tree, index)->boxes[slot], sizeof old);
    if ((to != index || missing >= 0) && put(tree, to, missing, box, id)) {
        mark_flush(tree, index, old);
        take_out(tree, index, slot);
        tree->base.reinserted++;
        return;
    }
    memcpy(bw_shagam_at(tree, index)->boxes[slot], box, sizeof old);
    grow(tree, index, box);
    mark_flush(tree, index, old);
}
