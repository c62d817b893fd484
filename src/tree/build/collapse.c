/* From a binary tree to nodes of eight children. */
#include "tree/build/collapse.h"

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

void bw_split_node_close(bw_split_node *node, float inverse_unit, float each)
{
    memset(node->cost, 0, sizeof node->cost);
    memset(node->left_lanes, 0, sizeof node->left_lanes);
    const uint32_t leaves = (node->count + BW_WIDTH - 1) / BW_WIDTH;
    if (leaves == 1)
        return;
    const float whole = bw_box_half_area(&node->box, inverse_unit) + each;
    for (uint32_t lanes = 1; lanes < BW_WIDTH; lanes++) {
        node->cost[lanes - 1] = lanes < leaves ? whole : 0;
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

void bw_split_node_join(bw_split_node *nodes, uint32_t index, float inverse_unit, float each, bw_simd simd)
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
    const float whole = bw_box_half_area(&node->box, inverse_unit) + each + node->cost[BW_WIDTH - 1];
    for (uint32_t i = 0; i + 1 < BW_WIDTH; i++) {
        bool divide = node->cost[i] < whole;
        node->cost[i] = divide ? node->cost[i] : whole;
        node->left_lanes[i] = divide ? node->left_lanes[i] : 0;
    }
}
