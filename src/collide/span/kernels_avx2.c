/* The kernels for looking ahead at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_span_kernels_avx2
#    include "collide/span/kernels_template.h"
#endif
