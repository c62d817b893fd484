/* The farthest vertex of a hull, registers of four doubles. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    define SCAN_TARGET __attribute__((target("avx2")))
#    define SCAN bw_hull_scan_avx2
#    include "shape/hull/scan_template.h"
#endif
