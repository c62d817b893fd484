/* The kernels of rows at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_row_kernels_avx2
#    include "tree/wide/rows_template.h"
#endif
