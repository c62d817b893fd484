/* Crossing times against plans whose difference has known roots, and against exact rationals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include <boxwood/motion.h>

#include "oracle/random.h"
#include "oracle/rational_number.h"

static double *coefficient(bw_plan *plan, int i, int axis)
{
    bw_vec3 *c = &plan->c[i];
    return axis == 0 ? &c->x : axis == 1 ? &c->y : &c->z;
}

static double along(const bw_plan *plan, int axis, double t)
{
    bw_vec3 p = bw_plan_position(plan, t);
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* The sign of the true a - b. */
static int exact_order(const bw_plan *a, const bw_plan *b, int axis, double t)
{
    bw_rational_begin();
    bw_q difference = bw_q_of(0);
    for (int side = 0; side < 2; side++) {
        bw_plan plan = side == 0 ? *a : *b;
        bw_q u = bw_q_sub(bw_q_of(t), bw_q_of(plan.origin)), sum = bw_q_of(0);
        for (int i = 3; i >= 0; i--)
            sum = bw_q_add(bw_q_mul(sum, u), bw_q_of(*coefficient(&plan, i, axis)));
        difference = side == 0 ? sum : bw_q_sub(difference, sum);
    }
    return bw_q_sign(difference);
}

/* The claims of bw_plan_crossing for everything between after and until. */
static int walk(bws_random *r, const bw_plan *a, const bw_plan *b, int axis, double after, double until)
{
    int crossings = 0;
    double t = after;
    for (int i = 0; i < 20; i++) {
        bw_crossing c = {0};
        bool any = bw_plan_crossing(a, b, axis, t, until, &c);
        double from = any ? c.from : until;
        assert_true(from >= t && (!any || (c.to >= c.from && c.to <= until)));
        for (int j = 0; j < 12; j++) {
            /* Near both ends and anywhere between. */
            double x = j == 0   ? nextafter(from, -INFINITY)
                       : j == 1 ? nextafter(t, INFINITY)
                                : t + bws_random_unit(r) * (from - t) * (j % 2 == 0 ? 1 : exp2(-j));
            if (!(x > t && x < from))
                continue;
            double d = along(a, axis, x) - along(b, axis, x);
            int order = exact_order(a, b, axis, x);
            assert_true(d * order >= 0);
            if (any && c.before != 0)
                assert_true(order == c.before);
            bw_crossing same;
            if (any && bw_plan_crossing(a, b, axis, x, until, &same)) /* asked later: no sooner */
                assert_true(same.from >= c.from - 1e-2 * (1 + fabs(c.from)));
        }
        if (!any)
            return crossings;
        if (c.order == 0) {
            assert_true(c.to == until);
            return crossings;
        }
        assert_int_equal(exact_order(a, b, axis, c.to), c.order);
        crossings += c.before != 0 && c.order != c.before;
        if (!(c.to < until))
            return crossings;
        t = c.to;
    }
    fail_msg("three roots at most, yet there is no end");
    return 0;
}

/* a and a + k (t - r1) (t - r2) (t - r3), exactly: dyadic numbers of few bits. */
static void known_roots(bws_random *r, void *user)
{
    (void)user;
    int axis = (int)bws_random_int(r, 0, 2), degree = (int)bws_random_int(r, 1, 3);
    double shift = exp2((double)bws_random_int(r, -8, 8));
    bw_plan a = {.origin = 0}, b;
    for (int i = 0; i < 4; i++)
        *coefficient(&a, i, axis) = (double)bws_random_int(r, -64, 64) / 8;
    b = a;
    double root[3], d[4] = {1, 0, 0, 0},
                    k = (double)bws_random_int(r, 1, 9) * (bws_random_bool(r) ? 1 : -1) * shift;
    for (int i = 0; i < degree; i++) {
        root[i] = (double)bws_random_int(r, 0, 40) / 4;
        for (int j = 3; j > 0; j--)
            d[j] = d[j - 1] - root[i] * d[j];
        d[0] *= -root[i];
    }
    for (int i = 0; i < 4; i++)
        *coefficient(&b, i, axis) += k * d[i];
    int expected = 0;
    double after = -0.125, until = 11;
    for (double x = 0; x <= 10; x += 0.25) {
        int times = 0;
        for (int i = 0; i < degree; i++)
            times += root[i] == x;
        expected += times % 2;
    }
    assert_int_equal(walk(r, &a, &b, axis, after, until), expected);
    bw_crossing c;
    if (expected > 0) {
        assert_true(bw_plan_crossing(&a, &b, axis, after, until, &c));
        double first = root[0];
        for (int i = 1; i < degree; i++)
            first = fmin(first, root[i]);
        assert_true(c.from <= first && first <= c.to && c.to - c.from < 0.1);
    }
}

