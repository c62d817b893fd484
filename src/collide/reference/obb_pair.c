/* The descent through two OBB trees. */
#include "collide/reference/obb_pair.h"

#include "collide/reference/obb_sat.h"

#include <math.h>

typedef struct obb_query {
    const bw_obb_node *a, *b;
    float stretch; /* by which the pose lengthens b, at most */
    bw_obb_sat sat;
} obb_query;

static int apart(const void *self, uint32_t a, uint32_t b)
{
    const obb_query *q = self;
    return bw_obb_separates(&q->sat, &q->a[a], &q->b[b]);
}

/* The boxes of flat pieces have no volume to compare: the longest side decides, as in Gottschalk's RAPID. */
static float length(const bw_obb_node *node)
{
    float l = node->half[0] > node->half[1] ? node->half[0] : node->half[1];
    return l > node->half[2] ? l : node->half[2];
}

static bool larger_a(const void *self, uint32_t a, uint32_t b)
{
    const obb_query *q = self;
    return !(length(&q->a[a]) < q->stretch * length(&q->b[b]));
}

_Static_assert(BW_OBB_LEAF == BW_BINARY_TRAVERSAL_LEAF, "links are used as they stand");

static uint32_t link_a(const void *self, uint32_t a)
{
    return ((const obb_query *)self)->a[a].link;
}

static uint32_t link_b(const void *self, uint32_t b)
{
    return ((const obb_query *)self)->b[b].link;
}

bw_result bw_obb_pair(const bw_obb *a, const bw_obb *b, bw_binary_traversal *traversal)
{
    const bw_transform *map = &traversal->pose->map;
    obb_query query = {.a = a->nodes, .b = b->nodes};
    bw_obb_sat_prepare(&query.sat, map, a, b, traversal->sink->desc->box_test);
    double stretch = 0.0;
    for (int j = 0; j < 3; j++)
        stretch = fmax(stretch, hypot(hypot(map->m[0][j], map->m[1][j]), map->m[2][j]));
    /* It only orders the descent; out of a float's range all is the same. */
    query.stretch = (float)fmin(stretch, 0x1p60);
    return bw_binary_traversal_run(traversal, &query,
                                   (bw_binary_traversal_ops){apart, larger_a, link_a, link_b});
}
