/* Sine and cosine against those of the C library in long double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "geom/sine.h"
#include "oracle/random.h"

/* In units in the last place; where a long double is a double the C library's own error comes on top. */
static const long double most = LDBL_MANT_DIG > DBL_MANT_DIG ? 1.0L : 1.6L;

static void compare(double value, long double truth)
{
    int exponent;
    frexp((double)truth, &exponent);
    assert_true(fabsl(value - truth) <= most * ldexpl(1, exponent - DBL_MANT_DIG) + 0x1p-80L);
}

static void check(double angle)
{
    compare(bw_sine(angle), sinl(angle));
    compare(bw_cosine(angle), cosl(angle));
}

static void check_angles(bws_random *r, void *user)
{
    (void)user;
    for (int i = 0; i < 1000; i++) {
        check(bws_random_double(r, -1, 1));
        check(bws_random_double(r, -0x1p20, 0x1p20));
        check(ldexp(bws_random_double(r, -1, 1), -(int)bws_random_below(r, 1060)));
        /* Beside multiples of a quarter of the half turn. */
        const double at = (double)bws_random_int(r, -1000000, 1000000) * 0.78539816339744831;
        check(at);
        check(nextafter(at, bws_random_below(r, 2) == 0 ? INFINITY : -INFINITY));
    }
}

static void test_angles(void **state)
{
    (void)state;
    BW_EACH_SEED(50, check_angles, NULL);
}

/* One place of an angle is worth more than what it is off. */
static void check_large(bws_random *r, void *user)
{
    (void)user;
    for (int i = 0; i < 1000; i++) {
        const double angle = ldexp(bws_random_double(r, -1, 1), 21 + (int)bws_random_below(r, 60));
        if (fabs(angle) < 0x1p21)
            continue;
        const double place = nextafter(fabs(angle), INFINITY) - fabs(angle);
        assert_true(fabsl(bw_sine(angle) - sinl(angle)) <= 0.4L * place);
        assert_true(fabsl(bw_cosine(angle) - cosl(angle)) <= 0.4L * place);
        const double s = bw_sine(angle), c = bw_cosine(angle);
        assert_true(fabs(s * s + c * c - 1) <= 8 * DBL_EPSILON);
    }
}

static void test_large(void **state)
{
    (void)state;
    BW_EACH_SEED(20, check_large, NULL);
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(bw_sine(0) == 0 && bw_cosine(0) == 1 && bw_cosine(-0.0) == 1);
    assert_true(isnan(bw_sine(INFINITY)) && isnan(bw_cosine(-INFINITY)) && isnan(bw_sine(NAN)));
    assert_true(fabs(bw_sine(DBL_MAX)) <= 1 && fabs(bw_cosine(-DBL_MAX)) <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_angles), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
