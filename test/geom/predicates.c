/* Orientations, collinearity and the values behind them against GMP, on the points of every family. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "geom/exact/predicates.h"
#include "geom/families.h"
#include "oracle/random.h"
#include "oracle/rational.h"
#include "oracle/rational_number.h"

typedef void pair_fn(bws_random *random, const bw_vec3 points[6]);

static void each_family(bws_random *random, void *user)
{
    pair_fn *check = *(pair_fn **)user;
    for (int f = 0; f < bw_family_count; f++) {
        bw_vec3 points[6];
        bw_family_pair(&bw_families[f], random, points, points + 3);
        assert_true(bw_exact_range(points, 6));
        check(random, points);
    }
}

static void orient3d_is_exact(bws_random *random, const bw_vec3 p[6])
{
    (void)random;
    for (int n = 0; n < 5; n++) {
        const bw_vec3 *a = &p[n], *b = &p[(n + 1) % 6], *c = &p[(n + 2) % 6], *d = &p[(n + 4) % 6];
        int sign = bw_rational_orient3d(a, b, c, d);
        assert_int_equal(bw_orient3d(a, b, c, d), sign);
        assert_int_equal(bw_orient3d(b, c, a, d), sign);
        assert_int_equal(bw_orient3d(b, a, c, d), -sign);
        assert_int_equal(bw_orient3d(d, b, c, a), -sign);
        assert_int_equal(bw_orient3d(a, a, c, d), 0);
        assert_int_equal(bw_sign(bw_orient3d_value(a, b, c, d)), sign);
    }
}

static void orient2d_is_exact(bws_random *random, const bw_vec3 p[6])
{
    (void)random;
    for (int n = 0; n < 6; n++) {
        const bw_vec3 *a = &p[n], *b = &p[(n + 1) % 6], *c = &p[(n + 3) % 6];
        bool flat = true;
        for (int axis = 0; axis < 3; axis++) {
            int sign = bw_rational_orient2d(a, b, c, axis);
            flat = flat && sign == 0;
            assert_int_equal(bw_orient2d(a, b, c, axis), sign);
            assert_int_equal(bw_orient2d(c, a, b, axis), sign);
            assert_int_equal(bw_orient2d(a, c, b, axis), -sign);
            assert_int_equal(bw_sign(bw_orient2d_value(a, b, c, axis)), sign);
        }
        assert_int_equal(bw_collinear(a, b, c), flat);
    }
}

/* value is within the relative error that BW_ACCURATE promises. */
static void assert_accurate(double value, bw_q truth)
{
    double expected = bw_q_double(truth);
    assert_true(fabs(value - expected) <= 2 * BW_ACCURATE * fabs(expected));
    assert_int_equal(bw_sign(value), bw_q_sign(truth));
}

/* Determinants of differences of six points, as rays need them. */
static void values_are_accurate(bws_random *random, const bw_vec3 p[6])
{
    (void)random;
    bw_rational_begin();
    bw_qvec q[6], u, v, w;
    for (int i = 0; i < 6; i++)
        q[i] = bw_qvec_of(&p[i]);
    bw_difference du = bw_difference_of(&p[0], &p[1]), dv = bw_difference_of(&p[2], &p[3]),
                  dw = bw_difference_of(&p[4], &p[5]);
    u = bw_qvec_sub(q[0], q[1]);
    v = bw_qvec_sub(q[2], q[3]);
    w = bw_qvec_sub(q[4], q[5]);
    bw_qvec cross = bw_qvec_cross(v, w);
    bw_q det = bw_qvec_dot(u, cross);
    assert_accurate(bw_det3(&du, &dv, &dw, BW_ACCURATE), det);
    assert_int_equal(bw_det3_sign(&du, &dv, &dw), bw_q_sign(det));
    for (int axis = 0; axis < 3; axis++) {
        assert_accurate(bw_det2(&dv, &dw, axis, BW_ACCURATE), cross.c[axis]);
        assert_int_equal(bw_det2_sign(&dv, &dw, axis), bw_q_sign(cross.c[axis]));
    }
}

/* Points within ulps of a plane: each sign of a block of neighbours of one point, as in Kettner et al. 2008.
 */
