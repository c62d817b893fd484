/* Triangle tests for other rooms, beside those of boxwood/math.h. */
#ifndef BW_GEOM_EXACT_TRIANGLE_H
#define BW_GEOM_EXACT_TRIANGLE_H

#include "geom/exact/predicates.h"

/* bw_triangle_triangle, and whether floating-point filters and comparisons alone could not decide it: sets
 * *exact_used to true where expansions were needed, leaves it alone otherwise. */
bw_contact_kind bw_triangle_triangle_counted(const bw_vec3 a[3], const bw_vec3 b[3], bool *exact_used);

/* The parameter that bw_ray_triangle gives for a ray that is known to cross the inside of the triangle, ahead
 * of its origin. */
double bw_ray_crossing(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 triangle[3]);

/* Where the ray's line meets the triangle's plane, for the case that nothing cancels: false where it does.
 * direction is through - origin, rounded. Where it answers, the sign is exact. */
static inline bool bw_plane_parameter_quick(const bw_vec3 *origin, const double direction[3],
                                            const bw_vec3 v[3], double *out_t)
{
    const double ux = v[1].x - v[0].x, uy = v[1].y - v[0].y, uz = v[1].z - v[0].z;
    const double wx = v[2].x - v[0].x, wy = v[2].y - v[0].y, wz = v[2].z - v[0].z;
    const double x = v[0].x - origin->x, y = v[0].y - origin->y, z = v[0].z - origin->z;
    const double uywz = uy * wz, uzwy = uz * wy, uzwx = uz * wx, uxwz = ux * wz, uxwy = ux * wy,
                 uywx = uy * wx;
    const double nx = uywz - uzwy, ny = uzwx - uxwz, nz = uxwy - uywx;
    const double px = fabs(uywz) + fabs(uzwy), py = fabs(uzwx) + fabs(uxwz), pz = fabs(uxwy) + fabs(uywx);
    const double *d = direction;
    const double above = x * nx + y * ny + z * nz, below = d[0] * nx + d[1] * ny + d[2] * nz;
    const double above_permanent = fabs(x) * px + fabs(y) * py + fabs(z) * pz,
                 below_permanent = fabs(d[0]) * px + fabs(d[1]) * py + fabs(d[2]) * pz;
    *out_t = above / below;
    return above_permanent >= BW_PERMANENT_MIN && below_permanent >= BW_PERMANENT_MIN &&
           BW_ORIENT3D_ERROR * above_permanent < BW_ACCURATE * fabs(above) &&
           BW_ORIENT3D_ERROR * below_permanent < BW_ACCURATE * fabs(below);
}

/* Two triangles with area in different planes, given their corners' signs against each other's plane, neither
 * all zero nor all strictly on one side. */
bw_contact_kind bw_triangles_in_two_planes(const bw_vec3 a[3], const int a_signs[3], const bw_vec3 b[3],
                                           const int b_signs[3], bool *exact);

#endif
