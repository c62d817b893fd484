/* The proof that lines bound what is below them at a time, and that the schedule is in order. */
#include "kinetic/kinetic.h"

/* Whether a vertex below a lane is outside what the lines say of it at a part s of the segment. */
static bool outside(const bw_kinetic *k, const bw_segment_node *l, uint32_t lane, uint32_t v, double s)
{
    const bw_segment *lines = &k->lines;
    const bool curved = k->flight.motion.kind != BW_MOTION_KEYFRAMES;
    const bw_frame start = bw_segment_frame(k, false), end = bw_segment_frame(k, true);
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t extent = side * BW_WIDTH + lane, axis = side % 3;
        double x = curved ? bw_flight_at(&k->flight, v, (int)axis, k->now)
                          : bw_lerp(bw_frame_coordinate(start, k->mesh.scalar, v, (int)axis),
                                    bw_frame_coordinate(end, k->mesh.scalar, v, (int)axis), s);
        double slack = k->method == BW_KINETIC_COMPILED ? 0x1p-37 * (double)lines->size[axis] : 0;
        slack += (double)lines->slack;
        if ((side < 3 ? -x : x) >
            bw_lerp((double)l->at[lines->start][extent], (double)l->at[!lines->start][extent], s) + slack)
            return true;
    }
    return false;
}

static const char *check_schedule(const bw_segment *lines)
{
    if (lines->bucket.count == 0)
        return "there is no schedule";
    const uint32_t *first = bw_array_at(&lines->bucket, 0);
    if (first[lines->bucket.count - 1] != lines->raw.count)
        return "the schedule does not hold all events";
    for (size_t b = 0; b + 1 < lines->bucket.count; b++)
        for (size_t i = first[b]; i < first[b + 1]; i++)
            if (((const bw_segment_event *)bw_array_at(&lines->events, i))->time >> lines->shift != b)
                return "an event is in the wrong bucket of time";
    return NULL;
}

const char *bw_segment_check(const bw_kinetic *k)
{
    const bw_segment *lines = &k->lines;
    const bw_wide *wide = &k->tree->wide;
    if (lines->segment == BW_NONE)
        return NULL; /* lost to a lack of memory; the next use makes them again */
    const char *fault = k->method == BW_KINETIC_COMPILED ? check_schedule(lines) : NULL;
    if (fault != NULL)
        return fault;
    double s = bw_segment_fraction(lines, k->now);
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
