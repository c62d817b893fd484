/* Nesting chosen for each node by what it holds, which the paper leaves as future work (its section 5): the
 * heuristic under which a query that meets the node is expected to cost least.
 *
 * A query costs `child_cost` for each child, whose box must be read, and where it meets a child `node_cost`
 * and what that child costs below. It meets a child's box, if it meets the node's, with a probability that is
 * the ratio of the two volumes, each grown by the query's size on every axis (Minkowski sum); a query is
 * taken to be as large as the node's objects are on average. Below, m objects cost m tests up to the
 * threshold, and grow as a power of m beyond it, since they will be split again. All in units of one test of
 * an object. */
#include "scene/shagam/shagam.h"

#include <math.h>

static const double child_cost = 12, node_cost = 48, growth = 0.8;

enum { SAMPLE = 256 };

static double cost_below(const bw_shagam_tree *tree, double objects)
{
    double threshold = tree->threshold;
    return objects <= threshold ? objects : threshold * pow(objects / threshold, growth);
}

/* The volume of a box grown by a size on every axis. */
static double grown_volume(const float box[6], const double size[3])
{
    double volume = 1;
    for (int i = 0; i < 3; i++)
        volume *= -((double)box[i] + (double)box[i + 3]) + size[i];
    return volume;
}

/* What a query costs if the node is split as it is set; every step-th object is looked at. */
static double expected_cost(const bw_shagam_tree *tree, const bw_shagam_node *node, uint32_t step,
                            const double size[3], double all)
{
    float boxes[BW_NODE_WAYS][6];
    uint32_t counts[BW_NODE_WAYS + 1] = {0}, ways = bw_shagam_ways(node), looked_at = 0;
    for (uint32_t c = 0; c < ways; c++)
        bw_packed_clear(boxes[c]);
    for (uint32_t i = 0; i < node->count; i += step, looked_at++) {
        int child = bw_shagam_which(node, node->boxes[i]);
        counts[child < 0 ? BW_NODE_WAYS : child]++;
        if (child >= 0)
            bw_packed_grow(boxes[child], node->boxes[i]);
    }
    double share = (double)node->count / looked_at, sum = share * counts[BW_NODE_WAYS];
    for (uint32_t c = 0; c < ways; c++) {
        if (counts[c] == looked_at)
            return INFINITY; /* nothing is divided */
        if (counts[c] != 0)
            sum += child_cost +
                   grown_volume(boxes[c], size) / all * (node_cost + cost_below(tree, share * counts[c]));
    }
    return counts[BW_NODE_WAYS] == looked_at ? INFINITY : sum;
}

void bw_shagam_choose(const bw_shagam_tree *tree, bw_shagam_node *node)
{
    uint32_t step = (node->count + SAMPLE - 1) / SAMPLE, looked_at = 0;
    double size[3] = {0, 0, 0};
    for (uint32_t i = 0; i < node->count; i += step, looked_at++)
        for (int a = 0; a < 3; a++)
            size[a] -= (double)node->boxes[i][a] + (double)node->boxes[i][a + 3];
    for (int a = 0; a < 3; a++)
        size[a] /= looked_at;
    double all = grown_volume(node->box, size), least = INFINITY;
    uint8_t nesting = 2;
    bool leafy = false;
    for (uint8_t n = 0; n < BW_SHAGAM_NESTINGS && all > 0; n++)
        for (int l = 0; l < 2; l++) {
            node->nesting = n;
            node->leafy = l != 0;
            double cost = expected_cost(tree, node, step, size, all);
            if (cost < least) {
                least = cost;
                nesting = n;
                leafy = l != 0;
            }
        }
    node->nesting = nesting;
    node->leafy = leafy;
}
