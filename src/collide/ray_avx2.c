/* Rays at the level AVX2. */
#include "base/simd.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define RAY_DESCENT bw_ray_descent_avx2
#    include "collide/ray_template.h"

#    include "collide/ray_plain_template.h"

const bw_plain_kernels bw_plain_avx2 = {plain_cast, plain_stream};
#endif
