/* The proof that lines bound what is below them, at the ends of the segment and at a time. */
#include "kinetic/kinetic.h"

/* Whether a vertex below a lane is outside what the lines say of it at a part s of the segment. */
static bool outside(const bw_kinetic *k, const bw_line_node *l, uint32_t lane, uint32_t v, double s)
{
    const bw_motion *m = &k->flight.motion;
    uint32_t segment = k->lines.segment;
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t low = axis * BW_WIDTH + lane, high = low + 3 * BW_WIDTH;
        double x = bw_lerp(bw_motion_stored(m, m->frames[segment], v, (int)axis),
                           bw_motion_stored(m, m->frames[segment + 1], v, (int)axis), s);
        bool compiled = k->method == BW_KINETIC_COMPILED;
        const float *to = compiled ? l->to : l->end;
        double slack = compiled ? 0x1p-37 * (double)l->size[axis] : 0;
        if (x < bw_lerp((double)l->from[low], (double)to[low], s) - slack ||
            x > bw_lerp((double)l->from[high], (double)to[high], s) + slack)
            return true;
    }
    return false;
}

const char *bw_lines_check(const bw_kinetic *k)
{
    const bw_lines *lines = &k->lines;
    const bw_wide *wide = &k->tree->wide;
    if (lines->segment == BW_NONE)
        return NULL; /* lost to a lack of memory; the next use makes them anew */
    if (lines->next > lines->events.count)
        return "more events were replayed than there are";
    for (size_t i = 1; i < lines->events.count; i++)
        if (((const bw_line_event *)bw_array_at(&lines->events, i))->time <
            ((const bw_line_event *)bw_array_at(&lines->events, i - 1))->time)
            return "the events are not in order";
    double s = bw_motion_fraction(&k->flight.motion, lines->segment, k->now);
    for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++)
        for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i++) {
            uint32_t v = wide->vertices[wide->vertex_first[leaf] + i];
            uint32_t node = wide->leaves[leaf].parent, lane = wide->leaves[leaf].lane;
            while (node != BW_NONE) {
                if (outside(k, &lines->nodes[node], lane, v, s))
                    return "a vertex is outside the lines of its box";
                lane = wide->nodes[node].parent_lane;
                node = wide->nodes[node].parent;
            }
        }
    return NULL;
}
