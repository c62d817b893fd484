/* Distances of triangles, eight pairs at a time, for one level of base/simd/f32x8.h.
 *
 * The closest pair of two disjoint triangles is one of an edge of each, or a corner and the other triangle.
 * All fifteen are computed; every one is the distance of two points that, but for rounding, lie on the
 * triangles, or for a corner beside a triangle it only seems to face, less. What floats do to it is derived
 * in docs/lab/distance-of-bodies.md. */
#ifndef BW_COLLIDE_DISTANCE_TRIANGLES_TEMPLATE_H
#define BW_COLLIDE_DISTANCE_TRIANGLES_TEMPLATE_H

#include "collide/distance/boxes_template.h"

#include <math.h>

typedef struct triangle8 {
    vec8 corner[3], edge[3]; /* edge i from corner i to the next */
    v8 inverse2[3];          /* 1 / |edge|^2 */
    v8 length2[3];
    vec8 normal, side[3]; /* normal x edge: towards the inside */
    v8 normal_inverse2;
    m8 has_normal;
} triangle8;

LANES_FN void finish_triangle(triangle8 *t)
{
    for (int i = 0; i < 3; i++) {
        t->edge[i] = vec8_sub(t->corner[i == 2 ? 0 : i + 1], t->corner[i]);
        t->length2[i] = vec8_dot(t->edge[i], t->edge[i]);
        t->inverse2[i] = v8_inverse(t->length2[i]);
    }
    t->normal = vec8_cross(t->edge[2], t->edge[0]);
    v8 square = vec8_dot(t->normal, t->normal);
    t->normal_inverse2 = v8_inverse(square);
    t->has_normal = v8_greater(square, v8_all(0.0f));
    for (int i = 0; i < 3; i++)
        t->side[i] = vec8_cross(t->normal, t->edge[i]);
}

/* r: from the corner of t's edge to that of s's. */
LANES_FN v8 edge_edge(const triangle8 *s, int i, const triangle8 *t, int j, vec8 r)
{
    vec8 d = s->edge[i], e = t->edge[j];
    v8 b = vec8_dot(d, e), c = vec8_dot(d, r), f = vec8_dot(e, r);
    v8 across = v8_sub(v8_mul(s->length2[i], t->length2[j]), v8_mul(b, b));
    v8 along = v8_sub(v8_mul(b, f), v8_mul(c, t->length2[j]));
    /* Where the lines are nearest (anywhere, if they are parallel), then the foot on the other segment, and
     * back: from any start the second foot is right if the first was clamped, and if not, as good as the
     * angle between them allows. */
    v8 at = v8_choose(v8_greater(across, v8_all(0.0f)), v8_clamp01(v8_div(along, across)), v8_all(0.0f));
    v8 on_t = v8_clamp01(v8_mul(v8_add(v8_mul(b, at), f), t->inverse2[j]));
    v8 on_s = v8_clamp01(v8_mul(v8_sub(v8_mul(b, on_t), c), s->inverse2[i]));
    vec8 w = vec8_add_scaled(r, on_s, d);
    w = vec8_sub(w, (vec8){v8_mul(on_t, e.x), v8_mul(on_t, e.y), v8_mul(on_t, e.z)});
    return vec8_dot(w, w);
}

/* A corner p against t, given the three vectors from p to the corners of t. height: its signed distance from
 * the plane times the length of the normal. */
LANES_FN v8 corner_face(const triangle8 *t, vec8 to_0, vec8 to_1, vec8 to_2, v8 best, v8 *height)
{
    v8 zero = v8_all(0.0f);
    m8 outside = m8_or(
        m8_or(v8_greater(vec8_dot(t->side[0], to_0), zero), v8_greater(vec8_dot(t->side[1], to_1), zero)),
        v8_greater(vec8_dot(t->side[2], to_2), zero));
    *height = vec8_dot(t->normal, to_0);
    v8 square = v8_mul(v8_mul(*height, *height), t->normal_inverse2);
    return v8_min(best, v8_choose(m8_without(t->has_normal, outside), square, best));
}

LANES_FN vec8 negated(vec8 a)
{
    v8 zero = v8_all(0.0f);
    return vec8_sub((vec8){zero, zero, zero}, a);
}

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
