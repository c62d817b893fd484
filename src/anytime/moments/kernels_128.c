/* The kernels of moments at the 128-bit level. */
#define WIDE_LEVEL 2
#define KERNELS bw_moment_kernels_128
#include "anytime/moments/kernels_template.h"
