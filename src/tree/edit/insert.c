/* Where a new primitive goes: the leaf that grows least, split where it is full. */
#include "geom/box.h"
#include "tree/edit/edit.h"
#include "tree/wide/leaf_corners.h"

#include <math.h>
#include <string.h>

static void put(bw_wide *wide, uint32_t leaf, uint32_t slot, uint32_t primitive)
{
    wide->primitives[(size_t)leaf * BW_WIDTH + slot] = primitive;
    wide->slot_of[primitive] = leaf * BW_WIDTH + slot;
}

static uint32_t new_leaf(bw_wide *wide, uint32_t parent, uint32_t lane)
{
    uint32_t leaf = wide->leaf_count++;
    wide->leaves[leaf] = (bw_wide_leaf){parent, (uint8_t)lane, 0, 0};
    memset(wide->primitives + (size_t)leaf * BW_WIDTH, 0xff,
           BW_WIDTH * sizeof *wide->primitives); /* BW_NONE */
    if (wide->vertex_first != NULL)
        wide->vertex_first[leaf] = 0;
    wide->nodes[parent].child[lane] = BW_WIDE_LEAF | leaf;
    return leaf;
}

/* The lane whose area grows least, and among equals the smaller. */
static uint32_t cheapest_lane(const bw_wide_node *node, const bw_box *box, double *growth, double *lane_area)
{
    double best = INFINITY, best_area = INFINITY;
    uint32_t at = 0;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        bw_box old = bw_wide_lane_box(node, lane), united = bw_box_union(&old, box);
        double area = bw_wide_area(&old), more = bw_wide_area(&united) - area;
        if (more < best || (more == best && area < best_area)) {
            best = more;
            best_area = area;
            at = lane;
        }
    }
    *growth = best;
    *lane_area = best_area;
    return at;
}

/* Nine boxes in two groups of at least three, the sum of areas times counts the smallest; sets the bits of
 * the right group. */
static uint32_t divide_nine(const bw_box boxes[BW_WIDTH + 1])
{
    enum { NINE = BW_WIDTH + 1, LEAST = 3 };
    double best = INFINITY;
    uint32_t right = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t order[NINE];
        for (uint32_t i = 0; i < NINE; i++) {
            float centre = boxes[i].min[axis] + boxes[i].max[axis];
            uint32_t at = i;
            for (; at > 0 && boxes[order[at - 1]].min[axis] + boxes[order[at - 1]].max[axis] > centre; at--)
                order[at] = order[at - 1];
            order[at] = i;
        }
        double above[NINE];
        bw_box run = boxes[order[NINE - 1]];
        for (uint32_t i = NINE - 1; i >= LEAST; i--) {
            run = bw_box_union(&run, &boxes[order[i]]);
            above[i] = bw_wide_area(&run);
        }
        run = boxes[order[0]];
        for (uint32_t left = 1; left <= NINE - LEAST; left++) {
            run = bw_box_union(&run, &boxes[order[left - 1]]);
            double cost = left < LEAST ? INFINITY : bw_wide_area(&run) * left + above[left] * (NINE - left);
            if (cost < best) {
                best = cost;
                right = 0;
                for (uint32_t i = left; i < NINE; i++)
                    right |= 1u << order[i];
            }
        }
    }
    /* All boxes of no area: any halves. */
    return right != 0 ? right : 0x1e0;
}

/* The sibling leaf whose box grows the group's least; BW_WIDTH if there is none. */
static uint32_t nearest_leaf(const bw_wide_node *node, uint32_t but, const bw_box *group)
{
    double best = INFINITY;
    uint32_t at = BW_WIDTH;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        if (lane == but || (node->child[lane] & BW_WIDE_LEAF) == 0)
            continue;
        bw_box box = bw_wide_lane_box(node, lane), united = bw_box_union(&box, group);
        double area = bw_wide_area(&united);
        if (area < best) {
            best = area;
            at = lane;
        }
    }
    return at;
}

/* Moves a lane to the end of another node. */
static void move_lane(bw_wide *wide, uint32_t from, uint32_t lane, uint32_t to)
{
    bw_box box = bw_wide_lane_box(&wide->nodes[from], lane);
    const uint32_t child = wide->nodes[from].child[lane], at = wide->nodes[to].count++;
    bw_wide_set_lane(&wide->nodes[to], at, &box);
    bw_wide_adopt(wide, to, at, child);
    bw_wide_take_lane(wide, from, lane);
}

/* Puts a new node into a full parent: the leaf and up to three near it move down, so that both have lanes to
 * spare. The new node stands after its parent, and leaves have no order, so the array stays in order. */
