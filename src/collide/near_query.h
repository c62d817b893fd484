/* The public queries for distances, points and rays, at a SIMD level of one's choice: they give the same
 * answers at each, and the same counts but for rays. */
#ifndef BW_COLLIDE_NEAR_QUERY_H
#define BW_COLLIDE_NEAR_QUERY_H

#include "base/simd.h"

#include <boxwood/collide.h>

bw_result bw_distance_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_distance_desc *desc,
                         bw_distance_report *report);
bw_result bw_within_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_within_desc *desc,
                       bw_within_report *report);
bw_result bw_nearest_point_at(bw_simd level, const bw_body *body, const bw_vec3 *point, double max_distance,
                              const bw_allocator *allocator, bw_nearest *out);
bw_result bw_nearest_points_at(bw_simd level, const bw_body *body, const bw_points_desc *desc,
                               bw_points_report *report);
bw_result bw_ray_cast_at(bw_simd level, const bw_body *body, const bw_ray_desc *desc, bw_ray_report *report);
bw_result bw_ray_cast_many_at(bw_simd level, const bw_body *body, const bw_rays_desc *desc,
                              bw_rays_report *report);

#endif
