/* Memory and small accessors of wide trees. */
#include "tree/wide/wide.h"
#include "tree/clearance.h"

#include "tree/wide/lens.h"
#include "tree/wide/ray_layout.h"

#include <string.h>

_Static_assert(sizeof(bw_wide_node) == 256, "a node is four cache lines");
_Static_assert(offsetof(bw_wide_node, max) == offsetof(bw_eight_boxes, max),
               "a node begins with eight boxes");
_Static_assert(sizeof(bw_wide_leaf) == 8, "a leaf is two words");
_Static_assert(sizeof(bw_wide_corners) == 320, "the corners of a leaf are five cache lines");

bw_result bw_wide_reserve_leaves(const bw_allocator *allocator, uint32_t leaf_count, bw_wide *out)
{
    bw_wide wide = {.allocator = bw_allocator_or_heap(allocator)};
    wide.leaf_count = wide.leaf_capacity = leaf_count;
    wide.leaves = bw_allocate(&wide.allocator, leaf_count, sizeof *wide.leaves);
    wide.primitives = bw_allocate(&wide.allocator, leaf_count, BW_WIDTH * sizeof *wide.primitives);
    if (wide.leaves == NULL || wide.primitives == NULL) {
        bw_wide_release(&wide);
        return BW_ERROR_MEMORY;
    }
    *out = wide;
    return BW_OK;
}

bw_result bw_wide_reserve_nodes(bw_wide *wide, uint32_t node_count)
{
    wide->nodes = bw_allocate(&wide->allocator, node_count, sizeof *wide->nodes);
    if (wide->nodes == NULL)
        return BW_ERROR_MEMORY;
    wide->node_count = wide->node_capacity = node_count;
    return BW_OK;
}

bw_result bw_wide_reserve(const bw_allocator *allocator, uint32_t node_count, uint32_t leaf_count,
                          bw_wide *out)
{
    bw_wide wide;
    bw_result result = bw_wide_reserve_leaves(allocator, leaf_count, &wide);
    if (result != BW_OK)
        return result;
    result = bw_wide_reserve_nodes(&wide, node_count);
    if (result != BW_OK)
        bw_wide_release(&wide);
    else
        *out = wide;
    return result;
}

void bw_wide_init_node(bw_wide_node *node, uint32_t count, uint32_t parent, uint32_t parent_lane)
{
    node->count = count;
    node->parent = parent;
    node->parent_lane = parent_lane;
    node->end = 0;
    node->built_cost = 0;
    node->edits = 0;
    memset(node->reserved, 0, sizeof node->reserved);
}

void bw_wide_release(bw_wide *wide)
{
    const bw_allocator *allocator = &wide->allocator;
    bw_release(allocator, wide->nodes, wide->node_capacity, sizeof *wide->nodes);
    bw_release(allocator, wide->leaves, wide->leaf_capacity, sizeof *wide->leaves);
    bw_release(allocator, wide->primitives, wide->leaf_capacity, BW_WIDTH * sizeof *wide->primitives);
    bw_release(allocator, wide->corners, wide->leaf_capacity, sizeof *wide->corners);
    bw_release(allocator, wide->vertex_first, wide->leaf_capacity, sizeof *wide->vertex_first);
    bw_release(allocator, wide->vertices, wide->vertex_capacity, sizeof *wide->vertices);
    bw_wide_drop_obbs(wide);
    bw_wide_drop_slots(wide);
    bw_wide_drop_map(wide);
    bw_wide_drop_lenses(wide);
    bw_ray_layout_drop(wide);
    bw_clearance_set(wide, NULL);
    memset(wide, 0, sizeof *wide);
}

void bw_wide_changed(bw_wide *wide)
{
    bw_wide_drop_lenses(wide);
    bw_ray_layout_drop(wide);
    bw_clearance_set(wide, NULL);
}

void bw_wide_drop_slots(bw_wide *wide)
{
    bw_release(&wide->allocator, wide->slot_of, wide->slot_of_count, sizeof *wide->slot_of);
    wide->slot_of = NULL;
    wide->slot_of_count = 0;
}

void bw_wide_drop_map(bw_wide *wide)
{
    const bw_allocator *allocator = &wide->allocator;
    bw_release(allocator, wide->map_first, (size_t)wide->map_vertices + 1, sizeof *wide->map_first);
    bw_release(allocator, wide->map_leaf, wide->map_uses, sizeof *wide->map_leaf);
    bw_release(allocator, wide->map_marks, wide->map_words, sizeof *wide->map_marks);
    wide->map_first = wide->map_leaf = NULL;
    wide->map_marks = NULL;
    wide->map_vertices = wide->map_uses = wide->map_words = 0;
}

size_t bw_wide_bytes(const bw_wide *wide)
{
    size_t bytes = (size_t)wide->node_capacity * sizeof *wide->nodes;
    bytes += (size_t)wide->leaf_capacity * (sizeof *wide->leaves + BW_WIDTH * sizeof *wide->primitives);
    if (wide->corners != NULL)
        bytes += (size_t)wide->leaf_capacity * sizeof *wide->corners;
    bytes += (size_t)wide->obbs.node_count * sizeof *wide->obbs.of_node;
    if (wide->vertex_first != NULL)
        bytes += (size_t)wide->leaf_capacity * sizeof *wide->vertex_first;
    bytes += (size_t)wide->vertex_capacity * sizeof *wide->vertices;
    bytes += (size_t)wide->slot_of_count * sizeof *wide->slot_of;
    bytes += (size_t)wide->lens_count * sizeof *wide->lenses;
    if (wide->map_first != NULL)
        bytes += ((size_t)wide->map_vertices + 1 + wide->map_uses) * sizeof(uint32_t) +
                 wide->map_words * sizeof *wide->map_marks;
    bytes += bw_ray_layout_bytes(wide) + bw_clearance_bytes(wide->clearance);
    return bytes;
}

bw_box bw_wide_node_box(const bw_wide_node *node)
{
    bw_box box = bw_wide_lane_box(node, 0);
    for (uint32_t lane = 1; lane < node->count; lane++)
        for (int axis = 0; axis < 3; axis++) {
            float low = node->min[axis][lane], high = node->max[axis][lane];
            box.min[axis] = low < box.min[axis] ? low : box.min[axis];
            box.max[axis] = high > box.max[axis] ? high : box.max[axis];
        }
    return box;
}
