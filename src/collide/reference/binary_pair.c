/* The descent through two reference trees: the boxes' axes are those of the query (collide/pair/sat.h),
 * the larger volume is unfolded first (van den Bergen 1997, section 4). */
#include "collide/reference/binary_pair.h"

#include "collide/pair/sat.h"
#include "collide/reference/traverse.h"

#include <math.h>

typedef struct binary_query {
    const bw_binary_node *a, *b;
    bool identity;
    double volume_ratio; /* by which the pose scales volumes of b */
    bw_sat sat;
} binary_query;

static int apart(const void *self, uint32_t i, uint32_t j)
{
    const binary_query *q = self;
    const bw_binary_node *a = &q->a[i], *b = &q->b[j];
    if (!q->identity)
        return bw_sat_separates(&q->sat, a->min, a->max, b->min, b->max);
    for (int k = 0; k < 3; k++)
        if (a->min[k] > b->max[k] || b->min[k] > a->max[k])
            return k;
    return -1;
}

static double volume(const bw_binary_node *node)
{
    return ((double)node->max[0] - (double)node->min[0]) * ((double)node->max[1] - (double)node->min[1]) *
           ((double)node->max[2] - (double)node->min[2]);
}

static bool larger_a(const void *self, uint32_t a, uint32_t b)
{
    const binary_query *q = self;
    return !(volume(&q->a[a]) < q->volume_ratio * volume(&q->b[b]));
}

static uint32_t link_of(const bw_binary_node *node)
{
    return node->leaf ? BW_BINARY_TRAVERSAL_LEAF | node->link : node->link;
}

static uint32_t link_a(const void *self, uint32_t a)
{
    return link_of(&((const binary_query *)self)->a[a]);
}

static uint32_t link_b(const void *self, uint32_t b)
{
    return link_of(&((const binary_query *)self)->b[b]);
}

bw_result bw_binary_pair(const bw_binary_side *a, const bw_binary_side *b, const bw_relative_pose *pose,
                         bw_hit_sink *sink)
{
    bw_binary_traversal walk = {
        .mesh_a = a->mesh, .mesh_b = b->mesh, .pose = pose, .sink = sink, .cached = BW_NONE};
    binary_query query = {
        .a = a->tree->nodes, .b = b->tree->nodes, .identity = pose->identity, .volume_ratio = 1.0};
    if (!pose->identity) {
        bw_box bounds_a = bw_binary_box(&query.a[0]), bounds_b = bw_binary_box(&query.b[0]);
        bw_sat_prepare(&query.sat, &pose->map, &bounds_a, &bounds_b, sink->desc->box_test);
        const double(*m)[4] = pose->map.m;
        query.volume_ratio = fabs(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                  m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                  m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
    }
    return bw_binary_traversal_run(&walk, &query, (bw_binary_traversal_ops){apart, larger_a, link_a, link_b});
}
