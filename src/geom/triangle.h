/* Triangle tests for other rooms, beside those of boxwood/math.h. */
#ifndef BW_GEOM_TRIANGLE_H
#define BW_GEOM_TRIANGLE_H

#include <boxwood/math.h>

/* bw_triangle_triangle, and whether floating-point filters and comparisons alone could not decide it: sets
 * *exact_used to true where expansions were needed, leaves it alone otherwise. */
bw_contact bw_triangle_triangle_counted(const bw_vec3 a[3], const bw_vec3 b[3], bool *exact_used);

/* The parameter that bw_ray_triangle gives for a ray that is known to cross the inside of the triangle, ahead
 * of its origin. */
double bw_ray_crossing(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 triangle[3]);

#endif
