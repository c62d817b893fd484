/* The farthest vertex of a hull, one after the other, and the choice of the level. */
#include "shape/hull/hull.h"

uint32_t bw_hull_scan_scalar(const double *xyz, uint32_t padded, bw_vec3 direction)
{
    const double *x = xyz, *y = xyz + padded, *z = y + padded;
    double best = (x[0] * direction.x + y[0] * direction.y) + z[0] * direction.z;
    uint32_t number = 0;
    for (uint32_t i = 1; i < padded; i++) {
        const double value = (x[i] * direction.x + y[i] * direction.y) + z[i] * direction.z;
        number = value > best ? i : number;
        best = value > best ? value : best;
    }
    return number;
}

bw_hull_scan_fn *bw_hull_scan_of(bw_simd level)
{
    return BW_SIMD_PICK(level, bw_hull_scan);
}
