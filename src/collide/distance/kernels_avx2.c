/* The kernels of distance queries at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_distance_kernels_avx2
#    include "collide/distance/kernels_template.h"
#endif
