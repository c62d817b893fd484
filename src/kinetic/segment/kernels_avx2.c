/* The passes over lines at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_segment_kernels_avx2
#    include "kinetic/segment/kernels_template.h"
#endif
