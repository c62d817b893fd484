/* Taking primitives out of leaves, and closing up nodes that become empty. */
#include "geom/box.h"
#include "tree/edit/edit.h"

#include <string.h>

static void make_hole(bw_wide *wide, uint32_t node)
{
    bw_wide_init_node(&wide->nodes[node], 0, BW_NONE, 0);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        bw_wide_clear_lane(&wide->nodes[node], lane);
}

/* The root takes the place of its only child. */
static void lower_root(bw_wide *wide)
{
    while (wide->nodes[0].count == 1 && (wide->nodes[0].child[0] & BW_WIDE_LEAF) == 0) {
        const uint32_t child = wide->nodes[0].child[0];
        wide->nodes[0] = wide->nodes[child];
        wide->nodes[0].parent = BW_NONE;
        wide->nodes[0].parent_lane = 0;
        for (uint32_t lane = 0; lane < wide->nodes[0].count; lane++)
            bw_wide_adopt(wide, 0, lane, wide->nodes[0].child[lane]);
        make_hole(wide, child);
    }
}

/* Takes a lane away, and with it nodes that hold nothing more, or one child only. Returns a node from which
 * boxes are to be refreshed upward, or BW_NONE if the tree is empty now. */
static uint32_t detach(bw_wide *wide, uint32_t index, uint32_t lane)
{
    bw_wide_take_lane(wide, index, lane);
    while (wide->nodes[index].count == 0 && index != 0) { /* a builder may leave a node with one child */
        const uint32_t empty = index;
        lane = wide->nodes[empty].parent_lane;
        index = wide->nodes[empty].parent;
        make_hole(wide, empty);
        bw_wide_take_lane(wide, index, lane);
    }
    const bw_wide_node *node = &wide->nodes[index];
    if (index == 0) {
        if (node->count != 0) {
            lower_root(wide);
            return 0;
        }
        wide->node_count = wide->leaf_count = wide->vertex_used = 0;
        wide->bounds = (bw_box){{0, 0, 0}, {0, 0, 0}};
        return BW_NONE;
    }
    if (node->count == 1) { /* its only child moves up */
        const uint32_t parent = node->parent, parent_lane = node->parent_lane;
        bw_box box = bw_wide_lane_box(node, 0);
        bw_wide_adopt(wide, parent, parent_lane, node->child[0]);
        bw_wide_set_lane(&wide->nodes[parent], parent_lane, &box);
        make_hole(wide, index);
        return parent;
    }
    return index;
}

static void empty_leaf(bw_wide *wide, uint32_t leaf)
{
    memset(wide->primitives + (size_t)leaf * BW_WIDTH, 0xff,
           BW_WIDTH * sizeof *wide->primitives); /* BW_NONE */
    wide->leaves[leaf].count = 0;
    wide->leaves[leaf].vertex_count = 0;
}

/* A sibling that can take the primitives of a leaf without more area than both have; BW_NONE if there is
 * none. */
static uint32_t find_host(const bw_wide *wide, uint32_t leaf)
{
    const bw_wide_leaf *l = &wide->leaves[leaf];
    const bw_wide_node *node = &wide->nodes[l->parent];
    bw_box own = bw_wide_lane_box(node, l->lane);
    double best = 0;
    uint32_t host = BW_NONE;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t other = node->child[lane] & ~BW_WIDE_LEAF;
        if ((node->child[lane] & BW_WIDE_LEAF) == 0 || lane == l->lane ||
            wide->leaves[other].count + l->count > BW_WIDTH)
            continue;
        bw_box box = bw_wide_lane_box(node, lane), united = bw_box_union(&box, &own);
        double gain = bw_wide_area(&box) + bw_wide_area(&own) - bw_wide_area(&united);
        if (gain >= best) {
            best = gain;
            host = other;
        }
    }
    return host;
}

static void move_to_host(const bw_wide_editor *e, uint32_t leaf, uint32_t host)
{
    bw_wide *wide = e->wide;
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++) {
        uint32_t primitive = wide->primitives[(size_t)leaf * BW_WIDTH + i];
        uint32_t slot = host * BW_WIDTH + wide->leaves[host].count++;
        wide->primitives[slot] = primitive;
        wide->slot_of[primitive] = slot;
    }
    bw_wide_refresh_leaf(e, host);
}

void bw_wide_remove_one(const bw_wide_editor *e, uint32_t primitive)
{
    bw_wide *wide = e->wide;
    const uint32_t slot = wide->slot_of[primitive], leaf = slot / BW_WIDTH;
    uint32_t *slots = wide->primitives + (size_t)leaf * BW_WIDTH;
    const uint32_t last = --wide->leaves[leaf].count, parent = wide->leaves[leaf].parent;
    wide->preorder = false;
    wide->primitive_count--;
    wide->edits++;
    for (uint32_t node = parent; node != BW_NONE; node = wide->nodes[node].parent)
        wide->nodes[node].edits++;
    wide->slot_of[slots[last]] = slot;
    slots[slot % BW_WIDTH] = slots[last];
    slots[last] = BW_NONE;
    wide->slot_of[primitive] = BW_NONE;
    uint32_t from = parent;
    if (last == 0) {
        empty_leaf(wide, leaf);
        from = detach(wide, parent, wide->leaves[leaf].lane);
    } else {
        bw_wide_refresh_leaf(e, leaf);
        uint32_t host = find_host(wide, leaf);
        if (host != BW_NONE) {
            move_to_host(e, leaf, host);
            empty_leaf(wide, leaf);
            from = detach(wide, parent, wide->leaves[leaf].lane);
        }
    }
    if (from != BW_NONE)
        bw_wide_refresh_above(e, from);
}
