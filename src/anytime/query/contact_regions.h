/* Where contact is likeliest, for the application to respond to. */
#ifndef BW_ANYTIME_QUERY_CONTACT_REGIONS_H
#define BW_ANYTIME_QUERY_CONTACT_REGIONS_H

#include "anytime/query/query.h"

/* Writes up to capacity places: the proven contact if there is one, else the pairs that counted, else the
 * likeliest that wait on the stack. Returns how many. */
uint32_t bw_anytime_contact_regions(const bw_anytime_traversal *walk, const bw_transform *pose_a,
                                    bw_anytime_region *out, uint32_t capacity);

/* The place of a contact of two primitives. */
void bw_anytime_contact_region_proven(const bw_mesh *mesh_a, const bw_mesh *mesh_b,
                                      const bw_relative_pose *pose, const bw_hit *hit,
                                      const bw_transform *pose_a, bw_anytime_region *out);

#endif
