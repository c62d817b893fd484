/* The kernels of rows at the 128-bit level. */
#define WIDE_LEVEL 2
#define KERNELS bw_row_kernels_128
#include "tree/wide/rows_template.h"
