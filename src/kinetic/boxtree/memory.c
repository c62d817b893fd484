/* What a BoxTree holds, how it comes to be and grows. */
#include "kinetic/kinetic.h"

#include <string.h>

/* What grows with the leaves of the wide tree. */
static void release_shape(const bw_allocator *a, bw_boxtree *tree)
{
    size_t leaves = tree->leaf_room;
    bw_release(a, tree->nodes, 2 * leaves, sizeof *tree->nodes);
    bw_release(a, tree->inner, leaves, sizeof *tree->inner);
    bw_release(a, tree->leaf_node, leaves, sizeof *tree->leaf_node);
    bw_release(a, tree->winner, 2 * leaves + 6, sizeof *tree->winner);
    bw_release(a, tree->list_of, 2 * leaves + 6, sizeof *tree->list_of);
    bw_release(a, tree->top, tree->top_room, sizeof *tree->top);
}

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
    *tree = (bw_boxtree){
        .heap = bw_heap_over(&k->allocator), .root = BW_NONE, .free_nodes = BW_NONE, .free_numbers = BW_NONE};
    if (wide->node_count == 0)
        return BW_OK;
    if (wide->leaf_count >= BW_NONE / 4)
        return BW_ERROR_SIZE;
    if (!allocate_shape(&k->allocator, wide->leaf_count, wide->node_count, tree) ||
        !bw_heap_reserve(&tree->heap, 2 * wide->leaf_count + 6) || !bw_boxtree_add_nodes(k))
        return BW_ERROR_MEMORY;
    tree->depth = bw_boxtree_depth(tree);
    tree->path = bw_allocate(&k->allocator, (size_t)tree->depth + 1, sizeof *tree->path);
    if (tree->path == NULL)
        return BW_ERROR_MEMORY;
    tree->path_room = tree->depth + 1;
    return bw_boxtree_add_lists(k);
}

/* The arrays that grow with the leaves, with more room and the same contents. */
static bool grow_shape(bw_kinetic *k, uint32_t leaf_room, uint32_t top_room)
{
    bw_boxtree *tree = &k->boxtree, more = *tree;
    const bw_allocator *a = &k->allocator;
    if (!bw_heap_reserve(&tree->heap, 2 * leaf_room + 6))
        return false;
    if (!allocate_shape(a, leaf_room, top_room, &more)) {
        release_shape(a, &more);
        return false;
    }
    size_t leaves = tree->leaf_room;
    if (leaves > 0) {
        memcpy(more.nodes, tree->nodes, 2 * leaves * sizeof *more.nodes);
        memcpy(more.inner, tree->inner, leaves * sizeof *more.inner);
        memcpy(more.leaf_node, tree->leaf_node, leaves * sizeof *more.leaf_node);
        memcpy(more.winner, tree->winner, (2 * leaves + 6) * sizeof *more.winner);
        memcpy(more.list_of, tree->list_of, (2 * leaves + 6) * sizeof *more.list_of);
        memcpy(more.top, tree->top, tree->top_room * sizeof *more.top);
    }
    more.heap = tree->heap;
    release_shape(a, tree);
    *tree = more;
    return true;
}

bw_result bw_boxtree_reserve(bw_kinetic *k, uint32_t edits)
{
    enum { DEEPER = 16 }; /* an edit divides two nodes of the wide tree again */
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const bw_allocator *a = &k->allocator;
    uint64_t leaves = (uint64_t)wide->leaf_count + edits, nodes = (uint64_t)wide->node_count + edits;
    if (leaves >= BW_NONE / 4 || nodes >= BW_NONE)
        return BW_ERROR_SIZE;
    if (leaves > tree->leaf_room || nodes > tree->top_room) {
        leaves = leaves > tree->leaf_room ? leaves + leaves / 4 : tree->leaf_room;
        nodes = nodes > tree->top_room ? nodes + nodes / 4 : tree->top_room;
        if (leaves >= BW_NONE / 4 || nodes >= BW_NONE)
            return BW_ERROR_SIZE;
        if (!grow_shape(k, (uint32_t)leaves, (uint32_t)nodes))
            return BW_ERROR_MEMORY;
    }
    /* A plane watches no more than all vertices in all leaves, and a plane for each of these. */
    uint64_t watched = (uint64_t)wide->vertex_used + (uint64_t)edits * BW_EDIT_VERTICES + tree->leaf_room;
    if (watched >= BW_NONE)
        return BW_ERROR_SIZE;
    if (watched > tree->room) {
        uint32_t *candidate = bw_allocate(a, (size_t)watched, sizeof *candidate);
        if (candidate == NULL)
            return BW_ERROR_MEMORY;
        bw_release(a, tree->candidate, tree->room, sizeof *candidate);
        tree->candidate = candidate;
        tree->room = (uint32_t)watched;
    }
    uint64_t depth = (uint64_t)tree->depth + (uint64_t)edits * DEEPER;
    depth = depth > tree->leaf_room ? tree->leaf_room : depth;
    if (depth + 1 > tree->path_room) {
        bw_box *path = bw_allocate(a, (size_t)depth + 1, sizeof *path);
        if (path == NULL)
            return BW_ERROR_MEMORY;
        bw_release(a, tree->path, tree->path_room, sizeof *path);
        tree->path = path;
        tree->path_room = (uint32_t)depth + 1;
    }
    tree->depth = tree->depth > (uint32_t)depth ? tree->depth : (uint32_t)depth;
    return BW_OK;
}

void bw_boxtree_release(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_allocator *a = &k->allocator;
    release_shape(a, tree);
    bw_release(a, tree->path, tree->path_room, sizeof *tree->path);
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
    return bytes + tree->path_room * sizeof *tree->path + tree->room * sizeof *tree->candidate;
}
