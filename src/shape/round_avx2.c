/* Pairs of round shapes, registers of four doubles. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    define ROUND_KERNELS bw_round_kernels_avx2
#    include "shape/round_template.h"
#endif
