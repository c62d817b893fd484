/* The descent through two k-DOP trees, the larger volume first (van den Bergen 1997, section 4). Boxes, which
 * are 6-DOPs, have the axes of the query (collide/pair/sat.h). */
#include "collide/reference/kdop_pair.h"

#include "collide/pair/sat.h"
#include "collide/reference/kdop_planes.h"

#include <assert.h>
#include <math.h>

typedef struct kdop_query {
    const bw_kdop *a, *b;
    double volume_ratio; /* by which the pose scales volumes of b */
    union {
        bw_kdop_planes planes;
        bw_sat sat; /* k = 6 */
    };
} kdop_query;

static int apart(const void *self, uint32_t a, uint32_t b)
{
    const kdop_query *q = self;
    return bw_kdop_separates(&q->planes, bw_kdop_at(q->a, a)->support, bw_kdop_at(q->b, b)->support);
}

static int apart_boxes(const void *self, uint32_t i, uint32_t j)
{
    const kdop_query *q = self;
    const bw_box a = bw_kdop_box(bw_kdop_at(q->a, i)), b = bw_kdop_box(bw_kdop_at(q->b, j));
    return bw_sat_separates(&q->sat, a.min, a.max, b.min, b.max);
}

/* Without a pose both share their directions, and the sum of two floats has its true sign. */
static int apart_unmapped(const void *self, uint32_t a, uint32_t b)
{
    const kdop_query *q = self;
    const float *sa = bw_kdop_at(q->a, a)->support, *sb = bw_kdop_at(q->b, b)->support;
    for (uint32_t j = 0; j < q->a->k; j++)
        if ((double)sa[j] + (double)sb[j ^ 1u] < 0.0)
            return (int)(j / 2);
    return -1;
}

static double volume(const bw_kdop_node *node)
{
    const float *s = node->support;
    return ((double)s[0] + (double)s[1]) * ((double)s[2] + (double)s[3]) * ((double)s[4] + (double)s[5]);
}

static bool larger_a(const void *self, uint32_t a, uint32_t b)
{
    const kdop_query *q = self;
    return !(volume(bw_kdop_at(q->a, a)) < q->volume_ratio * volume(bw_kdop_at(q->b, b)));
}

static uint32_t link_of(const bw_kdop_node *node)
{
    return node->link | (node->leaf ? BW_BINARY_TRAVERSAL_LEAF : 0);
}

static uint32_t link_a(const void *self, uint32_t a)
{
    return link_of(bw_kdop_at(((const kdop_query *)self)->a, a));
}

static uint32_t link_b(const void *self, uint32_t b)
{
    return link_of(bw_kdop_at(((const kdop_query *)self)->b, b));
}

bw_result bw_kdop_pair(const bw_kdop *a, const bw_kdop *b, bw_binary_traversal *traversal)
{
    assert(a->k == b->k);
    const bw_transform *map = &traversal->pose->map;
    kdop_query query = {.a = a, .b = b, .volume_ratio = 1.0};
    if (traversal->pose->identity)
        return bw_binary_traversal_run(traversal, &query,
                                       (bw_binary_traversal_ops){apart_unmapped, larger_a, link_a, link_b});
    const double(*m)[4] = map->m;
    query.volume_ratio = fabs(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
    const bw_kdop_node *root_a = bw_kdop_at(a, 0), *root_b = bw_kdop_at(b, 0);
    const bw_box_test test = traversal->sink->desc->box_test;
    if (a->k == 6) {
        bw_box bounds_a = bw_kdop_box(root_a), bounds_b = bw_kdop_box(root_b);
        bw_sat_prepare(&query.sat, map, &bounds_a, &bounds_b, test);
        return bw_binary_traversal_run(traversal, &query,
                                       (bw_binary_traversal_ops){apart_boxes, larger_a, link_a, link_b});
    }
    bw_kdop_planes_prepare(&query.planes, a->k, map, root_a, root_b, test);
    return bw_binary_traversal_run(traversal, &query,
                                   (bw_binary_traversal_ops){apart, larger_a, link_a, link_b});
}
