/* Depths from below: a point of one body that is inside the other, at a distance r from its surface, is still
 * inside after every translation shorter than r. */
#ifndef BW_CONTACT_DEPTH_LOWER_H
#define BW_CONTACT_DEPTH_LOWER_H

#include "contact/depth/overlaps.h"

/* Bounds every overlap, and the bodies, by vertices inside, by points of triangles between the contacts of
 * one region, and, for the bodies, by points inside both. */
bw_result bw_lower_bounds(const bw_contact_query *query, bw_overlaps *overlaps);

#endif
