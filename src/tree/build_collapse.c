#include "tree/build_collapse.h"

#include "geom/box.h"

#include <string.h>

float bw_box_half_area(const bw_box *box, float inverse_unit)
{
    float x = (box->max[0] - box->min[0]) * inverse_unit;
    float y = (box->max[1] - box->min[1]) * inverse_unit;
    float z = (box->max[2] - box->min[2]) * inverse_unit;
    return (x + y) * z + x * y;
}

float bw_box_inverse_unit(const bw_box *box)
{
    float longest = 0x1p-120f;
    for (int axis = 0; axis < 3; axis++)
        longest = fmaxf(longest, box->max[axis] - box->min[axis]);
    return 1 / longest;
}

void bw_split_node_close(bw_split_node *node)
{
    memset(node->cost, 0, sizeof node->cost);
    memset(node->left_lanes, 0, sizeof node->left_lanes);
}

void bw_split_node_join(bw_split_node *nodes, uint32_t index, float inverse_unit)
{
    bw_split_node *node = &nodes[index];
    const bw_split_node *left = &nodes[index + 1], *right = &nodes[node->right];
    node->box = bw_box_union(&left->box, &right->box);
    float share[BW_WIDTH]; /* the cheapest way to give i + 1 lanes to the two children */
    for (uint32_t lanes = 2; lanes <= BW_WIDTH; lanes++) {
        float best = left->cost[0] + right->cost[lanes - 2];
        uint32_t at = 1;
        for (uint32_t l = 2; l < lanes; l++) {
            float cost = left->cost[l - 1] + right->cost[lanes - l - 1];
            at = cost < best ? l : at;
            best = cost < best ? cost : best;
        }
        share[lanes - 1] = best;
        node->left_lanes[lanes - 1] = (uint8_t)at;
    }
    float whole = bw_box_half_area(&node->box, inverse_unit) + share[BW_WIDTH - 1];
    node->cost[0] = whole;
    node->left_lanes[0] = 0;
    for (uint32_t lanes = 2; lanes < BW_WIDTH; lanes++) {
        bool divide = share[lanes - 1] < whole;
        node->cost[lanes - 1] = divide ? share[lanes - 1] : whole;
        if (!divide)
            node->left_lanes[lanes - 1] = 0;
    }
}

/* The binary nodes that become the lanes of a wide one. */
typedef struct lane_list {
    uint32_t at[BW_WIDTH], count;
} lane_list;

static void list_lanes(const bw_split_node *nodes, uint32_t index, uint32_t lanes, lane_list *list)
{
    const bw_split_node *node = &nodes[index];
    uint32_t left = node->count != 0 ? 0 : node->left_lanes[lanes - 1];
    if (left == 0) {
        list->at[list->count++] = index;
        return;
    }
    list_lanes(nodes, index + 1, left, list);
    list_lanes(nodes, node->right, lanes - left, list);
}

static lane_list lanes_of(const bw_split_node *nodes, uint32_t index)
{
    lane_list list = {{0}, 0};
    if (nodes[index].count != 0) { /* a single leaf under the root */
        list.at[list.count++] = index;
        return list;
    }
    uint32_t left = nodes[index].left_lanes[BW_WIDTH - 1];
    list_lanes(nodes, index + 1, left, &list);
    list_lanes(nodes, nodes[index].right, BW_WIDTH - left, &list);
    return list;
}

static void count_all(const bw_split_node *nodes, uint32_t index, uint32_t *node_count, uint32_t *leaf_count)
{
    lane_list list = lanes_of(nodes, index);
    ++*node_count;
    for (uint32_t lane = 0; lane < list.count; lane++) {
        if (nodes[list.at[lane]].count != 0)
            ++*leaf_count;
        else
            count_all(nodes, list.at[lane], node_count, leaf_count);
    }
}

static void write_leaf(bw_wide *wide, const bw_split_node *leaf, const uint32_t *order, uint32_t parent,
                       uint32_t lane)
{
    uint32_t index = wide->leaf_count++;
    wide->leaves[index] = (bw_wide_leaf){parent, (uint8_t)lane, (uint8_t)leaf->count, 0};
    uint32_t *slots = &wide->primitives[(size_t)index * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        slots[i] = i < leaf->count ? order[leaf->first + i] : BW_NONE;
    wide->nodes[parent].child[lane] = BW_WIDE_LEAF | index;
    wide->primitive_count += leaf->count;
}

static void write_node(bw_wide *wide, const bw_split_node *nodes, const uint32_t *order, uint32_t index,
                       uint32_t parent, uint32_t parent_lane)
{
    lane_list list = lanes_of(nodes, index);
    uint32_t at = wide->node_count++;
    bw_wide_node *node = &wide->nodes[at];
    bw_wide_init_node(node, list.count, parent, parent_lane);
    for (uint32_t lane = 0; lane < list.count; lane++) {
        const bw_split_node *child = &nodes[list.at[lane]];
        bw_wide_set_lane(node, lane, &child->box);
        if (child->count != 0) {
            write_leaf(wide, child, order, at, lane);
        } else {
            node->child[lane] = wide->node_count;
            write_node(wide, nodes, order, list.at[lane], at, lane);
        }
    }
    for (uint32_t lane = list.count; lane < BW_WIDTH; lane++)
        bw_wide_clear_lane(node, lane);
    node->end = wide->node_count;
}

bw_result bw_wide_collapse(const bw_split_node *nodes, const uint32_t *order, const bw_allocator *allocator,
                           bw_wide *out)
{
    uint32_t node_count = 0, leaf_count = 0;
    count_all(nodes, 0, &node_count, &leaf_count);
    bw_wide wide;
    bw_result result = bw_wide_reserve(allocator, node_count, leaf_count, &wide);
    if (result != BW_OK)
        return result;
    wide.node_count = wide.leaf_count = 0;
    write_node(&wide, nodes, order, 0, BW_NONE, 0);
    wide.bounds = nodes[0].box;
    wide.preorder = true;
    *out = wide;
    return BW_OK;
}
