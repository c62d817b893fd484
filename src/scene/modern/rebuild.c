/* Building a subtree anew. The fresh one is built beside the old and then carried into its blocks, in their
 * order in memory: neighbours in space stay neighbours in memory, on which a query's time depends. */
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

static void gather(const bw_anchor_tree *tree, bw_anchor_ref ref, parts *p)
{
    if (ref == 0)
        return;
    if (!bw_anchor_is_leaf(ref)) {
        const bw_anchor_node *node = bw_anchor_node_at(tree, bw_anchor_node_of(ref));
        if (p->nodes != NULL)
            p->nodes[p->node_count] = bw_anchor_node_of(ref);
        p->node_count++;
        for (int slot = 0; slot < BW_ANCHOR_CHILDREN; slot++)
            gather(tree, node->child[slot], p);
        return;
    }
    uint32_t count = bw_anchor_count_of(ref);
    if (p->leaves != NULL) {
        const bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, bw_anchor_leaf_of(ref));
        for (uint32_t i = 0; i < count; i++)
            p->boxes[p->object_count + i] = bw_anchor_unpack(leaf->boxes[i]);
        memcpy(p->ids + p->object_count, leaf->ids, count * sizeof *p->ids);
        p->leaves[p->leaf_count] = bw_anchor_leaf_of(ref);
    }
    p->object_count += count;
    p->leaf_count++;
}

/* Heapsort. */
void bw_anchor_sort(uint32_t *values, uint32_t count)
{
    for (uint32_t phase = count / 2 + count; phase-- > 1;) {
        uint32_t size = count, at = phase - count;
        if (phase < count) {
            uint32_t top = values[0];
            values[0] = values[phase];
            values[phase] = top;
            size = phase;
            at = 0;
        }
        for (uint32_t child; (child = 2 * at + 1) < size; at = child) {
            child += child + 1 < size && values[child + 1] > values[child];
            if (values[child] <= values[at])
                break;
            uint32_t swap = values[at];
            values[at] = values[child];
            values[child] = swap;
        }
    }
}

/* Carries the subtree in a place into old blocks, as far as there are any. */
static void carry(bw_anchor_context *context, uint32_t parent, const parts *old, parts *used)
{
    bw_anchor_tree *tree = context->tree;
    bw_anchor_ref ref = bw_anchor_child(tree, parent);
    if (ref == 0)
        return;
    if (bw_anchor_is_leaf(ref)) {
        uint32_t from = bw_anchor_leaf_of(ref);
        if (used->leaf_count < old->leaf_count) {
            bw_anchor_carry_leaf(context, from, old->leaves[used->leaf_count++]);
            bw_anchor_give_leaf(tree, from);
        } else {
            bw_anchor_tell(context, from);
        }
        return;
    }
    uint32_t node = bw_anchor_node_of(ref);
    if (used->node_count < old->node_count) {
        bw_anchor_carry_node(tree, node, old->nodes[used->node_count]);
        bw_anchor_give_node(tree, node);
        node = old->nodes[used->node_count++];
    }
    for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++)
        carry(context, 8 * node + slot, old, used);
}

static void replace(bw_anchor_context *context, uint32_t parent, parts *old)
{
    bw_anchor_tree *tree = context->tree;
    float cell[6], box[6], before[6];
    bw_anchor_cell(tree, parent, cell);
    bw_anchor_ref fresh =
        bw_anchor_build_subtree(context, old->boxes, old->ids, old->object_count, cell, box);
    if (fresh == 0)
        return;
    bw_anchor_child_box(tree, parent, before);
    bw_anchor_attach(tree, parent, fresh, before);
    bw_anchor_raise(tree, parent, box);
    bw_anchor_sort(old->leaves, old->leaf_count);
    bw_anchor_sort(old->nodes, old->node_count);
    parts used = {0};
    carry(context, parent, old, &used);
    while (used.leaf_count < old->leaf_count)
        bw_anchor_give_leaf(tree, old->leaves[used.leaf_count++]);
    while (used.node_count < old->node_count)
        bw_anchor_give_node(tree, old->nodes[used.node_count++]);
    tree->rebuilt++;
}

void bw_anchor_rebuild_below(bw_anchor_context *context, uint32_t parent)
{
    const bw_allocator *allocator = context->allocator;
    /* Coincident objects are spread by a hash level by level: only all of them can be spread anew. */
    while (parent != BW_ANCHOR_NO_PARENT &&
           (bw_anchor_node_at(context->tree, parent >> 3)->axes & BW_ANCHOR_HASHED) != 0)
        parent = context->tree->links[parent >> 3].parent;
    bw_anchor_ref root = bw_anchor_child(context->tree, parent);
    parts size = {0};
    gather(context->tree, root, &size);
    if (size.object_count <= FEW && size.leaf_count + size.node_count <= FEW_BLOCKS) {
        bw_box boxes[FEW];
        bw_id ids[FEW];
        uint32_t blocks[FEW_BLOCKS];
        parts old = {.boxes = boxes, .ids = ids, .leaves = blocks, .nodes = blocks + size.leaf_count};
        gather(context->tree, root, &old);
        replace(context, parent, &old);
        return;
    }
    size_t blocks = (size_t)size.leaf_count + size.node_count;
    parts old = {.boxes = bw_allocate(allocator, size.object_count, sizeof *old.boxes),
                 .ids = bw_allocate(allocator, size.object_count, sizeof *old.ids),
                 .leaves = bw_allocate(allocator, blocks, sizeof *old.leaves)};
    if (old.boxes != NULL && old.ids != NULL && old.leaves != NULL) {
        old.nodes = old.leaves + size.leaf_count;
        gather(context->tree, root, &old);
        replace(context, parent, &old);
    }
    bw_release(allocator, old.boxes, size.object_count, sizeof *old.boxes);
    bw_release(allocator, old.ids, size.object_count, sizeof *old.ids);
    bw_release(allocator, old.leaves, blocks, sizeof *old.leaves);
}
