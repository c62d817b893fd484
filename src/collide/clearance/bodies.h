/* Two bodies of which one has a clearance: what it says of their distance in the world. */
#ifndef BW_COLLIDE_CLEARANCE_BODIES_H
#define BW_COLLIDE_CLEARANCE_BODIES_H

#include "base/simd/level.h"
#include "collide/clearance/clearance.h"

/* Whether they are certainly farther apart than a distance. False where nothing is known. */
bool bw_clearance_beyond(bw_simd level, const bw_body *a, const bw_body *b, double distance);
/* Between which their computed distance lies: 0 and infinity where nothing is known. */
bw_clearance_bounds bw_clearance_between(bw_simd level, const bw_body *a, const bw_body *b);

#endif
