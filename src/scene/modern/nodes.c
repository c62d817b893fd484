/* Nodes of anchor trees: making, linking and clearing them. */
#include "scene/modern/modern.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* How far beyond its cell a doubled centre may go before the object is placed anew, as a share of the leaf's
 * box. Larger means fewer reinsertions and looser leaves. */
static const float slack = 0.15f;

void bw_anchor_box_clear(float box[6])
{
    for (int i = 0; i < 6; i++)
        box[i] = INFINITY;
}

bw_anchor_tree bw_anchor_empty(void)
{
    bw_anchor_tree tree = {.nodes = bw_slab_empty(sizeof(bw_anchor_node), 6),
                           .leaves = bw_slab_empty(sizeof(bw_anchor_leaf), 6)};
    bw_anchor_box_clear(tree.bounds);
    return tree;
}

void bw_anchor_release(bw_anchor_tree *tree, const bw_allocator *allocator)
{
    bw_slab_release(&tree->nodes, allocator);
    bw_slab_release(&tree->leaves, allocator);
    bw_release(allocator, tree->links, tree->link_capacity, sizeof *tree->links);
    *tree = bw_anchor_empty();
}

static void clear_node(bw_anchor_node *node)
{
    for (int i = 0; i < 6; i++)
        for (int slot = 0; slot < BW_ANCHOR_CHILDREN; slot++)
            node->box[i][slot] = INFINITY;
    memset(node->child, 0, sizeof node->child);
    for (int k = 0; k < 7; k++)
        node->plane[k] = INFINITY;
    node->axes = 0;
}

uint32_t bw_anchor_position(const bw_anchor_node *node, uint32_t slot)
{
    uint32_t k = 8 + slot;
    if ((node->axes & BW_ANCHOR_HASHED) == 0)
        while (k > 1 && (k & 1u) == 0 && node->plane[k / 2 - 1] == INFINITY)
            k /= 2;
    return k;
}

void bw_anchor_attach(bw_anchor_tree *tree, uint32_t parent, bw_anchor_ref ref, const float box[6])
{
    if (parent == BW_ANCHOR_NO_PARENT) {
        tree->root = ref;
        memcpy(tree->bounds, box, sizeof tree->bounds);
    } else {
        bw_anchor_node *node = bw_anchor_node_at(tree, parent >> 3);
        node->child[parent & 7u] = ref;
        for (int i = 0; i < 6; i++)
            node->box[i][parent & 7u] = box[i];
    }
    if (ref == 0)
        return;
    if (bw_anchor_is_leaf(ref))
        bw_anchor_leaf_at(tree, bw_anchor_leaf_of(ref))->parent = parent;
    else
        tree->links[bw_anchor_node_of(ref)].parent = parent;
}

bw_anchor_ref bw_anchor_child(const bw_anchor_tree *tree, uint32_t parent)
{
    return parent == BW_ANCHOR_NO_PARENT ? tree->root
                                         : bw_anchor_node_at(tree, parent >> 3)->child[parent & 7u];
}

void bw_anchor_child_box(const bw_anchor_tree *tree, uint32_t parent, float out[6])
{
    for (int i = 0; i < 6; i++)
        out[i] = parent == BW_ANCHOR_NO_PARENT ? tree->bounds[i]
                                               : bw_anchor_node_at(tree, parent >> 3)->box[i][parent & 7u];
}

void bw_anchor_node_box(const bw_anchor_node *node, float out[6])
{
    for (int i = 0; i < 6; i++) {
        float least = node->box[i][0];
        for (int slot = 1; slot < BW_ANCHOR_CHILDREN; slot++)
            least = node->box[i][slot] < least ? node->box[i][slot] : least;
        out[i] = least;
    }
}

void bw_anchor_raise(bw_anchor_tree *tree, uint32_t parent, const float box[6])
{
    float now[6];
    memcpy(now, box, sizeof now);
    while (parent != BW_ANCHOR_NO_PARENT) {
        bw_anchor_node *node = bw_anchor_node_at(tree, parent >> 3);
        uint32_t slot = parent & 7u;
        bool same = true;
        for (int i = 0; i < 6; i++) {
            same &= node->box[i][slot] == now[i];
            node->box[i][slot] = now[i];
        }
        if (same)
            return;
        bw_anchor_node_box(node, now);
        parent = tree->links[parent >> 3].parent;
    }
    memcpy(tree->bounds, now, sizeof now);
}

