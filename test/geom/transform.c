/* Affine maps against rationals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "oracle/random.h"
#include "oracle/rational_number.h"
#include <boxwood/math.h>

static bw_transform random_transform(bws_random *random, int spread)
{
    bw_transform t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            t.m[i][j] = ldexp(bws_random_double(random, -1, 1), (int)bws_random_int(random, -spread, spread));
    return t;
}

/* Entry (i, j) of a b, in rationals; column 3 holds the translations. */
static bw_q product_entry(const bw_transform *a, const bw_transform *b, int i, int j)
{
    bw_q sum = j == 3 ? bw_q_of(a->m[i][3]) : bw_q_of(0);
    for (int k = 0; k < 3; k++)
        sum = bw_q_add(sum, bw_q_mul(bw_q_of(a->m[i][k]), bw_q_of(b->m[k][j])));
    return sum;
}

/* The sum of the magnitudes of its terms: rounding is relative to this. */
static double product_size(const bw_transform *a, const bw_transform *b, int i, int j)
{
    double sum = j == 3 ? fabs(a->m[i][3]) : 0;
    for (int k = 0; k < 3; k++)
        sum += fabs(a->m[i][k] * b->m[k][j]);
    return sum;
}

static void multiply_is_accurate(bws_random *random, void *user)
{
    (void)user;
    bw_transform a = random_transform(random, 20), b = random_transform(random, 20);
    bw_transform c = bw_transform_multiply(&a, &b);
    bw_rational_begin();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double truth = bw_q_double(product_entry(&a, &b, i, j));
            assert_true(fabs(c.m[i][j] - truth) <= 4 * DBL_EPSILON * product_size(&a, &b, i, j));
        }
    bw_transform one = bw_transform_identity();
    bw_transform left = bw_transform_multiply(&one, &a), right = bw_transform_multiply(&a, &one);
    assert_memory_equal(&left, &a, sizeof a);
    assert_memory_equal(&right, &a, sizeof a);
}

static void point_is_as_stated(bws_random *random, void *user)
{
    (void)user;
    bw_transform t = random_transform(random, 30);
    bw_vec3 p = {bws_random_double(random, -9, 9), bws_random_double(random, -9, 9),
                 bws_random_double(random, -9, 9)};
    bw_vec3 q = bw_transform_point(&t, p);
    double got[3] = {q.x, q.y, q.z};
    for (int i = 0; i < 3; i++) {
        /* Each operation on its own, through memory, so that no compiler can join two. */
        volatile double x = t.m[i][0] * p.x, y = t.m[i][1] * p.y, z = t.m[i][2] * p.z;
        volatile double xy = x + y;
        volatile double xyz = xy + z;
        volatile double sum = xyz + t.m[i][3];
        assert_memory_equal(&got[i], (const void *)&sum, sizeof sum);
    }
}

/* Each linear entry of the inverse is accurate to some ulps, whatever the condition: compare with the
 * rational one. */
static void inverse_is_accurate(bws_random *random, void *user)
{
    (void)user;
    int spread = (int)bws_random_int(random, 0, 60);
    bw_transform t = random_transform(random, spread), inverse;
    if (bws_random_bool(random)) /* nearly singular: a row that nearly is a combination of the others */
        for (int j = 0; j < 3; j++)
            t.m[2][j] = t.m[0][j] * 0.5 + t.m[1][j] * 3;
    bw_rational_begin();
    bw_qvec row[3];
    for (int i = 0; i < 3; i++) {
        bw_vec3 v = {t.m[i][0], t.m[i][1], t.m[i][2]};
        row[i] = bw_qvec_of(&v);
    }
    bw_q det = bw_qvec_dot(row[0], bw_qvec_cross(row[1], row[2]));
    bw_result result = bw_transform_invert(&t, &inverse);
    if (bw_q_sign(det) == 0) {
        assert_int_equal(result, BW_ERROR_SINGULAR);
        return;
    }
    assert_int_equal(result, BW_OK);
    for (int j = 0; j < 3; j++) {
        bw_qvec column = bw_qvec_cross(row[(j + 1) % 3], row[(j + 2) % 3]);
        for (int i = 0; i < 3; i++) {
            double truth = bw_q_double(bw_q_div(column.c[i], det));
            assert_true(fabs(inverse.m[i][j] - truth) <= 0x1p-46 * fabs(truth));
        }
    }
    for (int i = 0; i < 3; i++) {
        bw_q sum = bw_q_of(0);
        double size = 0;
        for (int k = 0; k < 3; k++) {
            sum = bw_q_add(sum, bw_q_mul(bw_q_of(inverse.m[i][k]), bw_q_of(t.m[k][3])));
            size += fabs(inverse.m[i][k] * t.m[k][3]);
        }
        assert_true(fabs(inverse.m[i][3] + bw_q_double(sum)) <= 4 * DBL_EPSILON * size);
    }
}

