/* Inserting, deleting and updating (sections 2.1.2 to 2.1.4 of the paper). */
#include "scene/shagam/shagam.h"

#include <string.h>

static bool holds(const float outer[6], const float inner[6])
{
    for (int i = 0; i < 6; i++)
        if (!(outer[i] <= inner[i]))
            return false;
    return true;
}

/* Grows the boxes of a node and all above it. */
static void grow(bw_classic_tree *tree, uint32_t index, const float box[6])
{
    for (; index != BW_CLASSIC_NONE; index = bw_classic_at(tree, index)->parent) {
        bw_classic_node *node = bw_classic_at(tree, index);
        if (holds(node->box, box))
            return; /* those above hold this one */
        for (int i = 0; i < 6; i++)
            node->box[i] = box[i] < node->box[i] ? box[i] : node->box[i];
    }
}

/* Marks a node and those above it as far as the box that leaves was flush against theirs. */
static void mark_flush(bw_classic_tree *tree, uint32_t index, const float box[6])
{
    for (uint32_t up = index; up != BW_CLASSIC_NONE; up = bw_classic_at(tree, up)->parent) {
        bw_classic_node *node = bw_classic_at(tree, up);
        bool flush = false;
        for (int i = 0; i < 6; i++)
            flush |= box[i] <= node->box[i];
        if (!flush)
            return;
        if (!node->stale) {
            node->stale = true;
            bw_classic_mark_work(tree, up);
        }
    }
}

/* The node that an object belongs to, from one downward, and the child of it that must be made first, or -1.
 */
static uint32_t descend(const bw_classic_tree *tree, uint32_t index, const float box[6], int *missing)
{
    for (;;) {
        const bw_classic_node *node = bw_classic_at(tree, index);
        int child = bw_classic_which(tree, node, box);
        *missing = child;
        if (child < 0)
            return index;
        if (node->block == BW_CLASSIC_NONE ||
            bw_classic_children(tree, node->block)[child] == BW_CLASSIC_NONE)
            return index;
        index = bw_classic_children(tree, node->block)[child];
    }
}

/* Puts an object into the node found by descend. False: no memory, nothing changed. */
static bool put(bw_classic_context *context, uint32_t index, int missing, const float box[6], bw_id id)
{
    bw_classic_tree *tree = context->tree;
    if (missing < 0) {
        bw_classic_node *node = bw_classic_at(tree, index);
        if (!bw_classic_reserve_items(context, node, node->count + 1))
            return false;
    } else {
        if (!bw_slab_reserve(&tree->nodes, context->allocator, 1) ||
            !bw_slab_reserve(&tree->blocks, context->allocator, 1))
            return false;
        bw_classic_node fresh = {0};
        if (!bw_classic_reserve_items(context, &fresh, 4))
            return false;
        uint32_t child = bw_classic_take_node(tree, index);
        bw_classic_node *node = bw_classic_at(tree, child), *parent = bw_classic_at(tree, index);
        node->boxes = fresh.boxes;
        node->ids = fresh.ids;
        node->capacity = fresh.capacity;
        for (int a = 0; a < 3; a++)
            node->split[a] = 0.5f * (box[a] - box[a + 3]);
        if (parent->block == BW_CLASSIC_NONE)
            parent->block = bw_classic_take_block(tree);
        bw_classic_children(tree, parent->block)[missing] = child;
        index = child;
    }
    bw_classic_append(context, index, box, id);
    grow(tree, index, box);
    bw_classic_node *node = bw_classic_at(tree, index);
    if (!node->is_split && node->count >= tree->threshold)
        bw_classic_mark_work(tree, index);
    return true;
}

bool bw_classic_insert(bw_classic_context *context, const float box[6], bw_id id)
{
    bw_classic_tree *tree = context->tree;
    if (!bw_classic_reserve_slots(context))
        return false;
    if (tree->root == BW_CLASSIC_NONE) {
        if (!bw_slab_reserve(&tree->nodes, context->allocator, 1))
            return false;
        tree->root = bw_classic_take_node(tree, BW_CLASSIC_NONE);
        if (!put(context, tree->root, -1, box, id)) {
            bw_classic_give_node(context, tree->root);
            tree->root = BW_CLASSIC_NONE;
            return false;
        }
    } else {
        int missing;
        uint32_t index = descend(tree, tree->root, box, &missing);
        if (!put(context, index, missing, box, id))
            return false;
    }
    tree->objects++;
    return true;
}