void bw_anchor_recount(bw_anchor_tree *tree, const bw_anchor_leaf *leaf, uint32_t index)
{
    bw_anchor_ref ref = bw_anchor_ref_leaf(index, leaf->count);
    if (leaf->parent == BW_ANCHOR_NO_PARENT)
        tree->root = ref;
    else
        bw_anchor_node_at(tree, leaf->parent >> 3)->child[leaf->parent & 7u] = ref;
}

void bw_anchor_cell(const bw_anchor_tree *tree, uint32_t parent, float cell[6])
{
    for (int i = 0; i < 6; i++)
        cell[i] = -INFINITY;
    for (; parent != BW_ANCHOR_NO_PARENT; parent = tree->links[parent >> 3].parent) {
        const bw_anchor_node *node = bw_anchor_node_at(tree, parent >> 3);
        if ((node->axes & BW_ANCHOR_HASHED) != 0) {
            for (int i = 0; i < 3; i++) {
                cell[i] = node->plane[i];
                cell[i + 3] = -node->plane[i];
            }
            continue;
        }
        for (uint32_t k = 8 + (parent & 7u); k > 1; k /= 2) {
            float plane = node->plane[k / 2 - 1];
            if (plane == INFINITY)
                continue;
            uint32_t axis = node->axes >> (2 * (k / 2 - 1)) & 3u;
            if ((k & 1u) != 0)
                cell[axis] = cell[axis] > plane ? cell[axis] : plane;
            else
                cell[axis + 3] = cell[axis + 3] > -plane ? cell[axis + 3] : -plane;
        }
    }
}

void bw_anchor_widen(bw_anchor_leaf *leaf, const float cell[6])
{
    for (int i = 0; i < 6; i++) {
        int axis = i % 3;
        /* A cell of one point is that of coincident objects: the first step leads out of it. */
        bool point = cell[axis] == -cell[axis + 3];
        float extent = -(leaf->box[axis] + leaf->box[axis + 3]);
        leaf->cell[i] = point ? cell[i] : cell[i] - slack * extent;
    }
}

void bw_anchor_leaf_box(const bw_anchor_leaf *leaf, float out[6])
{
    float box[6];
    bw_anchor_box_clear(box);
    for (uint32_t i = 0; i < leaf->count; i++)
        bw_anchor_box_grow(box, leaf->boxes[i]);
    memcpy(out, box, sizeof box);
}

void bw_anchor_append(bw_anchor_context *context, uint32_t index, const float box[6], bw_id id)
{
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(context->tree, index);
    assert(leaf->count < BW_ANCHOR_LEAF_CAPACITY);
    memcpy(leaf->boxes[leaf->count], box, sizeof leaf->boxes[0]);
    leaf->ids[leaf->count] = id;
    bw_anchor_set_place(context, id, index, leaf->count);
    leaf->count++;
    leaf->wear += 2;
    bw_anchor_box_grow(leaf->box, box);
}

void bw_anchor_refresh_cell(bw_anchor_context *context, uint32_t leaf)
{
    float cell[6];
    bw_anchor_leaf *l = bw_anchor_leaf_at(context->tree, leaf);
    bw_anchor_cell(context->tree, l->parent, cell);
    bw_anchor_widen(l, cell);
}

bool bw_anchor_reserve(bw_anchor_tree *tree, const bw_allocator *allocator, uint32_t nodes, uint32_t leaves)
{
    /* A reference has 26 bits for an index. */
    if (tree->leaves.end >= (1u << 26) - leaves || tree->nodes.end >= (1u << 26) - 1 - nodes)
        return false;
    if (!bw_slab_reserve(&tree->nodes, allocator, nodes) ||
        !bw_slab_reserve(&tree->leaves, allocator, leaves))
        return false;
    uint32_t wanted = tree->nodes.end + nodes;
    if (wanted <= tree->link_capacity)
        return true;
    uint32_t capacity = tree->link_capacity + tree->link_capacity / 2;
    capacity = capacity < wanted ? wanted : capacity;
    bw_anchor_link *links = bw_allocate(allocator, capacity, sizeof *links);
    if (links == NULL)
        return false;
    if (tree->nodes.end != 0)
        memcpy(links, tree->links, tree->nodes.end * sizeof *links);
    bw_release(allocator, tree->links, tree->link_capacity, sizeof *links);
    tree->links = links;
    tree->link_capacity = capacity;
    return true;
}

