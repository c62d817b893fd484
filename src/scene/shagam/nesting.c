/* The four nesting heuristics (section 3 of the paper). */
#include "scene/shagam/shagam.h"

static double volume(const float box[6])
{
    double v = 1;
    for (int i = 0; i < 3; i++)
        v *= -((double)box[i] + (double)box[i + 3]);
    return v;
}

static float centre(const float box[6], int axis)
{
    return 0.5f * (box[axis] - box[axis + 3]);
}

/* 1 below the split, 2 above it, 0 across. */
static int side(const float box[6], int axis, float split)
{
    return -box[axis + 3] < split ? 1 : box[axis] > split ? 2 : 0;
}

int bw_shagam_which(const bw_shagam_node *node, const float box[6])
{
    if (!node->is_split)
        return -1;
    if (!node->leafy) {
        /* A flat node has no volume to compare with: nothing stays there. */
        double all = volume(node->box);
        if (all > 0 && volume(box) >= all / 8)
            return -1;
    }
    const float *split = node->split;
    switch (node->nesting) {
    case 0:
        return centre(box, node->axis) < split[node->axis] ? 0 : 1;
    case 1:
        return side(box, node->axis, split[node->axis]);
    case 2:
        return (centre(box, 0) < split[0]) | (centre(box, 1) < split[1]) << 1 |
               (centre(box, 2) < split[2]) << 2;
    default:
        return side(box, 0, split[0]) + 3 * side(box, 1, split[1]) + 9 * side(box, 2, split[2]);
    }
}

void bw_shagam_split_point(const bw_shagam_tree *tree, const bw_shagam_node *node, float out[3])
{
    double sum[3] = {0, 0, 0}, weight = node->count;
    for (uint32_t i = 0; i < node->count; i++)
        for (int a = 0; a < 3; a++)
            sum[a] += (double)centre(node->boxes[i], a);
    if (node->block != BW_SHAGAM_NONE) {
        const uint32_t *children = bw_shagam_children(tree, node);
        for (uint32_t c = 0; c < bw_shagam_ways(node); c++) {
            if (children[c] == BW_SHAGAM_NONE)
                continue;
            const bw_shagam_node *child = bw_shagam_at(tree, children[c]);
            for (int a = 0; a < 3; a++)
                sum[a] += (double)tree->threshold * (double)child->split[a];
            weight += tree->threshold;
        }
    }
    for (int a = 0; a < 3; a++)
        out[a] = weight > 0 ? (float)(sum[a] / weight) : 0;
}
