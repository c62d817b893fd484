#include "tree/wide.h"

/* Half the surface of each lane's box in units of `unit` squared, so that no coordinate can overflow; 0 in
 * unused lanes. */
static void lane_areas(const bw_wide_node *node, double inverse_unit, double areas[BW_WIDTH])
{
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        double x = ((double)node->max[0][lane] - (double)node->min[0][lane]) * inverse_unit;
        double y = ((double)node->max[1][lane] - (double)node->min[1][lane]) * inverse_unit;
        double z = ((double)node->max[2][lane] - (double)node->min[2][lane]) * inverse_unit;
        areas[lane] = lane < node->count ? (x + y) * z + x * y : 0;
    }
}

/* The inverse of the root's longest extent, and half its surface in that unit. */
static double root_unit(const bw_wide *wide, double *area)
{
    double extent[3], longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = (double)wide->bounds.max[axis] - (double)wide->bounds.min[axis];
        longest = extent[axis] > longest ? extent[axis] : longest;
    }
    if (longest == 0) {
        *area = 0;
        return 0;
    }
    double inverse = 1 / longest;
    double x = extent[0] * inverse, y = extent[1] * inverse, z = extent[2] * inverse;
    *area = (x + y) * z + x * y;
    return inverse;
}

double bw_wide_cost(const bw_wide *wide)
{
    double root_area, inverse = root_unit(wide, &root_area);
    double sums[BW_WIDTH] = {0};
    uint32_t used = 0;
    for (uint32_t i = 0; i < wide->node_count; i++) {
        double areas[BW_WIDTH];
        lane_areas(&wide->nodes[i], inverse, areas);
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
            sums[lane] += areas[lane];
        used += wide->nodes[i].count;
    }
    if (used == 0)
        return 0;
    if (root_area == 0) /* a line meets all of a tree without extent, or nothing */
        return 1 + (double)used;
    double sum = 0;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        sum += sums[lane];
    return 1 + sum / root_area;
}

void bw_wide_mark_built(bw_wide *wide)
{
    double root_area, inverse = root_unit(wide, &root_area);
    for (uint32_t i = wide->node_count; i-- > 0;) {
        bw_wide_node *node = &wide->nodes[i];
        double areas[BW_WIDTH], sum = 0;
        lane_areas(node, inverse, areas);
        for (uint32_t lane = 0; lane < node->count; lane++) {
            sum += areas[lane];
            if ((node->child[lane] & BW_WIDE_LEAF) == 0)
                sum += areas[lane] * (double)wide->nodes[node->child[lane]].built_cost;
        }
        double area = root_area;
        if (node->parent != BW_NONE) {
            lane_areas(&wide->nodes[node->parent], inverse, areas);
            area = areas[node->parent_lane];
        }
        node->built_cost = area > 0 ? (float)(sum / area) : 0;
    }
    wide->built_cost = bw_wide_cost(wide);
    wide->edits = 0;
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
