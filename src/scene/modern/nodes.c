/* Nodes of modern trees: making, linking and clearing them. */
#include "base/simd/f32x4.h"
#include "scene/modern/modern.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* How far beyond its cell a doubled centre may go before the object is reinserted, as a share of the leaf's
 * box. Larger means fewer reinsertions and looser leaves. */
static const float slack = 0.15f;

void bw_modern_init(bw_scene_tree *base, bw_nesting nesting, bool leafy, uint32_t threshold)
{
    (void)nesting, (void)leafy, (void)threshold; /* of the paper's trees */
    bw_modern_tree *tree = (bw_modern_tree *)base;
    tree->nodes = bw_slab_empty(sizeof(bw_modern_node), 6);
    tree->leaves = bw_slab_empty(sizeof(bw_modern_leaf), 6);
    bw_packed_clear(tree->bounds);
}

void bw_modern_clear(bw_scene_tree *base)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    bw_slab_release(&tree->nodes, tree->base.allocator);
    bw_slab_release(&tree->leaves, tree->base.allocator);
    bw_release(tree->base.allocator, tree->links, tree->link_capacity, sizeof *tree->links);
    tree->links = NULL;
    tree->link_capacity = 0;
    tree->root = 0;
    tree->base.objects = 0;
    bw_packed_clear(tree->bounds);
}

static void clear_node(bw_modern_node *node)
{
    for (int i = 0; i < 6; i++)
        for (int slot = 0; slot < BW_MODERN_CHILDREN; slot++)
            node->box[i][slot] = INFINITY;
    memset(node->child, 0, sizeof node->child);
    for (int k = 0; k < 7; k++)
        node->plane[k] = INFINITY;
    node->axes = 0;
}

uint32_t bw_modern_position(const bw_modern_node *node, uint32_t slot)
{
    uint32_t k = 8 + slot;
    if ((node->axes & BW_MODERN_HASHED) == 0)
        while (k > 1 && (k & 1u) == 0 && node->plane[k / 2 - 1] == INFINITY)
            k /= 2;
    return k;
}

void bw_modern_attach(bw_modern_tree *tree, uint32_t parent, bw_node_ref ref, const float box[6])
{
    if (parent == BW_MODERN_NO_PARENT) {
        tree->root = ref;
        memcpy(tree->bounds, box, sizeof tree->bounds);
    } else {
        bw_modern_node *node = bw_modern_node_at(tree, parent >> 3);
        node->child[parent & 7u] = ref;
        for (int i = 0; i < 6; i++)
            node->box[i][parent & 7u] = box[i];
    }
    if (ref == 0)
        return;
    if (bw_modern_is_leaf(ref))
        bw_modern_leaf_at(tree, bw_modern_leaf_of(ref))->parent = parent;
    else
        tree->links[bw_modern_node_of(ref)].parent = parent;
}

bw_node_ref bw_modern_child(const bw_modern_tree *tree, uint32_t parent)
{
    return parent == BW_MODERN_NO_PARENT ? tree->root
                                         : bw_modern_node_at(tree, parent >> 3)->child[parent & 7u];
}

void bw_modern_child_box(const bw_modern_tree *tree, uint32_t parent, float out[6])
{
    for (int i = 0; i < 6; i++)
        out[i] = parent == BW_MODERN_NO_PARENT ? tree->bounds[i]
                                               : bw_modern_node_at(tree, parent >> 3)->box[i][parent & 7u];
}

void bw_modern_node_box(const bw_modern_node *node, float out[6])
{
    v4 row[6];
    for (int i = 0; i < 6; i++)
        row[i] = v4_min(v4_load(node->box[i]), v4_load(node->box[i] + 4));
    v4_store_box(out, v4_row_minima(row[0], row[1], row[2]), v4_row_minima(row[3], row[4], row[5]));
}

