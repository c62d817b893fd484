/* Segments and rays against the oracle: kinds exactly, the ray's parameter to some ulps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "geom/families.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"

/* How often each kind came up: a run that never met one would prove little. */
typedef struct tally {
    uint64_t segment[3], ray[3];
} tally;

static void check(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 t[3], tally *sum)
{
    bw_contact_kind segment = bw_oracle_segment_triangle(p, q, t), ray = bw_oracle_ray_triangle(p, q, t);
    sum->segment[segment]++;
    sum->ray[ray]++;
    assert_int_equal(bw_segment_triangle(p, q, t), segment);
    assert_int_equal(bw_segment_triangle(q, p, t), segment);
    assert_int_equal(bw_ray_triangle(p, q, t, NULL), ray);
    double untouched = -7, parameter = untouched, truth;
    assert_int_equal(bw_ray_triangle(p, q, t, &parameter), ray);
    assert_int_equal(bw_oracle_ray_parameter(p, q, t, &truth), ray != BW_CONTACT_NONE);
    if (ray == BW_CONTACT_NONE)
        assert_true(parameter == untouched);
    else
        assert_true(parameter == truth || fabs(parameter - truth) <= 0x1p-46 * fabs(truth));
}

static void agrees(bws_random *random, void *user)
{
    for (int f = 0; f < bw_family_count; f++) {
        bw_vec3 a[3], b[3];
        bw_family_pair(&bw_families[f], random, a, b);
        for (int i = 0; i < 3; i++) {
            check(&a[i], &a[(i + 1) % 3], b, user);
            check(&b[(i + 1) % 3], &b[i], a, user);
        }
        check(&a[0], &a[0], b, user);
    }
}

static void families(void **state)
{
    (void)state;
    tally sum = {{0}, {0}};
    BW_EACH_SEED(300, agrees, &sum);
    for (int kind = 0; kind < 3; kind++)
        assert_true(sum.segment[kind] > 0 && sum.ray[kind] > 0);
}

/* Small integers: every way in which a ray in the plane, on the line or through the point can meet them. */
static void grid_agrees(bws_random *random, void *user)
{
    bw_vec3 p[5];
    bool flat = bws_random_bool(random);
    for (int i = 0; i < 5; i++)
        p[i] = (bw_vec3){(double)bws_random_int(random, -2, 2), (double)bws_random_int(random, -2, 2),
                         flat ? 1 : (double)bws_random_int(random, -1, 1)};
    uint64_t shrink = bws_random_below(random, 4);
    if (shrink == 0)
        p[4] = p[3] = p[2];
    else if (shrink == 1)
        p[4] = p[3];
    check(&p[0], &p[1], p + 2, user);
}

static void grids(void **state)
{
    (void)state;
    tally sum = {{0}, {0}};
    BW_EACH_SEED(20000, grid_agrees, &sum);
    for (int kind = 0; kind < 3; kind++)
        assert_true(sum.segment[kind] > 0 && sum.ray[kind] > 0);
}

static void plain_cases(void **state)
{
    (void)state;
    bw_vec3 t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    bw_vec3 above = {1, 1, 2}, below = {1, 1, -2}, higher = {1, 1, 6}, inside = {1, 1, 0}, edge = {2, 2, 0};
    double at = 0;
    assert_int_equal(bw_segment_triangle(&above, &below, t), BW_CONTACT_CROSSING);
    assert_int_equal(bw_segment_triangle(&above, &inside, t), BW_CONTACT_TOUCHING);
    assert_int_equal(bw_segment_triangle(&above, &higher, t), BW_CONTACT_NONE);
    assert_int_equal(bw_segment_triangle(&inside, &inside, t), BW_CONTACT_CROSSING);
    assert_int_equal(bw_segment_triangle(&edge, &edge, t), BW_CONTACT_TOUCHING);
    assert_int_equal(bw_segment_triangle(&inside, &edge, t), BW_CONTACT_CROSSING);
    assert_int_equal(bw_ray_triangle(&higher, &above, t, &at), BW_CONTACT_CROSSING);
    assert_true(at == 1.5);
    assert_int_equal(bw_ray_triangle(&above, &higher, t, &at), BW_CONTACT_NONE);
    assert_int_equal(bw_ray_triangle(&above, &inside, t, &at), BW_CONTACT_CROSSING); /* it goes on */
    assert_true(at == 1);
    assert_int_equal(bw_ray_triangle(&inside, &above, t, &at), BW_CONTACT_TOUCHING);
    assert_true(at == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_cases),
        cmocka_unit_test(grids),
        cmocka_unit_test(families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
