/* The level scalar of simd_levels.c. */
#define WIDE_LEVEL 1
#define RUN simd_scalar
#define ROUND simd_scalar_round
#include "base/simd_level_template.h"
