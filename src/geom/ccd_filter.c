#include "geom/ccd_filter.h"
#include "geom/ccd.h"

/* ---- One at a time ---- */

#define LANES_FN static inline
#define LANES 1
typedef double lanes;
typedef bool mask;

LANES_FN lanes l_set(double a)
{
    return a;
}
LANES_FN lanes l_add(lanes a, lanes b)
{
    return a + b;
}
LANES_FN lanes l_sub(lanes a, lanes b)
{
    return a - b;
}
LANES_FN lanes l_mul(lanes a, lanes b)
{
    return a * b;
}
LANES_FN lanes l_max(lanes a, lanes b)
{
    return a > b ? a : b;
}
LANES_FN lanes l_min(lanes a, lanes b)
{
    return a < b ? a : b;
}
LANES_FN lanes l_abs(lanes a)
{
    return fabs(a);
}
LANES_FN mask l_greater(lanes a, lanes b)
{
    return a > b;
}
LANES_FN mask m_and(mask a, mask b)
{
    return a && b;
}
LANES_FN mask m_or(mask a, mask b)
{
    return a || b;
}
LANES_FN uint32_t m_bits(mask a)
{
    return a;
}

struct vec;
LANES_FN void load_vertex(const bw_ccd_four *queries, int i, struct vec *start, struct vec *end);

#include "geom/ccd_filter_template.h"

LANES_FN void load_vertex(const bw_ccd_four *queries, int i, struct vec *start, struct vec *end)
{
    const double *at = queries->p[i]->at;
    for (int k = 0; k < 3; k++) {
        start->c[k] = at[k];
        end->c[k] = at[4 + k];
    }
}

uint32_t bw_ccd_filter(bool edges, const bw_ccd_four *queries, uint32_t count, bw_simd simd, uint32_t *out)
{
#if BW_SIMD_X86
    if (simd == BW_SIMD_AVX2)
        return bw_ccd_filter_avx2(edges, queries, count, out);
#endif
    (void)simd;
    return filter(edges, queries, count, out);
}
