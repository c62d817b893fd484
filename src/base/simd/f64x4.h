/* Four doubles at once: a point x, y, z and something, the four coefficients of a cubic, or a
 * number of each of four queries. Where the
 * includer defines BW_D4_AVX2 one register of AVX2, and every function that uses it must be marked D4_FN;
 * elsewhere two of base/simd/f64x2.h: the same bits. */
#ifndef BW_BASE_SIMD_F64X4_H
#define BW_BASE_SIMD_F64X4_H

#include "base/simd/f64x2.h"

/* A function of two operands. */
#define D4_OF_TWO(result, name, operand, ...)                                                                \
    D4_FN result name(operand a, operand b)                                                                  \
    {                                                                                                        \
        return __VA_ARGS__;                                                                                  \
    }

#ifdef BW_D4_AVX2
#    include <immintrin.h>
#    define D4_FN __attribute__((target("avx2"), always_inline)) static inline
#    define D4_TARGET __attribute__((target("avx2")))

typedef __m256d d4;
typedef __m256d m4; /* all bits of a lane set: true */

D4_FN d4 d4_load(const double *p)
{
    return _mm256_loadu_pd(p);
}
/* From where two halves were just stored, which a load of the whole would wait for. */
D4_FN d4 d4_load_halves(const double *p)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(p + 2), 1);
}
D4_FN void d4_store(double *p, d4 a)
{
    _mm256_storeu_pd(p, a);
}
D4_FN d4 d4_all(double a)
{
    return _mm256_set1_pd(a);
}
/* Of two operands, lane by lane. */
/* clang-format off */
D4_OF_TWO(d4, d4_add, d4, _mm256_add_pd(a, b))
D4_OF_TWO(d4, d4_sub, d4, _mm256_sub_pd(a, b))
D4_OF_TWO(d4, d4_mul, d4, _mm256_mul_pd(a, b))
D4_OF_TWO(d4, d4_div, d4, _mm256_div_pd(a, b))
D4_OF_TWO(d4, d4_min, d4, _mm256_min_pd(a, b))
D4_OF_TWO(d4, d4_max, d4, _mm256_max_pd(a, b))
D4_OF_TWO(m4, d4_greater, d4, _mm256_cmp_pd(a, b, _CMP_GT_OQ))
D4_OF_TWO(m4, d4_equal, d4, _mm256_cmp_pd(a, b, _CMP_EQ_OQ))
D4_OF_TWO(m4, m4_and, m4, _mm256_and_pd(a, b))
D4_OF_TWO(m4, m4_without, m4, _mm256_andnot_pd(b, a)) /* a and not b */
D4_OF_TWO(m4, m4_or, m4, _mm256_or_pd(a, b))
/* clang-format on */
D4_FN d4 d4_sqrt(d4 a)
{
    return _mm256_sqrt_pd(a);
}
D4_FN d4 d4_abs(d4 a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
/* x, y, z, 0. */
D4_FN d4 d4_xyz(d4 a)
{
    return _mm256_blend_pd(a, _mm256_setzero_pd(), 8);
}
/* y, z, x, w. */
D4_FN d4 d4_turn(d4 a)
{
    return _mm256_permute4x64_pd(a, 0xC9);
}
/* z, x, y, w. */
D4_FN d4 d4_turn_back(d4 a)
{
    return _mm256_permute4x64_pd(a, 0xD2);
}
/* y, z, w, x. */
D4_FN d4 d4_rotate(d4 a)
{
    return _mm256_permute4x64_pd(a, 0x39);
}
D4_FN double d4_first(d4 a)
{
    return _mm256_cvtsd_f64(a);
}
/* (x + y) + (z + w) of each. */
D4_FN d4 d4_sums(d4 a, d4 b, d4 c, d4 d)
{
    d4 ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}
D4_FN d4 d4_sum_everywhere(d4 a)
{
    d4 pairs = _mm256_hadd_pd(a, a);
    return _mm256_add_pd(pairs, _mm256_permute2f128_pd(pairs, pairs, 1));
}
/* The first three columns of four rows. */
D4_FN void d4_columns(d4 a, d4 b, d4 c, d4 d, d4 out[3])
{
    const d4 xz_ab = _mm256_unpacklo_pd(a, b), yw_ab = _mm256_unpackhi_pd(a, b);
    const d4 xz_cd = _mm256_unpacklo_pd(c, d), yw_cd = _mm256_unpackhi_pd(c, d);
    out[0] = _mm256_permute2f128_pd(xz_ab, xz_cd, 0x20);
    out[1] = _mm256_permute2f128_pd(yw_ab, yw_cd, 0x20);
    out[2] = _mm256_permute2f128_pd(xz_ab, xz_cd, 0x31);
}
/* All four. */
D4_FN void d4_transpose(d4 r[4])
{
    const d4 xz_ab = _mm256_unpacklo_pd(r[0], r[1]), yw_ab = _mm256_unpackhi_pd(r[0], r[1]);
    const d4 xz_cd = _mm256_unpacklo_pd(r[2], r[3]), yw_cd = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(xz_ab, xz_cd, 0x20);
    r[1] = _mm256_permute2f128_pd(yw_ab, yw_cd, 0x20);
    r[2] = _mm256_permute2f128_pd(xz_ab, xz_cd, 0x31);
    r[3] = _mm256_permute2f128_pd(yw_ab, yw_cd, 0x31);
}
D4_FN d4 d4_choose(m4 m, d4 yes, d4 no)
{
    return _mm256_blendv_pd(no, yes, m);
}
/* Zero where m is set. */
D4_FN d4 d4_unless(m4 m, d4 a)
{
    return _mm256_andnot_pd(m, a);
}
/* Bit 0: x. */
D4_FN unsigned m4_bits(m4 a)
{
    return (unsigned)_mm256_movemask_pd(a);
}
/* x, y, z, 0, without reading beyond z. */
D4_FN d4 d4_load3(const double *p)
{
    return _mm256_maskload_pd(p, _mm256_setr_epi64x(-1, -1, -1, 0));
}
/* Two of each. This and the next words are of AVX2 alone. */
D4_FN d4 d4_load_pairs(const double *p, const double *q)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(q), 1);
}
/* y, x, w, z. */
D4_FN d4 d4_swap(d4 a)
{
    return _mm256_permute_pd(a, 5);
}
/* Of each pair the first of a and of b, and the second. */
D4_OF_TWO(d4, d4_lows, d4, _mm256_unpacklo_pd(a, b))
D4_OF_TWO(d4, d4_highs, d4, _mm256_unpackhi_pd(a, b))
/* x, z and y, w. */
D4_FN d2 d4_low_of_pairs(d4 a)
{
    return _mm_unpacklo_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
}
D4_FN d2 d4_high_of_pairs(d4 a)
{
    return _mm_unpackhi_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
}
/* To the nearest floats, and back, of both levels again. */
D4_FN v4 d4_floats(d4 a)
{
    return _mm256_cvtpd_ps(a);
}
D4_FN d4 d4_of_floats(v4 a)
{
    return _mm256_cvtps_pd(a);
}
D4_FN i4 m4_narrow(m4 a)
{
    const v4 low = _mm256_castps256_ps128(_mm256_castpd_ps(a)),
             high = _mm256_extractf128_ps(_mm256_castpd_ps(a), 1);
    return (i4)V4_SHUFFLE(low, high, 0, 2, 4, 6);
}

