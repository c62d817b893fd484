/* The queries of modern trees at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_modern_kernels_avx2
#    include "scene/modern/kernels_template.h"
#endif
