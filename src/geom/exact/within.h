/* Whether two triangles are within a distance of each other, exactly: a ball or a capsule against a triangle,
 * where one of the two is a point or a segment. */
#ifndef BW_GEOM_EXACT_WITHIN_H
#define BW_GEOM_EXACT_WITHIN_H

#include <boxwood/math.h>

/* Whether the closed triangles, which may be segments or points, have points at a distance of at most
 * `distance`: zero, or from BW_EXACT_MIN to 2^100, as all coordinates are. *exact is set where floating
 * point did not decide. */
bool bw_triangles_within(const bw_vec3 a[3], const bw_vec3 b[3], double distance, bool *exact);
/* The same for a point and a segment, or, with equal ends, another point. */
bool bw_point_within(const bw_vec3 *p, const bw_vec3 segment[2], double distance, bool *exact);

#endif
