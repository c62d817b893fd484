/* Normals that are accurate for the vectors given, whatever the angle between them. */
#ifndef BW_GEOM_CROSS_H
#define BW_GEOM_CROSS_H

#include "geom/exact/expansion.h"
#include "geom/vec.h"

#include <math.h>

static inline double bw_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double bw_largest_coordinate(const bw_vec3 *v)
{
    return bw_larger(fabs(v->x), bw_larger(fabs(v->y), fabs(v->z)));
}

/* a b - c d, to within a squared roundoff of its terms. */
static inline double bw_product_difference(double a, double b, double c, double d)
{
    double ab_error, cd_error;
    double ab = bw_two_product(a, b, &ab_error), cd = bw_two_product(c, d, &cd_error);
    return (ab - cd) + (ab_error - cd_error);
}

static inline bw_vec3 bw_accurate_cross(bw_vec3 u, bw_vec3 v)
{
    return (bw_vec3){bw_product_difference(u.y, v.z, u.z, v.y), bw_product_difference(u.z, v.x, u.x, v.z),
                     bw_product_difference(u.x, v.y, u.y, v.x)};
}

/* u x v, accurate enough for what follows. Rounded products do unless they cancel: an angle above 2^-10
 * leaves 2^-43. */
static inline bw_vec3 bw_good_cross(bw_vec3 u, bw_vec3 v)
{
    bw_vec3 n = bw_vec3_cross(u, v);
    return bw_vec3_dot(n, n) > 0x1p-20 * (bw_vec3_dot(u, u) * bw_vec3_dot(v, v)) ? n
                                                                                 : bw_accurate_cross(u, v);
}

/* Scales n to a largest coordinate of 1; false where it is too short to have a direction, and then one of its
 * factors is negligible or they are parallel. */
static inline bool bw_to_direction(bw_vec3 *n)
{
    double largest = bw_largest_coordinate(n);
    if (!(largest > 0x1p-900))
        return false;
    *n = (bw_vec3){n->x / largest, n->y / largest, n->z / largest};
    return true;
}

#endif
