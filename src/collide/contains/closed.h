/* Whether a surface is closed. */
#ifndef BW_COLLIDE_CONTAINS_CLOSED_H
#define BW_COLLIDE_CONTAINS_CLOSED_H

#include "tree/tree.h"

#include <boxwood/collide.h>

/* Whether the tree's triangles close off a space: every edge, known by the positions of its ends, belongs to
 * an even number of them, so that it does not matter which way a ray goes. Looks at all of them. */
bool bw_body_closed(const bw_body *body);
/* The same, and whether as many triangles run through each edge one way as the other, so that they wind
 * around every point a whole number of times. oriented may be NULL. */
bool bw_body_closed_oriented(const bw_body *body, bool *oriented);

/* What stands for an edge where edges are compared: the same from both ends and for equal positions; of edges
 * without length zero, of any two others different but for a chance of 2^-128. */
typedef struct bw_fingerprint {
    uint64_t low, high;
} bw_fingerprint;
bw_fingerprint bw_fingerprint_of_vertex(bw_vec3 p);
bw_fingerprint bw_fingerprint_of_edge(bw_fingerprint a, bw_fingerprint b);

#endif
