/* The inner loops of the broad phase, two registers of four floats. */
#define WIDE_LEVEL 2
#define KERNELS bw_swept_kernels_128
#include "swept/kernels_template.h"
