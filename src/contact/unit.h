/* Directions: vectors of length one, whatever the length they are made from. */
#ifndef BW_CONTACT_UNIT_H
#define BW_CONTACT_UNIT_H

#include "geom/vec.h"

#include <math.h>

/* fmax and fmin for numbers: without their care for NaN a compiler can do better than a call. */
static inline double bw_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double bw_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The vector divided by its length, zero for zero; its components may be of any finite size. */
static inline bw_vec3 bw_unit(bw_vec3 v)
{
    const double largest = bw_larger(fabs(v.x), bw_larger(fabs(v.y), fabs(v.z)));
    if (!(largest > 0.0))
        return (bw_vec3){0.0, 0.0, 0.0};
    const bw_vec3 s = {v.x / largest, v.y / largest, v.z / largest};
    return bw_vec3_scale(s, 1.0 / sqrt(bw_vec3_dot(s, s)));
}

/* The unit normal of two directions; zero where rounding hides it. */
static inline bw_vec3 bw_unit_cross(bw_vec3 u, bw_vec3 v)
{
    const bw_vec3 n = bw_vec3_cross(u, v);
    const double length2 = bw_vec3_dot(n, n);
    return length2 < 0x1p-96 ? (bw_vec3){0.0, 0.0, 0.0} : bw_vec3_scale(n, 1.0 / sqrt(length2));
}

#endif
