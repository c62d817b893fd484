#include "tree/build_collapse.h"

#include "geom/box.h"

#include <math.h>
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

void bw_split_node_close(bw_split_node *node, float inverse_unit)
{
    memset(node->cost, 0, sizeof node->cost);
    memset(node->left_lanes, 0, sizeof node->left_lanes);
    const uint32_t leaves = (node->count + BW_WIDTH - 1) / BW_WIDTH;
    if (leaves == 1)
        return;
    const float area = bw_box_half_area(&node->box, inverse_unit);
    for (uint32_t lanes = 1; lanes < BW_WIDTH; lanes++) {
        node->cost[lanes - 1] = lanes < leaves ? area : 0;
        node->left_lanes[lanes - 1] = lanes < leaves ? 0 : BW_LANES_ALL;
    }
}

typedef float float_lanes __attribute__((vector_size(32)));
typedef int32_t int_lanes __attribute__((vector_size(32)));

/* The cheapest way to give i + 1 lanes to two children, for every i at once: the left child takes 1, 2, ... 7
 * of them, each a shift of the right child's costs. */
__attribute__((always_inline)) static inline void
share_any(const bw_split_node *left, const bw_split_node *right, float share[BW_WIDTH], uint8_t at[BW_WIDTH])
{
    float shifted[2 * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        shifted[i] = INFINITY;
        shifted[BW_WIDTH + i] = right->cost[i];
    }
    float_lanes best = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    int_lanes which = {0};
    for (int32_t l = 1; l < BW_WIDTH; l++) {
        float_lanes others;
        memcpy(&others, shifted + BW_WIDTH - l, sizeof others);
        others += left->cost[l - 1];
        int_lanes better = others < best;
        best = (float_lanes)((better & (int_lanes)others) | (~better & (int_lanes)best));
        which = (better & l) | (~better & which);
    }
    memcpy(share, &best, sizeof best);
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        at[i] = (uint8_t)which[i];
}

