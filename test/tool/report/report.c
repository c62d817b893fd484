/* The report in memory: the order of findings against a plain sort, playback against plain interpolation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/random.h"
#include "report/report.h"

static double key(const report_finding *f)
{
    static const double lead[] = {2e6, 0, 2e6, 1e6};
    if (f->kind == REPORT_CLEARANCE)
        return -f->distance;
    const bool known = f->depth_upper < 1000;
    double depth = f->depth_lower > 0 ? f->depth_lower
                   : f->pierce > 0    ? fmin(f->pierce, f->depth_upper)
                   : known            ? f->depth_upper
                                      : 0;
    return lead[f->kind] + 100 * depth + (known ? f->depth_upper : 50);
}

/* Few values, so that many are equal; pair_count remembers the order of adding. */
static void sort_some(bws_random *random, void *user)
{
    (void)user;
    report r = report_start("clash", "sorted");
    uint32_t count = (uint32_t)bws_random_below(random, 200);
    for (uint32_t i = 0; i < count; i++) {
        report_finding *f = report_add_finding(&r, 0, 1, (report_kind)bws_random_below(random, 4));
        f->depth_lower = (double)bws_random_below(random, 5);
        if (bws_random_below(random, 2) == 1)
            f->depth_upper = f->depth_lower + (double)bws_random_below(random, 3);
        f->pierce = (double)bws_random_below(random, 3);
        f->distance = (double)bws_random_below(random, 5);
        f->pair_count = i;
        report_add_segment(f, (bw_vec3){(double)i, 0, 0}, (bw_vec3){(double)i, 1, 0});
    }
    report_sort(&r);
    for (size_t i = 1; i < r.finding_count; i++) {
        const report_finding *a = &r.findings[i - 1], *b = &r.findings[i];
        if (key(a) < key(b) || (key(a) == key(b) && a->pair_count > b->pair_count))
            fail_msg("finding %zu is before a worse one", i - 1);
        assert_true(b->segments[0].ends[0].x == (double)b->pair_count);
    }
    assert_int_equal(r.finding_count, count);
    report_add_finding(&r, 0, 1, REPORT_HARD); /* it still grows */
    assert_int_equal(r.finding_count, count + 1);
    report_free(&r);
}

static void test_sort(void **state)
{
    (void)state;
    BW_EACH_SEED(50, sort_some, NULL);
}

static void test_moments(void **state)
{
    (void)state;
    report r = report_start("track", "moments");
    report_finding *f = report_add_finding(&r, 0, 0, REPORT_HARD);
    report_add_moment(f, 0, 1);
    report_add_segment(f, (bw_vec3){1, 2, 3}, (bw_vec3){4, 5, 0});
    report_add_segment(f, (bw_vec3){1, 2, 3}, (bw_vec3){4, 7, 0});
    report_add_moment(f, 1, NAN);
    report_add_moment(f, 2, 3);
    report_add_segment(f, (bw_vec3){-1, 2, 3}, (bw_vec3){4, 5, 0});
    assert_int_equal(f->moments[0].segment_count, 2);
    assert_int_equal(f->moments[1].segment_count, 0);
    assert_int_equal(f->moments[2].first_segment, 2);
    assert_int_equal(f->moments[2].segment_count, 1);
    assert_true(f->low.x == -1 && f->low.y == 2 && f->low.z == 0);
    assert_true(f->high.x == 4 && f->high.y == 7 && f->high.z == 3);
    report_free(&r);
}

static void test_playback(void **state)
{
    (void)state;
    static const float at[4][6] = {
        {0, 0, 0, 1, 1, 1}, {2, 0, 0, 1, 1, 1}, {9, 9, 9, 9, 9, 9}, {10, 0, 0, 5, 5, 5}};
    static const double times[4] = {1, 2, 2, 4}; /* a jump at 2 */
    const void *frames[4] = {at[0], at[1], at[2], at[3]};
    report r = report_start("track", "playback");
    uint32_t mesh = report_add_mesh(&r, &(report_mesh){.view = {.positions = at[0], .vertex_count = 1},
                                                       .frame_count = 4,
                                                       .first_vertex = 0,
                                                       .times = times,
                                                       .frames = frames});
    bw_transform up = bw_transform_identity();
    up.m[2][3] = 100;
    uint32_t part = report_add_part(&r, "a", "f", mesh, &up);
    static const struct {
        double time, x;
    } wanted[] = {{0, 0}, {1, 0}, {1.5, 1}, {2, 9}, {3, 9.5}, {4, 10}, {7, 10}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_true(report_vertex(&r, part, 0, wanted[i].time).x == wanted[i].x);
    bw_vec3 low, high;
    assert_true(report_box(&r, &low, &high));
    assert_true(low.x == 0 && high.x == 10 && low.z == 100 && high.z == 109);
    report_free(&r);
}

/* Triangles decide what is in a part, and what is not finite is no place. */
static void test_boxes(void **state)
{
    (void)state;
    static const double at[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 50, 50, 50, NAN, 0, 0};
    static const uint32_t corners[] = {0, 1, 2, 0, 1, 4, 0, 1, 77};
    report r = report_start("view", "boxes");
    bw_vec3 low, high;
    assert_false(report_box(&r, &low, &high));
    uint32_t mesh = report_add_mesh(&r, &(report_mesh){.view = {.positions = at,
                                                                .scalar = BW_F64,
                                                                .vertex_count = 5,
                                                                .indices = corners,
                                                                .triangle_count = 3}});
    report_add_part(&r, "a", "f", mesh, NULL);
    assert_true(report_box(&r, &low, &high));
    assert_true(high.x == 1 && high.y == 1 && high.z == 0);
    uint32_t layer = report_add_layer(&r, REPORT_OPEN_EDGES, REPORT_LINES, 0, "open edges");
    for (int i = 0; i < 100; i++)
        report_add_point(&r, layer, (bw_vec3){i, 0, 0});
    assert_int_equal(r.layers[layer].point_count, 100);
    report_note(&r, "%d things", 3);
    assert_string_equal(r.notes[0], "3 things");
    report_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sort), cmocka_unit_test(test_moments),
                                       cmocka_unit_test(test_playback), cmocka_unit_test(test_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
