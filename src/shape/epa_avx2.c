/* The expanding polytope, registers of four doubles. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    define WIDE_LEVEL 3
#    define EPA_GAP bw_epa_gap_avx2
#    define EPA_CONTACT bw_epa_contact_avx2
#    include "shape/epa_template.h"
#endif
