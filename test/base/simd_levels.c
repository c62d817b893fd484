/* Every operation on eight floats, four floats and two and four doubles, at every level, against plain C:
 * over zeros of both signs, infinities, NaNs, denormals and random bits, the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/simd/f64x4.h"
#include "base/simd/level.h"
#include "base/simd_levels.h"
#include "oracle/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const uint32_t specials[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                    0xff800000, 0x7fc00000, 0xffc00000, 0x7fc12345, 0x00000001,
                                    0x80000001, 0x00800000, 0x7f7fffff, 0xff7fffff};
enum { SPECIALS = sizeof specials / sizeof *specials };

static float any_float(bws_random *random)
{
    uint32_t bits = bws_random_int(random, 0, 2) != 0 ? specials[bws_random_int(random, 0, SPECIALS - 1)]
                                                      : (uint32_t)bws_random_u64(random);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float least(float a, float b)
{
    volatile float x = a, y = b;
    return x < y ? a : b;
}

static float most(float a, float b)
{
    volatile float x = a, y = b;
    return x > y ? a : b;
}

static float plus(float a, float b)
{
    return a + b;
}

/* Halves before pairs. */
static float fold(const float a[8], float (*combine)(float, float))
{
    float s[4];
    for (int i = 0; i < 4; i++)
        s[i] = combine(a[i], a[i + 4]);
    return combine(combine(s[0], s[2]), combine(s[1], s[3]));
}

static void expect(const float a[8], const float b[8], uint32_t number, uint32_t out[SIMD_OPERATIONS][8])
{
    memset(out, 0, SIMD_OPERATIONS * sizeof *out);
    const uint64_t bytes = (uint64_t)number * 0x9E3779B97F4A7C15u & 0x0707070707070707u;
    const uint32_t lanes = (number & 0xFFu) != 0 ? number & 0xFFu : 1;
    uint32_t least_key = UINT32_MAX;
    for (uint32_t i = 0; i < 8; i++) {
        const bool set = (number >> i & 1) != 0, above = a[i] > b[i];
        const uint32_t from = (uint32_t)(bytes >> 8 * i & 7), x = bits_of(a[i]), key = (x & 0x7ffffff8u) | i;
        out[SIMD_ADD][i] = bits_of(a[i] + b[i]);
        out[SIMD_SUB][i] = bits_of(a[i] - b[i]);
        out[SIMD_MUL][i] = bits_of(a[i] * b[i]);
        out[SIMD_DIV][i] = bits_of(a[i] / b[i]);
        out[SIMD_SQRT][i] = bits_of(sqrtf(a[i]));
        out[SIMD_MIN][i] = bits_of(least(a[i], b[i]));
        out[SIMD_MAX][i] = bits_of(most(a[i], b[i]));
        out[SIMD_ABS][i] = x & 0x7fffffffu;
        out[SIMD_CHOOSE][i] = set ? x : bits_of(b[i]);
        out[SIMD_CHOOSE_GREATER][i] = above ? x : bits_of(b[i]);
        out[SIMD_NUMBER][i] = (x & ~63u) | (8 * (number & 7) + i);
        out[SIMD_PICK][i] = bits_of(a[from]);
        out[SIMD_PICK_WORDS][i] = bits_of(b[from]);
        out[SIMD_GREATER][0] |= (uint32_t)above << i;
        out[SIMD_FLOATS_EQUAL][0] |= (uint32_t)(a[i] == b[i]) << i;
        out[SIMD_OR][0] |= (uint32_t)(above || set) << i;
        out[SIMD_AND][0] |= (uint32_t)(above && set) << i;
        out[SIMD_XOR][0] |= (uint32_t)(above != set) << i;
        out[SIMD_WITHOUT][0] |= (uint32_t)(above && !set) << i;
        out[SIMD_SIGNS][0] |= x >> 31 << i;
        out[SIMD_EQUAL][0] |= (uint32_t)(x == bits_of(b[i])) << i;
        out[SIMD_EQUAL_TO][0] |= (uint32_t)(x == bits_of(b[0])) << i;
        out[SIMD_MARK][i] = set ? x | number : x;
        if ((lanes >> i & 1) != 0 && key < least_key)
            least_key = key;
        for (uint32_t k = 0; k < 8; k++)
            out[SIMD_TRANSPOSE + k][i] = bits_of((float)(i * 8 + k));
    }
    out[SIMD_LEAST_LANE][0] = least_key & 7;
    out[SIMD_FIRST][0] = bits_of(a[0]);
    out[SIMD_SUM][0] = bits_of(fold(a, plus));
    out[SIMD_LOWEST][0] = bits_of(fold(a, least));
    out[SIMD_HIGHEST][0] = bits_of(fold(a, most));
}

