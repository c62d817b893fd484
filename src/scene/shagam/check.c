/* Checks every invariant of a tree after Shagam. */
#include "scene/shagam/shagam.h"

static const char *check_node(const bw_shagam_tree *tree, uint32_t index, uint32_t *children_seen)
{
    const bw_shagam_node *node = bw_shagam_at(tree, index);
    if ((node->parent == BW_SHAGAM_NONE) != (index == tree->root))
        return "there is not one root";
    if (node->count > node->capacity)
        return "a node has more objects than room";
    if (node->count == 0 && node->block == BW_SHAGAM_NONE)
        return "an empty node was not collected";
    if (node->block != BW_SHAGAM_NONE && !node->is_split)
        return "a node that is not split has children";
    for (uint32_t slot = 0; slot < node->count; slot++) {
        if (!bw_packed_holds(node->box, node->boxes[slot]))
            return "an object sticks out of its node";
        const bw_entry *entry = bw_table_find(tree->base.table, node->ids[slot]);
        if (entry == NULL)
            return "a node holds an id that is not live";
        if (entry->location != index || tree->slots[bw_id_index(node->ids[slot])] != slot)
            return "an id does not lead to its object";
    }
    if (node->block == BW_SHAGAM_NONE)
        return NULL;
    const uint32_t *children = bw_shagam_children(tree, node);
    uint32_t count = 0;
    bool work = false;
    for (uint32_t c = 0; c < bw_shagam_ways(node); c++) {
        if (children[c] == BW_SHAGAM_NONE)
            continue;
        if (children[c] >= tree->nodes.end || bw_shagam_at(tree, children[c])->parent != index)
            return "a child does not know its parent";
        const bw_shagam_node *child = bw_shagam_at(tree, children[c]);
        if (!bw_packed_holds(node->box, child->box))
            return "a child sticks out of its parent";
        work |= child->stale || child->work_below || (!child->is_split && child->count >= tree->threshold);
        count++;
    }
    if (count == 0)
        return "a split node lost its children";
    if (work && !node->work_below)
        return "work below a node would not be found";
    *children_seen += count;
    return NULL;
}

const char *bw_shagam_check(const bw_scene_tree *base)
{
    const bw_shagam_tree *tree = (const bw_shagam_tree *)base;
    uint32_t nodes = 0, blocks = 0, children = 0, objects = 0;
    for (uint32_t i = 0; i < tree->nodes.end; i++) {
        const bw_shagam_node *node = bw_shagam_at(tree, i);
        if (node->parent == BW_SHAGAM_FREE)
            continue;
        const char *fault = check_node(tree, i, &children);
        if (fault != NULL)
            return fault;
        nodes++;
        blocks += node->block != BW_SHAGAM_NONE;
        objects += node->count;
    }
    /* Every node but the root is the child of one that knows it: with as many children as nodes, all hang
     * together. */
    if (nodes != bw_slab_live(&tree->nodes) || (nodes != 0 && children != nodes - 1))
        return "a node is lost";
    for (int n = 0; n < BW_SHAGAM_NESTINGS; n++)
        blocks -= bw_slab_live(&tree->blocks[n]);
    if (blocks != 0)
        return "a block of children is lost";
    return objects == tree->base.objects ? NULL : "the count of objects is wrong";
}