static void ulp_grid_is_exact(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 p[4];
    for (int i = 0; i < 3; i++)
        p[i] = (bw_vec3){bws_random_double(random, 0, 24), bws_random_double(random, 0, 24),
                         bws_random_double(random, 0, 24)};
    double s = bws_random_unit(random), t = bws_random_unit(random);
    bw_vec3 on = {p[0].x + s * (p[1].x - p[0].x) + t * (p[2].x - p[0].x),
                  p[0].y + s * (p[1].y - p[0].y) + t * (p[2].y - p[0].y),
                  p[0].z + s * (p[1].z - p[0].z) + t * (p[2].z - p[0].z)};
    int seen[3] = {0, 0, 0};
    double y = on.y;
    for (int i = 0; i < 12; i++, on.x = nextafter(on.x, INFINITY)) {
        on.y = y;
        for (int j = 0; j < 12; j++, on.y = nextafter(on.y, -INFINITY)) {
            int sign = bw_rational_orient3d(&p[0], &p[1], &p[2], &on);
            seen[sign + 1]++;
            assert_int_equal(bw_orient3d(&p[0], &p[1], &p[2], &on), sign);
        }
    }
    assert_int_equal(seen[0] + seen[1] + seen[2], 144);
}

/* A value of 192 components: coordinates at both ends of the range in one determinant. */
static void ends_of_the_range_are_exact(void **state)
{
    (void)state;
    const double low = BW_EXACT_MIN, high = BW_EXACT_MAX;
    double values[] = {low, nextafter(low, 1), high, nextafter(high, 0), -low, -high, 0, -0.0, 1};
    int count = sizeof values / sizeof values[0];
    bws_random random = bws_random_seeded(1);
    for (int n = 0; n < 20000; n++) {
        bw_vec3 p[4];
        for (int i = 0; i < 4; i++)
            p[i] = (bw_vec3){values[bws_random_below(&random, (uint64_t)count)],
                             values[bws_random_below(&random, (uint64_t)count)],
                             values[bws_random_below(&random, (uint64_t)count)]};
        assert_int_equal(bw_orient3d(&p[0], &p[1], &p[2], &p[3]),
                         bw_rational_orient3d(&p[0], &p[1], &p[2], &p[3]));
    }
}

static void range_is_told(void **state)
{
    (void)state;
    double inside[] = {0, -0.0,     BW_EXACT_MIN, -BW_EXACT_MIN, BW_EXACT_MAX, -BW_EXACT_MAX,
                       1, 0x1p-149, 0x1p128};
    double outside[] = {nextafter(BW_EXACT_MIN, 0),
                        nextafter(BW_EXACT_MAX, INFINITY),
                        -1e-300,
                        1e300,
                        5e-324,
                        INFINITY,
                        -INFINITY,
                        NAN};
    assert_true(bw_exact_range(NULL, 0));
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        for (int axis = 0; axis < 3; axis++) {
            bw_vec3 p[2] = {{1, 2, 3}, {4, 5, 6}};
            *(axis == 0 ? &p[1].x : axis == 1 ? &p[1].y : &p[1].z) = inside[i];
            assert_true(bw_exact_range(p, 2));
        }
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        for (int axis = 0; axis < 3; axis++) {
            bw_vec3 p[2] = {{1, 2, 3}, {4, 5, 6}};
            *(axis == 0 ? &p[1].x : axis == 1 ? &p[1].y : &p[1].z) = outside[i];
            assert_false(bw_exact_range(p, 2));
            assert_true(bw_exact_range(p, 1));
        }
}

/* The sense of the signs, as the header states it. */
static void senses_are_as_stated(void **state)
{
    (void)state;
    bw_vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    assert_int_equal(bw_orient3d(&x, &y, &z, &o), 1); /* | x; y; z | */
    assert_int_equal(bw_orient2d(&o, &y, &z, 0), 1);
    assert_int_equal(bw_orient2d(&o, &z, &x, 1), 1);
    assert_int_equal(bw_orient2d(&o, &x, &y, 2), 1);
    bw_vec3 far = {3, 3, 3}, near = {1, 1, 1};
    assert_true(bw_collinear(&o, &far, &near));
    assert_true(bw_collinear(&o, &o, &near));
    assert_false(bw_collinear(&o, &x, &near));
}

static void orient3d(void **state)
{
    (void)state;
    pair_fn *check = orient3d_is_exact;
    BW_EACH_SEED(1000, each_family, &check);
}

static void orient2d(void **state)
{
    (void)state;
    pair_fn *check = orient2d_is_exact;
    BW_EACH_SEED(500, each_family, &check);
}

static void values(void **state)
{
    (void)state;
    pair_fn *check = values_are_accurate;
    BW_EACH_SEED(500, each_family, &check);
}

static void ulp_grids(void **state)
{
    (void)state;
    BW_EACH_SEED(300, ulp_grid_is_exact, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orient3d),
        cmocka_unit_test(orient2d),
        cmocka_unit_test(values),
        cmocka_unit_test(ulp_grids),
        cmocka_unit_test(ends_of_the_range_are_exact),
        cmocka_unit_test(range_is_told),
        cmocka_unit_test(senses_are_as_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
