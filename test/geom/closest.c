/* Closest points against the rational distance, the conditions of optimality, and sampling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "geom/closest.h"
#include "geom/closest_four.h"
#include "geom/families.h"
#include "geom/vec.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"

static double size_of(const bw_vec3 a[3], const bw_vec3 b[3])
{
    double size = 0;
    for (int i = 0; i < 6; i++) {
        const bw_vec3 *p = i < 3 ? &a[i] : &b[i - 3];
        size = fmax(size, fmax(fabs(p->x), fmax(fabs(p->y), fabs(p->z))));
    }
    return size;
}

static double length(bw_vec3 v)
{
    double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    bw_vec3 u = largest == 0 ? v : (bw_vec3){v.x / largest, v.y / largest, v.z / largest};
    return largest * sqrt(bw_vec3_dot(u, u));
}

static bw_vec3 sample(bws_random *random, const bw_vec3 t[3])
{
    double u = bws_random_unit(random), v = bws_random_unit(random);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    return bw_vec3_add(bw_vec3_scale(t[0], 1 - u - v),
                       bw_vec3_add(bw_vec3_scale(t[1], u), bw_vec3_scale(t[2], v)));
}

static void check(bws_random *random, const bw_vec3 a[3], const bw_vec3 b[3])
{
    double size = size_of(a, b), tolerance = 1e-12 * size;
    bw_vec3 on_a, on_b, only;
    double d2 = bw_triangle_distance2(a, b, &on_a, &on_b), truth2 = bw_oracle_distance2(a, b);
    bool meet = bw_oracle_triangle_triangle(a, b) != BW_CONTACT_NONE;
    assert_true(meet ? d2 == 0 : d2 > 0);
    assert_true(bw_triangle_distance2(a, b, NULL, NULL) == d2);
    assert_true(bw_triangle_distance2(a, b, &only, NULL) == d2 && bw_vec3_equal(&only, &on_a));
    assert_true(bw_triangle_distance2(a, b, NULL, &only) == d2 && bw_vec3_equal(&only, &on_b));
    double d = sqrt(d2);
    assert_true(fabs(d - sqrt(truth2)) <= tolerance);
    /* The points lie on the triangles and are that far apart. */
    const bw_vec3 point_a[3] = {on_a, on_a, on_a}, point_b[3] = {on_b, on_b, on_b};
    assert_true(sqrt(bw_oracle_distance2(point_a, a)) <= tolerance);
    assert_true(sqrt(bw_oracle_distance2(point_b, b)) <= tolerance);
    bw_vec3 gap = bw_vec3_sub(on_b, on_a);
    assert_true(fabs(length(gap) - d) <= tolerance);
    /* Optimal: planes across the gap at its ends have the triangles on their outer sides. */
    if (d > 1e-3 * size) {
        bw_vec3 n = bw_vec3_scale(gap, 1 / length(gap));
        for (int i = 0; i < 3; i++) {
            assert_true(bw_vec3_dot(n, bw_vec3_sub(a[i], on_a)) <= 1e-8 * size);
            assert_true(bw_vec3_dot(n, bw_vec3_sub(b[i], on_b)) >= -1e-8 * size);
        }
    }
    for (int n = 0; n < 8; n++)
        assert_true(length(bw_vec3_sub(sample(random, a), sample(random, b))) >= d - tolerance);
}

static void check_point(const bw_vec3 *p, const bw_vec3 t[3])
{
    const bw_vec3 point[3] = {*p, *p, *p};
    double tolerance = 1e-12 * size_of(point, t);
    bw_vec3 on;
    double d2 = bw_point_triangle_distance2(p, t, &on), truth2 = bw_oracle_distance2(point, t);
    bool meet = bw_oracle_triangle_triangle(point, t) != BW_CONTACT_NONE;
    assert_true(meet ? d2 == 0 && bw_vec3_equal(&on, p) : d2 > 0);
    assert_true(fabs(sqrt(d2) - sqrt(truth2)) <= tolerance);
    assert_true(bw_point_triangle_distance2(p, t, NULL) == d2);
    const bw_vec3 found[3] = {on, on, on};
    assert_true(sqrt(bw_oracle_distance2(found, t)) <= tolerance);
    assert_true(fabs(length(bw_vec3_sub(on, *p)) - sqrt(d2)) <= tolerance);
}

static void distances_are_true(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_family_count; f++) {
        bw_vec3 a[3], b[3];
        bw_family_pair(&bw_families[f], random, a, b);
        check(random, a, b);
        check_point(&a[0], b);
        for (int i = 0; i < 3; i++) /* the same, further apart */
            b[i] = bw_vec3_add(b[i], (bw_vec3){1.5, 0.25, -0.5});
        if (bw_exact_range(b, 3))
            check(random, a, b);
    }
}

/* Nearly parallel edges and faces at a distance: where a careless formula is off by the square root of an
 * ulp. */
static void parallels_are_accurate(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 a[3], b[3], d;
    double tilt = ldexp(1, (int)bws_random_int(random, -60, -10));
    for (int i = 0; i < 3; i++)
        a[i] = (bw_vec3){bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                         bws_random_double(random, -1, 1)};
    d = (bw_vec3){bws_random_double(random, -0.1, 0.1), bws_random_double(random, -0.1, 0.1), 0.05};
    for (int i = 0; i < 3; i++)
        b[i] = (bw_vec3){a[i].x + d.x + tilt * bws_random_double(random, -1, 1),
                         a[i].y + d.y + tilt * bws_random_double(random, -1, 1),
                         a[i].z + d.z + tilt * bws_random_double(random, -1, 1)};
    if (bws_random_bool(random)) /* slivers as well */
        b[2] = bw_vec3_add(bw_vec3_scale(b[0], 0.5), bw_vec3_scale(b[1], 0.5));
    check(random, a, b);
}

