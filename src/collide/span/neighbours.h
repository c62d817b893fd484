/* Triangles of one mesh that share vertices by index, on straight lines: whether they may meet beyond what
 * they share at any time of a span. */
#ifndef BW_COLLIDE_SPAN_NEIGHBOURS_H
#define BW_COLLIDE_SPAN_NEIGHBOURS_H

#include <boxwood/math.h>

/* Brings the vertices that two triangles of one mesh share to the front of both, in one order; returns how
 * many. -1: a triangle has a vertex twice, and nothing is known of them. */
int bw_span_share(uint32_t a[3], uint32_t b[3]);
/* Corner 0 of both, or corners 0 and 1 of both, are shared; [end][corner], no coordinate is farther than
 * slack from the true one. True: never beyond that. */
bool bw_span_corner_apart(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack);
bool bw_span_edge_apart(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack);

#endif
