/* Contact of two triangles of one mesh beyond the vertices they share. */
#ifndef BW_COLLIDE_SELF_SHARED_FEATURES_H
#define BW_COLLIDE_SELF_SHARED_FEATURES_H

#include "geom/exact/triangle.h"

/* Where the triangles with corners a and b, of the vertices index_a and index_b, meet beyond the vertices and
 * the edge they share by index; decided exactly. The kind is that of the whole triangles (a shared corner
 * aside, they touch or cross); BW_CONTACT_NONE where they share nothing but that. Two triangles of the same
 * three vertices cross if they have area. Sets *exact_used where floating point could not decide. */
bw_contact_kind bw_contact_beyond_shared(const bw_vec3 a[3], const uint32_t index_a[3], const bw_vec3 b[3],
                                         const uint32_t index_b[3], bool *exact_used);

#endif
