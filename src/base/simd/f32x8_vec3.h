/* What distance and ray queries need beside base/simd/f32x8.h: inverses, and vectors of eight. */
#ifndef BW_BASE_SIMD_F32X8_VEC3_H
#define BW_BASE_SIMD_F32X8_VEC3_H

#include "base/simd/f32x8.h"

/* 1 / a, and 0 where a is not positive. */
LANES_FN v8 v8_inverse(v8 a)
{
    return v8_choose(v8_greater(a, v8_all(0.0f)), v8_div(v8_all(1.0f), a), v8_all(0.0f));
}

/* To 0 .. 1; a NaN becomes 0. */
LANES_FN v8 v8_clamp01(v8 a)
{
    return v8_min(v8_max(a, v8_all(0.0f)), v8_all(1.0f));
}

typedef struct vec8 {
    v8 x, y, z;
} vec8;

LANES_FN vec8 vec8_sub(vec8 a, vec8 b)
{
    return (vec8){v8_sub(a.x, b.x), v8_sub(a.y, b.y), v8_sub(a.z, b.z)};
}
/* a + s b */
LANES_FN vec8 vec8_add_scaled(vec8 a, v8 s, vec8 b)
{
    return (vec8){v8_add(a.x, v8_mul(s, b.x)), v8_add(a.y, v8_mul(s, b.y)), v8_add(a.z, v8_mul(s, b.z))};
}
LANES_FN v8 vec8_dot(vec8 a, vec8 b)
{
    return v8_add(v8_add(v8_mul(a.x, b.x), v8_mul(a.y, b.y)), v8_mul(a.z, b.z));
}
LANES_FN vec8 vec8_cross(vec8 a, vec8 b)
{
    return (vec8){v8_sub(v8_mul(a.y, b.z), v8_mul(a.z, b.y)), v8_sub(v8_mul(a.z, b.x), v8_mul(a.x, b.z)),
                  v8_sub(v8_mul(a.x, b.y), v8_mul(a.y, b.x))};
}

#endif
