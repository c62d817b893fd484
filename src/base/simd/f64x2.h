/* Two doubles in one register of 128 bits: for one moving point at a time, its places at time 0 and at
 * time 1. Written like base/simd/f32x4.h, with the same promises. */
#ifndef BW_BASE_SIMD_F64X2_H
#define BW_BASE_SIMD_F64X2_H

#include "base/simd/f32x4.h"

typedef double d2 __attribute__((vector_size(16)));
typedef int64_t m2 __attribute__((vector_size(16))); /* all bits of a lane set: true */

#if defined(__clang__) || __GNUC__ >= 12
#    define D2_SHUFFLE(a, b, i, j) __builtin_shufflevector(a, b, i, j)
#else
#    define D2_SHUFFLE(a, b, i, j) __builtin_shuffle(a, b, (m2){i, j})
#endif

V4_FN d2 d2_of(double low, double high)
{
    return (d2){low, high};
}
V4_FN d2 d2_all(double a)
{
    return (d2){a, a};
}
V4_FN double d2_low(d2 a)
{
    return a[0];
}
V4_FN double d2_high(d2 a)
{
    return a[1];
}
V4_FN d2 d2_load(const double *p)
{
    d2 a;
    memcpy(&a, p, sizeof a);
    return a;
}
V4_FN void d2_store(double *p, d2 a)
{
    memcpy(p, &a, sizeof a);
}
V4_FN d2 d2_choose(m2 m, d2 yes, d2 no)
{
    return (d2)((m & (m2)yes) | (~m & (m2)no));
}
V4_FN d2 d2_min(d2 a, d2 b)
{
#if BW_SIMD_X86
    return _mm_min_pd(a, b);
#elif defined(__wasm_simd128__)
    return (d2)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
#else
    return d2_choose(a < b, a, b);
#endif
}
V4_FN d2 d2_max(d2 a, d2 b)
{
#if BW_SIMD_X86
    return _mm_max_pd(a, b);
#elif defined(__wasm_simd128__)
    return (d2)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#else
    return d2_choose(a > b, a, b);
#endif
}
V4_FN d2 d2_sqrt(d2 a)
{
#if BW_SIMD_X86
    return _mm_sqrt_pd(a);
#elif defined(__wasm_simd128__)
    return (d2)wasm_f64x2_sqrt((v128_t)a);
#elif defined(__aarch64__)
    return (d2)vsqrtq_f64((float64x2_t)a);
#else
    return (d2){sqrt(a[0]), sqrt(a[1])};
#endif
}
V4_FN d2 d2_abs(d2 a)
{
    return (d2)((m2)a & INT64_MAX);
}
V4_FN d2 d2_swap(d2 a)
{
    return D2_SHUFFLE(a, a, 1, 0);
}
/* The low lanes of both, and the high ones. */
V4_FN d2 d2_lows(d2 a, d2 b)
{
    return D2_SHUFFLE(a, b, 0, 2);
}
V4_FN d2 d2_highs(d2 a, d2 b)
{
    return D2_SHUFFLE(a, b, 1, 3);
}
V4_FN m2 m2_lows(m2 a, m2 b)
{
    return D2_SHUFFLE(a, b, 0, 2);
}
V4_FN m2 m2_highs(m2 a, m2 b)
{
    return D2_SHUFFLE(a, b, 1, 3);
}
/* Bit 0: the low lane. */
V4_FN unsigned m2_bits(m2 a)
{
#if BW_SIMD_X86
    return (unsigned)_mm_movemask_pd((__m128d)a);
#elif defined(__wasm_simd128__)
    return (unsigned)wasm_i64x2_bitmask((v128_t)a);
#else
    return (unsigned)((uint64_t)a[0] >> 63 | (uint64_t)a[1] >> 63 << 1);
#endif
}

#endif