/* Which NaN comes out of a sum, a product, a quotient or a root is left to the processor. */
static bool same(uint32_t operation, uint32_t got, uint32_t wanted)
{
    const bool rounded = operation <= SIMD_SQRT || operation == SIMD_SUM;
    return got == wanted ||
           (rounded && (got & 0x7fffffffu) > 0x7f800000u && (wanted & 0x7fffffffu) > 0x7f800000u);
}

static void eight_floats(bws_random *random, void *user)
{
    (void)user;
    float a[8], b[8];
    for (int i = 0; i < 8; i++) {
        a[i] = any_float(random);
        b[i] = bws_random_int(random, 0, 3) != 0 ? any_float(random) : a[i];
    }
    const uint32_t number = (uint32_t)bws_random_u64(random);
    simd_level *levels[2] = {simd_128, NULL};
#if BW_SIMD_X86
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2)
        levels[1] = simd_avx2;
#endif
    uint32_t wanted[SIMD_OPERATIONS][8], got[SIMD_OPERATIONS][8];
    expect(a, b, number, wanted);
    for (int level = 0; level < 2 && levels[level] != NULL; level++) {
        levels[level](a, b, number, got);
        for (uint32_t o = 0; o < SIMD_OPERATIONS; o++)
            for (uint32_t i = 0; i < 8; i++)
                if (!same(o, got[o][i], wanted[o][i]))
                    fail_msg("level %d, operation %u, lane %u: %08x, not %08x (of %08x and %08x)", level + 2,
                             o, i, got[o][i], wanted[o][i], bits_of(a[i]), bits_of(b[i]));
    }
}

