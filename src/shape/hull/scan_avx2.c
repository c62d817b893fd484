/* The farthest vertex of a hull, registers of eight floats. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    define SCAN bw_hull_scan_avx2
#    include "shape/hull/scan_template.h"
#endif
