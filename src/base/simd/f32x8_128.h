/* Eight floats in two registers of base/simd/f32x4.h. Included by base/simd/f32x8.h only. */
#ifndef BW_BASE_SIMD_F32X8_128_H
#define BW_BASE_SIMD_F32X8_128_H

#include "base/simd/f32x4.h"

typedef struct v8 {
    v4 low, high;
} v8;
typedef struct m8 {
    i4 low, high;
} m8;

LANES_FN v8 v8_load(const float *p)
{
    return (v8){v4_load(p), v4_load(p + 4)};
}
LANES_FN void v8_store(float *p, v8 a)
{
    v4_store(p, a.low);
    v4_store(p + 4, a.high);
}
/* Past the cache where that is to be had. */
LANES_FN void v8_stream(float *p, v8 a)
{
    v8_store(p, a);
}
LANES_FN v8 v8_join(v4 low, v4 high)
{
    return (v8){low, high};
}
LANES_FN v8 v8_all(float a)
{
    return (v8){v4_all(a), v4_all(a)};
}
/* As at AVX2; here a lane of a register is taken by one shuffle. */
#define LANES_FROM_MEMORY(rows) ((void)(rows))
/* Of two operands, lane by lane. */
/* clang-format off */
LANES_OF_TWO(v8, v8_add, v8, (v8){a.low + b.low, a.high + b.high})
LANES_OF_TWO(v8, v8_sub, v8, (v8){a.low - b.low, a.high - b.high})
LANES_OF_TWO(v8, v8_mul, v8, (v8){a.low * b.low, a.high * b.high})
LANES_OF_TWO(v8, v8_div, v8, (v8){a.low / b.low, a.high / b.high})
LANES_OF_TWO(v8, v8_min, v8, (v8){v4_min(a.low, b.low), v4_min(a.high, b.high)})
LANES_OF_TWO(v8, v8_max, v8, (v8){v4_max(a.low, b.low), v4_max(a.high, b.high)})
LANES_OF_TWO(m8, v8_greater, v8, (m8){a.low > b.low, a.high > b.high})
LANES_OF_TWO(m8, v8_equal, v8, (m8){a.low == b.low, a.high == b.high})
LANES_OF_TWO(m8, m8_or, m8, (m8){a.low | b.low, a.high | b.high})
LANES_OF_TWO(m8, m8_and, m8, (m8){a.low & b.low, a.high & b.high})
LANES_OF_TWO(m8, m8_xor, m8, (m8){a.low ^ b.low, a.high ^ b.high})
LANES_OF_TWO(m8, m8_without, m8, (m8){a.low & ~b.low, a.high & ~b.high})
/* clang-format on */
LANES_FN v8 v8_sqrt(v8 a)
{
    return (v8){v4_sqrt(a.low), v4_sqrt(a.high)};
}
LANES_FN v8 v8_abs(v8 a)
{
    return (v8){v4_abs(a.low), v4_abs(a.high)};
}
/* The lesser, or the larger, of both halves. */
LANES_FN v4 v8_fold_min(v8 a)
{
    return v4_min(a.low, a.high);
}
LANES_FN v4 v8_fold_max(v8 a)
{
    return v4_max(a.low, a.high);
}
LANES_FN float v8_first(v8 a)
{
    return a.low[0];
}
LANES_FN float v8_sum(v8 a)
{
    return v4_sum(a.low + a.high);
}
LANES_FN float v8_lowest(v8 a)
{
    return v4_lowest(v4_min(a.low, a.high));
}
LANES_FN float v8_highest(v8 a)
{
    return v4_highest(v4_max(a.low, a.high));
}
LANES_FN v8 v8_choose(m8 m, v8 yes, v8 no)
{
    return (v8){v4_choose(m.low, yes.low, no.low), v4_choose(m.high, yes.high, no.high)};
}
LANES_FN uint32_t m8_bits(m8 a)
{
    return i4_bits(a.low) | i4_bits(a.high) << 4;
}
/* Of two: those of a, then those of b. */
LANES_FN uint32_t m8_bits_of_two(m8 a, m8 b)
{
#if BW_SIMD_X86
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32((__m128i)a.low, (__m128i)a.high),
                                                       _mm_packs_epi32((__m128i)b.low, (__m128i)b.high)));
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i8x16_bitmask(
        wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4((v128_t)a.low, (v128_t)a.high),
                                wasm_i16x8_narrow_i32x4((v128_t)b.low, (v128_t)b.high)));
#else
    return m8_bits(a) | m8_bits(b) << 8;
#endif
}

