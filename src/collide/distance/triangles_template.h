/* Distances of triangles, eight pairs at a time, for one level of base/simd/f32x8.h: all fifteen pairs of
 * features (collide/distance/triangle_lanes.h). */
#ifndef BW_COLLIDE_DISTANCE_TRIANGLES_TEMPLATE_H
#define BW_COLLIDE_DISTANCE_TRIANGLES_TEMPLATE_H

#include "collide/distance/boxes_template.h"
#include "collide/distance/triangle_lanes.h"

#include <math.h>

/* All corners of one strictly on one side of the other's plane. */
LANES_FN m8 on_one_side(const v8 height[3], v8 error)
{
    v8 low = v8_min(v8_min(height[0], height[1]), height[2]);
    v8 high = v8_max(v8_max(height[0], height[1]), height[2]);
    return m8_or(v8_greater(low, error), v8_greater(v8_sub(v8_all(0.0f), high), error));
}

LANES_TARGET static void triangles(const bw_distance_leaf *a, const bw_distance_leaf *b,
                                   const bw_distance_gap *gap, uint64_t slots_a, uint64_t slots_b,
                                   uint32_t apart, float out[BW_WIDTH])
{
    triangle8 s, t;
    pick8 pick_a = pick8_of(slots_a), pick_b = pick8_of(slots_b);
    for (int i = 0; i < 3; i++) {
        s.corner[i] = (vec8){v8_pick(a->corner[i][0], pick_a), v8_pick(a->corner[i][1], pick_a),
                             v8_pick(a->corner[i][2], pick_a)};
        t.corner[i] = (vec8){v8_add(v8_pick(b->corner[i][0], pick_b), v8_all(gap->offset[0])),
                             v8_add(v8_pick(b->corner[i][1], pick_b), v8_all(gap->offset[1])),
                             v8_add(v8_pick(b->corner[i][2], pick_b), v8_all(gap->offset[2]))};
    }
    finish_triangle(&s);
    finish_triangle(&t);
    v8 best = v8_all(INFINITY), height_s[3], height_t[3];
    vec8 r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r[i][j] = vec8_sub(s.corner[i], t.corner[j]);
            best = v8_min(edge_edge(&s, i, &t, j, r[i][j]), best);
        }
    for (int i = 0; i < 3; i++) {
        best = corner_face(&t, negated(r[i][0]), negated(r[i][1]), negated(r[i][2]), best, &height_s[i]);
        best = corner_face(&s, r[0][i], r[1][i], r[2][i], best, &height_t[i]);
    }
    v8_store(out, best);
    float size = gap->size, slack = 0x1p-12f * size * size * size + gap->delta * size * size * 64.0f;
    v8 error = v8_all(slack);
    uint32_t sure = apart | m8_bits(m8_or(on_one_side(height_s, error), on_one_side(height_t, error)));
    for (uint32_t i = 0; sure != 0xFFu && i < BW_WIDTH; i++)
        if ((sure >> i & 1) == 0)
            out[i] = 0.0f;
}

#endif