static double any_double(bws_random *random)
{
    static const uint64_t specials64[] = {0,
                                          0x8000000000000000u,
                                          0x3ff0000000000000u,
                                          0x7ff0000000000000u,
                                          0xfff0000000000000u,
                                          0x7ff8000000000000u,
                                          0xfff8000000012345u,
                                          1,
                                          0x8000000000000001u,
                                          0x7fefffffffffffffu};
    uint64_t bits = bws_random_int(random, 0, 2) != 0
                        ? specials64[bws_random_int(random, 0, sizeof specials64 / sizeof *specials64 - 1)]
                        : bws_random_u64(random);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static void same_double(double got, double wanted, const char *what)
{
    if (memcmp(&got, &wanted, sizeof got) != 0 && !(isnan(got) && isnan(wanted) && what[0] == '~'))
        fail_msg("%s: %a, not %a", what, got, wanted);
}

static void doubles(bws_random *random, void *user)
{
    (void)user;
    double a[4], b[4], out[4];
    for (int i = 0; i < 4; i++) {
        a[i] = any_double(random);
        b[i] = bws_random_int(random, 0, 3) != 0 ? any_double(random) : a[i];
    }
    const d4 x = d4_load(a), y = d4_load(b);
#define EACH(vector, plain, what)                                                                            \
    d4_store(out, vector);                                                                                   \
    for (int i = 0; i < 4; i++) {                                                                            \
        volatile double p = a[i], q = b[i];                                                                  \
        (void)q;                                                                                             \
        same_double(out[i], plain, what);                                                                    \
    }
    EACH(d4_add(x, y), p + q, "~sum")
    EACH(d4_sub(x, y), p - q, "~difference")
    EACH(d4_mul(x, y), p * q, "~product")
    EACH(d4_div(x, y), p / q, "~quotient")
    EACH(d4_sqrt(x), sqrt(p), "~root")
    EACH(d4_min(x, y), p < q ? a[i] : b[i], "minimum")
    EACH(d4_max(x, y), p > q ? a[i] : b[i], "maximum")
    EACH(d4_abs(x), copysign(p, 1.0), "magnitude")
    EACH(d4_of_floats(d4_floats(x)), (double)(float)p, "~float")
    EACH(d4_choose(d4_greater(x, y), x, y), p > q ? a[i] : b[i], "choice")
    EACH(d4_unless(d4_greater(x, y), x), p > q ? 0.0 : a[i], "zero where set")
#undef EACH
    double turned[4], first = d4_first(x);
    d4_store(turned, d4_rotate(x));
    assert_memory_equal(&first, &a[0], sizeof first);
    for (int i = 0; i < 4; i++) {
        assert_memory_equal(&turned[i], &a[(i + 1) % 4], sizeof first);
        assert_int_equal(m4_bits(d4_greater(x, y)) >> i & 1, a[i] > b[i]);
        assert_int_equal(m4_bits(d4_equal(x, y)) >> i & 1, a[i] == b[i]);
        assert_int_equal(m4_bits(m4_without(d4_equal(x, x), d4_greater(x, y))) >> i & 1,
                         a[i] == a[i] && !(a[i] > b[i]));
    }
    d4 columns[3];
    d4_columns(x, y, x, y, columns);
    for (int k = 0; k < 3; k++) {
        d4_store(out, columns[k]);
        for (int i = 0; i < 4; i++)
            same_double(out[i], i % 2 == 0 ? a[k] : b[k], "column");
    }
}

/* Floats, what lies beside them, halves between them, and what is smaller than any; no larger than FLT_MAX. */
static double near_float(bws_random *random)
{
    float f = any_float(random);
    f = isfinite(f) ? f : 1.0f;
    const double beside = (double)nextafterf(f, 0), x = (double)f;
    switch (bws_random_int(random, 0, 5)) {
    case 0:
        return x;
    case 1:
        return nextafter(x, 0);
    case 2:
        return fabsf(f) < FLT_MAX ? nextafter(x, copysign((double)INFINITY, x)) : x;
    case 3:
        return 0.5 * (x + beside);
    case 4:
        return copysign(0x1p-300, x);
    default:
        return x + bws_random_double(random, 0, 1) * (beside - x);
    }
}

static void rounding(bws_random *random, void *user)
{
    (void)user;
    double a[4];
    for (int i = 0; i < 4; i++)
        a[i] = near_float(random);
    simd_round *levels[2] = {simd_128_round, NULL};
#if BW_SIMD_X86
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2)
        levels[1] = simd_avx2_round;
#endif
    for (int level = 0; level < 2 && levels[level] != NULL; level++) {
        float nearest[4], down[4], up[4];
        levels[level](a, nearest, down, up);
        for (int i = 0; i < 4; i++) {
            const double x = a[i];
            volatile float near = (float)x;
            assert_int_equal(bits_of(nearest[i]), i < 3 ? bits_of(near) : 0);
            const bool exact = (double)near == x;
            if ((double)down[i] > x || (double)up[i] < x || (exact && (down[i] != near || up[i] != near)) ||
                (!exact && bits_of(nextafterf(down[i], INFINITY) + 0.0f) != bits_of(up[i] + 0.0f)))
                fail_msg("level %d: %a lies between %a and %a", level + 2, x, (double)down[i], (double)up[i]);
        }
    }
}

static void test_rounding(void **state)
{
    (void)state;
    BW_EACH_SEED(20000, rounding, NULL);
}

static void test_eight_floats(void **state)
{
    (void)state;
    BW_EACH_SEED(20000, eight_floats, NULL);
}

static void test_doubles(void **state)
{
    (void)state;
    BW_EACH_SEED(20000, doubles, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eight_floats), cmocka_unit_test(test_doubles),
                                       cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
