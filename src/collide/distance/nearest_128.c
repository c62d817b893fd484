/* The search for the nearest point at the level SSE. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 2
#    include "collide/distance/nearest_template.h"

bw_result bw_nearest_descend_128(bw_nearest_search *search, const bw_allocator *allocator)
{
    return descend(search, allocator);
}
#endif
