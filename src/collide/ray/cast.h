/* Casting rays, inside the library: the contacts of a ray with a target, to a visitor. */
#ifndef BW_COLLIDE_RAY_CAST_H
#define BW_COLLIDE_RAY_CAST_H

#include "collide/ray/decide.h"

/* Every contact, as it is found. The ray is within the exact range. level: one that the processor has, the
 * target's. BW_ERROR_RANGE where a mapped corner that an exact test needs leaves the range. */
bw_result bw_ray_contacts(const bw_ray_target *target, bw_simd level, const bw_vec3 *origin,
                          const bw_vec3 *through, const bw_allocator *allocator, bw_ray_visitor *visit,
                          void *user);

/* The public queries at a SIMD level of the caller's choice: the same answers at each. */
bw_result bw_raycast_at(bw_simd level, const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                        bw_ray_hit *hit, bw_raycast_report *report);
/* *bad: the ray at fault, or BW_NONE. */
bw_result bw_raycast_many_at(bw_simd level, const bw_body *body, const bw_ray *rays, uint32_t count,
                             const bw_raycast_desc *desc, bw_ray_hit *hits, bw_raycast_report *report,
                             uint32_t *bad);

#endif
