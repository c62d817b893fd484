/* Locating many points with one body: what is found out once per call. */
#ifndef BW_COLLIDE_CONTAINS_POINT_H
#define BW_COLLIDE_CONTAINS_POINT_H

#include <boxwood/nearest.h>

/* The public query; *bad: the point at fault, or BW_NONE. */
bw_result bw_contains_find(const bw_body *body, const bw_vec3 *points, uint32_t count,
                           const bw_contains_desc *desc, bw_location *out, bw_contains_report *report,
                           uint32_t *bad);

#endif