static uint32_t push_down(bw_wide *wide, uint32_t leaf)
{
    enum { COMPANIONS = 3 };
    const uint32_t parent = wide->leaves[leaf].parent, index = wide->node_count++;
    bw_wide_init_node(&wide->nodes[index], 0, parent, 0);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        bw_wide_clear_lane(&wide->nodes[index], lane);
    bw_box group = bw_wide_lane_box(&wide->nodes[parent], wide->leaves[leaf].lane);
    for (uint32_t i = 0; i < COMPANIONS; i++) {
        uint32_t lane = nearest_leaf(&wide->nodes[parent], wide->leaves[leaf].lane, &group);
        if (lane == BW_WIDTH)
            break;
        bw_box box = bw_wide_lane_box(&wide->nodes[parent], lane);
        group = bw_box_union(&group, &box);
        move_lane(wide, parent, lane, index);
    }
    move_lane(wide, parent, wide->leaves[leaf].lane, index);
    const uint32_t at = wide->nodes[parent].count++;
    bw_wide_adopt(wide, parent, at, index);
    bw_wide_set_lane(&wide->nodes[parent], at, &group);
    wide->nodes[index].built_cost = (float)wide->nodes[index].count;
    return index;
}

/* A full leaf and one primitive more: two leaves. */
static void divide_leaf(const bw_wide_editor *e, uint32_t leaf, uint32_t primitive)
{
    bw_wide *wide = e->wide;
    uint32_t ids[BW_WIDTH + 1];
    bw_box boxes[BW_WIDTH + 1];
    memcpy(ids, wide->primitives + (size_t)leaf * BW_WIDTH, BW_WIDTH * sizeof *ids);
    ids[BW_WIDTH] = primitive;
    bw_wide_boxes(e->mesh, ids, BW_WIDTH + 1, boxes, NULL);
    const uint32_t right = divide_nine(boxes);
    uint32_t parent = wide->leaves[leaf].parent;
    if (wide->nodes[parent].count == BW_WIDTH)
        parent = push_down(wide, leaf);
    const uint32_t other = new_leaf(wide, parent, wide->nodes[parent].count++);
    memset(wide->primitives + (size_t)leaf * BW_WIDTH, 0xff, BW_WIDTH * sizeof *ids);
    wide->leaves[leaf].count = 0;
    for (uint32_t i = 0; i <= BW_WIDTH; i++) {
        uint32_t to = right >> i & 1 ? other : leaf;
        put(wide, to, wide->leaves[to].count++, ids[i]);
    }
    bw_wide_refresh_leaf(e, leaf);
    bw_wide_refresh_leaf(e, other);
    bw_wide_refresh_above(e, parent);
}

static void found(const bw_wide_editor *e, uint32_t primitive)
{
    bw_wide *wide = e->wide;
    wide->node_count = 1;
    bw_wide_init_node(&wide->nodes[0], 1, BW_NONE, 0);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        bw_wide_clear_lane(&wide->nodes[0], lane);
    wide->nodes[0].built_cost = 1;
    uint32_t leaf = new_leaf(wide, 0, 0);
    put(wide, leaf, wide->leaves[leaf].count++, primitive);
    bw_wide_refresh_leaf(e, leaf);
    bw_wide_refresh_above(e, 0);
}

void bw_wide_insert_one(const bw_wide_editor *e, uint32_t primitive)
{
    bw_wide *wide = e->wide;
    wide->preorder = false;
    wide->primitive_count++;
    wide->edits++;
    if (wide->node_count == 0) {
        found(e, primitive);
        return;
    }
    bw_box box;
    bw_wide_boxes(e->mesh, &primitive, 1, &box, NULL);
    const double area = bw_wide_area(&box);
    uint32_t index = 0;
    for (;;) {
        bw_wide_node *node = &wide->nodes[index];
        node->edits++;
        double growth, lane_area;
        uint32_t lane = cheapest_lane(node, &box, &growth, &lane_area);
        if (node->count < BW_WIDTH && growth > 2 * area + lane_area) {
            /* Far from all that is here: a leaf of its own, for others to join. */
            uint32_t leaf = new_leaf(wide, index, node->count++);
            put(wide, leaf, wide->leaves[leaf].count++, primitive);
            bw_wide_refresh_leaf(e, leaf);
            bw_wide_refresh_above(e, index);
            return;
        }
        if ((node->child[lane] & BW_WIDE_LEAF) == 0) {
            index = node->child[lane];
            continue;
        }
        uint32_t leaf = node->child[lane] & ~BW_WIDE_LEAF;
        if (wide->leaves[leaf].count == BW_WIDTH) {
            divide_leaf(e, leaf, primitive);
            return;
        }
        put(wide, leaf, wide->leaves[leaf].count++, primitive);
        bw_wide_refresh_leaf(e, leaf);
        bw_wide_refresh_above(e, index);
        return;
    }
}