static void inverse_refuses(void **state)
{
    (void)state;
    bw_transform one = bw_transform_identity(), out, untouched;
    memset(&out, 7, sizeof out);
    untouched = out;
    assert_int_equal(bw_transform_invert(NULL, &out), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_transform_invert(&one, NULL), BW_ERROR_ARGUMENT);
    double bad[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 36; n++) {
        bw_transform t = one;
        t.m[n / 3 / 4][n / 3 % 4] = bad[n % 3];
        assert_int_equal(bw_transform_invert(&t, &out), BW_ERROR_NOT_FINITE);
    }
    bw_transform flat = bw_transform_compose((bw_vec3){1, 2, 3}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){1, 0, 1});
    assert_int_equal(bw_transform_invert(&flat, &out), BW_ERROR_SINGULAR);
    bw_transform row = one;
    row.m[1][1] = 0;
    row.m[1][0] = 1; /* a column of zeros but no row of zeros */
    assert_int_equal(bw_transform_invert(&row, &out), BW_ERROR_SINGULAR);
    bw_transform equal = {{{1, 2, 3, 0}, {2, 4, 6, 0}, {0, 1, 5, 0}}};
    assert_int_equal(bw_transform_invert(&equal, &out), BW_ERROR_SINGULAR);
    bw_transform tiny = {{{1e-310, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}; /* 1e310 is no double */
    assert_int_equal(bw_transform_invert(&tiny, &out), BW_ERROR_SINGULAR);
    assert_memory_equal(&out, &untouched, sizeof out);
}

static void inverse_of_extremes(void **state)
{
    (void)state;
    bw_transform out;
    bw_transform t = {{{0x1p-500, 0, 0, 0x1p-500}, {0, 0x1p900, 0, 0}, {0, 0, -0x1p-900, 3}}};
    assert_int_equal(bw_transform_invert(&t, &out), BW_OK);
    assert_true(out.m[0][0] == 0x1p500 && out.m[1][1] == 0x1p-900 && out.m[2][2] == -0x1p900);
    assert_true(out.m[0][3] == -1 && out.m[1][3] == 0 && out.m[2][3] == 3 * 0x1p900);
    assert_int_equal(bw_transform_invert(&t, &t), BW_OK); /* in place */
    assert_memory_equal(&t, &out, sizeof t);
}

/* A rotation keeps lengths and the axis, turns by the angle, and comes after the scale. */
static void compose_rotates(bws_random *random, void *user)
{
    (void)user;
    double size = ldexp(1, (int)bws_random_int(random, -400, 400));
    bw_vec3 axis = {size * bws_random_double(random, -1, 1), size * bws_random_double(random, -1, 1),
                    size * bws_random_double(random, 0.1, 1)};
    bw_vec3 scale = {bws_random_double(random, 0.1, 3), bws_random_double(random, 0.1, 3), -2};
    bw_vec3 move = {bws_random_double(random, -9, 9), 5, 7};
    double angle = bws_random_double(random, -7, 7);
    bw_transform t = bw_transform_compose(move, axis, angle, scale);
    bw_transform r = bw_transform_compose((bw_vec3){0, 0, 0}, axis, angle, (bw_vec3){1, 1, 1});
    double trace = r.m[0][0] + r.m[1][1] + r.m[2][2];
    assert_true(fabs(trace - (1 + 2 * cos(angle))) < 1e-14);
    bw_vec3 unit = {axis.x / size, axis.y / size, axis.z / size}, kept = bw_transform_point(&r, unit);
    assert_true(fabs(kept.x - unit.x) + fabs(kept.y - unit.y) + fabs(kept.z - unit.z) < 1e-14);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = r.m[i][0] * r.m[j][0] + r.m[i][1] * r.m[j][1] + r.m[i][2] * r.m[j][2];
            assert_true(fabs(dot - (i == j)) < 1e-14);
            double s = j == 0 ? scale.x : j == 1 ? scale.y : scale.z;
            assert_true(t.m[i][j] == r.m[i][j] * s);
        }
    assert_true(t.m[0][3] == move.x && t.m[1][3] == 5 && t.m[2][3] == 7);
    /* The sense: (R - R^T) / 2 is the cross product with sin(angle) axis. */
    double length = sqrt(unit.x * unit.x + unit.y * unit.y + unit.z * unit.z);
    assert_true(fabs((r.m[1][0] - r.m[0][1]) / 2 - sin(angle) * unit.z / length) < 1e-14);
}