static void share_plain(const bw_split_node *left, const bw_split_node *right, float share[BW_WIDTH],
                        uint8_t at[BW_WIDTH])
{
    share_any(left, right, share, at);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void share_avx2(const bw_split_node *left, const bw_split_node *right,
                                                       float share[BW_WIDTH], uint8_t at[BW_WIDTH])
{
    share_any(left, right, share, at);
}
#endif

void bw_split_node_join(bw_split_node *nodes, uint32_t index, float inverse_unit, bw_simd simd)
{
    bw_split_node *node = &nodes[index];
    const bw_split_node *left = &nodes[index + 1], *right = &nodes[node->right];
    node->box = bw_box_union(&left->box, &right->box);
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        share_avx2(left, right, node->cost, node->left_lanes);
    else
#endif
        share_plain(left, right, node->cost, node->left_lanes);
    (void)simd;
    const float whole = bw_box_half_area(&node->box, inverse_unit) + node->cost[BW_WIDTH - 1];
    for (uint32_t i = 0; i + 1 < BW_WIDTH; i++) {
        bool divide = node->cost[i] < whole;
        node->cost[i] = divide ? node->cost[i] : whole;
        node->left_lanes[i] = divide ? node->left_lanes[i] : 0;
    }
}

/* The binary nodes that become the lanes of a wide one; a group stands there once for each of its leaves. */
typedef struct lane_list {
    uint32_t count;
    uint32_t at[BW_WIDTH];
    bool leaf[BW_WIDTH]; /* a leaf, or one of a group's */
} lane_list;

static inline void list_node(const bw_split_node *nodes, uint32_t index, lane_list *list)
{
    list->at[list->count] = index;
    list->leaf[list->count++] = nodes[index].count != 0 && nodes[index].count <= BW_WIDTH;
}

static void list_group(const bw_split_node *nodes, uint32_t index, lane_list *list)
{
    for (uint32_t first = 0; first < nodes[index].count; first += BW_WIDTH) {
        list->at[list->count] = index;
        list->leaf[list->count++] = true;
    }
}

static void list_lanes(const bw_split_node *nodes, uint32_t index, uint32_t lanes, lane_list *list)
{
    const bw_split_node *node = &nodes[index];
    const uint32_t left = node->left_lanes[lanes - 1];
    if (left == 0) {
        list_node(nodes, index, list);
    } else if (left == BW_LANES_ALL) {
        list_group(nodes, index, list);
    } else {
        list_lanes(nodes, index + 1, left, list);
        list_lanes(nodes, node->right, lanes - left, list);
    }
}

/* The lanes of a node that becomes a wide one. */
static void lanes_of(const bw_split_node *nodes, uint32_t index, lane_list *list)
{
    list->count = 0;
    if (nodes[index].count != 0) {
        list_group(nodes, index, list); /* or the only leaf, under the root */
        return;
    }
    const uint32_t left = nodes[index].left_lanes[BW_WIDTH - 1];
    list_lanes(nodes, index + 1, left, list);
    list_lanes(nodes, nodes[index].right, BW_WIDTH - left, list);
}

static void count_all(const bw_split_node *nodes, uint32_t index, uint32_t *node_count, uint32_t *leaf_count)
{
    lane_list list;
    lanes_of(nodes, index, &list);
    ++*node_count;
    for (uint32_t lane = 0; lane < list.count; lane++) {
        if (list.leaf[lane])
            ++*leaf_count;
        else
            count_all(nodes, list.at[lane], node_count, leaf_count);
    }
}

typedef struct writer {
    const bw_split_node *nodes;
    const uint32_t *order;    /* NULL: the leaves have their primitives */
    const bw_box *leaf_boxes; /* of groups */
    bw_wide *wide;
    uint32_t leaves; /* met so far */
} writer;

static void write_primitives(const writer *w, const bw_split_node *from, uint32_t index)
{
    uint32_t *slots = &w->wide->primitives[(size_t)index * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        slots[i] = i < from->count ? w->order[from->first + i] : BW_NONE;
    w->wide->leaves[index] = (bw_wide_leaf){.count = (uint8_t)from->count};
}

static void write_leaf(writer *w, const bw_split_node *from, uint32_t parent, uint32_t lane)
{
    bw_wide *wide = w->wide;
    const uint32_t index = w->leaves++;
    if (w->order != NULL)
        write_primitives(w, from, index);
    bw_wide_set_lane(&wide->nodes[parent], lane, w->order != NULL ? &from->box : &w->leaf_boxes[index]);
    wide->nodes[parent].child[lane] = BW_WIDE_LEAF | index;
    wide->leaves[index].parent = parent;
    wide->leaves[index].lane = (uint8_t)lane;
    wide->primitive_count += wide->leaves[index].count;
}

static void write_node(writer *w, uint32_t index, uint32_t parent, uint32_t parent_lane)
{
    lane_list list;
    lanes_of(w->nodes, index, &list);
    const uint32_t at = w->wide->node_count++;
    bw_wide_node *node = &w->wide->nodes[at];
    bw_wide_init_node(node, list.count, parent, parent_lane);
    for (uint32_t lane = 0; lane < list.count; lane++) {
        const bw_split_node *child = &w->nodes[list.at[lane]];
        if (list.leaf[lane]) {
            write_leaf(w, child, at, lane);
        } else {
            bw_wide_set_lane(node, lane, &child->box);
            node->child[lane] = w->wide->node_count;
            write_node(w, list.at[lane], at, lane);
        }
    }
    for (uint32_t lane = list.count; lane < BW_WIDTH; lane++)
        bw_wide_clear_lane(node, lane);
    node->end = w->wide->node_count;
}

static void write_all(writer *w)
{
    bw_wide *wide = w->wide;
    wide->node_count = 0;
    write_node(w, 0, BW_NONE, 0);
    wide->bounds = w->nodes[0].box;
    wide->preorder = true;
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
    write_all(&(writer){.nodes = nodes, .order = order, .wide = &wide});
    *out = wide;
    return BW_OK;
}

bw_result bw_wide_collapse_groups(const bw_split_node *nodes, const bw_box *leaf_boxes, bw_wide *wide)
{
    uint32_t node_count = 0, leaf_count = 0;
    count_all(nodes, 0, &node_count, &leaf_count);
    bw_result result = bw_wide_reserve_nodes(wide, node_count);
    if (result == BW_OK)
        write_all(&(writer){.nodes = nodes, .leaf_boxes = leaf_boxes, .wide = wide});
    return result;
}
