/* Whether a body lies wholly inside another. */
#ifndef BW_COLLIDE_CONTAINS_BODY_H
#define BW_COLLIDE_CONTAINS_BODY_H

#include "collide/distance/metric.h"

/* The surfaces do not meet, so every connected piece of inner is inside or outside as a whole: one vertex of
 * each is tried. inside receives whether all are inside. The primitives of outer are taken to close off a
 * space: a point is inside where a ray from it crosses them an odd number of times. */
bw_result bw_body_inside(const bw_metric_side *outer, const bw_metric_side *inner,
                         const bw_allocator *allocator, bool *inside);

#endif
