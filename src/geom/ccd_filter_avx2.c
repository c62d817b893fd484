/* The filter of geom/ccd_filter.h, four doubles at a time. */
#include "geom/ccd.h"
#include "geom/ccd_filter.h"

#if BW_SIMD_X86
#    include <immintrin.h>

#    define LANES_FN __attribute__((target("avx2"), always_inline)) static inline
#    define LANES 4
typedef __m256d lanes;
typedef __m256d mask;

LANES_FN lanes l_set(double a)
{
    return _mm256_set1_pd(a);
}
LANES_FN lanes l_add(lanes a, lanes b)
{
    return _mm256_add_pd(a, b);
}
LANES_FN lanes l_sub(lanes a, lanes b)
{
    return _mm256_sub_pd(a, b);
}
LANES_FN lanes l_mul(lanes a, lanes b)
{
    return _mm256_mul_pd(a, b);
}
LANES_FN lanes l_max(lanes a, lanes b)
{
    return _mm256_max_pd(a, b);
}
LANES_FN lanes l_min(lanes a, lanes b)
{
    return _mm256_min_pd(a, b);
}
LANES_FN lanes l_abs(lanes a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
LANES_FN mask l_greater(lanes a, lanes b)
{
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}
LANES_FN mask m_and(mask a, mask b)
{
    return _mm256_and_pd(a, b);
}
LANES_FN mask m_or(mask a, mask b)
{
    return _mm256_or_pd(a, b);
}
LANES_FN uint32_t m_bits(mask a)
{
    return (uint32_t)_mm256_movemask_pd(a);
}

struct vec;
LANES_FN void load_vertex(const bw_ccd_four *queries, int i, struct vec *start, struct vec *end);

#    include "geom/ccd_filter_template.h"

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

LANES_FN void load_vertex(const bw_ccd_four *queries, int i, struct vec *start, struct vec *end)
{
    const double *a = queries[0].p[i]->at, *b = queries[1].p[i]->at, *c = queries[2].p[i]->at,
                 *d = queries[3].p[i]->at;
    turn(a, b, c, d, start);
    turn(a + 4, b + 4, c + 4, d + 4, end);
}

__attribute__((target("avx2"))) uint32_t bw_ccd_filter_avx2(bool edges, const bw_ccd_four *queries,
                                                            uint32_t count, uint32_t *out)
{
    return edges ? filter(true, queries, count, out) : filter(false, queries, count, out);
}
#endif
