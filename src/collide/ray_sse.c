/* The descent of a ray at the level SSE. */
#include "base/simd.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 2
#    define RAY_DESCENT bw_ray_descent_sse
#    include "collide/ray_template.h"
#endif
