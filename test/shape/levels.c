/* Every level gives the same bits: closed forms, facets of differences and the expanding polytope, of random and of hard pairs, and of
 * shapes that cannot be used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "oracle/random.h"
#include "shape/axes/axes.h"
#include "shape/epa.h"
#include "shape/pair.h"
#include "shape/round.h"
#include "shape/shapes.h"

/* Bits of a number: not -0 for 0, and the same of what is no number. */
static void same(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void same_vec(bw_vec3 a, bw_vec3 b)
{
    same(a.x, b.x);
    same(a.y, b.y);
    same(a.z, b.z);
}

static void same_gap(const bw_gap *a, const bw_gap *b)
{
    same(a->lower, b->lower);
    same(a->upper, b->upper);
    same(a->estimate, b->estimate);
    same_vec(a->normal, b->normal);
    same_vec(a->on_a, b->on_a);
    same_vec(a->on_b, b->on_b);
    assert_true(a->witness == b->witness && a->single == b->single && a->rough == b->rough);
    assert_true(a->face_a == b->face_a && a->face_b == b->face_b);
}

static void same_search(const bw_gjk *a, const bw_gjk *b)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_true(a->v[i].a == b->v[i].a && a->v[i].b == b->v[i].b);
}

/* ---- depths ---- */

typedef bool contact_fn(bw_gjk *g, double limit, bw_gap *out);
typedef void gap_fn(bw_gjk *g, bool kind_only, bw_gap *out);

static void compare_polytopes(const bw_convex *a, const bw_convex *b)
{
#if BW_SIMD_X86
    static contact_fn *const contacts[2][2] = {{bw_epa_contact_128, bw_epa_contact_avx2},
                                               {bw_axes_contact_128, bw_axes_contact_avx2}};
    static gap_fn *const gaps[2] = {bw_epa_gap_128, bw_epa_gap_avx2};
    bw_vec3 centre;
    bw_gjk g[2];
    bw_gap gap[2];
    if (bw_simd_level(BW_SIMD_AUTO) < BW_SIMD_AVX2)
        return;
    const bool solid = bw_convex_inner(a, &centre) > 0 && bw_convex_inner(b, &centre) > 0;
    for (int way = 0; solid && way < 2; way++) {
        bool found[2];
        for (int k = 0; k < 2; k++) {
            bw_gjk_begin(&g[k], a, b, NULL);
            found[k] = contacts[way][k](&g[k], a->radius + b->radius, &gap[k]);
        }
        assert_int_equal(found[0], found[1]);
        same_search(&g[0], &g[1]);
        if (found[0])
            same_gap(&gap[0], &gap[1]);
    }
    for (int kind_only = 0; kind_only < 2; kind_only++) {
        bw_gjk start;
        bw_gjk_begin(&start, a, b, NULL);
        bw_gjk_run(&start, (double)INFINITY, 0);
        for (int k = 0; k < 2; k++) {
            g[k] = start;
            gaps[k](&g[k], kind_only != 0, &gap[k]);
        }
        same_gap(&gap[0], &gap[1]);
        same_search(&g[0], &g[1]);
    }
#else
    (void)a;
    (void)b;
#endif
}

static void check_polytopes(bws_random *random, void *user)
{
    (void)user;
    const test_family family = (test_family)bws_random_below(random, TEST_FAMILIES);
    const int kind_a = bws_random_below(random, 3) == 0 ? BW_SHAPE_BOX : BW_SHAPE_HULL;
    test_shape pair[2];
    bw_convex a, b;
    test_shapes_make(random, family, kind_a, BW_SHAPE_HULL, pair);
    if (bws_random_below(random, 2) == 0) /* so that most of the random ones cross */
        for (int i = 0; i < 3; i++)
            pair[1].pose.m[i][3] = (pair[0].pose.m[i][3] + pair[1].pose.m[i][3]) / 2;
    if (bw_pair_place(&pair[0].placed, &pair[1].placed, &a, &b, NULL) == BW_OK)
        compare_polytopes(&a, &b);
    test_shapes_free(pair);
}

static void polytopes(void **state)
{
    (void)state;
    BW_EACH_SEED(4000, check_polytopes, NULL);
}

/* Hulls of many corners: more steps, all ways to scan, and no room for more vertices. */
static void check_many_corners(bws_random *random, void *user)
{
    enum { MOST = 200 };
    bw_vec3 points[MOST];
    test_shape pair[2] = {{.pose = bw_transform_identity()}, {.pose = bw_transform_identity()}};
    bw_convex convex[2];
    (void)user;
    for (int k = 0; k < 2; k++) {
        const uint32_t count = 4 + (uint32_t)bws_random_below(random, MOST - 3);
        for (uint32_t i = 0; i < count; i++) {
            const bw_vec3 p = {bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                               bws_random_double(random, -1, 1)};
            const double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z) + 1e-9;
            points[i] = (bw_vec3){p.x / length, p.y / length, p.z / length};
        }
        assert_int_equal(bw_hull_create(NULL, points, count, &pair[k].hull, NULL), BW_OK);
        pair[k].shape = (bw_shape){.kind = BW_SHAPE_HULL, .hull = pair[k].hull};
        pair[k].placed = (bw_placed_shape){&pair[k].shape, &pair[k].pose};
        for (int i = 0; i < 3; i++)
            pair[k].pose.m[i][3] = bws_random_double(random, -0.5, 0.5) * (double)bws_random_below(random, 3);
    }
    assert_int_equal(bw_pair_place(&pair[0].placed, &pair[1].placed, &convex[0], &convex[1], NULL), BW_OK);
    compare_polytopes(&convex[0], &convex[1]);
    bw_hull_destroy(pair[0].hull);
    bw_hull_destroy(pair[1].hull);
}

