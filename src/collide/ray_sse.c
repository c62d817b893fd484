/* Rays at the level SSE. */
#include "base/simd.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 2
#    define RAY_DESCENT bw_ray_descent_sse
#    include "collide/ray_template.h"

#    include "collide/ray_plain_template.h"

const bw_plain_kernels bw_plain_sse = {plain_cast, plain_stream};
#endif
