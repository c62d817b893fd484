/* Facets of the difference, registers of eight floats. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define AXES_CONTACT bw_axes_contact_avx2
#    include "shape/axes/axes_template.h"
#endif
