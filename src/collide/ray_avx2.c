/* The descent of a ray at the level AVX2. */
#include "base/simd.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define RAY_DESCENT bw_ray_descent_avx2
#    include "collide/ray_template.h"
#endif
