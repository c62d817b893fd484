/* The kernels of moments_kernels.h, for one level of collide/wide_lanes.h. */
#ifndef BW_ANYTIME_MOMENTS_TEMPLATE_H
#define BW_ANYTIME_MOMENTS_TEMPLATE_H

#include "anytime/moments_kernels.h"
#include "collide/wide_lanes.h"

#include <math.h>

#if WIDE_LEVEL == 3
LANES_FN v8 v8_divide(v8 a, v8 b)
{
    return _mm256_div_ps(a, b);
}
LANES_FN v8 v8_root(v8 a)
{
    return _mm256_sqrt_ps(a);
}
#elif WIDE_LEVEL == 2
LANES_FN v8 v8_divide(v8 a, v8 b)
{
    return (v8){_mm_div_ps(a.low, b.low), _mm_div_ps(a.high, b.high)};
}
LANES_FN v8 v8_root(v8 a)
{
    return (v8){_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
}
#else
LANES_FN v8 v8_divide(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] / b.lane[i]);
}
LANES_FN v8 v8_root(v8 a)
{
    LANES_EACH(sqrtf(a.lane[i]));
}
#endif

LANES_FN v8 times(float a, v8 b)
{
    return v8_mul(v8_all(a), b);
}

LANES_FN v8 row_times(const float m[3], v8 x, v8 y, v8 z)
{
    return v8_add(v8_add(times(m[0], x), times(m[1], y)), times(m[2], z));
}

LANES_TARGET static void map_parts(const bw_moment_map *map, const bw_moment_node *node,
                                   bw_moment_mapped *out)
{
    v8 x = v8_load(node->mean[0]), y = v8_load(node->mean[1]), z = v8_load(node->mean[2]);
    for (int i = 0; i < 3; i++)
        v8_store(out->mean[i], v8_add(row_times(map->m[i], x, y, z), v8_all(map->t[i])));
    /* R S R^T: first the rows of R S. */
    v8 xx = v8_load(node->spread[0]), yy = v8_load(node->spread[1]), zz = v8_load(node->spread[2]);
    v8 xy = v8_load(node->spread[3]), xz = v8_load(node->spread[4]), yz = v8_load(node->spread[5]);
    v8 rs[3][3];
    for (int i = 0; i < 3; i++) {
        rs[i][0] = row_times(map->m[i], xx, xy, xz);
        rs[i][1] = row_times(map->m[i], xy, yy, yz);
        rs[i][2] = row_times(map->m[i], xz, yz, zz);
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int q = 0; q < 6; q++)
        v8_store(out->spread[q], row_times(map->m[column[q]], rs[row[q]][0], rs[row[q]][1], rs[row[q]][2]));
}

/* M^2 = t^T adj(S) t / det(S). */
LANES_TARGET static void distances(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                                   float out[BW_WIDTH * BW_WIDTH])
{
    v8 ax = v8_load(a->mean[0]), ay = v8_load(a->mean[1]), az = v8_load(a->mean[2]);
    v8 axx = v8_load(a->spread[0]), ayy = v8_load(a->spread[1]), azz = v8_load(a->spread[2]);
    v8 axy = v8_load(a->spread[3]), axz = v8_load(a->spread[4]), ayz = v8_load(a->spread[5]);
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        if ((mask >> 8 * i & 0xFFu) == 0)
            continue;
        v8 x = v8_sub(v8_all(b->mean[0][i]), ax), y = v8_sub(v8_all(b->mean[1][i]), ay),
           z = v8_sub(v8_all(b->mean[2][i]), az);
        v8 xx = v8_add(axx, v8_all(b->spread[0][i])), yy = v8_add(ayy, v8_all(b->spread[1][i])),
           zz = v8_add(azz, v8_all(b->spread[2][i]));
        v8 xy = v8_add(axy, v8_all(b->spread[3][i])), xz = v8_add(axz, v8_all(b->spread[4][i])),
           yz = v8_add(ayz, v8_all(b->spread[5][i]));
        v8 cxx = v8_sub(v8_mul(yy, zz), v8_mul(yz, yz)), cyy = v8_sub(v8_mul(xx, zz), v8_mul(xz, xz)),
           czz = v8_sub(v8_mul(xx, yy), v8_mul(xy, xy));
        v8 cxy = v8_sub(v8_mul(xz, yz), v8_mul(xy, zz)), cxz = v8_sub(v8_mul(xy, yz), v8_mul(xz, yy)),
           cyz = v8_sub(v8_mul(xy, xz), v8_mul(xx, yz));
        v8 determinant = v8_add(v8_add(v8_mul(xx, cxx), v8_mul(xy, cxy)), v8_mul(xz, cxz));
        v8 straight =
            v8_add(v8_add(v8_mul(v8_mul(x, x), cxx), v8_mul(v8_mul(y, y), cyy)), v8_mul(v8_mul(z, z), czz));
        v8 across =
            v8_add(v8_add(v8_mul(v8_mul(x, y), cxy), v8_mul(v8_mul(x, z), cxz)), v8_mul(v8_mul(y, z), cyz));
        v8 m2 = v8_divide(v8_add(straight, v8_add(across, across)), determinant);
        v8_store(&out[8 * i], v8_root(v8_max(m2, v8_all(0.0f))));
    }
}

#endif
