/* What a BoxTree holds, and how it comes to be. */
#include "kinetic/kinetic.h"

#include <string.h>

static bool allocate_shape(const bw_allocator *a, uint32_t leaf_room, uint32_t top_room, bw_boxtree *out)
{
    size_t leaves = leaf_room;
    out->leaf_room = leaf_room;
    out->top_room = top_room;
    out->nodes = bw_allocate(a, 2 * leaves, sizeof *out->nodes);
    out->inner = bw_allocate(a, leaves, sizeof *out->inner);
    out->leaf_node = bw_allocate(a, leaves, sizeof *out->leaf_node);
    out->winner = bw_allocate(a, 2 * leaves + 6, sizeof *out->winner);
    out->list_of = bw_allocate(a, 2 * leaves + 6, sizeof *out->list_of);
    out->top = bw_allocate(a, top_room, sizeof *out->top);
    if (out->nodes == NULL || out->inner == NULL || out->leaf_node == NULL || out->winner == NULL ||
        out->list_of == NULL || out->top == NULL)
        return false;
    memset(out->leaf_node, 0xff, leaves * sizeof *out->leaf_node); /* BW_NONE */
    memset(out->winner, 0xff, (2 * leaves + 6) * sizeof *out->winner);
    memset(out->list_of, 0xff, (2 * leaves + 6) * sizeof *out->list_of);
    memset(out->top, 0xff, top_room * sizeof *out->top);
    return true;
}

bw_result bw_boxtree_create(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    *tree = (bw_boxtree){.heap = bw_heap_over(&k->allocator), .root = BW_NONE};
    if (wide->node_count == 0)
        return BW_OK;
    if (wide->leaf_count >= BW_NONE / 4)
        return BW_ERROR_SIZE;
    if (!allocate_shape(&k->allocator, wide->leaf_count, wide->node_count, tree) ||
        !bw_heap_reserve(&tree->heap, 2 * wide->leaf_count + 6) || !bw_boxtree_add_nodes(k))
        return BW_ERROR_MEMORY;
    tree->depth = bw_boxtree_depth(tree);
    tree->path = bw_allocate(&k->allocator, (size_t)tree->depth + 1, sizeof *tree->path);
    return tree->path == NULL ? BW_ERROR_MEMORY : bw_boxtree_add_lists(k);
}

void bw_boxtree_release(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_allocator *a = &k->allocator;
    size_t leaves = tree->leaf_room;
    bw_release(a, tree->nodes, 2 * leaves, sizeof *tree->nodes);
    bw_release(a, tree->inner, leaves, sizeof *tree->inner);
    bw_release(a, tree->leaf_node, leaves, sizeof *tree->leaf_node);
    bw_release(a, tree->winner, 2 * leaves + 6, sizeof *tree->winner);
    bw_release(a, tree->list_of, 2 * leaves + 6, sizeof *tree->list_of);
    bw_release(a, tree->top, tree->top_room, sizeof *tree->top);
    bw_release(a, tree->path, (size_t)tree->depth + 1, sizeof *tree->path);
    bw_release(a, tree->candidate, tree->room, sizeof *tree->candidate);
    bw_release(a, tree->lists, (size_t)tree->list_count + 1, sizeof *tree->lists);
    bw_release(a, tree->listed, (size_t)tree->listed_room + 1, sizeof *tree->listed);
    bw_release(a, tree->when, (size_t)tree->when_room + 1, sizeof *tree->when);
    bw_heap_release(&tree->heap);
    *tree = (bw_boxtree){.heap = bw_heap_over(a), .root = BW_NONE};
}

size_t bw_boxtree_bytes(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    size_t leaves = tree->leaf_room, bytes = bw_heap_bytes(&tree->heap);
    if (leaves > 0)
        bytes += leaves * (2 * sizeof *tree->nodes + sizeof *tree->inner + sizeof *tree->leaf_node) +
                 (2 * leaves + 6) * (sizeof *tree->winner + sizeof *tree->list_of) +
                 tree->top_room * sizeof *tree->top;
    if (tree->lists != NULL)
        bytes += ((size_t)tree->list_count + 1) * sizeof *tree->lists;
    if (tree->listed != NULL)
        bytes += ((size_t)tree->listed_room + 1) * sizeof *tree->listed;
    if (tree->when != NULL)
        bytes += ((size_t)tree->when_room + 1) * sizeof *tree->when;
    if (tree->path != NULL)
        bytes += ((size_t)tree->depth + 1) * sizeof *tree->path;
    return bytes + tree->room * sizeof *tree->candidate;
}
