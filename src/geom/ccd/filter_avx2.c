/* The filters of geom/ccd/filter.h, a register of four doubles. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    include "geom/ccd/filter_template.h"

__attribute__((target("avx2"))) uint32_t bw_ccd_filter_avx2(bool edges, const bw_ccd_four *queries,
                                                            uint32_t count,
                                                            const bw_ccd_separation *separation,
                                                            uint32_t *out)
{
    return edges ? filter(true, queries, count, separation, out)
                 : filter(false, queries, count, separation, out);
}

__attribute__((target("avx2"))) void bw_ccd_near_start_avx2(bool edges, const bw_ccd_four *queries,
                                                            const uint32_t *which, uint32_t count,
                                                            const bw_ccd_separation *separation, bool *out)
{
    if (edges)
        filter_start(true, queries, which, count, separation, out);
    else
        filter_start(false, queries, which, count, separation, out);
}
#endif
