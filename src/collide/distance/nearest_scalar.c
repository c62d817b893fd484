/* The search for the nearest point at the level SCALAR. */
#include "base/simd/level.h"

#define WIDE_LEVEL 1
#include "collide/distance/nearest_template.h"

bw_result bw_nearest_descend_scalar(bw_nearest_search *search, const bw_allocator *allocator)
{
    return descend(search, allocator);
}
