/* Normals, barycentric coordinates and features of points on a surface. */
#ifndef BW_COLLIDE_CONTAINS_SURFACE_H
#define BW_COLLIDE_CONTAINS_SURFACE_H

#include "collide/distance/metric.h"

#include <boxwood/nearest.h>

/* Of a primitive that is there; BW_NONE gives none. hand: bw_pose_hand of the side's map. BW_ERROR_RANGE. */
bw_result bw_surface_find(const bw_metric_side *side, double hand, uint32_t primitive, const bw_vec3 *point,
                          bw_surface_point *out);

/* -1 where a map reflects, else 1; NULL is the identity. */
double bw_pose_hand(const bw_transform *map);

#endif