#else
#    define D4_FN static inline
#    define D4_TARGET

typedef struct d4 {
    d2 xy, zw;
} d4;
typedef struct m4 {
    m2 xy, zw;
} m4;

D4_FN d4 d4_load(const double *p)
{
    return (d4){d2_load(p), d2_load(p + 2)};
}
D4_FN d4 d4_load_halves(const double *p)
{
    return d4_load(p);
}
D4_FN void d4_store(double *p, d4 a)
{
    d2_store(p, a.xy);
    d2_store(p + 2, a.zw);
}
D4_FN d4 d4_all(double a)
{
    return (d4){d2_all(a), d2_all(a)};
}
/* Of two operands, lane by lane. */
/* clang-format off */
D4_OF_TWO(d4, d4_add, d4, (d4){a.xy + b.xy, a.zw + b.zw})
D4_OF_TWO(d4, d4_sub, d4, (d4){a.xy - b.xy, a.zw - b.zw})
D4_OF_TWO(d4, d4_mul, d4, (d4){a.xy * b.xy, a.zw * b.zw})
D4_OF_TWO(d4, d4_div, d4, (d4){a.xy / b.xy, a.zw / b.zw})
D4_OF_TWO(d4, d4_min, d4, (d4){d2_min(a.xy, b.xy), d2_min(a.zw, b.zw)})
D4_OF_TWO(d4, d4_max, d4, (d4){d2_max(a.xy, b.xy), d2_max(a.zw, b.zw)})
D4_OF_TWO(m4, d4_greater, d4, (m4){a.xy > b.xy, a.zw > b.zw})
D4_OF_TWO(m4, d4_equal, d4, (m4){a.xy == b.xy, a.zw == b.zw})
D4_OF_TWO(m4, m4_and, m4, (m4){a.xy & b.xy, a.zw & b.zw})
D4_OF_TWO(m4, m4_without, m4, (m4){a.xy & ~b.xy, a.zw & ~b.zw})
D4_OF_TWO(m4, m4_or, m4, (m4){a.xy | b.xy, a.zw | b.zw})
/* clang-format on */
D4_FN d4 d4_sqrt(d4 a)
{
    return (d4){d2_sqrt(a.xy), d2_sqrt(a.zw)};
}
D4_FN d4 d4_abs(d4 a)
{
    return (d4){d2_abs(a.xy), d2_abs(a.zw)};
}
D4_FN d4 d4_xyz(d4 a)
{
    return (d4){a.xy, d2_lows(a.zw, d2_all(0))};
}
D4_FN d4 d4_turn(d4 a)
{
    return (d4){d2_lows(d2_swap(a.xy), a.zw), d2_of(d2_low(a.xy), d2_high(a.zw))};
}
D4_FN d4 d4_turn_back(d4 a)
{
    return (d4){d2_lows(a.zw, a.xy), d2_highs(a.xy, a.zw)};
}
D4_FN d4 d4_rotate(d4 a)
{
    return (d4){d2_lows(d2_swap(a.xy), a.zw), d2_lows(d2_swap(a.zw), a.xy)};
}
D4_FN double d4_first(d4 a)
{
    return a.xy[0];
}
D4_FN d4 d4_sums(d4 a, d4 b, d4 c, d4 d)
{
    d2 xy_ab = d2_lows(a.xy, b.xy) + d2_highs(a.xy, b.xy), xy_cd = d2_lows(c.xy, d.xy) + d2_highs(c.xy, d.xy),
       zw_ab = d2_lows(a.zw, b.zw) + d2_highs(a.zw, b.zw), zw_cd = d2_lows(c.zw, d.zw) + d2_highs(c.zw, d.zw);
    return (d4){xy_ab + zw_ab, xy_cd + zw_cd};
}
D4_FN d4 d4_sum_everywhere(d4 a)
{
    return d4_sums(a, a, a, a);
}
D4_FN void d4_columns(d4 a, d4 b, d4 c, d4 d, d4 out[3])
{
    out[0] = (d4){d2_lows(a.xy, b.xy), d2_lows(c.xy, d.xy)};
    out[1] = (d4){d2_highs(a.xy, b.xy), d2_highs(c.xy, d.xy)};
    out[2] = (d4){d2_lows(a.zw, b.zw), d2_lows(c.zw, d.zw)};
}
D4_FN void d4_transpose(d4 r[4])
{
    const d4 x = {d2_lows(r[0].xy, r[1].xy), d2_lows(r[2].xy, r[3].xy)},
             y = {d2_highs(r[0].xy, r[1].xy), d2_highs(r[2].xy, r[3].xy)};
    const d4 z = {d2_lows(r[0].zw, r[1].zw), d2_lows(r[2].zw, r[3].zw)},
             w = {d2_highs(r[0].zw, r[1].zw), d2_highs(r[2].zw, r[3].zw)};
    r[0] = x;
    r[1] = y;
    r[2] = z;
    r[3] = w;
}
D4_FN d4 d4_choose(m4 m, d4 yes, d4 no)
{
    return (d4){d2_choose(m.xy, yes.xy, no.xy), d2_choose(m.zw, yes.zw, no.zw)};
}
D4_FN d4 d4_unless(m4 m, d4 a)
{
    return (d4){(d2)((m2)a.xy & ~m.xy), (d2)((m2)a.zw & ~m.zw)};
}
D4_FN unsigned m4_bits(m4 a)
{
    return m2_bits(a.xy) | m2_bits(a.zw) << 2;
}
D4_FN d4 d4_load3(const double *p)
{
    return (d4){d2_load(p), d2_of(p[2], 0)};
}
#    if !BW_SIMD_X86
/* Conversions of whole vectors: written lane by lane, there and back, GCC 12 drops both. */
typedef float d2_floats __attribute__((vector_size(8)));
#    endif
D4_FN v4 d4_floats(d4 a)
{
#    if BW_SIMD_X86
    return _mm_movelh_ps(_mm_cvtpd_ps(a.xy), _mm_cvtpd_ps(a.zw));
#    else
    const d2_floats xy = __builtin_convertvector(a.xy, d2_floats),
                    zw = __builtin_convertvector(a.zw, d2_floats);
    return (v4){xy[0], xy[1], zw[0], zw[1]};
#    endif
}
D4_FN d4 d4_of_floats(v4 a)
{
#    if BW_SIMD_X86
    return (d4){_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))};
