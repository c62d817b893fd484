/* geom/closest_four.h at the 128-bit level. */
#define CLOSEST_FOUR bw_closest_four_128
#include "geom/closest_four_template.h"