static void many_corners(void **state)
{
    (void)state;
    BW_EACH_SEED(200, check_many_corners, NULL);
}

/* ---- closed forms ---- */

static void same_contact(const bw_shape_contact *a, const bw_shape_contact *b)
{
    assert_true(a->kind == b->kind && a->point_count == b->point_count);
    same_vec(a->normal, b->normal);
    same(a->depth, b->depth);
    same(a->depth_lower, b->depth_lower);
    for (uint32_t i = 0; i < a->point_count; i++) {
        same_vec(a->points[i].point_a, b->points[i].point_a);
        same_vec(a->points[i].point_b, b->points[i].point_b);
        same(a->points[i].depth, b->points[i].depth);
        assert_int_equal(a->points[i].feature, b->points[i].feature);
    }
}

/* What a level answers against what is answered for any shapes. */
static void compare_round(bw_simd level, const bw_placed_shape *a, const bw_placed_shape *b,
                          double separation)
{
    const bw_round_kernels *kernels = bw_round_kernels_for(level);
    const bw_shape_kind ka = a->shape->kind, kb = b->shape->kind;
    const bool swapped = ka > kb;
    const bw_placed_shape *first = swapped ? b : a, *second = swapped ? a : b;
    const bw_shape_desc desc = {.separation = separation};
    bw_contact_kind kinds[2] = {BW_CONTACT_NONE, BW_CONTACT_NONE};
    bw_shape_contact contacts[2];
    bw_shape_nearest nearest[2];
    bw_fault faults[2];
    memset(contacts, 0, sizeof contacts);
    memset(nearest, 0, sizeof nearest);
    memset(faults, 0, sizeof faults);
    if (kernels->overlap[ka][kb] == NULL)
        return;
    const bw_result result = bw_pair_overlap_of(a, b, &kinds[0], NULL);
    assert_int_equal(kernels->overlap[ka][kb](first, second, &kinds[1], NULL), result);
    assert_int_equal(kinds[0], kinds[1]);
    assert_int_equal(bw_pair_contact_of(a, b, &desc, &contacts[0], &faults[0]), result);
    assert_int_equal(kernels->contact[ka][kb](first, second, &desc, &contacts[1], &faults[1], swapped),
                     result);
    assert_true(faults[0].result == faults[1].result && faults[0].element == faults[1].element);
    same_contact(&contacts[0], &contacts[1]);
    assert_int_equal(bw_pair_distance_of(a, b, &desc, &nearest[0], NULL), result);
    assert_int_equal(kernels->distance[ka][kb](first, second, &desc, &nearest[1], NULL, swapped), result);
    same(nearest[0].distance, nearest[1].distance);
    same_vec(nearest[0].point_a, nearest[1].point_a);
    same_vec(nearest[0].point_b, nearest[1].point_b);
    same_vec(nearest[0].normal, nearest[1].normal);
}

/* Spoils one number of a shape or its pose. */
static void spoil(bws_random *random, test_shape *s)
{
    static const double values[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -1,       0,        -0.0,    1e-200, 1e-40,
        1e40,        0x1p100,          0x1p-300,          0x1p-301, 0x1p-120, 0x1p-121};
    double *const numbers[] = {&s->shape.radius, &s->shape.half.x, &s->shape.half.y, &s->shape.half.z};
    const uint64_t which = bws_random_below(random, 20);
    double *x = which < 4 ? numbers[which] : &s->pose.m[(which - 4) % 12 / 4][(which - 4) % 4];
    const uint64_t how = bws_random_below(random, 3);
    if (how == 0)
        *x = values[bws_random_below(random, sizeof values / sizeof *values)];
    else /* about what a pose may be off, or a good one */
        *x += (how == 1 ? 1e-9 : 0x1p-50) * bws_random_double(random, -2, 2);
}

static void check_round(bws_random *random, void *user)
{
    (void)user;
    const test_family family = (test_family)bws_random_below(random, TEST_FAMILIES);
    test_shape pair[2];
    test_shapes_make(random, family, (int)bws_random_below(random, 3), (int)bws_random_below(random, 3),
                     pair);
    if (bws_random_below(random, 3) == 0)
        spoil(random, &pair[bws_random_below(random, 2)]);
    const double separation = bws_random_below(random, 2) == 0 ? 0 : bws_random_double(random, 0, 1);
    for (int level = BW_SIMD_128; level <= (int)bw_simd_level(BW_SIMD_AUTO); level++)
        compare_round((bw_simd)level, &pair[0].placed, &pair[1].placed, separation);
    test_shapes_free(pair);
}

static void closed_forms(void **state)
{
    (void)state;
    BW_EACH_SEED(20000, check_round, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(polytopes), cmocka_unit_test(many_corners),
                                       cmocka_unit_test(closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
