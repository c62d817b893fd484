/* The quick stages of single continuous queries at both levels: the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/ccd/ccd.h"
#include "geom/ccd/quick.h"
#include "geom/ccd_families.h"
#include "oracle/random.h"

static void same_bits(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            bw_ccd_families[f].make(random, edges, &s);
            double tolerance = ldexp(1, -(int)bws_random_int(random, 5, 50));
            bw_ccd_bracket expected = {0, 0, 0}, bracket = {0, 0, 0};
            bw_ccd_quick_answer answer = bw_ccd_quick(edges, s.start, s.end, tolerance, &expected);
            bool same = bw_ccd_quick_avx2(edges, s.start, s.end, tolerance, &bracket) == answer &&
                        bracket.low == expected.low && bracket.high == expected.high &&
                        bracket.guess == expected.guess;
            if (!same)
                bw_ccd_print(edges, &s);
            assert_true(same);
        }
}

static void levels(void **state)
{
    (void)state;
    if (bw_simd_level(BW_SIMD_AUTO) < BW_SIMD_AVX2)
        skip();
    BW_EACH_SEED(600, same_bits, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
