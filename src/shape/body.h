/* A shape and the primitives of a body, from the inside. */
#ifndef BW_SHAPE_BODY_H
#define BW_SHAPE_BODY_H

#include "collide/distance/metric.h"
#include "shape/convex.h"

/* The body is ready, and its boxes are written. */
bw_result bw_body_prepare(const bw_body *body, bw_metric_side *out);
/* bw_shape_distance_body for what is ready. */
bw_result bw_body_distance(const bw_convex *shape, const bw_metric_side *side, double max_distance,
                           const bw_allocator *allocator, bw_shape_distance_report *out);

#endif
