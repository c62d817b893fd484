/* A near pair to start with: the better the limit, the less has to be looked at. Nothing here is exact and
 * nothing has to be; a poor start only costs time. */
#include "collide/near_state.h"

#include <math.h>
#include <string.h>

static void middles(const bw_near_boxes *boxes, bw_near_boxes *out)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BW_WIDTH; i++)
            out->low[k][i] = out->high[k][i] = 0.5f * boxes->low[k][i] + 0.5f * boxes->high[k][i];
}

/* Down to one pair of leaves by the children whose middles are nearest (by bounds, large boxes would seem to
 * be near). */
static bool dive(bw_near_state *w, bw_near_item p)
{
    while ((p.lanes | p.rows) != 0) {
        float bound[BW_WIDTH * BW_WIDTH];
        bw_near_boxes a, b;
        middles(bw_near_boxes_of(w, &w->a, p.a), &a);
        middles(bw_near_boxes_of(w, &w->b, p.b), &b);
        uint64_t mask = w->kernels->pairs(&a, p.lanes, &b, p.rows, INFINITY, bound);
        uint32_t best = bw_wide_lowest(mask);
        for (mask &= mask - 1; mask != 0; mask &= mask - 1)
            best = bound[bw_wide_lowest(mask)] < bound[best] ? bw_wide_lowest(mask) : best;
        w->query->nodes_visited++;
        w->query->box_tests += (uint64_t)bw_wide_bits(p.lanes) * bw_wide_bits(p.rows);
        p = bw_near_child_pair(w, &p, best, bound[best]);
    }
    return bw_near_compare(w, p.a, p.b);
}

/* How far a leaf's triangles are from a point of the frame. */
static float leaf_distance2(const bw_near_state *w, bw_near_side *s, uint32_t leaf, const double point[3])
{
    const bw_near_leaf *l = bw_near_leaf_of(w, s, leaf);
    float to[3], distance2[BW_WIDTH], least = INFINITY;
    for (int k = 0; k < 3; k++)
        to[k] = (float)(point[k] - l->origin[k]);
    w->kernels->point_triangles(l, to, distance2);
    for (uint32_t i = 0; i < l->count; i++)
        least = distance2[i] < least ? distance2[i] : least;
    return least;
}

/* The leaf nearest to a point of the common frame, or one about as near; BW_NONE where none is within the
 * limit. References wait with their bounds above them; where there are too many the farthest are forgotten.
 */
static uint32_t nearest_leaf(bw_near_state *w, bw_near_side *s, const bw_vec3 *at)
{
    enum { ROOM = 128 };
    uint64_t waiting[ROOM], sorted[BW_WIDTH * BW_WIDTH];
    uint32_t count = 1, best = BW_NONE;
    float least = w->limit2, bound[BW_WIDTH * BW_WIDTH], to[3];
    double point[3];
    bw_near_frame_point(&w->frame, (const double[3]){at->x, at->y, at->z}, point);
    for (int k = 0; k < 3; k++)
        to[k] = (float)point[k];
    waiting[0] = 0;
    while (count > 0) {
        uint64_t top = waiting[--count];
        uint32_t ref = (uint32_t)top, bits = (uint32_t)(top >> 32);
        float near;
        memcpy(&near, &bits, sizeof near);
        if (near > least)
            continue;
        if ((ref & BW_WIDE_LEAF) != 0) {
            float distance2 = leaf_distance2(w, s, ref & ~BW_WIDE_LEAF, point);
            if (distance2 < least || best == BW_NONE) {
                least = distance2 < least ? distance2 : least;
                best = ref & ~BW_WIDE_LEAF;
            }
            continue;
        }
        const bw_wide_node *node = &s->side->tree->nodes[ref];
        uint32_t mask = w->kernels->point_boxes(bw_near_boxes_of(w, s, ref), to, to, least, bound);
        uint32_t more = bw_near_sort(mask & ((1u << node->count) - 1), bound, sorted);
        w->query->nodes_visited++;
        w->query->box_tests += node->count;
        uint32_t skip = count + more > ROOM ? count + more - ROOM : 0;
        for (uint32_t i = skip; i < more; i++)
            waiting[count++] = (sorted[i] & ~(uint64_t)UINT32_MAX) | node->child[sorted[i] & 7];
    }
    return best;
}

/* From one point of the nearest pair to the other body and back, as long as that finds something nearer. */
static bool refine(bw_near_state *w)
{
    uint32_t leaves[2] = {w->last.leaf_a, w->last.leaf_b};
    for (uint32_t step = 0, still = 0; step < 12 && still < 2; step++) {
        uint32_t side = step & 1, leaf = side == 0 ? nearest_leaf(w, &w->b, &w->query->on_a)
                                                   : nearest_leaf(w, &w->a, &w->query->on_b);
        double before = w->query->limit2;
        if (leaf != BW_NONE && leaf != leaves[!side]) {
            leaves[!side] = leaf;
            if (!bw_near_compare(w, leaves[0], leaves[1]))
                return false;
        }
        still = w->query->limit2 < before ? 0 : still + 1;
        leaves[0] = w->last.leaf_a;
        leaves[1] = w->last.leaf_b;
    }
    return true;
}

static bool is_leaf(const bw_near_side *s, uint32_t leaf)
{
    return leaf < s->side->tree->leaf_count && s->side->tree->leaves[leaf].count > 0;
}

bool bw_near_seed(bw_near_state *w, const bw_near_item *root)
{
    const bw_witness *witness = w->query->witness;
    bool known = witness != NULL && witness->valid && is_leaf(&w->a, witness->leaf_a) &&
                 is_leaf(&w->b, witness->leaf_b);
    w->last.valid = false;
    if (!(known ? bw_near_compare(w, witness->leaf_a, witness->leaf_b) : dive(w, *root)))
        return false;
    return !w->last.valid || refine(w);
}
