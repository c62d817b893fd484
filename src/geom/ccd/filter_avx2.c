/* The filter of geom/ccd/filter.h, four doubles at a time. */
#include "geom/ccd/ccd.h"
#include "geom/ccd/filter.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    include "base/simd/f64x4.h"
#    include "geom/ccd/double_limits.h"

#    define LANES_FN D4_FN
#    define LANES 4
typedef d4 lanes;
typedef m4 mask;
#    define l_set d4_all
#    define l_add d4_add
#    define l_sub d4_sub
#    define l_mul d4_mul
#    define l_max d4_max
#    define l_min d4_min
#    define l_abs d4_abs
#    define l_greater d4_greater
#    define m_and m4_and
#    define m_or m4_or
#    define m_bits m4_bits
#    define l_div _mm256_div_pd
#    define l_sqrt _mm256_sqrt_pd
#    define l_choose(m, yes, no) _mm256_blendv_pd(no, yes, m)
#    define m_not(a) m4_without(l_greater(l_set(1), l_set(0)), a)

#    include "geom/ccd/lanes_template.h"
#    include "geom/ccd/near_template.h"

#    include "geom/ccd/close_template.h"

/* Four rows of x, y, z and something, turned. */
LANES_FN void turn(const double *a, const double *b, const double *c, const double *d, vec *out)
{
    __m256d r0 = _mm256_loadu_pd(a), r1 = _mm256_loadu_pd(b), r2 = _mm256_loadu_pd(c),
            r3 = _mm256_loadu_pd(d);
    __m256d xz01 = _mm256_unpacklo_pd(r0, r1), yw01 = _mm256_unpackhi_pd(r0, r1);
    __m256d xz23 = _mm256_unpacklo_pd(r2, r3), yw23 = _mm256_unpackhi_pd(r2, r3);
    out->c[0] = _mm256_permute2f128_pd(xz01, xz23, 0x20);
    out->c[1] = _mm256_permute2f128_pd(yw01, yw23, 0x20);
    out->c[2] = _mm256_permute2f128_pd(xz01, xz23, 0x31);
}

LANES_FN void load_vertex(const bw_ccd_four *queries, int i, vec *start, vec *end)
{
    const double *a = queries[0].p[i]->at, *b = queries[1].p[i]->at, *c = queries[2].p[i]->at,
                 *d = queries[3].p[i]->at;
    turn(a, b, c, d, start);
    turn(a + 4, b + 4, c + 4, d + 4, end);
}

#    include "geom/ccd/filter_template.h"

__attribute__((target("avx2"))) uint32_t bw_ccd_filter_avx2(bool edges, const bw_ccd_four *queries,
                                                            uint32_t count, double separation, uint32_t *out)
{
    return edges ? filter(true, queries, count, separation, out)
                 : filter(false, queries, count, separation, out);
}

__attribute__((target("avx2"))) void bw_ccd_near_start_avx2(bool edges, const bw_ccd_four *queries,
                                                            const uint32_t *which, uint32_t count,
                                                            double separation, bool *out)
{
    if (edges)
        filter_start(true, queries, which, count, separation, out);
    else
        filter_start(false, queries, which, count, separation, out);
}
#endif
