/* Removal: a sparse leaf joins its sibling, and a node with one child gives way to it. */
#include "scene/modern/modern.h"

#include <math.h>
#include <string.h>

enum {
    SPARSE = 7,  /* objects below which a leaf looks for a sibling to join */
    JOINED = 20, /* objects that a joined leaf may have */
};

/* Takes an empty place away: the node with it if that is now empty, or makes its only child take its place.
 */
static void close_up(bw_modern_tree *tree, uint32_t parent)
{
    float box[6];
    while (parent != BW_MODERN_NO_PARENT) {
        uint32_t home = parent >> 3, children = 0, last = 0;
        bw_modern_node *node = bw_modern_node_at(tree, home);
        for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++)
            if (node->child[slot] != 0) {
                children++;
                last = slot;
            }
        uint32_t above = tree->links[home].parent;
        if (children > 1) {
            bw_modern_node_box(node, box);
            bw_modern_raise(tree, above, box);
            return;
        }
        bw_node_ref ref = children == 0 ? 0 : node->child[last];
        float own[6];
        bw_modern_child_box(tree, 8 * home + last, own);
        bw_modern_child_box(tree, above, box);
        bw_modern_give_node(tree, home);
        bw_modern_attach(tree, above, ref, box);
        tree->base.merges++;
        if (children == 1) {
            bw_modern_raise(tree, above, own);
            return;
        }
        bw_packed_clear(box);
        bw_modern_attach(tree, above, 0, box);
        parent = above;
    }
}

/* The slot of the sibling leaf that a sparse leaf may join, or BW_MODERN_FREE. */
static uint32_t sibling_leaf(const bw_modern_tree *tree, uint32_t parent)
{
    const bw_modern_node *node = bw_modern_node_at(tree, parent >> 3);
    if ((node->axes & BW_MODERN_HASHED) != 0)
        return BW_MODERN_FREE;
    uint32_t position = bw_modern_position(node, parent & 7u);
    if (position == 1)
        return BW_MODERN_FREE;
    uint32_t slot = bw_modern_first_slot(position ^ 1u);
    bw_node_ref ref = node->child[slot];
    bool single = (position ^ 1u) >= 8 || node->plane[(position ^ 1u) - 1] == INFINITY;
    return single && ref != 0 && bw_modern_is_leaf(ref) ? slot : BW_MODERN_FREE;
}

static void join(bw_modern_tree *tree, uint32_t index)
{
    bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
    if (leaf->parent == BW_MODERN_NO_PARENT)
        return;
    uint32_t home = leaf->parent >> 3, slot = leaf->parent & 7u,
             other_slot = sibling_leaf(tree, leaf->parent);
    if (other_slot == BW_MODERN_FREE)
        return;
    bw_modern_node *node = bw_modern_node_at(tree, home);
    uint32_t other = bw_modern_leaf_of(node->child[other_slot]);
    bw_modern_leaf *sibling = bw_modern_leaf_at(tree, other);
    if (leaf->count + sibling->count > JOINED)
        return;
    for (uint32_t i = 0; i < leaf->count; i++)
        bw_modern_append(tree, other, leaf->boxes[i], leaf->ids[i]);
    bw_modern_give_leaf(tree, index);
    uint32_t position = bw_modern_position(node, slot) / 2, first = bw_modern_first_slot(position);
    float nothing[6], box[6];
    bw_packed_clear(nothing);
    bw_modern_attach(tree, 8 * home + slot, 0, nothing);
    bw_modern_attach(tree, 8 * home + other_slot, 0, nothing);
    node->plane[position - 1] = INFINITY;
    memcpy(box, sibling->box, sizeof box);
    bw_modern_attach(tree, 8 * home + first, bw_modern_ref_leaf(other, sibling->count), box);
    tree->base.merges++;
    bw_modern_refresh_cell(tree, other);
    close_up(tree, 8 * home + first);
}

void bw_modern_remove(bw_modern_tree *tree, uint32_t where)
{
    uint32_t index = where >> 5, slot = where & 31u;
    bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
    uint32_t last = leaf->count - 1;
    for (int i = 0; i < 6; i++)
        if (leaf->boxes[slot][i] <= leaf->box[i]) {
            leaf->shrinks++;
            break;
        }
    if (slot != last) {
        memcpy(leaf->boxes[slot], leaf->boxes[last], sizeof leaf->boxes[0]);
        leaf->ids[slot] = leaf->ids[last];
        bw_modern_set_location(tree, leaf->ids[slot], index, slot);
    }
    leaf->count = last;
    leaf->changes += 2;
    tree->base.objects--;
    if (last == 0) {
        uint32_t parent = leaf->parent;
        float nothing[6];
        bw_packed_clear(nothing);
        bw_modern_give_leaf(tree, index);
        bw_modern_attach(tree, parent, 0, nothing);
        close_up(tree, parent);
        return;
    }
    bw_modern_recount(tree, leaf, index);
    if (leaf->shrinks >= BW_MODERN_SHRINKS) {
        leaf->shrinks = 0;
        bw_modern_leaf_box(leaf, leaf->box);
        bw_modern_raise(tree, leaf->parent, leaf->box);
    }
    if (last < SPARSE)
        join(tree, index);
}
