/* Checks every invariant of a modern tree. */
#include "scene/modern/modern.h"

#include <math.h>

typedef struct checker {
    const bw_modern_tree *tree;
    uint32_t nodes, leaves, objects;
    const char *fault;
} checker;

static void fail(checker *c, const char *fault)
{
    if (c->fault == NULL)
        c->fault = fault;
}

static void check_leaf(checker *c, bw_node_ref ref, uint32_t parent, const float bounds[6])
{
    uint32_t index = bw_modern_leaf_of(ref);
    if (index >= c->tree->leaves.end) {
        fail(c, "a leaf beyond the end of its pool");
        return;
    }
    const bw_modern_leaf *leaf = bw_modern_leaf_at(c->tree, index);
    c->leaves++;
    if (leaf->count == 0 || leaf->count > BW_MODERN_LEAF_CAPACITY)
        fail(c, "a leaf is empty, free or overfull");
    if (c->fault != NULL)
        return;
    c->objects += leaf->count;
    if (leaf->count != bw_modern_count_of(ref))
        fail(c, "a leaf and its parent disagree about the count");
    if (leaf->parent != parent)
        fail(c, "a leaf does not know its parent");
    if ((leaf->changes & 1u) != 0)
        fail(c, "a leaf was left dirty");
    for (int i = 0; i < 6; i++)
        if (leaf->box[i] != bounds[i])
            fail(c, "a leaf's box is not the one its parent holds");
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        if (!bw_packed_holds(leaf->box, leaf->boxes[slot]))
            fail(c, "an object sticks out of its leaf");
        if (!(leaf->boxes[slot][0] <= -leaf->boxes[slot][3]))
            fail(c, "an object's box is inverted");
        const bw_entry *entry = bw_table_find(c->tree->base.table, leaf->ids[slot]);
        if (entry == NULL)
            fail(c, "a leaf holds an id that is not live");
        else if (entry->location != bw_modern_location(index, slot))
            fail(c, "an id does not lead to its object");
    }
}

static void check_below(checker *c, bw_node_ref ref, uint32_t parent, const float bounds[6])
{
    if (bw_modern_is_leaf(ref)) {
        check_leaf(c, ref, parent, bounds);
        return;
    }
    uint32_t index = bw_modern_node_of(ref), children = 0;
    if (index >= c->tree->nodes.end || (ref & 63u) != 0) {
        fail(c, "a node beyond the end of its pool");
        return;
    }
    const bw_modern_node *node = bw_modern_node_at(c->tree, index);
    c->nodes++;
    if (c->tree->links[index].parent != parent)
        fail(c, "a node does not know its parent");
    float box[6];
    bw_modern_node_box(node, box);
    for (int i = 0; i < 6; i++)
        if (box[i] != bounds[i])
            fail(c, "a node's box is not the union of its children's");
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN && c->fault == NULL; slot++) {
        bw_modern_child_box(c->tree, 8 * index + slot, box);
        if (node->child[slot] == 0) {
            if (box[0] != INFINITY)
                fail(c, "an empty slot has a box");
            continue;
        }
        children++;
        for (uint32_t k = bw_modern_position(node, slot) / 2; k >= 1 && (node->axes & BW_MODERN_HASHED) == 0;
             k /= 2)
            if (node->plane[k - 1] == INFINITY)
                fail(c, "a child stands behind a plane that is not there");
        check_below(c, node->child[slot], 8 * index + slot, box);
    }
    if (children < 2)
        fail(c, "a node with fewer than two children");
}

const char *bw_modern_check(const bw_scene_tree *base)
{
    const bw_modern_tree *tree = (const bw_modern_tree *)base;
    checker c = {.tree = tree};
    if (tree->root != 0)
        check_below(&c, tree->root, BW_MODERN_NO_PARENT, tree->bounds);
    else if (tree->bounds[0] != INFINITY)
        fail(&c, "an empty tree has a box");
    if (c.fault == NULL && c.objects != tree->base.objects)
        fail(&c, "the count of objects is wrong");
    if (c.fault == NULL && c.leaves != bw_slab_live(&tree->leaves))
        fail(&c, "a leaf block is lost");
    if (c.fault == NULL && c.nodes != bw_slab_live(&tree->nodes))
        fail(&c, "a node is lost");
    return c.fault;
}
