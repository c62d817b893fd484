/* Four floats, or four words, in one register of 128 bits: SSE2, NEON or WebAssembly SIMD, and one after the
 * other where there is none. Vectors are those of GCC and Clang, so sums, products, comparisons (all bits of
 * a lane set: true) and logic are the operators of C; this adds what has no operator. Every processor gives
 * the same bits: an operation is one IEEE operation per lane, minimum and maximum take the second operand
 * where the first does not win (so with NaN, and with zeros of two signs), and comparisons with NaN are
 * false. */
#ifndef BW_BASE_SIMD_F32X4_H
#define BW_BASE_SIMD_F32X4_H

#include "base/simd/level.h"

#include <math.h>
#include <string.h>

#if BW_SIMD_X86
#    include <emmintrin.h>
#elif defined(__aarch64__)
#    include <arm_neon.h>
#elif defined(__wasm_simd128__)
#    include <wasm_simd128.h>
#endif

typedef float v4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));
typedef uint32_t u4 __attribute__((vector_size(16)));

#define V4_FN static inline __attribute__((always_inline, unused))

/* Lanes of two vectors: 0 to 3 are those of a, 4 to 7 those of b. */
#if defined(__clang__) || __GNUC__ >= 12
#    define V4_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#    define V4_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (i4){i, j, k, l})
#endif

