/* The level scalar of simd_levels.c. */
#define WIDE_LEVEL 1
#define RUN simd_scalar
#include "base/simd_level_template.h"