/* Slivers a few ulps wide, seen from afar: their sides are parallel in floating point, and their tips far
 * away. */
static void tips_are_accurate(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 a[3], b[3];
    for (int i = 0; i < 3; i++) {
        double x = 1 + (double)bws_random_int(random, -2, 2) * 0x1p-52;
        double y = 1 + (double)bws_random_int(random, -2, 2) * 0x1p-52;
        a[i] = (bw_vec3){x, y, bws_random_double(random, 0.25, 1)};
        b[i] = (bw_vec3){bws_random_double(random, -1, 0.5), bws_random_double(random, -1, 0.5),
                         bws_random_double(random, -1, 2)};
    }
    if (bws_random_bool(random))
        a[1].z = a[0].z;
    check(random, a, b);
    check_point(&b[0], a);
}

/* Gaps far below an ulp of the coordinates are still gaps. */
static void hidden_gaps_are_positive(void **state)
{
    (void)state;
    bw_vec3 a[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
            b[3] = {{0.3, 0.3, 1e-80}, {0.4, 0.3, 1}, {0.3, 0.4, 1}};
    assert_true(bw_triangle_distance2(a, b, NULL, NULL) > 0);
    assert_true(bw_point_triangle_distance2(&b[0], a, NULL) > 0);
    bw_vec3 c[3] = {{0x1p300, 0, 0}, {0, 0x1p300, 0}, {0, 0, 0x1p300}}, p = {0x1p-300, 0x1p300, 0};
    assert_true(bw_point_triangle_distance2(&p, c, NULL) > 0);
    bw_vec3 low[3] = {{0, 0, 0}, {0x1p-300, 0, 0}, {0, 0x1p-300, 0}}, q = {0x1p-302, 0x1p-302, 0x1p-300};
    assert_true(bw_point_triangle_distance2(&q, low, NULL) == 0x1p-600);
}

/* Four at once: of those that are known every bit is that of one alone, at both levels. How many are known, of how many. */
static void check_four(const bw_vec3 *p, bw_vec3 t[4][3], uint64_t count[2])
{
    double corner[3][3][4];
    for (int i = 0; i < 4; i++) {
        if (bw_point_triangle_distance2(p, t[i], NULL) == 0) /* not on any */
            for (int k = 0; k < 3; k++)
                t[i][k] = (bw_vec3){p->x + 1, p->y + k, p->z + k * k};
        for (int k = 0; k < 3; k++) {
            corner[k][0][i] = t[i][k].x;
            corner[k][1][i] = t[i][k].y;
            corner[k][2][i] = t[i][k].z;
        }
    }
    const bool wide = bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2;
    for (int level = 0; level <= wide; level++) {
        double distance2[4], nearest[3][4];
        const uint32_t known =
            (level == 0 ? bw_closest_four_128
                        : BW_SIMD_PICK(BW_SIMD_AVX2, bw_closest_four))(p, corner, distance2, nearest);
        for (int i = 0; i < 4; i++) {
            bw_vec3 on;
            const double one = bw_point_triangle_distance2_disjoint(p, t[i], &on);
            const bw_vec3 four = {nearest[0][i], nearest[1][i], nearest[2][i]};
            count[1]++;
            if ((known >> i & 1) == 0)
                continue;
            count[0]++;
            assert_memory_equal(&one, &distance2[i], sizeof one);
            assert_memory_equal(&on, &four, sizeof on);
        }
    }
}

static void four_are_as_one(bws_random *random, void *user)
{
    uint64_t(*count)[2] = user;
    for (int f = 0; f < bw_family_count; f++) {
        bw_vec3 a[3], t[4][3];
        bw_family_pair(&bw_families[f], random, a, t[0]);
        for (int i = 1; i < 4; i++)
            for (int k = 0; k < 3;
                 k++) /* the corners in another order, moved, and one that the point is beside */
                t[i][k] = i == 1   ? t[0][(k + 1) % 3]
                          : i == 2 ? bw_vec3_add(t[0][k], (bw_vec3){1.5, 0.25, -0.5})
                                   : bw_vec3_add(a[0], (bw_vec3){k == 1, k == 2, k == 0 ? 0 : 0x1p-50});
        bool good = true;
        for (int i = 0; i < 4; i++)
            good = good && bw_exact_range(t[i], 3);
        if (good)
            check_four(&a[0], t, count[bw_families[f].ordinary]);
    }
}

static void fours(void **state)
{
    (void)state;
    uint64_t count[2][2] = {{0}};
    BW_EACH_SEED(300, four_are_as_one, count);
    assert_true(count[0][0] > 0 && count[0][0] < count[0][1]);
    assert_true((double)count[1][0] > 0.99 * (double)count[1][1]);
}

static void families(void **state)
{
    (void)state;
    BW_EACH_SEED(50, distances_are_true, NULL);
}

static void parallels(void **state)
{
    (void)state;
    BW_EACH_SEED(800, parallels_are_accurate, NULL);
}

static void tips(void **state)
{
    (void)state;
    BW_EACH_SEED(800, tips_are_accurate, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_gaps_are_positive),
        cmocka_unit_test(families),
        cmocka_unit_test(parallels),
        cmocka_unit_test(tips),
        cmocka_unit_test(fours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
