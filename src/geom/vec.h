/* Small vector arithmetic in double, for code that rounds and says so. Predicates do not use it. */
#ifndef BW_GEOM_VEC_H
#define BW_GEOM_VEC_H

#include <boxwood/math.h>

static inline bw_vec3 bw_vec3_add(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline bw_vec3 bw_vec3_sub(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline bw_vec3 bw_vec3_scale(bw_vec3 a, double s)
{
    return (bw_vec3){a.x * s, a.y * s, a.z * s};
}

static inline double bw_vec3_dot(bw_vec3 a, bw_vec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline bw_vec3 bw_vec3_cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline bool bw_vec3_equal(const bw_vec3 *a, const bw_vec3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/* Component 0, 1, 2. */
static inline double bw_vec3_at(const bw_vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

#endif