#    else
    return (d4){__builtin_convertvector(((d2_floats){a[0], a[1]}), d2),
                __builtin_convertvector(((d2_floats){a[2], a[3]}), d2)};
#    endif
}
D4_FN i4 m4_narrow(m4 a)
{
    return V4_SHUFFLE((i4)a.xy, (i4)a.zw, 0, 2, 4, 6);
}
#endif

/* The largest floats that are not above the doubles, which are at most FLT_MAX in magnitude: bw_float_down
 * of geom/box.h. */
D4_FN v4 d4_floats_down(d4 a)
{
    const v4 f = d4_floats(a);
    const i4 above = m4_narrow(d4_greater(d4_of_floats(f), a));
    /* The bits of positive floats ascend with their values, those of negative ones descend; before either
     * zero comes the smallest negative. */
    const i4 before = ((i4)f | ((f == 0.0f) & INT32_MIN)) + ((f > 0.0f) | 1);
    return v4_choose(above, (v4)before, f);
}
/* The smallest that are not below. */
D4_FN v4 d4_floats_up(d4 a)
{
    const v4 f = d4_floats(a);
    const i4 below = m4_narrow(d4_greater(a, d4_of_floats(f)));
    const i4 after = ((i4)f & ~((f == 0.0f) & INT32_MIN)) + ((f < 0.0f) | 1);
    return v4_choose(below, (v4)after, f);
}

#endif
