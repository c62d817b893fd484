/* The level of vector instructions is never above what the processor has, nor above what was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/simd/level.h"

static void test_levels(void **state)
{
    (void)state;
    bw_simd best = bw_simd_level(BW_SIMD_AUTO);
    assert_true(best >= BW_SIMD_128 && best <= BW_SIMD_AVX512);
    assert_int_equal(bw_simd_level(BW_SIMD_128), BW_SIMD_128);
    for (int level = BW_SIMD_128; level <= BW_SIMD_AVX512; level++) {
        bw_simd got = bw_simd_level((bw_simd)level);
        assert_int_equal(got, level < (int)best ? level : (int)best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
