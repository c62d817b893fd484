/* The farthest vertex of a hull, registers of two doubles, and the choice of the level. */
#define SCAN_TARGET
#define SCAN bw_hull_scan_128
#include "shape/hull/scan_template.h"

bw_hull_scan_fn *bw_hull_scan_of(bw_simd level)
{
    return BW_SIMD_PICK(level, bw_hull_scan);
}