static void compose_of_plain_cases(void **state)
{
    (void)state;
    bw_transform t =
        bw_transform_compose((bw_vec3){1, 2, 3}, (bw_vec3){0, 0, 2}, acos(0), (bw_vec3){1, 1, 1});
    bw_vec3 p = bw_transform_point(&t, (bw_vec3){1, 0, 0});
    assert_true(fabs(p.x - 1) < 1e-15 && fabs(p.y - 3) < 1e-15 && fabs(p.z - 3) < 1e-15);
    bw_transform still = bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 0}, 1, (bw_vec3){1, 1, 1});
    bw_transform one = bw_transform_identity();
    for (int i = 0; i < 12; i++)
        assert_true(still.m[i / 4][i % 4] == one.m[i / 4][i % 4]);
}

/* A rotation, rounded to float or skewed a little, becomes a rotation near it: of products 1 and 0 to 4 ulps, and no farther off
 * than what was done to it. */
static void rigid_is_near(bws_random *random, void *user)
{
    (void)user;
    const bw_vec3 axis = {bws_random_double(random, -1, 1), bws_random_double(random, -1, 1), 1.1};
    bw_transform pose = bw_transform_compose((bw_vec3){1, 2, 3}, axis, bws_random_double(random, -4, 4),
                                             (bw_vec3){1, 1, 1}),
                 out;
    const double noise = bws_random_below(random, 2) == 0 ? 0 : 1e-3 * bws_random_unit(random);
    for (int i = 0; i < 9; i++)
        pose.m[i / 3][i % 3] = (double)(float)pose.m[i / 3][i % 3] + bws_random_double(random, -noise, noise);
    assert_int_equal(bw_transform_rigid(&pose, &out), BW_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(out.m[i][3] == pose.m[i][3]);
        for (int j = 0; j < 3; j++) {
            const double product =
                out.m[0][i] * out.m[0][j] + out.m[1][i] * out.m[1][j] + out.m[2][i] * out.m[2][j];
            assert_true(fabs(product - (i == j)) < 1e-15);
            assert_true(fabs(out.m[i][j] - pose.m[i][j]) <= 3 * noise + 1e-7);
        }
    }
}

static void rigid_poses(void **state)
{
    (void)state;
    BW_EACH_SEED(1000, rigid_is_near, NULL);
    bw_transform t = bw_transform_identity(), out = t;
    t.m[0][0] = -1; /* a mirror image */
    assert_int_equal(bw_transform_rigid(&t, &out), BW_ERROR_ARGUMENT);
    t.m[0][0] = 1.1; /* a scale */
    assert_int_equal(bw_transform_rigid(&t, &out), BW_ERROR_ARGUMENT);
    t.m[0][0] = (double)NAN;
    assert_int_equal(bw_transform_rigid(&t, &out), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_transform_rigid(NULL, &out), BW_ERROR_ARGUMENT);
    assert_true(out.m[0][0] == 1 && out.m[1][0] == 0);
}

static void products(void **state)
{
    (void)state;
    BW_EACH_SEED(1000, multiply_is_accurate, NULL);
    BW_EACH_SEED(1000, point_is_as_stated, NULL);
}

static void inverses(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, inverse_is_accurate, NULL);
}

static void rotations(void **state)
{
    (void)state;
    BW_EACH_SEED(1000, compose_rotates, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),        cmocka_unit_test(inverses),
        cmocka_unit_test(inverse_refuses), cmocka_unit_test(inverse_of_extremes),
        cmocka_unit_test(rotations),       cmocka_unit_test(compose_of_plain_cases),
        cmocka_unit_test(rigid_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
