/* The inner loops of the broad phase, registers of eight floats. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define KERNELS bw_swept_kernels_avx2
#    include "swept/kernels_template.h"
#endif
