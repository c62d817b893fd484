/* Distances of triangles that are known to be apart. */
#ifndef BW_GEOM_CLOSEST_H
#define BW_GEOM_CLOSEST_H

#include "geom/vec.h"

/* bw_triangle_distance2 and bw_point_triangle_distance2, to the last bit, for triangles and points that are
 * known not to meet. */
double bw_triangle_distance2_disjoint(const bw_vec3 a[3], const bw_vec3 b[3], bw_vec3 *on_a, bw_vec3 *on_b);
double bw_point_triangle_distance2_disjoint(const bw_vec3 *p, const bw_vec3 triangle[3],
                                            bw_vec3 *on_triangle);

#endif