void bw_modern_raise(bw_modern_tree *tree, uint32_t parent, const float box[6])
{
    float now[6];
    memcpy(now, box, sizeof now);
    while (parent != BW_MODERN_NO_PARENT) {
        bw_modern_node *node = bw_modern_node_at(tree, parent >> 3);
        uint32_t slot = parent & 7u;
        bool same = true;
        for (int i = 0; i < 6; i++) {
            same &= node->box[i][slot] == now[i];
            node->box[i][slot] = now[i];
        }
        if (same)
            return;
        bw_modern_node_box(node, now);
        parent = tree->links[parent >> 3].parent;
    }
    memcpy(tree->bounds, now, sizeof now);
}

void bw_modern_recount(bw_modern_tree *tree, const bw_modern_leaf *leaf, uint32_t index)
{
    bw_node_ref ref = bw_modern_ref_leaf(index, leaf->count);
    if (leaf->parent == BW_MODERN_NO_PARENT)
        tree->root = ref;
    else
        bw_modern_node_at(tree, leaf->parent >> 3)->child[leaf->parent & 7u] = ref;
}

void bw_modern_cell(const bw_modern_tree *tree, uint32_t parent, float cell[6])
{
    for (int i = 0; i < 6; i++)
        cell[i] = -INFINITY;
    for (; parent != BW_MODERN_NO_PARENT; parent = tree->links[parent >> 3].parent) {
        const bw_modern_node *node = bw_modern_node_at(tree, parent >> 3);
        if ((node->axes & BW_MODERN_HASHED) != 0) {
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

void bw_modern_widen(bw_modern_leaf *leaf, const float cell[6])
{
    for (int i = 0; i < 6; i++) {
        int axis = i % 3;
        /* A cell of one point is that of coincident objects: the first step leads out of it. */
        bool point = cell[axis] == -cell[axis + 3];
        float extent = -(leaf->box[axis] + leaf->box[axis + 3]);
        leaf->cell[i] = point ? cell[i] : cell[i] - slack * extent;
    }
}

void bw_modern_leaf_box(const bw_modern_leaf *leaf, float out[6])
{
    const float *sides = (const float *)(const void *)leaf->boxes; /* two more follow those of the last box */
    v4 low = v4_load(sides), high = v4_load(sides + 4);
    for (uint32_t i = 1; i < leaf->count; i++) {
        low = v4_min(low, v4_load(sides + 6 * i));
        high = v4_min(high, v4_load(sides + 6 * i + 4));
    }
    v4_store(out, low);
    memcpy(out + 4, &high, 2 * sizeof *out);
}

void bw_modern_append(bw_modern_tree *tree, uint32_t index, const float box[6], bw_id id)
{
    bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
    assert(leaf->count < BW_MODERN_LEAF_CAPACITY);
    memcpy(leaf->boxes[leaf->count], box, sizeof leaf->boxes[0]);
    leaf->ids[leaf->count] = id;
    bw_modern_set_location(tree, id, index, leaf->count);
    leaf->count++;
    leaf->changes += 2;
    bw_packed_grow(leaf->box, box);
}

void bw_modern_refresh_cell(bw_modern_tree *tree, uint32_t leaf)
{
    float cell[6];
    bw_modern_leaf *l = bw_modern_leaf_at(tree, leaf);
    bw_modern_cell(tree, l->parent, cell);
    bw_modern_widen(l, cell);
}

bool bw_modern_reserve(bw_modern_tree *tree, uint32_t nodes, uint32_t leaves)
{
    /* A reference has 26 bits for an index. */
    if (tree->leaves.end >= (1u << 26) - leaves || tree->nodes.end >= (1u << 26) - 1 - nodes)
        return false;
    if (!bw_slab_reserve(&tree->nodes, tree->base.allocator, nodes) ||
        !bw_slab_reserve(&tree->leaves, tree->base.allocator, leaves))
        return false;
    uint32_t wanted = tree->nodes.end + nodes;
    if (wanted <= tree->link_capacity)
        return true;
    uint32_t capacity = tree->link_capacity + tree->link_capacity / 2;
    capacity = capacity < wanted ? wanted : capacity;
    bw_modern_link *links = bw_allocate(tree->base.allocator, capacity, sizeof *links);
    if (links == NULL)
        return false;
    if (tree->nodes.end != 0)
        memcpy(links, tree->links, tree->nodes.end * sizeof *links);
    bw_release(tree->base.allocator, tree->links, tree->link_capacity, sizeof *links);
    tree->links = links;
    tree->link_capacity = capacity;
    return true;
}

void bw_modern_start_node(bw_modern_tree *tree, uint32_t node)
{
    clear_node(bw_modern_node_at(tree, node));
    tree->links[node] = (bw_modern_link){BW_MODERN_NO_PARENT, bw_modern_credit(0)};
}

void bw_modern_start_leaf(bw_modern_leaf *leaf)
{
    leaf->parent = BW_MODERN_NO_PARENT;
    leaf->count = leaf->shrinks = leaf->changes = 0;
    bw_packed_clear(leaf->box);
}

uint32_t bw_modern_take_node(bw_modern_tree *tree)
{
    uint32_t node = bw_slab_take(&tree->nodes);
    bw_modern_start_node(tree, node);
    return node;
}

uint32_t bw_modern_take_leaf(bw_modern_tree *tree)
{
    uint32_t index = bw_slab_take(&tree->leaves);
    bw_modern_start_leaf(bw_modern_leaf_at(tree, index));
    return index;
}

void bw_modern_give_node(bw_modern_tree *tree, uint32_t node)
{
    tree->links[node].parent = BW_MODERN_FREE_NODE;
    bw_slab_give(&tree->nodes, node);
}

void bw_modern_give_leaf(bw_modern_tree *tree, uint32_t leaf)
{
    bw_modern_leaf_at(tree, leaf)->count = BW_MODERN_FREE;
    bw_slab_give(&tree->leaves, leaf);
}

void bw_modern_record_leaf(const bw_modern_tree *tree, uint32_t index)
{
    const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
    for (uint32_t i = 0; i < leaf->count; i++)
        __builtin_prefetch(bw_table_entry(tree->base.table, bw_id_index(leaf->ids[i])), 1);
    for (uint32_t i = 0; i < leaf->count; i++)
        bw_modern_set_location(tree, leaf->ids[i], index, i);
}

void bw_modern_relocate_leaf(bw_modern_tree *tree, uint32_t from, uint32_t to)
{
    bw_modern_leaf *leaf = bw_modern_leaf_at(tree, to);
    memcpy(leaf, bw_modern_leaf_at(tree, from), sizeof *leaf);
    bw_modern_leaf_at(tree, from)->count = BW_MODERN_FREE;
    bw_modern_record_leaf(tree, to);
    bw_modern_recount(tree, leaf, to);
}

void bw_modern_relocate_node(bw_modern_tree *tree, uint32_t from, uint32_t to)
{
    bw_modern_node *node = bw_modern_node_at(tree, to);
    memcpy(node, bw_modern_node_at(tree, from), sizeof *node);
    tree->links[to] = tree->links[from];
    uint32_t parent = tree->links[to].parent;
    tree->links[from].parent = BW_MODERN_FREE_NODE;
    if (parent == BW_MODERN_NO_PARENT)
        tree->root = bw_modern_ref_node(to);
    else
        bw_modern_node_at(tree, parent >> 3)->child[parent & 7u] = bw_modern_ref_node(to);
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        bw_node_ref ref = node->child[slot];
        if (ref == 0)
            continue;
        if (bw_modern_is_leaf(ref))
            bw_modern_leaf_at(tree, bw_modern_leaf_of(ref))->parent = 8 * to + slot;
        else
            tree->links[bw_modern_node_of(ref)].parent = 8 * to + slot;
    }
}
