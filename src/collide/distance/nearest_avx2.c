/* The search for the nearest point at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "collide/distance/nearest_template.h"

bw_result bw_nearest_descend_avx2(bw_nearest_search *search, const bw_allocator *allocator)
{
    return descend(search, allocator);
}
#endif
