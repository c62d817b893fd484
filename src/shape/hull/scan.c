/* The farthest vertex of a hull, registers of four floats, and the choice of the level. */
#define WIDE_LEVEL 2
#define SCAN bw_hull_scan_128
#include "shape/hull/scan_template.h"

double bw_hull_scan_scale(double size)
{
    return size > 0 ? ldexp(1, -ilogb(size)) : 1;
}

bw_hull_scan_fn *bw_hull_scan_of(bw_simd level)
{
    return BW_SIMD_PICK(level, bw_hull_scan);
}
