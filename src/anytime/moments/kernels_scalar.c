/* The kernels of moments at the level SCALAR. */
#include "base/simd/level.h"

#define WIDE_LEVEL 1
#include "anytime/moments/kernels_template.h"

const bw_moment_kernels bw_moment_kernels_scalar = {map_parts, distances, weigh, likeliest, sound};
