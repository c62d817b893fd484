/* Where a point is: inside a surface, outside, or on it.
 *
 * One ray decides. Of a closed surface the parity of its crossings is the answer. Of an open one it is the
 * winding number, which is not summed over all triangles. Let every edge of the boundary sweep away from the
 * point, against the ray's direction, to infinity. The surface less what is swept is closed, so its winding
 * number is whole: the crossings of the ray, which meets nothing that is swept, counted by their signs. What
 * is swept is seen from the point as a spherical triangle per edge. So the winding number of the surface is
 * the number of signed crossings plus the sum of these triangles' areas over 4 pi. */
#ifndef BW_COLLIDE_CONTAINS_LOCATE_H
#define BW_COLLIDE_CONTAINS_LOCATE_H

#include "collide/contains/boundary.h"
#include "collide/ray/target.h"

#include <boxwood/nearest.h>

typedef struct bw_locator {
    const bw_metric_side *side;
    const bw_boundary_edge *boundary; /* NULL: the surface is closed, or taken to be */
    size_t boundary_count;
    bool open;
    bw_simd level;
    bw_ray_target target;
    double low[3], high[3]; /* around everything */
    double reach;           /* the largest coordinate of these */
    double hand;            /* -1 where the pose reflects, else 1 */
} bw_locator;

/* Of a side that was prepared whole. boundary: an array of bw_boundary_edge that outlives the locator; NULL:
 * the surface is closed. It stays where it is. */
void bw_locator_set(bw_locator *locator, const bw_metric_side *side, const bw_array *boundary);

/* The point is in the exact range. BW_ERROR_RANGE: a mapped corner is not. BW_ERROR_UNSUPPORTED: every ray
 * tried met an edge or a corner. */
bw_result bw_locate(const bw_locator *locator, const bw_vec3 *point, const bw_allocator *allocator,
                    bw_location *out);

#endif
