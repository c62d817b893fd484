/* A near pair to start with: the better the limit, the less has to be looked at. Nothing here is exact and
 * nothing has to be; a poor start only costs time. */
#include "collide/distance/distance.h"
#include "collide/distance/nearest.h"
#include "geom/vec.h"

#include <math.h>

/* A point of each body, and the leaves they are in. */
typedef struct start {
    uint32_t leaf[2];
    bw_vec3 on[2];
} start;

/* From a point to a body, from there to the other and back, as long as that helps: at most twelve times.
 * False when the walk ends. */
static bool approach(bw_distance_state *w, const bw_vec3 *from, start *out)
{
    bw_nearest_place place[2];
    bw_nearest_place_set(&place[0], w->a.side);
    bw_nearest_place_set(&place[1], w->b.side);
    *out = (start){{BW_NONE, BW_NONE}, {*from, *from}};
    double limit = sqrt(w->query->limit2);
    for (uint32_t step = 0; step < 12; step++) {
        const uint32_t side = step & 1;
        bw_nearest_about about;
        bw_result result = bw_nearest_find_about(&place[side], w->level, &out->on[!side],
                                                 step > 0 ? limit : INFINITY, w->stack.allocator, &about);
        if (result != BW_OK) {
            w->query->result = result;
            return false;
        }
        w->query->nodes_visited += about.nodes_visited;
        w->query->box_tests += about.box_tests;
        if (about.leaf == BW_NONE)
            return true;
        out->leaf[side] = about.leaf;
        out->on[side] = about.point;
        const double distance = sqrt(about.distance2);
        if (step > 0 && distance > 0.99 * limit)
            return true;
        limit = step > 0 ? distance : limit;
    }
    return true;
}

static bw_vec3 middle_of(const bw_metric_side *side)
{
    const bw_box *b = &side->tree->bounds;
    const bw_vec3 middle = {0.5 * ((double)b->min[0] + (double)b->max[0]),
                            0.5 * ((double)b->min[1] + (double)b->max[1]),
                            0.5 * ((double)b->min[2] + (double)b->max[2])};
    return side->map != NULL ? bw_transform_point(side->map, middle) : middle;
}

static bool is_leaf(const bw_distance_side *s, uint32_t leaf)
{
    return leaf < s->side->tree->leaf_count && s->side->tree->leaves[leaf].count > 0;
}

bool bw_distance_seed(bw_distance_state *w)
{
    const bw_witness *witness = w->query->witness;
    start s;
    w->last.valid = false;
    if (witness != NULL && witness->valid && is_leaf(&w->a, witness->leaf_a) &&
        is_leaf(&w->b, witness->leaf_b) && !bw_distance_compare(w, witness->leaf_a, witness->leaf_b))
        return false;
    const bw_vec3 from = w->last.valid ? w->query->on_b : middle_of(w->b.side);
    if (!approach(w, &from, &s))
        return false;
    if (s.leaf[0] == BW_NONE || s.leaf[1] == BW_NONE)
        return true;
    if (!w->last.valid && bw_distance_frame_turn(&w->frame, bw_vec3_sub(s.on[1], s.on[0])))
        bw_distance_take_frame(w);
    return bw_distance_compare(w, s.leaf[0], s.leaf[1]);
}
