/* Every operation of base/simd/f32x8.h at one level, its result as words, and doubles rounded to floats. The
 * includer defines WIDE_LEVEL, and RUN and ROUND, the names of the functions. */
#if WIDE_LEVEL == 3
#    define BW_D4_AVX2
#endif
#include "base/simd/f32x8.h"
#include "base/simd/f64x4.h"
#include "base/simd_levels.h"

#include <string.h>

LANES_FN void put(v8 a, uint32_t out[8])
{
    float lanes[8];
    v8_store(lanes, a);
    memcpy(out, lanes, sizeof lanes);
}
LANES_FN void put_float(float a, uint32_t out[8])
{
    memset(out, 0, 8 * sizeof *out);
    memcpy(out, &a, sizeof a);
}
LANES_FN void put_word(uint32_t a, uint32_t out[8])
{
    memset(out, 0, 8 * sizeof *out);
    out[0] = a;
}

LANES_TARGET void RUN(const float a[8], const float b[8], uint32_t number, uint32_t out[SIMD_OPERATIONS][8])
{
    const v8 x = v8_load(a), y = v8_load(b);
    const m8 set = m8_of(number & 0xFFu), above = v8_greater(x, y);
    uint32_t words_a[8], words_b[8];
    memcpy(words_a, a, sizeof words_a);
    memcpy(words_b, b, sizeof words_b);
    const uint64_t bytes = (uint64_t)number * 0x9E3779B97F4A7C15u & 0x0707070707070707u;
    const pick8 pick = pick8_of(bytes);
    put(v8_add(x, y), out[SIMD_ADD]);
    put(v8_sub(x, y), out[SIMD_SUB]);
    put(v8_mul(x, y), out[SIMD_MUL]);
    put(v8_div(x, y), out[SIMD_DIV]);
    put(v8_sqrt(x), out[SIMD_SQRT]);
    put(v8_min(x, y), out[SIMD_MIN]);
    put(v8_max(x, y), out[SIMD_MAX]);
    put(v8_abs(x), out[SIMD_ABS]);
    put(v8_choose(set, x, y), out[SIMD_CHOOSE]);
    put(v8_choose(above, x, y), out[SIMD_CHOOSE_GREATER]);
    put(v8_number(x, number & 7), out[SIMD_NUMBER]);
    put(v8_pick(a, pick), out[SIMD_PICK]);
    pick8_words(out[SIMD_PICK_WORDS], words_b, pick);
    put_float(v8_first(x), out[SIMD_FIRST]);
    put_float(v8_sum(x), out[SIMD_SUM]);
    put_float(v8_lowest(x), out[SIMD_LOWEST]);
    put_float(v8_highest(x), out[SIMD_HIGHEST]);
    put_word(m8_bits(above), out[SIMD_GREATER]);
    put_word(m8_bits(v8_equal(x, y)), out[SIMD_FLOATS_EQUAL]);
    put_word(m8_bits(m8_or(above, set)), out[SIMD_OR]);
    put_word(m8_bits(m8_and(above, set)), out[SIMD_AND]);
    put_word(m8_bits(m8_xor(above, set)), out[SIMD_XOR]);
    put_word(m8_bits(m8_without(above, set)), out[SIMD_WITHOUT]);
    put_word(lanes_signs(words_a), out[SIMD_SIGNS]);
    put_word(m8_bits(lanes_equal(words_a, words_b)), out[SIMD_EQUAL]);
    put_word(m8_bits(lanes_equal_to(words_a, words_b[0])), out[SIMD_EQUAL_TO]);
    put_word(v8_least_lane(v8_abs(x), number & 0xFFu ? number & 0xFFu : 1), out[SIMD_LEAST_LANE]);
    memcpy(out[SIMD_MARK], words_a, sizeof words_a);
    lanes_mark(out[SIMD_MARK], set, number);
    v8 rows[8];
    for (int i = 0; i < 8; i++)
        rows[i] = v8_add(v8_all((float)(i * 8)), v8_load((const float[8]){0, 1, 2, 3, 4, 5, 6, 7}));
    v8_transpose(rows);
    for (int i = 0; i < 8; i++)
        put(rows[i], out[SIMD_TRANSPOSE + i]);
}

LANES_TARGET void ROUND(const double a[4], float nearest[4], float down[4], float up[4])
{
    const d4 x = d4_load3(a);
    d4 all = d4_load(a);
    v4_store(nearest, d4_floats(x));
    v4_store(down, d4_floats_down(all));
    v4_store(up, d4_floats_up(all));
}
