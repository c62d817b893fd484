#include "tree/wide.h"

/* Half the surface of each lane's box, the sides measured in a unit near the root's, so that nothing
 * overflows; 0 in unused lanes. In a form that compilers vectorise. */
static inline void lane_areas(const bw_wide_node *node, float inverse_unit, float areas[BW_WIDTH])
{
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        float x = (node->max[0][lane] - node->min[0][lane]) * inverse_unit;
        float y = (node->max[1][lane] - node->min[1][lane]) * inverse_unit;
        float z = (node->max[2][lane] - node->min[2][lane]) * inverse_unit;
        areas[lane] = x < 0 ? 0 : (x + y) * z + x * y;
    }
}

/* The inverse of the root's longest side, and half its surface in that unit. */
static float root_unit(const bw_wide *wide, float *area)
{
    float side[3], longest = 0x1p-120f;
    for (int axis = 0; axis < 3; axis++) {
        side[axis] = wide->bounds.max[axis] - wide->bounds.min[axis];
        longest = side[axis] > longest ? side[axis] : longest;
    }
    float inverse = 1 / longest, x = side[0] * inverse, y = side[1] * inverse, z = side[2] * inverse;
    *area = (x + y) * z + x * y;
    return inverse;
}

double bw_wide_cost(const bw_wide *wide)
{
    float root_area, inverse = root_unit(wide, &root_area);
    double sums[BW_WIDTH] = {0};
    uint64_t used = 0;
    for (uint32_t i = 0; i < wide->node_count; i++) {
        if (wide->nodes[i].count == 0)
            continue;
        float areas[BW_WIDTH];
        lane_areas(&wide->nodes[i], inverse, areas);
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
            sums[lane] += (double)areas[lane];
        used += wide->nodes[i].count;
    }
    if (used == 0)
        return 0;
    if (root_area == 0) /* a line meets all of a tree without extent, or nothing */
        return 1 + (double)used;
    double sum = 0;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        sum += sums[lane];
    return 1 + sum / (double)root_area;
}

/* The areas below a node, over its own; costs of its children are known. */
static float relative_cost(const bw_wide *wide, const bw_wide_node *node, float own_area,
                           const float areas[BW_WIDTH], const float *costs)
{
    float sum = 0;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        bool leaf = (node->child[lane] & BW_WIDE_LEAF) != 0;
        float below = leaf            ? 0
                      : costs != NULL ? costs[node->child[lane]]
                                      : wide->nodes[node->child[lane]].built_cost;
        sum += areas[lane] * (1 + below);
    }
    return own_area > 0 ? sum / own_area : 0;
}

static float own_area(const bw_wide_node *node, float inverse_unit)
{
    bw_box box = bw_wide_node_box(node);
    float x = (box.max[0] - box.min[0]) * inverse_unit, y = (box.max[1] - box.min[1]) * inverse_unit;
    float z = (box.max[2] - box.min[2]) * inverse_unit;
    return (x + y) * z + x * y;
}

void bw_wide_node_costs(const bw_wide *wide, float *costs)
{
    float root_area, inverse = root_unit(wide, &root_area);
    for (uint32_t i = wide->node_count; i-- > 0;) {
        const bw_wide_node *node = &wide->nodes[i];
        float areas[BW_WIDTH];
        lane_areas(node, inverse, areas);
        costs[i] = node->count == 0 ? 0 : relative_cost(wide, node, own_area(node, inverse), areas, costs);
    }
}

void bw_wide_mark_cost(bw_wide *wide)
{
    float root_area, inverse = root_unit(wide, &root_area);
    for (uint32_t i = wide->node_count; i-- > 0;) {
        bw_wide_node *node = &wide->nodes[i];
        if (node->count == 0)
            continue;
        float areas[BW_WIDTH];
        lane_areas(node, inverse, areas);
        node->built_cost = relative_cost(wide, node, own_area(node, inverse), areas, NULL);
    }
    wide->built_cost = bw_wide_cost(wide);
    wide->excess = 0;
}

void bw_wide_mark_built(bw_wide *wide)
{
    for (uint32_t i = 0; i < wide->node_count; i++)
        wide->nodes[i].edits = 0;
    wide->edits = 0;
    bw_wide_mark_cost(wide);
}

void bw_wide_stats(const bw_wide *wide, bw_tree_stats *out)
{
    uint64_t depth_sum = 0;
    uint32_t depth = 0, leaves = 0, nodes = 0;
    for (uint32_t i = 0; i < wide->node_count; i++)
        nodes += wide->nodes[i].count != 0;
    for (uint32_t i = 0; i < wide->leaf_count; i++) {
        if (wide->leaves[i].count == 0)
            continue;
        uint32_t here = 0;
        for (uint32_t n = wide->leaves[i].parent; n != BW_NONE; n = wide->nodes[n].parent)
            here++;
        leaves++;
        depth_sum += here;
        depth = here > depth ? here : depth;
    }
    out->primitives = wide->primitive_count;
    out->nodes = nodes + leaves;
    out->leaves = leaves;
    out->depth = depth;
    out->mean_leaf_depth = leaves == 0 ? 0 : (double)depth_sum / leaves;
    out->sah_cost = bw_wide_cost(wide);
    out->bytes = bw_wide_bytes(wide);
}
