/* Distances of a point from four triangles at once. */
#ifndef BW_GEOM_CLOSEST_FOUR_H
#define BW_GEOM_CLOSEST_FOUR_H

#include "base/simd/level.h"
#include "geom/vec.h"

/* What bw_point_triangle_distance2_disjoint gives for each of four triangles, to the last bit: squared distances and nearest
 * points. corner: by corner, axis and triangle. Returns a bit for each that is known; the others, which are slivers or on
 * whose edge the point stands, are left to that function. The same at every level. */
typedef uint32_t bw_closest_four_fn(const bw_vec3 *point, double corner[3][3][4], double distance2[4],
                                    double nearest[3][4]);

bw_closest_four_fn bw_closest_four_128, bw_closest_four_avx2;

#endif
