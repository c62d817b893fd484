/* Triangles and convex regions that are bounded by planes, exactly. */
#ifndef BW_GEOM_EXACT_HALF_SPACES_H
#define BW_GEOM_EXACT_HALF_SPACES_H

#include <boxwood/region.h>

typedef enum bw_overlap { BW_OVERLAP_NONE, BW_OVERLAP_PART, BW_OVERLAP_ALL } bw_overlap;

/* How much of a closed triangle, which may be a segment or a point, is in front of all planes of the set
 * `mask` (bit i: planes[i]), on the planes included. Corners are zero or from BW_EXACT_MIN to 2^100, planes
 * finite. *exact is set where floating point did not decide. */
bw_overlap bw_triangle_half_spaces(const bw_vec3 t[3], const bw_plane *planes, uint32_t mask, bool *exact);

#endif
