/* How often a surface winds around a point. */
#ifndef BW_CONTACT_INSIDE_WINDING_H
#define BW_CONTACT_INSIDE_WINDING_H

#include "collide/distance/metric.h"

/* The number of times that the triangles, seen counter-clockwise from outside, go around a point: exact for
 * the mapped corners. Odd where the point is inside by parity, which needs no order of the corners. The
 * surface is closed. *on_surface where the point lies on a triangle, which leaves *winding alone. */
bw_result bw_winding_of_point(const bw_metric_side *side, bw_vec3 point, const bw_allocator *allocator,
                              int32_t *winding, bool *on_surface);

/* The i-th of a row of directions, of any length, that no regular mesh has edges along and that are spread
 * evenly: multiples of the powers of the root of x^4 = x + 1, modulo the cube. */
bw_vec3 bw_winding_direction(uint32_t i);

#endif
