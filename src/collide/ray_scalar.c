/* The descent of a ray at the level SCALAR. */
#include "base/simd.h"

#define WIDE_LEVEL 1
#define RAY_DESCENT bw_ray_descent_scalar
#include "collide/ray_template.h"
