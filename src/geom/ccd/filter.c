/* The filters, one query at a time, and the choice of the level. */
#include "geom/ccd/filter.h"
#include "geom/ccd/lanes_one.h"

LANES_FN void load_vertex(const bw_ccd_four *queries, int i, vec *start, vec *end)
{
    const double *at = queries->p[i]->at;
    for (int k = 0; k < 3; k++) {
        start->c[k] = at[k];
        end->c[k] = at[4 + k];
    }
}

#include "geom/ccd/filter_template.h"

uint32_t bw_ccd_filter(bool edges, const bw_ccd_four *queries, uint32_t count, double separation,
                       bw_simd simd, uint32_t *out)
{
#if BW_SIMD_X86
    if (simd == BW_SIMD_AVX2)
        return bw_ccd_filter_avx2(edges, queries, count, separation, out);
#endif
    (void)simd;
    return filter(edges, queries, count, separation, out);
}

void bw_ccd_near_start(bool edges, const bw_ccd_four *queries, const uint32_t *which, uint32_t count,
                       double separation, bw_simd simd, bool *out)
{
#if BW_SIMD_X86
    if (simd == BW_SIMD_AVX2) {
        bw_ccd_near_start_avx2(edges, queries, which, count, separation, out);
        return;
    }
#endif
    (void)simd;
    filter_start(edges, queries, which, count, separation, out);
}
