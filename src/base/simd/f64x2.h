/* Two doubles at once: for one moving point at a time, its places at time 0 and at time 1. SSE2 where it is
 * there, plain doubles elsewhere (and where BW_D2_PLAIN is defined, for tests): the same bits. */
#ifndef BW_BASE_SIMD_F64X2_H
#define BW_BASE_SIMD_F64X2_H

#include "base/simd/level.h"

#if BW_SIMD_X86 && defined(__SSE2__) && !defined(BW_D2_PLAIN)
#    include <emmintrin.h>

typedef __m128d d2;
typedef __m128d m2; /* all bits of a lane set: true */

static inline d2 d2_of(double low, double high)
{
    return _mm_set_pd(high, low);
}
static inline d2 d2_all(double a)
{
    return _mm_set1_pd(a);
}
static inline double d2_low(d2 a)
{
    return _mm_cvtsd_f64(a);
}
static inline double d2_high(d2 a)
{
    return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a));
}
static inline d2 d2_load(const double *p)
{
    return _mm_loadu_pd(p);
}
static inline d2 d2_add(d2 a, d2 b)
{
    return _mm_add_pd(a, b);
}
static inline d2 d2_sub(d2 a, d2 b)
{
    return _mm_sub_pd(a, b);
}
static inline d2 d2_mul(d2 a, d2 b)
{
    return _mm_mul_pd(a, b);
}
static inline d2 d2_min(d2 a, d2 b)
{
    return _mm_min_pd(a, b);
}
static inline d2 d2_max(d2 a, d2 b)
{
    return _mm_max_pd(a, b);
}
static inline d2 d2_abs(d2 a)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}
static inline d2 d2_swap(d2 a)
{
    return _mm_shuffle_pd(a, a, 1);
}
/* The low lanes of both, and the high ones. */
static inline d2 d2_lows(d2 a, d2 b)
{
    return _mm_unpacklo_pd(a, b);
}
static inline d2 d2_highs(d2 a, d2 b)
{
    return _mm_unpackhi_pd(a, b);
}
static inline m2 d2_greater(d2 a, d2 b)
{
    return _mm_cmpgt_pd(a, b);
}
static inline m2 d2_at_least(d2 a, d2 b)
{
    return _mm_cmpge_pd(a, b);
}
static inline m2 d2_equal(d2 a, d2 b)
{
    return _mm_cmpeq_pd(a, b);
}
static inline m2 m2_and(m2 a, m2 b)
{
    return _mm_and_pd(a, b);
}
static inline m2 m2_or(m2 a, m2 b)
{
    return _mm_or_pd(a, b);
}
/* a and not b */
static inline m2 m2_without(m2 a, m2 b)
{
    return _mm_andnot_pd(b, a);
}
static inline m2 m2_lows(m2 a, m2 b)
{
    return _mm_unpacklo_pd(a, b);
}
static inline m2 m2_highs(m2 a, m2 b)
{
    return _mm_unpackhi_pd(a, b);
}
/* Bit 0: the low lane. */
static inline unsigned m2_bits(m2 a)
{
    return (unsigned)_mm_movemask_pd(a);
}

#else
#    include <math.h>

typedef struct d2 {
    double low, high;
} d2;
typedef struct m2 {
    bool low, high;
} m2;

static inline d2 d2_of(double low, double high)
{
    return (d2){low, high};
}
static inline d2 d2_all(double a)
{
    return (d2){a, a};
}
static inline double d2_low(d2 a)
{
    return a.low;
}
static inline double d2_high(d2 a)
{
    return a.high;
}
static inline d2 d2_load(const double *p)
{
    return (d2){p[0], p[1]};
}
static inline d2 d2_add(d2 a, d2 b)
{
    return (d2){a.low + b.low, a.high + b.high};
}
static inline d2 d2_sub(d2 a, d2 b)
{
    return (d2){a.low - b.low, a.high - b.high};
}
static inline d2 d2_mul(d2 a, d2 b)
{
    return (d2){a.low * b.low, a.high * b.high};
}
static inline d2 d2_min(d2 a, d2 b)
{
    return (d2){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}
static inline d2 d2_max(d2 a, d2 b)
{
    return (d2){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
static inline d2 d2_abs(d2 a)
{
    return (d2){fabs(a.low), fabs(a.high)};
}
static inline d2 d2_swap(d2 a)
{
    return (d2){a.high, a.low};
}
static inline d2 d2_lows(d2 a, d2 b)
{
    return (d2){a.low, b.low};
}
static inline d2 d2_highs(d2 a, d2 b)
{
    return (d2){a.high, b.high};
}
static inline m2 d2_greater(d2 a, d2 b)
{
    return (m2){a.low > b.low, a.high > b.high};
}
static inline m2 d2_at_least(d2 a, d2 b)
{
    return (m2){a.low >= b.low, a.high >= b.high};
}
static inline m2 d2_equal(d2 a, d2 b)
{
    return (m2){a.low == b.low, a.high == b.high};
}
static inline m2 m2_and(m2 a, m2 b)
{
    return (m2){a.low && b.low, a.high && b.high};
}
static inline m2 m2_or(m2 a, m2 b)
{
    return (m2){a.low || b.low, a.high || b.high};
}
static inline m2 m2_without(m2 a, m2 b)
{
    return (m2){a.low && !b.low, a.high && !b.high};
}
static inline m2 m2_lows(m2 a, m2 b)
{
    return (m2){a.low, b.low};
}
static inline m2 m2_highs(m2 a, m2 b)
{
    return (m2){a.high, b.high};
}
static inline unsigned m2_bits(m2 a)
{
    return (unsigned)a.low | (unsigned)a.high << 1;
}
#endif

#endif
