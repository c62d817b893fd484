/* Outward rounding against the exact order of floats and doubles, and boxes of points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "geom/box.h"
#include "oracle/random.h"

static double any_double(bws_random *random)
{
    double x = ldexp(bws_random_double(random, -1, 1), (int)bws_random_int(random, -200, 200));
    switch (bws_random_below(random, 4)) {
    case 0: /* a float, or next to one */
        return bws_random_bool(random) || fabs(x) > FLT_MAX ? x : (double)(float)x;
    case 1:
        return fabs(x) > FLT_MAX ? x : nextafter((double)(float)x, bws_random_bool(random) ? 1e300 : -1e300);
    case 2: /* around the subnormal floats */
        return ldexp(bws_random_double(random, -1, 1), (int)bws_random_int(random, -160, -120));
    default:
        return x;
    }
}

static void assert_tight(double x)
{
    float down = bw_float_down(x), up = bw_float_up(x);
    assert_true((double)down <= x && (double)up >= x);
    /* nextafterf is the C library's, not ours. */
    assert_true(down == FLT_MAX ? x < INFINITY : (double)nextafterf(down, INFINITY) > x);
    assert_true(up == -FLT_MAX ? x > -INFINITY : (double)nextafterf(up, -INFINITY) < x);
}

static void rounding_is_tight(bws_random *random, void *user)
{
    (void)user;
    for (int i = 0; i < 1000; i++)
        assert_tight(any_double(random));
}

static void rounding(void **state)
{
    (void)state;
    BW_EACH_SEED(300, rounding_is_tight, NULL);
    double special[] = {
        0,       -0.0,     FLT_MAX, -FLT_MAX, 0x1p-149, -0x1p-149, 0x1p-150,       -0x1p-150,
        5e-324,  -5e-324,  FLT_MIN, -FLT_MIN, 1e39,     -1e39,     0x1.ffffffp127, -0x1.ffffffp127,
        DBL_MAX, -DBL_MAX, 1,       -1,       0.1,      -0.1};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        assert_tight(special[i]);
    assert_true(bw_float_down(INFINITY) == INFINITY && bw_float_up(INFINITY) == INFINITY);
    assert_true(bw_float_down(-INFINITY) == -INFINITY && bw_float_up(-INFINITY) == -INFINITY);
    assert_true(isnan(bw_float_down(NAN)) && isnan(bw_float_up(NAN)));
    assert_true(bw_float_down(1e39) == FLT_MAX && bw_float_up(1e39) == INFINITY);
    assert_true(bw_float_before(0.0f) == -0x1p-149f && bw_float_before(-0.0f) == -0x1p-149f);
}

static void box_is_smallest(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 p[8];
    size_t count = (size_t)bws_random_int(random, 1, 8);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        p[i] = (bw_vec3){any_double(random), any_double(random), any_double(random)};
        double c[3] = {p[i].x, p[i].y, p[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], c[k]);
            high[k] = fmax(high[k], c[k]);
        }
    }
    bw_box box = bw_box_of_points(p, count);
    for (int k = 0; k < 3; k++) {
        assert_true((double)box.min[k] <= low[k] && (double)box.max[k] >= high[k]);
        assert_true(box.min[k] == FLT_MAX || (double)nextafterf(box.min[k], INFINITY) > low[k]);
        assert_true(box.max[k] == -FLT_MAX || (double)nextafterf(box.max[k], -INFINITY) < high[k]);
    }
}

static void boxes(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, box_is_smallest, NULL);
    bw_box empty = bw_box_of_points(NULL, 0), all = {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
    for (int k = 0; k < 3; k++)
        assert_true(empty.min[k] > empty.max[k]);
    assert_false(bw_box_overlaps(&empty, &all));
    assert_false(bw_box_overlaps(&all, &empty));
    assert_false(bw_box_overlaps(&empty, &empty));
}

static bool inside(const bw_box *box, const int p[3])
{
    for (int k = 0; k < 3; k++)
        if ((float)p[k] < box->min[k] || (float)p[k] > box->max[k])
            return false;
    return true;
}

/* Boxes of small integers, some empty, overlap where they share a lattice point. */
static void overlap_is_a_shared_point(bws_random *random, void *user)
{
    (void)user;
    bw_box box[2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            box[i].min[k] = (float)bws_random_int(random, 0, 4);
            box[i].max[k] = box[i].min[k] + (float)bws_random_int(random, -1, 3);
        }
    bool shared = false;
    bool contains = false;
    bw_box both = bw_box_union(&box[0], &box[1]);
    for (int n = 0; n < 512; n++) {
        int p[3] = {n % 8, n / 8 % 8, n / 64};
        shared = shared || (inside(&box[0], p) && inside(&box[1], p));
        contains = inside(&box[0], p) || inside(&box[1], p);
        assert_true(!contains || inside(&both, p));
    }
    assert_int_equal(bw_box_overlaps(&box[0], &box[1]), shared);
    assert_int_equal(bw_box_overlaps(&box[1], &box[0]), shared);
}

static void overlaps(void **state)
{
    (void)state;
    BW_EACH_SEED(3000, overlap_is_a_shared_point, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding),
        cmocka_unit_test(boxes),
        cmocka_unit_test(overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
