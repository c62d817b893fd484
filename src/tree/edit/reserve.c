/* Room for edits, taken before the first change. */
#include "tree/edit/reserve.h"

#include <string.h>

/* So that the number of a slot has a bit to spare. */
#define MAX_LEAVES (BW_SLOT_MARK / BW_WIDTH)

/* A copy of an array with more room, or NULL. An array that is not there stays so. */
static void *larger(const bw_wide *wide, const void *old, size_t used, size_t capacity, size_t size)
{
    void *fresh = bw_allocate(&wide->allocator, capacity, size);
    if (fresh != NULL && used != 0)
        memcpy(fresh, old, used * size);
    return fresh;
}

static uint64_t grown(uint64_t capacity, uint64_t needed)
{
    uint64_t more = capacity + capacity / 2 + 16;
    return more > needed ? more : needed;
}

static bw_result grow_nodes(bw_wide *wide, uint64_t needed)
{
    if (needed <= wide->node_capacity)
        return BW_OK;
    uint64_t capacity = grown(wide->node_capacity, needed);
    if (capacity >= BW_WIDE_LEAF)
        return BW_ERROR_SIZE;
    bw_wide_node *nodes = larger(wide, wide->nodes, wide->node_count, capacity, sizeof *nodes);
    if (nodes == NULL)
        return BW_ERROR_MEMORY;
    bw_release(&wide->allocator, wide->nodes, wide->node_capacity, sizeof *nodes);
    wide->nodes = nodes;
    wide->node_capacity = (uint32_t)capacity;
    return BW_OK;
}

/* All arrays of leaves have one capacity: they grow together or not at all. */
static bw_result grow_leaves(bw_wide *wide, uint64_t needed)
{
    if (needed <= wide->leaf_capacity)
        return BW_OK;
    uint64_t capacity = grown(wide->leaf_capacity, needed);
    if (capacity > MAX_LEAVES)
        return BW_ERROR_SIZE;
    const size_t used = wide->leaf_count;
    bw_wide fresh = {.allocator = wide->allocator, .leaf_capacity = (uint32_t)capacity};
    fresh.leaves = larger(wide, wide->leaves, used, capacity, sizeof *wide->leaves);
    fresh.primitives = larger(wide, wide->primitives, used, capacity, BW_WIDTH * sizeof *wide->primitives);
    bool good = fresh.leaves != NULL && fresh.primitives != NULL;
    if (good && wide->corners != NULL) {
        fresh.corners = larger(wide, wide->corners, used, capacity, sizeof *wide->corners);
        good = fresh.corners != NULL;
    }
    if (good && wide->vertex_first != NULL) {
        fresh.vertex_first = larger(wide, wide->vertex_first, used, capacity, sizeof *wide->vertex_first);
        good = fresh.vertex_first != NULL;
    }
    /* Exchange, and give back what is not needed: the old arrays, or the new ones. */
    if (good) {
        bw_wide old = *wide;
        wide->leaves = fresh.leaves;
        wide->primitives = fresh.primitives;
        wide->corners = fresh.corners;
        wide->vertex_first = fresh.vertex_first;
        wide->leaf_capacity = fresh.leaf_capacity;
        fresh = (bw_wide){.allocator = old.allocator,
                          .leaves = old.leaves,
                          .primitives = old.primitives,
                          .corners = old.corners,
                          .vertex_first = old.vertex_first,
                          .leaf_capacity = old.leaf_capacity};
    }
    bw_wide_release(&fresh);
    return good ? BW_OK : BW_ERROR_MEMORY;
}

static bw_result grow_vertices(bw_wide *wide, uint64_t needed)
{
    if (wide->vertex_first == NULL || needed <= wide->vertex_capacity)
        return BW_OK;
    uint64_t capacity = grown(wide->vertex_capacity, needed);
    if (capacity > UINT32_MAX)
        return BW_ERROR_SIZE;
    uint32_t *vertices = larger(wide, wide->vertices, wide->vertex_used, capacity, sizeof *vertices);
    if (vertices == NULL)
        return BW_ERROR_MEMORY;
    bw_release(&wide->allocator, wide->vertices, wide->vertex_capacity, sizeof *vertices);
    wide->vertices = vertices;
    wide->vertex_capacity = (uint32_t)capacity;
    return BW_OK;
}

static bw_result grow_slots(bw_wide *wide, uint32_t primitive_count)
{
    if (wide->slot_of != NULL && wide->slot_of_count >= primitive_count)
        return BW_OK;
    uint32_t *slot_of = bw_allocate(&wide->allocator, primitive_count, sizeof *slot_of);
    if (slot_of == NULL)
        return BW_ERROR_MEMORY;
    memset(slot_of, 0xff, primitive_count * sizeof *slot_of); /* BW_NONE */
    bool fits = true;
    for (uint32_t slot = 0; slot < wide->leaf_count * BW_WIDTH; slot++) {
        uint32_t primitive = wide->primitives[slot];
        if (primitive < primitive_count)
            slot_of[primitive] = slot;
        else
            fits &= primitive == BW_NONE;
    }
    if (!fits) {
        bw_release(&wide->allocator, slot_of, primitive_count, sizeof *slot_of);
        return BW_ERROR_MISMATCH;
    }
    bw_wide_drop_slots(wide);
    wide->slot_of = slot_of;
    wide->slot_of_count = primitive_count;
    return BW_OK;
}

bw_result bw_wide_make_room(bw_wide *wide, uint32_t nodes, uint32_t leaves, uint64_t vertices,
                            uint32_t primitive_count)
{
    bw_result result = grow_nodes(wide, (uint64_t)wide->node_count + nodes);
    if (result == BW_OK)
        result = grow_leaves(wide, (uint64_t)wide->leaf_count + leaves);
    if (result == BW_OK)
        result = grow_vertices(wide, (uint64_t)wide->vertex_used + vertices);
    if (result == BW_OK)
        result = grow_slots(wide, primitive_count);
    return result;
}
