/* The kernels of wide queries at the 128-bit level. */
#define WIDE_LEVEL 2
#define KERNELS bw_wide_kernels_128
#include "collide/pair/kernels_template.h"
