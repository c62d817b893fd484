/* Rays at the level SCALAR. */
#include "base/simd.h"

#define WIDE_LEVEL 1
#define RAY_DESCENT bw_ray_descent_scalar
#include "collide/ray_template.h"

#include "collide/ray_plain_template.h"

const bw_plain_kernels bw_plain_scalar = {plain_cast, plain_stream};
