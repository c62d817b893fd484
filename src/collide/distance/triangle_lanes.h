/* Eight pairs of triangles and the distances of their features, for one level of base/simd/f32x8.h.
 *
 * The closest pair of two disjoint triangles is one of an edge of each, or a corner and the other triangle.
 * Each of the fifteen is the distance of two points that, but for rounding, lie on the triangles, or for a
 * corner beside a triangle it only seems to face, less. What floats do to it is derived in
 * docs/lab/distance-of-bodies.md. */
#ifndef BW_COLLIDE_DISTANCE_TRIANGLE_LANES_H
#define BW_COLLIDE_DISTANCE_TRIANGLE_LANES_H

#include "base/simd/f32x8_vec3.h"

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
    return v8_min(v8_choose(m8_without(t->has_normal, outside), square, best), best); /* a NaN is none */
}

LANES_FN vec8 negated(vec8 a)
{
    v8 zero = v8_all(0.0f);
    return vec8_sub((vec8){zero, zero, zero}, a);
}

#endif