static void test_known_roots(void **state)
{
    (void)state;
    BW_EACH_SEED(3000, known_roots, NULL);
}

static void any_plans(bws_random *r, void *user)
{
    (void)user;
    bw_plan a = {.origin = bws_random_double(r, -3, 3)}, b = {.origin = bws_random_double(r, -3, 3)};
    int degree = (int)bws_random_int(r, 0, 3);
    double scale = exp2((double)bws_random_int(r, -60, 60));
    for (int i = 0; i <= degree; i++) {
        a.c[i].x = bws_random_double(r, -1, 1) * scale;
        b.c[i].x = bws_random_below(r, 4) == 0 ? a.c[i].x : bws_random_double(r, -1, 1) * scale;
    }
    if (bws_random_below(r, 4) == 0)
        b.origin = a.origin;
    walk(r, &a, &b, 0, bws_random_double(r, -4, 0), bws_random_double(r, 1, 100));
}

static void test_any_plans(void **state)
{
    (void)state;
    BW_EACH_SEED(3000, any_plans, NULL);
}

static void test_corners(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(1);
    bw_plan a = {.c = {{1, 2, 3}, {1, 1, 1}}}, b = a;
    bw_crossing c = {.from = 77};
    for (int axis = 0; axis < 3; axis++)
        assert_false(bw_plan_crossing(&a, &b, axis, 0, 1e9, &c));
    assert_false(bw_plan_crossing(&a, &b, 3, 0, 1, &c));
    assert_false(bw_plan_crossing(&a, &b, -1, 0, 1, &c));
    assert_false(bw_plan_crossing(NULL, &b, 0, 0, 1, &c));
    b.c[0].x = 2; /* parallel */
    assert_false(bw_plan_crossing(&a, &b, 0, 0, 1e9, &c));
    assert_false(bw_plan_crossing(&a, &b, 0, 1, 1, &c));
    assert_true(c.from == 77);
    /* The same motion from another origin: open for ever, said once. */
    b = (bw_plan){.origin = 0.1, .c = {{1.1, 0, 0}, {1, 0, 0}}};
    assert_true(bw_plan_crossing(&a, &b, 0, 0, 10, &c));
    assert_true(c.from == 0 && c.to == 10 && c.order == 0);
    /* A tie at the time asked about, then apart. */
    b = a;
    b.c[1].x = 1.5;
    assert_true(bw_plan_crossing(&a, &b, 0, 0, 10, &c));
    assert_true(c.from == 0 && c.before == 0 && c.order == -1 && c.to < 1e-12);
    /* Times at 1e9, spans of 1e-6: a crossing at 1e9 + 2^-20. */
    a = (bw_plan){.origin = 1e9, .c = {{1, 0, 0}, {0, 0, 0}}};
    b = (bw_plan){.origin = 1e9, .c = {{0, 0, 0}, {0x1p20, 0, 0}}};
    assert_int_equal(walk(&r, &a, &b, 0, 1e9, 1e9 + 0x1p-19), 1);
    /* Spans of 1e-9 and 1e300. */
    assert_int_equal(
        walk(&r, &(bw_plan){.c = {{0x1p-31, 0, 0}}}, &(bw_plan){.c = {{0, 0, 0}, {1, 0, 0}}}, 0, 0, 1e-9), 1);
    assert_int_equal(
        walk(&r, &(bw_plan){.c = {{1, 0, 0}}}, &(bw_plan){.c = {{0, 0, 0}, {0x1p-299, 0, 0}}}, 0, 0, 0x1p300),
        1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_roots), cmocka_unit_test(test_any_plans),
                                       cmocka_unit_test(test_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
