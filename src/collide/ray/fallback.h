/* Rays of any size at bodies in any pose, one box after another in double: for numbers so large or small that
 * floats do not do, poses that flatten, and trees that are too deep. */
#ifndef BW_COLLIDE_RAY_FALLBACK_H
#define BW_COLLIDE_RAY_FALLBACK_H

#include "base/memory.h"
#include "collide/ray/decide.h"

/* mode: see decide.h. BW_ERROR_MEMORY, or s->result. */
bw_result bw_ray_trace_any(bw_ray_state *s, int mode, const bw_allocator *allocator);

#endif