bool bw_classic_build(bw_classic_context *context, const bw_box *boxes, const bw_id *ids, uint32_t count)
{
    bw_classic_tree *tree = context->tree;
    if (!bw_classic_reserve_slots(context) || !bw_slab_reserve(&tree->nodes, context->allocator, 1))
        return false;
    bw_classic_node fresh = {0};
    if (!bw_classic_reserve_items(context, &fresh, count))
        return false;
    tree->root = bw_classic_take_node(tree, BW_CLASSIC_NONE);
    bw_classic_node *root = bw_classic_at(tree, tree->root);
    root->boxes = fresh.boxes;
    root->ids = fresh.ids;
    root->capacity = fresh.capacity;
    for (uint32_t i = 0; i < count; i++) {
        float packed[6];
        for (int a = 0; a < 3; a++) {
            packed[a] = boxes[i].min[a];
            packed[a + 3] = -boxes[i].max[a];
        }
        bw_classic_append(context, tree->root, packed, ids[i]);
        for (int k = 0; k < 6; k++)
            root->box[k] = packed[k] < root->box[k] ? packed[k] : root->box[k];
    }
    tree->objects = count;
    return true;
}

/* Deletes a node without objects and children, and so upward; a node that lost its last child is unsplit. */
static void collect(bw_classic_context *context, uint32_t index)
{
    bw_classic_tree *tree = context->tree;
    while (index != BW_CLASSIC_NONE) {
        bw_classic_node *node = bw_classic_at(tree, index);
        if (node->count != 0 || node->block != BW_CLASSIC_NONE)
            return;
        uint32_t parent = node->parent;
        bw_classic_give_node(context, index);
        if (parent == BW_CLASSIC_NONE) {
            tree->root = BW_CLASSIC_NONE;
            return;
        }
        bw_classic_node *above = bw_classic_at(tree, parent);
        uint32_t *children = bw_classic_children(tree, above->block), left = 0;
        for (uint32_t c = 0; c < tree->ways; c++) {
            if (children[c] == index)
                children[c] = BW_CLASSIC_NONE;
            left += children[c] != BW_CLASSIC_NONE;
        }
        if (left != 0)
            return;
        bw_slab_give(&tree->blocks, above->block);
        above->block = BW_CLASSIC_NONE;
        above->is_split = false;
        tree->merges++;
        if (above->count >= tree->threshold)
            bw_classic_mark_work(tree, parent);
        index = parent;
    }
}

static void take_out(bw_classic_context *context, uint32_t index, uint32_t slot)
{
    bw_classic_tree *tree = context->tree;
    bw_classic_node *node = bw_classic_at(tree, index);
    uint32_t last = --node->count;
    if (slot != last) {
        memcpy(node->boxes[slot], node->boxes[last], sizeof node->boxes[0]);
        node->ids[slot] = node->ids[last];
        tree->slots[bw_id_index(node->ids[slot])] = slot;
    }
    /* A quarter full: give the rest back, if the smaller arrays can be had. */
    if (node->capacity > 16 && node->count < node->capacity / 4 && node->count != 0) {
        bw_classic_node smaller = *node;
        smaller.capacity = 0;
        smaller.boxes = NULL;
        smaller.count = 0;
        if (bw_classic_reserve_items(context, &smaller, 2 * node->count)) {
            memcpy(smaller.boxes, node->boxes, node->count * sizeof *node->boxes);
            memcpy(smaller.ids, node->ids, node->count * sizeof *node->ids);
            smaller.count = node->count;
            bw_release(context->allocator, node->boxes, node->capacity,
                       sizeof *node->boxes + sizeof *node->ids);
            tree->item_bytes -= (size_t)node->capacity * (sizeof *node->boxes + sizeof *node->ids);
            *node = smaller;
        }
    }
    collect(context, index);
}

void bw_classic_remove(bw_classic_context *context, uint32_t object)
{
    bw_classic_tree *tree = context->tree;
    uint32_t index = bw_table_entry(context->table, object)->place, slot = tree->slots[object];
    mark_flush(tree, index, bw_classic_at(tree, index)->boxes[slot]);
    take_out(context, index, slot);
    tree->objects--;
}

void bw_classic_move(bw_classic_context *context, uint32_t object, const float box[6])
{
    bw_classic_tree *tree = context->tree;
    uint32_t index = bw_table_entry(context->table, object)->place, slot = tree->slots[object], up = index;
    while (bw_classic_at(tree, up)->parent != BW_CLASSIC_NONE && !holds(bw_classic_at(tree, up)->box, box))
        up = bw_classic_at(tree, up)->parent;
    int missing;
    uint32_t to = descend(tree, up, box, &missing);
    float old[6];
    memcpy(old, bw_classic_at(tree, index)->boxes[slot], sizeof old);
    bw_id id = bw_classic_at(tree, index)->ids[slot];
    if ((to != index || missing >= 0) && put(context, to, missing, box, id)) {
        mark_flush(tree, index, old);
        take_out(context, index, slot);
        tree->reinserted++;
        return;
    }
    memcpy(bw_classic_at(tree, index)->boxes[slot], box, sizeof old);
    grow(tree, index, box);
    mark_flush(tree, index, old);
}
