/* The kernels of wide queries at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    define WIDE_LEVEL 3
#    define KERNELS bw_wide_kernels_avx2
#    include "collide/pair/kernels_template.h"
#endif
