/* Rays at the level SCALAR. */
#define WIDE_LEVEL 1
#include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_scalar = RAY_KERNELS;
