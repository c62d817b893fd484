/* Whether a body lies wholly inside another. */
#ifndef BW_COLLIDE_CONTAINS_CONTAINS_H
#define BW_COLLIDE_CONTAINS_CONTAINS_H

#include "collide/distance/metric.h"
#include "tree/tree.h"

/* The surfaces do not meet, so every connected piece of inner is inside or outside as a whole: one vertex of
 * each is tried. inside receives whether all are inside. The primitives of outer are taken to close off a
 * space: a point is inside where a ray from it crosses them an odd number of times. */
bw_result bw_contains(const bw_metric_side *outer, const bw_metric_side *inner, const bw_allocator *allocator,
                      bool *inside);

/* Whether the tree's triangles close off a space: every edge, known by the positions of its ends, belongs to
 * an even number of them, so that it does not matter which way a ray goes. Looks at all of them. */
bool bw_body_closed(const bw_body *body);

#endif
