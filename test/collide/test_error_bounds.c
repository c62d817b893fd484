/* Poses made ready for float kernels: whatever the pose, a box that holds a point of the second body and one
 * that holds where the pose takes it are never kept apart; and every level prepares the same bits. */
#include "collide/pair/kernels.h"
#include "geom/box.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { FAMILIES = 10 };

/* Rotations to the last bit and nearly, scales, shears, mirrors, projections, and sizes far from 1. */
static bw_transform pose_of(bws_random *random, int family)
{
    bw_transform pose = bws_random_rigid(random, 3.0);
    const double grow = ldexp(1.0, (int)bws_random_int(random, -100, 60));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double *m = &pose.m[i][j];
            if (family == 1) /* as from a program that computes in floats */
                *m = (double)(float)*m;
            if (family == 2) /* on both sides of what counts as a rotation */
                *m += ldexp(bws_random_double(random, -1.0, 1.0), -(int)bws_random_int(random, 8, 34));
            if (family == 3)
                *m *= 1.0 + j;
            if (family == 4)
                *m = bws_random_double(random, -2.0, 2.0);
            if (family == 5) /* flattens, to a plane, a line or a point */
                *m *= j < (int)bws_random_below(random, 3) ? 1.0 : 0.0;
            if (family == 6) /* exactly along the axes */
                *m = (i + 1) % 3 == j ? (j == 1 ? -1.0 : 1.0) : 0.0;
            if (family == 7)
                *m *= grow;
            if (family == 8)
                *m = ldexp(*m, (int)bws_random_int(random, -200, 200));
        }
    for (int i = 0; i < 3; i++) {
        if (family == 7)
            pose.m[i][3] *= grow;
        if (family == 9) /* far away */
            pose.m[i][3] = ldexp(pose.m[i][3], (int)bws_random_int(random, 20, 100));
    }
    return pose;
}

static bw_vec3 point_in(bws_random *random, const bw_box *box)
{
    double p[3];
    for (int k = 0; k < 3; k++) {
        const double low = (double)box->min[k], high = (double)box->max[k];
        const double at =
            bws_random_below(random, 4) == 0 ? (double)bws_random_below(random, 2) : bws_random_unit(random);
        p[k] = fmin(fmax(low + at * (high - low), low), high);
    }
    return (bw_vec3){p[0], p[1], p[2]};
}

static void put_box(bw_wide_node *node, uint32_t lane, bw_vec3 p)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        node->min[k][lane] = bw_float_down(at[k]);
        node->max[k][lane] = bw_float_up(at[k]);
    }
    node->child[lane] = BW_WIDE_LEAF | lane;
}

static void grow_to(bw_box *box, bw_vec3 p)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        box->min[k] = fminf(box->min[k], bw_float_down(at[k]));
        box->max[k] = fmaxf(box->max[k], bw_float_up(at[k]));
    }
}

static void assert_same_map(const bw_wide_map *a, const bw_wide_map *b)
{
    for (int i = 0; i < 3; i++) {
        assert_memory_equal(a->m[i], b->m[i], 3 * sizeof(float));
        assert_memory_equal(a->low_end[i], b->low_end[i], 3 * sizeof(uint32_t));
        assert_memory_equal(&a->low[i], &b->low[i], sizeof(float));
        assert_memory_equal(&a->high[i], &b->high[i], sizeof(float));
    }
}

static void assert_same(const bw_error_bounds *a, const bw_error_bounds *b)
{
    assert_int_equal(a->identity, b->identity);
    assert_int_equal(a->has_inverse, b->has_inverse);
    assert_same_map(&a->b_to_a, &b->b_to_a);
    assert_same_map(&a->a_to_b, &b->a_to_b);
    assert_memory_equal(a->map, b->map, sizeof a->map);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(a->turn[i], b->turn[i], 3 * sizeof(float));
    assert_memory_equal(&a->reach, &b->reach, sizeof a->reach);
    assert_memory_equal(&a->share_a, &b->share_a, sizeof a->share_a);
    assert_memory_equal(&a->share_b, &b->share_b, sizeof a->share_b);
    assert_memory_equal(&a->share_all, &b->share_all, sizeof a->share_all);
}

static void poses_body(bws_random *random, void *user)
{
    (void)user;
    const int family = (int)bws_random_below(random, FAMILIES);
    const bw_relative_pose pose = {.map = pose_of(random, family)};
    const double size = ldexp(1.0, (int)bws_random_int(random, -30, 30));
    bw_box bounds_a = bw_box_empty(), bounds_b = bw_box_empty();
    for (int k = 0; k < 3; k++) {
        const double low = bws_random_double(random, -size, size);
        bounds_b.min[k] = bw_float_down(low);
        bounds_b.max[k] = bw_float_up(low + bws_random_double(random, 0.0, size));
    }
    bw_wide_node a = {.count = BW_WIDTH}, b = {.count = BW_WIDTH};
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        const bw_vec3 at = point_in(random, &bounds_b), mapped = bw_transform_point(&pose.map, at);
        if (!(fabs(mapped.x) < 1e37 && fabs(mapped.y) < 1e37 && fabs(mapped.z) < 1e37))
            return; /* beyond what a tree may hold */
        put_box(&b, i, at);
        put_box(&a, i, mapped);
        grow_to(&bounds_a, mapped);
    }
    const uint64_t each = 0x8040201008040201u;
    bw_error_bounds first = {0};
    for (bw_simd level = BW_SIMD_128; level <= bw_simd_level(BW_SIMD_AUTO); level++) {
        const bw_wide_kernels *kernels = bw_wide_kernels_for(level);
        bw_error_bounds frame = {0};
        bw_wide_mapped mapped = {.a = NULL};
        bw_error_bounds_prepare(&frame, kernels, &pose, &bounds_a, &bounds_b);
        if (level == BW_SIMD_128)
            first = frame;
        assert_same(&first, &frame);
        const bw_wide_meeting met = kernels->box_pair(&frame, &a, 0xFFu, &b, 0xFFu, &mapped);
        assert_int_equal(met.others, 0);
        assert_true((met.leaves & each) == each);
    }
    if (family < 2 || family == 6) { /* sharp: of use along all six axes */
        assert_true(first.has_inverse);
        for (int i = 0; i < 3; i++)
            assert_true((double)(first.a_to_b.high[i] - first.a_to_b.low[i]) < 1e-5 * (8.0 * size + 8.0));
    }
}

static void test_poses(void **state)
{
    (void)state;
    BW_EACH_SEED(20000, poses_body, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_poses)};
    return cmocka_run_group_tests_name("error-bounds", tests, NULL, NULL);
}
