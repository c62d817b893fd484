/* Changes of single nodes and leaves of wide trees, and of what stands above them. */
#include "tree/edit/edit.h"

#include "geom/box.h"
#include "tree/wide/bounds_up.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

#include <assert.h>
#include <string.h>

double bw_wide_area(const bw_box *box)
{
    double x = (double)box->max[0] - (double)box->min[0], y = (double)box->max[1] - (double)box->min[1];
    double z = (double)box->max[2] - (double)box->min[2];
    return (x + y) * z + x * y;
}

/* Lists only grow at the end of the array: a list that no longer fits its place leaves it behind. */
static void write_list(const bw_wide_editor *e, uint32_t leaf)
{
    bw_wide *wide = e->wide;
    uint32_t list[3 * BW_WIDTH], count = bw_wide_list_vertices(wide, leaf, e->mesh, list);
    if (count > wide->leaves[leaf].vertex_count) {
        wide->vertex_first[leaf] = wide->vertex_used;
        wide->vertex_used += count;
    }
    wide->leaves[leaf].vertex_count = (uint16_t)count;
    memcpy(wide->vertices + wide->vertex_first[leaf], list, count * sizeof *list);
}

void bw_wide_refresh_leaf(const bw_wide_editor *e, uint32_t leaf)
{
    bw_wide *wide = e->wide;
    const bw_wide_leaf *l = &wide->leaves[leaf];
    bw_box box;
    if (wide->corners != NULL) {
        box = bw_wide_fit_corners(wide, leaf, e->mesh, e->simd);
    } else {
        bw_box boxes[BW_WIDTH];
        bw_wide_boxes(e->mesh, wide->primitives + (size_t)leaf * BW_WIDTH, l->count, boxes, NULL);
        box = boxes[0];
        for (uint32_t i = 1; i < l->count; i++)
            box = bw_box_union(&box, &boxes[i]);
    }
    if (wide->vertex_first != NULL)
        write_list(e, leaf);
    bw_wide_set_lane(&wide->nodes[l->parent], l->lane, &box);
}

void bw_wide_refresh_above(const bw_wide_editor *e, uint32_t node)
{
    bw_wide *wide = e->wide;
    for (;;) {
        const bw_wide_node *n = &wide->nodes[node];
        const bw_box box = bw_wide_reduce(n);
        if (n->parent == BW_NONE) {
            wide->bounds = box;
            return;
        }
        bw_box old = bw_wide_lane_box(&wide->nodes[n->parent], n->parent_lane);
        if (bw_wide_same_box(&old, &box))
            return;
        bw_wide_set_lane(&wide->nodes[n->parent], n->parent_lane, &box);
        node = n->parent;
    }
}

void bw_wide_adopt(bw_wide *wide, uint32_t node, uint32_t lane, uint32_t child)
{
    assert(wide->obbs.of_node == NULL);
    wide->nodes[node].child[lane] = child;
    if (child & BW_WIDE_LEAF) {
        wide->leaves[child & ~BW_WIDE_LEAF].parent = node;
        wide->leaves[child & ~BW_WIDE_LEAF].lane = (uint8_t)lane;
    } else {
        wide->nodes[child].parent = node;
        wide->nodes[child].parent_lane = lane;
    }
}

void bw_wide_take_lane(bw_wide *wide, uint32_t index, uint32_t lane)
{
    assert(wide->obbs.of_node == NULL);
    bw_wide_node *node = &wide->nodes[index];
    const uint32_t last = --node->count;
    if (lane != last) {
        bw_box box = bw_wide_lane_box(node, last);
        bw_wide_set_lane(node, lane, &box);
        bw_wide_adopt(wide, index, lane, node->child[last]);
    }
    bw_wide_clear_lane(node, last);
}