V4_FN v4 v4_load(const float *p)
{
    v4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
V4_FN void v4_store(float *p, v4 a)
{
    memcpy(p, &a, sizeof a);
}
/* The first three lanes of both, one after the other: a box. In pieces of which a copy is taken without
 * waiting. */
V4_FN void v4_store_box(void *box, v4 low, v4 high)
{
    const v4 first = V4_SHUFFLE(low, high, 0, 1, 2, 4), last = V4_SHUFFLE(high, high, 1, 2, 1, 2);
    memcpy(box, &first, sizeof first);
    memcpy((char *)box + sizeof first, &last, 2 * sizeof(float));
}
/* x, y, z, 0, without reading beyond z. */
V4_FN v4 v4_load3(const void *at)
{
    double xy;
    float z;
    memcpy(&xy, at, sizeof xy);
    memcpy(&z, (const char *)at + sizeof xy, sizeof z);
    typedef double pair __attribute__((vector_size(16)));
    const pair first = {xy, 0};
    const v4 last = {z, 0, 0, 0};
    return V4_SHUFFLE((v4)first, last, 0, 1, 4, 5);
}
V4_FN u4 u4_load(const uint32_t *p)
{
    u4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
V4_FN void u4_store(uint32_t *p, u4 a)
{
    memcpy(p, &a, sizeof a);
}
V4_FN v4 v4_all(float a)
{
    return (v4){a, a, a, a};
}
V4_FN u4 u4_all(uint32_t a)
{
    return (u4){a, a, a, a};
}
V4_FN v4 v4_choose(i4 m, v4 yes, v4 no)
{
    return (v4)((m & (i4)yes) | (~m & (i4)no));
}
V4_FN v4 v4_abs(v4 a)
{
    return (v4)((i4)a & INT32_MAX);
}

#if BW_SIMD_X86
V4_FN v4 v4_min(v4 a, v4 b)
{
    return _mm_min_ps(a, b);
}
V4_FN v4 v4_max(v4 a, v4 b)
{
    return _mm_max_ps(a, b);
}
V4_FN v4 v4_sqrt(v4 a)
{
    return _mm_sqrt_ps(a);
}
/* The highest bit of each lane. */
V4_FN uint32_t i4_bits(i4 a)
{
    return (uint32_t)_mm_movemask_ps((__m128)a);
}
#elif defined(__wasm_simd128__)
/* pmin(b, a) is a < b ? a : b. */
V4_FN v4 v4_min(v4 a, v4 b)
{
    return (v4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}
V4_FN v4 v4_max(v4 a, v4 b)
{
    return (v4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}
V4_FN v4 v4_sqrt(v4 a)
{
    return (v4)wasm_f32x4_sqrt((v128_t)a);
}
V4_FN uint32_t i4_bits(i4 a)
{
    return (uint32_t)wasm_i32x4_bitmask((v128_t)a);
}
#else
V4_FN v4 v4_min(v4 a, v4 b)
{
    return v4_choose(a < b, a, b);
}
V4_FN v4 v4_max(v4 a, v4 b)
{
    return v4_choose(a > b, a, b);
}
V4_FN v4 v4_sqrt(v4 a)
{
#    if defined(__aarch64__)
    return (v4)vsqrtq_f32((float32x4_t)a);
#    else
    return (v4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#    endif
}
V4_FN uint32_t i4_bits(i4 a)
{
    const u4 bits = ((u4)a >> 31) << (u4){0, 1, 2, 3};
#    if defined(__aarch64__)
    return vaddvq_u32((uint32x4_t)bits);
#    else
    return bits[0] | bits[1] | bits[2] | bits[3];
#    endif
}
#endif

/* Sum, lowest and highest fold halves before pairs. */
V4_FN float v4_sum(v4 a)
{
    a = a + V4_SHUFFLE(a, a, 2, 3, 2, 3);
    return a[0] + a[1];
}
V4_FN float v4_lowest(v4 a)
{
    a = v4_min(a, V4_SHUFFLE(a, a, 2, 3, 2, 3));
    return v4_min(a, V4_SHUFFLE(a, a, 1, 1, 1, 1))[0];
}
V4_FN float v4_highest(v4 a)
{
    a = v4_max(a, V4_SHUFFLE(a, a, 2, 3, 2, 3));
    return v4_max(a, V4_SHUFFLE(a, a, 1, 1, 1, 1))[0];
}
/* Lanes x, y, z: the smallest, or the largest, of each row's four. */
V4_FN v4 v4_row_minima(v4 x, v4 y, v4 z)
{
    const v4 xy = v4_min(V4_SHUFFLE(x, y, 0, 4, 1, 5), V4_SHUFFLE(x, y, 2, 6, 3, 7));
    const v4 zz = v4_min(V4_SHUFFLE(z, z, 0, 0, 1, 1), V4_SHUFFLE(z, z, 2, 2, 3, 3));
    return v4_min(V4_SHUFFLE(xy, zz, 0, 1, 4, 5), V4_SHUFFLE(xy, zz, 2, 3, 6, 7));
}
V4_FN v4 v4_row_maxima(v4 x, v4 y, v4 z)
{
    const v4 xy = v4_max(V4_SHUFFLE(x, y, 0, 4, 1, 5), V4_SHUFFLE(x, y, 2, 6, 3, 7));
    const v4 zz = v4_max(V4_SHUFFLE(z, z, 0, 0, 1, 1), V4_SHUFFLE(z, z, 2, 2, 3, 3));
    return v4_max(V4_SHUFFLE(xy, zz, 0, 1, 4, 5), V4_SHUFFLE(xy, zz, 2, 3, 6, 7));
}
/* Rows become columns. */
V4_FN void v4_transpose(v4 r[4])
{
    const v4 xy01 = V4_SHUFFLE(r[0], r[1], 0, 4, 1, 5), zw01 = V4_SHUFFLE(r[0], r[1], 2, 6, 3, 7);
    const v4 xy23 = V4_SHUFFLE(r[2], r[3], 0, 4, 1, 5), zw23 = V4_SHUFFLE(r[2], r[3], 2, 6, 3, 7);
    r[0] = V4_SHUFFLE(xy01, xy23, 0, 1, 4, 5);
    r[1] = V4_SHUFFLE(xy01, xy23, 2, 3, 6, 7);
    r[2] = V4_SHUFFLE(zw01, zw23, 0, 1, 4, 5);
    r[3] = V4_SHUFFLE(zw01, zw23, 2, 3, 6, 7);
}

#endif
