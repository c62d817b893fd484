/* Roots of polynomials in time: those they were made of are found, simple and double, within their reach, and
 * no change of sign that sampling sees is missed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "oracle/random.h"
#include "timeline/roots.h"

static void times(bw_poly *p, double root) /* p becomes p (t - root) */
{
    p->degree++;
    for (uint32_t k = p->degree; k > 0; k--)
        p->c[k] = p->c[k - 1] - root * p->c[k];
    p->c[0] *= -root;
}

static double size_of(const bw_poly *p)
{
    double sum = 0;
    for (uint32_t k = 0; k <= p->degree; k++)
        sum += fabs(p->c[k]);
    return sum;
}

static bool has_root(const bw_poly *p, const double *found, uint32_t count, double root)
{
    bool has = false;
    for (uint32_t i = 0; i < count; i++)
        has = has || fabs(found[i] - root) <= bw_poly_reach(p, found[i]);
    return has;
}

/* Roots are multiples of 1/16, within [0, 1] or not, so that the factors multiply exactly. */
static void made(bws_random *r, void *user)
{
    (void)user;
    for (int i = 0; i < 200; i++) {
        bw_poly p = {.c = {(double)bws_random_int(r, 1, 5)}};
        uint32_t degree = (uint32_t)bws_random_below(r, BW_DEGREE + 1);
        double roots[BW_DEGREE], found[BW_ROOTS], from = (double)bws_random_int(r, 0, 8) / 16,
                                                  to = (double)bws_random_int(r, 8, 16) / 16;
        for (uint32_t k = 0; k < degree; k++) {
            bool again = k > 0 && bws_random_below(r, 4) == 0;
            roots[k] = again ? roots[k - 1] : (double)bws_random_int(r, -16, 32) / 16;
            times(&p, roots[k]);
        }
        p.error = 0x1p-47 * size_of(&p);
        uint32_t count;
        if (!bw_poly_roots(&p, from, to, found, &count)) { /* a root of many folds fills it */
            for (int k = 0; k <= 8; k++)
                assert_true(fabs(bw_poly_at(&p, from + (to - from) * k / 8)) <= 2 * p.error);
            continue;
        }
        assert_true(count <= BW_ROOTS);
        for (uint32_t k = 0; k < degree; k++)
            if (roots[k] > from && roots[k] < to && !has_root(&p, found, count, roots[k]))
                fail_msg("degree %u: the root %g within [%g, %g] is missed", degree, roots[k], from, to);
        for (uint32_t k = 0; k < count; k++)
            assert_true(found[k] >= from && found[k] <= to);
    }
}

static void sampled(bws_random *r, void *user)
{
    (void)user;
    for (int i = 0; i < 200; i++) {
        bw_poly p = {.degree = (uint32_t)bws_random_below(r, BW_DEGREE + 1)};
        for (uint32_t k = 0; k <= p.degree; k++)
            p.c[k] = bws_random_double(r, -1, 1);
        p.error = 0x1p-47 * size_of(&p);
        double found[BW_ROOTS], last = p.c[0];
        uint32_t count, changes = 0;
        assert_true(bw_poly_roots(&p, 0, 1, found, &count));
        for (int k = 1; k <= 500; k++) {
            double x = bw_poly_at(&p, k / 500.0);
            changes += (x > 0 && last < 0) || (x < 0 && last > 0);
            last = x != 0 ? x : last;
        }
        assert_true(count >= changes);
    }
}

static void test_made(void **state)
{
    (void)state;
    BW_EACH_SEED(20, made, NULL);
}

static void test_sampled(void **state)
{
    (void)state;
    BW_EACH_SEED(10, sampled, NULL);
}

static void test_zero(void **state)
{
    (void)state;
    double found[BW_ROOTS];
    uint32_t count = 7;
    bw_poly zero = {.degree = BW_DEGREE}, noise = {.c = {1e-18, -1e-18, 1e-18}, .error = 1e-17, .degree = 2};
    assert_false(bw_poly_roots(&zero, 0, 1, found, &count));
    assert_false(bw_poly_roots(&noise, 0, 1, found, &count));
    bw_poly touch = {.c = {0.25 + 1e-18, -1, 1}, .error = 1e-16, .degree = 2}; /* turns a hair above zero */
    assert_true(bw_poly_roots(&touch, 0, 1, found, &count));
    assert_true(count > 0 && fabs(found[0] - 0.5) < 1e-7);
    assert_true(bw_poly_roots(&touch, 0.25, 0.25, found, &count)); /* a moment */
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made), cmocka_unit_test(test_sampled),
                                       cmocka_unit_test(test_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
