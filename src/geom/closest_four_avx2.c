/* geom/closest_four.h, a register of four doubles. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    define CLOSEST_FOUR bw_closest_four_avx2
#    include "geom/closest_four_template.h"
#endif
