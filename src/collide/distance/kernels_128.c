/* The kernels of distance queries at the 128-bit level. */
#define WIDE_LEVEL 2
#define KERNELS bw_distance_kernels_128
#include "collide/distance/kernels_template.h"
