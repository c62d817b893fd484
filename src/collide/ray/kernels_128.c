/* Rays at the 128-bit level. */
#define WIDE_LEVEL 2
#include "collide/ray/stream_template.h"

const bw_ray_kernels bw_ray_kernels_128 = {RAY_TRACES, {stream_near, stream_some}};
