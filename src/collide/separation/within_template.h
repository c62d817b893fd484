/* Which of eight pairs of triangles are within a separation, for one level of base/simd/f32x8.h: included
 * after collide/pair/triangles_template.h. The margins are derived in docs/lab/separation.md. */
#ifndef BW_COLLIDE_SEPARATION_WITHIN_TEMPLATE_H
#define BW_COLLIDE_SEPARATION_WITHIN_TEMPLATE_H

#include "collide/distance/triangle_lanes.h"

/* A corner of the batch from an origin, so scaled that no coordinate is larger than 1. */
LANES_FN vec8 scaled_corner(const float (*corner)[BW_BATCH_ROW], uint32_t n, vec8 origin, v8 scale)
{
    return (vec8){v8_mul(v8_sub(v8_load(&corner[0][n]), origin.x), scale),
                  v8_mul(v8_sub(v8_load(&corner[1][n]), origin.y), scale),
                  v8_mul(v8_sub(v8_load(&corner[2][n]), origin.z), scale)};
}

LANES_TARGET static bw_wide_nearness within(const bw_wide_batch *batch, uint32_t n, float near)
{
    const v8 six = v8_all(6.0f), one = v8_all(1.0f), zero = v8_all(0.0f);
    const v8 delta = v8_load(&batch->delta[n]), extent_a = v8_load(&batch->extent_a[n]),
             extent_b = v8_load(&batch->extent_b[n]), separation = v8_all(batch->separation);
    const v8 reach = v8_add(v8_add(v8_add(extent_a, extent_b), v8_mul(six, delta)), separation);
    const v8 scale = v8_div(one, reach);
    const vec8 origin = {v8_load(&batch->a[0][0][n]), v8_load(&batch->a[0][1][n]),
                         v8_load(&batch->a[0][2][n])};
    triangle8 s, t;
    for (int k = 0; k < 3; k++) {
        s.corner[k] = scaled_corner(batch->a[k], n, origin, scale);
        t.corner[k] = scaled_corner(batch->b[k], n, origin, scale);
    }
    finish_triangle(&s);
    finish_triangle(&t);
    v8 edges = v8_all(INFINITY), height;
    vec8 r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r[i][j] = vec8_sub(s.corner[i], t.corner[j]);
            edges = v8_min(edge_edge(&s, i, &t, j, r[i][j]), edges);
        }
    const v8 shift = v8_add(v8_mul(v8_mul(v8_all(4.0f), delta), scale), v8_all(0x1p-19f));
    const v8 inner = v8_sub(v8_mul(v8_all(near), scale), shift);
    const m8 known = m8_and(v8_greater(reach, v8_all(0x1p-100f)), v8_greater(v8_all(0x1p100f), reach));
    const m8 close = m8_and(v8_greater(inner, zero), v8_greater(v8_mul(inner, inner), edges));
    const uint32_t sure = m8_bits(m8_and(close, known));
    if (sure == 0xFFu)
        return (bw_wide_nearness){sure, 0};
    v8 best = edges;
    for (int i = 0; i < 3; i++) {
        best = corner_face(&t, negated(r[i][0]), negated(r[i][1]), negated(r[i][2]), best, &height);
        best = corner_face(&s, r[0][i], r[1][i], r[2][i], best, &height);
    }
    const v8 outer = v8_add(v8_mul(separation, scale), shift);
    const v8 extent = v8_mul(v8_add(v8_max(extent_a, extent_b), v8_mul(six, delta)), scale);
    v8 cut = v8_mul(v8_mul(outer, outer), v8_all(1.0f + 0x1p-18f));
    cut = v8_add(cut, v8_add(v8_all(0x1p-18f), v8_mul(v8_all(0x1p-12f), extent)));
    return (bw_wide_nearness){sure, m8_bits(m8_and(v8_greater(best, cut), known)) & ~sure};
}

#endif
