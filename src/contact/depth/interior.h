/* Points inside bodies: whether a point is, how far from the surface, and a search for the deepest. */
#ifndef BW_CONTACT_DEPTH_INTERIOR_H
#define BW_CONTACT_DEPTH_INTERIOR_H

#include "collide/distance/metric.h"
#include "contact/depth/overlaps.h"

typedef struct bw_interior_side {
    const bw_body *body;
    bw_metric_side metric;
    const bw_allocator *allocator;
} bw_interior_side;

bw_result bw_interior_prepare(const bw_body *body, const bw_allocator *allocator, bw_interior_side *out);
/* By parity, in the world. Not on the surface. */
bw_result bw_interior_inside(const bw_interior_side *side, bw_vec3 point, bool *inside);

/* What is certain of a computed distance of a point: less for its rounding, and for the point's own. */
double bw_interior_certain(bw_vec3 point, double distance);

/* Bounds the bodies' depth by points inside both, each of which is as deep as it is far from the farther
 * surface: the best of some beneath contacts and in both boxes, moved while that gets it deeper. */
bw_result bw_interior_bound(const bw_contact_query *query, bw_overlaps *overlaps);

#endif
