/* The level 128 of simd_levels.c. */
#define WIDE_LEVEL 2
#define RUN simd_128
#define ROUND simd_128_round
#include "base/simd_level_template.h"
