/* Checks every invariant of a tree after Shagam. */
#include "scene/shagam/shagam.h"

static bool holds(const float outer[6], const float inner[6])
{
    for (int i = 0; i < 6; i++)
        if (!(outer[i] <= inner[i]))
            return false;
    return true;
}

static const char *check_node(const bw_classic_tree *tree, const bw_table *table, uint32_t index,
                              uint32_t *children_seen)
{
    const bw_classic_node *node = bw_classic_at(tree, index);
    if ((node->parent == BW_CLASSIC_NONE) != (index == tree->root))
        return "there is not one root";
    if (node->count > node->capacity)
        return "a node has more objects than room";
    if (node->count == 0 && node->block == BW_CLASSIC_NONE)
        return "an empty node was not collected";
    if (node->block != BW_CLASSIC_NONE && !node->is_split)
        return "a node that is not split has children";
    for (uint32_t slot = 0; slot < node->count; slot++) {
        if (!holds(node->box, node->boxes[slot]))
            return "an object sticks out of its node";
        const bw_entry *entry = bw_table_find(table, node->ids[slot]);
        if (entry == NULL)
            return "a node holds an id that is not live";
        if (entry->place != index || tree->slots[bw_id_index(node->ids[slot])] != slot)
            return "an id does not lead to its object";
    }
    if (node->block == BW_CLASSIC_NONE)
        return NULL;
    const uint32_t *children = bw_classic_children(tree, node->block);
    uint32_t count = 0;
    bool work = false;
    for (uint32_t c = 0; c < tree->ways; c++) {
        if (children[c] == BW_CLASSIC_NONE)
            continue;
        if (children[c] >= tree->nodes.end || bw_classic_at(tree, children[c])->parent != index)
            return "a child does not know its parent";
        const bw_classic_node *child = bw_classic_at(tree, children[c]);
        if (!holds(node->box, child->box))
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

const char *bw_classic_check(const bw_classic_tree *tree, const bw_table *table)
{
    uint32_t nodes = 0, blocks = 0, children = 0, objects = 0;
    for (uint32_t i = 0; i < tree->nodes.end; i++) {
        const bw_classic_node *node = bw_classic_at(tree, i);
        if (node->parent == BW_CLASSIC_FREE)
            continue;
        const char *fault = check_node(tree, table, i, &children);
        if (fault != NULL)
            return fault;
        nodes++;
        blocks += node->block != BW_CLASSIC_NONE;
        objects += node->count;
    }
    /* Every node but the root is the child of one that knows it: with as many children as nodes, all hang
     * together. */
    if (nodes != bw_slab_live(&tree->nodes) || (nodes != 0 && children != nodes - 1))
        return "a node is lost";
    if (blocks != bw_slab_live(&tree->blocks))
        return "a block of children is lost";
    return objects == tree->objects ? NULL : "the count of objects is wrong";
}