uint32_t bw_anchor_take_node(bw_anchor_tree *tree)
{
    uint32_t node = bw_slab_take(&tree->nodes);
    clear_node(bw_anchor_node_at(tree, node));
    tree->links[node] = (bw_anchor_link){BW_ANCHOR_NO_PARENT, bw_anchor_credit(0)};
    return node;
}

uint32_t bw_anchor_take_leaf(bw_anchor_tree *tree)
{
    uint32_t index = bw_slab_take(&tree->leaves);
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, index);
    leaf->parent = BW_ANCHOR_NO_PARENT;
    leaf->count = leaf->shrinks = leaf->wear = 0;
    bw_anchor_box_clear(leaf->box);
    return index;
}

void bw_anchor_give_node(bw_anchor_tree *tree, uint32_t node)
{
    tree->links[node].parent = BW_ANCHOR_FREE_NODE;
    bw_slab_give(&tree->nodes, node);
}

void bw_anchor_give_leaf(bw_anchor_tree *tree, uint32_t leaf)
{
    bw_anchor_leaf_at(tree, leaf)->count = BW_ANCHOR_FREE;
    bw_slab_give(&tree->leaves, leaf);
}

void bw_anchor_give_below(bw_anchor_tree *tree, bw_anchor_ref ref)
{
    if (ref == 0)
        return;
    if (bw_anchor_is_leaf(ref)) {
        bw_anchor_give_leaf(tree, bw_anchor_leaf_of(ref));
        return;
    }
    for (int slot = 0; slot < BW_ANCHOR_CHILDREN; slot++)
        bw_anchor_give_below(tree, bw_anchor_node_at(tree, bw_anchor_node_of(ref))->child[slot]);
    bw_anchor_give_node(tree, bw_anchor_node_of(ref));
}

void bw_anchor_tell(const bw_anchor_context *context, uint32_t index)
{
    const bw_anchor_leaf *leaf = bw_anchor_leaf_at(context->tree, index);
    for (uint32_t i = 0; i < leaf->count; i++)
        __builtin_prefetch(bw_table_entry(context->table, bw_id_index(leaf->ids[i])), 1);
    for (uint32_t i = 0; i < leaf->count; i++)
        bw_anchor_set_place(context, leaf->ids[i], index, i);
}

void bw_anchor_carry_leaf(bw_anchor_context *context, uint32_t from, uint32_t to)
{
    bw_anchor_tree *tree = context->tree;
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, to);
    memcpy(leaf, bw_anchor_leaf_at(tree, from), sizeof *leaf);
    bw_anchor_leaf_at(tree, from)->count = BW_ANCHOR_FREE;
    bw_anchor_tell(context, to);
    bw_anchor_recount(tree, leaf, to);
}

void bw_anchor_carry_node(bw_anchor_tree *tree, uint32_t from, uint32_t to)
{
    bw_anchor_node *node = bw_anchor_node_at(tree, to);
    memcpy(node, bw_anchor_node_at(tree, from), sizeof *node);
    tree->links[to] = tree->links[from];
    uint32_t parent = tree->links[to].parent;
    tree->links[from].parent = BW_ANCHOR_FREE_NODE;
    if (parent == BW_ANCHOR_NO_PARENT)
        tree->root = bw_anchor_ref_node(to);
    else
        bw_anchor_node_at(tree, parent >> 3)->child[parent & 7u] = bw_anchor_ref_node(to);
    for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++) {
        bw_anchor_ref ref = node->child[slot];
        if (ref == 0)
            continue;
        if (bw_anchor_is_leaf(ref))
            bw_anchor_leaf_at(tree, bw_anchor_leaf_of(ref))->parent = 8 * to + slot;
        else
            tree->links[bw_anchor_node_of(ref)].parent = 8 * to + slot;
    }
}