/* Eight indices, each below eight, in the bytes of a word. */
typedef uint64_t pick8;
LANES_FN pick8 pick8_of(uint64_t bytes)
{
    return bytes;
}
#define LANES_INDEX(pick, k) ((pick) >> 8 * (k)&7)
LANES_FN void pick8_words(uint32_t *out, const uint32_t *p, pick8 pick)
{
    for (int k = 0; k < 8; k++)
        out[k] = p[LANES_INDEX(pick, k)];
}
#if defined(__wasm_simd128__)
/* Bytes of eight floats, by an index of each byte: beyond 15 a swizzle gives 0. */
LANES_FN v4 v4_of_bytes(v128_t low, v128_t high, v128_t bytes)
{
    const v128_t beyond = wasm_i8x16_sub(bytes, wasm_i8x16_splat(16));
    return (v4)wasm_v128_or(wasm_i8x16_swizzle(low, bytes), wasm_i8x16_swizzle(high, beyond));
}
LANES_FN v8 v8_pick(const float *p, pick8 pick)
{
    const v128_t low = wasm_v128_load(p), high = wasm_v128_load(p + 4), four = wasm_i32x4_splat(0x03020100);
    const v128_t lanes = wasm_i32x4_shl(wasm_i64x2_splat((int64_t)(pick & 0x0707070707070707u)), 2);
    const v128_t first = wasm_i8x16_shuffle(lanes, lanes, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                 last = wasm_i8x16_shuffle(lanes, lanes, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7);
    return (v8){v4_of_bytes(low, high, wasm_v128_or(first, four)),
                v4_of_bytes(low, high, wasm_v128_or(last, four))};
}
#else
LANES_FN v8 v8_pick(const float *p, pick8 pick)
{
    return (v8){
        {p[LANES_INDEX(pick, 0)], p[LANES_INDEX(pick, 1)], p[LANES_INDEX(pick, 2)], p[LANES_INDEX(pick, 3)]},
        {p[LANES_INDEX(pick, 4)], p[LANES_INDEX(pick, 5)], p[LANES_INDEX(pick, 6)], p[LANES_INDEX(pick, 7)]}};
}
#endif
/* Replaces the lowest six bits of lane k by 8 row + k. */
LANES_FN v8 v8_number(v8 a, uint32_t row)
{
    const u4 low = {0, 1, 2, 3}, high = {4, 5, 6, 7};
    return (v8){(v4)(((u4)a.low & ~63u) | low | 8 * row), (v4)(((u4)a.high & ~63u) | high | 8 * row)};
}
/* The lanes of a set of bits. */
LANES_FN m8 m8_of(uint32_t bits)
{
    const u4 low = {1, 2, 4, 8}, high = {16, 32, 64, 128};
    return (m8){(low & bits) == low, (high & bits) == high};
}
/* Those of a row of eight such sets. */
LANES_FN m8 m8_of_row(uint64_t rows, uint32_t row)
{
    return m8_of((uint32_t)(rows >> 8 * row) & 0xFFu);
}
/* The lanes whose highest bit is set. */
LANES_FN uint32_t lanes_signs(const uint32_t *words)
{
    return i4_bits((i4)u4_load(words)) | i4_bits((i4)u4_load(words + 4)) << 4;
}
LANES_FN m8 lanes_equal(const uint32_t *a, const uint32_t *b)
{
    return (m8){u4_load(a) == u4_load(b), u4_load(a + 4) == u4_load(b + 4)};
}
/* Sets bits in the words of the lanes of a set. */
LANES_FN void lanes_mark(uint32_t *words, m8 set, uint32_t bits)
{
    u4_store(words, u4_load(words) | ((u4)set.low & bits));
    u4_store(words + 4, u4_load(words + 4) | ((u4)set.high & bits));
}
LANES_FN m8 lanes_equal_to(const uint32_t *a, uint32_t b)
{
    return (m8){u4_load(a) == b, u4_load(a + 4) == b};
}
/* Of a set of lanes, not empty, the one with the least value, and of several to a relative 2^-20 the first.
 * No value is negative, so that their bits are in their order, and the last three make room for the lane. */
LANES_FN uint32_t v8_least_lane(v8 a, uint32_t lanes)
{
    uint32_t bits[8], least = UINT32_MAX;
    memcpy(bits, &a, sizeof bits);
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes), key = (bits[lane] & ~7u) | lane;
        least = key < least ? key : least;
    }
    return least & 7;
}
/* The first three columns of eight rows of four. */
LANES_FN void v8_columns(const v4 rows[8], v8 out[3])
{
    v4 low[4] = {rows[0], rows[1], rows[2], rows[3]}, high[4] = {rows[4], rows[5], rows[6], rows[7]};
    v4_transpose(low);
    v4_transpose(high);
    for (int k = 0; k < 3; k++)
        out[k] = (v8){low[k], high[k]};
}
/* Rows become columns. */
LANES_FN void v8_transpose(v8 r[8])
{
    v4 part[4][4];
    for (int i = 0; i < 4; i++) {
        part[0][i] = r[i].low;
        part[1][i] = r[4 + i].low;
        part[2][i] = r[i].high;
        part[3][i] = r[4 + i].high;
    }
    for (int i = 0; i < 4; i++)
        v4_transpose(part[i]);
    for (int k = 0; k < 4; k++) {
        r[k] = (v8){part[0][k], part[1][k]};
        r[4 + k] = (v8){part[2][k], part[3][k]};
    }
}

#endif
