/* The kernels of moments at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_moment_kernels_avx2
#    include "anytime/moments/kernels_template.h"
#endif
