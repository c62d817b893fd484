/* The kernels of moments at the level SCALAR. */
#include "base/simd.h"

#define WIDE_LEVEL 1
#include "anytime/moments_template.h"

const bw_moment_kernels bw_moment_kernels_scalar = {map_parts, distances, weigh, likeliest, sound};
