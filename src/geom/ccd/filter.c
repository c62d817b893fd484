/* The filters in two registers of two doubles, and the choice of the level. */
#include "geom/ccd/filter_template.h"

uint32_t bw_ccd_filter(bool edges, const bw_ccd_four *queries, uint32_t count,
                       const bw_ccd_separation *separation, bw_simd simd, uint32_t *out)
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return bw_ccd_filter_avx2(edges, queries, count, separation, out);
#endif
    (void)simd;
    return filter(edges, queries, count, separation, out);
}

void bw_ccd_near_start(bool edges, const bw_ccd_four *queries, const uint32_t *which, uint32_t count,
                       const bw_ccd_separation *separation, bw_simd simd, bool *out)
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2) {
        bw_ccd_near_start_avx2(edges, queries, which, count, separation, out);
        return;
    }
#endif
    (void)simd;
    filter_start(edges, queries, which, count, separation, out);
}
