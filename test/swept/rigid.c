/* Rigid bodies in motion: against exact times of simple motions, and against dense sampling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include <boxwood/swept.h>

#include "oracle/random.h"
#include "scenes/scenes.h"

typedef struct solid {
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *tree;
    bw_body body;
} solid;

static void solid_make(solid *s, uint32_t frequency, double amplitude)
{
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency, .amplitude = amplitude},
                                      BW_F64, &s->mesh),
                     BW_OK);
    s->view = bws_view(&s->mesh);
    assert_int_equal(bw_tree_create(NULL, &s->view, &s->tree, NULL), BW_OK);
    s->body = (bw_body){s->tree, &s->view, NULL};
}

static void solid_free(solid *s)
{
    bw_tree_destroy(s->tree);
    bws_mesh_free(&s->mesh);
}

static bw_vec3 direction(bws_random *random)
{
    bw_vec3 v;
    do
        v = (bw_vec3){bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                      bws_random_double(random, -1, 1)};
    while (v.x * v.x + v.y * v.y + v.z * v.z < 0.01);
    return v;
}

static bw_rigid_motion motion_make(bws_random *random, double reach)
{
    bw_rigid_motion m = {.start = bws_random_rigid(random, reach), .axis = direction(random)};
    m.centre = (bw_vec3){m.start.m[0][3], m.start.m[1][3], m.start.m[2][3]};
    m.angle = bws_random_below(random, 4) == 0 ? 0 : bws_random_double(random, -6, 6);
    m.translation = (bw_vec3){bws_random_double(random, -3, 3), bws_random_double(random, -3, 3),
                              bws_random_double(random, -3, 3)};
    return m;
}

static double distance_at(const solid *s, const bw_rigid_motion *a, const bw_rigid_motion *b, double time)
{
    bw_transform x, y;
    assert_int_equal(bw_rigid_motion_pose(a, time, &x), BW_OK);
    assert_int_equal(bw_rigid_motion_pose(b, time, &y), BW_OK);
    bw_body p = {s->tree, &s->view, &x}, q = {s->tree, &s->view, &y};
    bw_distance_report report = {0};
    assert_int_equal(bw_distance(&p, &q, NULL, &report, NULL), BW_OK);
    return report.distance;
}

static void never_late(bws_random *random, void *user)
{
    const solid *s = user;
    bw_rigid_motion a = motion_make(random, 2), b = motion_make(random, 2);
    bw_swept_rigid_report report = {0};
    bw_swept_rigid_desc desc = {.tolerance = 1e-4};
    assert_int_equal(bw_swept_rigid(&s->body, &a, &s->body, &b, &desc, &report, NULL), BW_OK);
    assert_int_not_equal(report.status, BW_LIMIT);
    for (int i = 0; i <= 24; i++) {
        double time = i / 24.0;
        if (time < report.time)
            assert_true(distance_at(s, &a, &b, time) > 0);
    }
    if (report.status == BW_FOUND)
        assert_true(report.distance <= desc.tolerance);
    else
        assert_true(report.time == 1 && distance_at(s, &a, &b, 1) > desc.tolerance);
}

static void sampling(void **state)
{
    (void)state;
    solid s;
    solid_make(&s, 6, 0.1);
    BW_EACH_SEED(60, never_late, &s);
    solid_free(&s);
}

/* Poses at both ends and the way between them. */
static void ways(bws_random *random, void *user)
{
    (void)user;
    bw_rigid_motion m = motion_make(random, 3), back;
    switch (bws_random_below(random, 4)) {
    case 0:
        m.angle = 0;
        break;
    case 1:
        m.angle = 3.14159265358979;
        break;
    default:
        m.angle = bws_random_double(random, -3.14, 3.14);
    }
    m.start = bw_transform_multiply(&m.start, &(bw_transform){{{2, 0.5, 0, 0}, {0, 1, 0, 0}, {0, 0, -3, 1}}});
    bw_transform end, found;
    assert_int_equal(bw_rigid_motion_pose(&m, 1, &end), BW_OK);
    assert_int_equal(bw_rigid_motion_between(&m.start, &end, m.centre, &back), BW_OK);
    assert_true(fabs(back.angle) <= 3.1416);
    for (int step = 0; step <= 2; step++) {
        bw_transform expected;
        assert_int_equal(bw_rigid_motion_pose(&m, step / 2.0, &expected), BW_OK);
        assert_int_equal(bw_rigid_motion_pose(&back, step / 2.0, &found), BW_OK);
        if (fabs(m.angle) > 3.14159 && step == 1)
            continue; /* either way round */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                assert_true(fabs(found.m[i][j] - expected.m[i][j]) < 1e-6);
    }
}

static void between(void **state)
{
    (void)state;
    BW_EACH_SEED(300, ways, NULL);
    bw_rigid_motion out;
    bw_transform one = bw_transform_identity(), other = one;
    bw_vec3 zero = {0, 0, 0}, nowhere = {(double)NAN, 0, 0};
    other.m[0][0] = 1.1;
    assert_int_equal(bw_rigid_motion_between(&one, &other, zero, &out), BW_ERROR_ARGUMENT);
    other.m[0][0] = -1; /* a mirror */
    assert_int_equal(bw_rigid_motion_between(&one, &other, zero, &out), BW_ERROR_ARGUMENT);
    other.m[0][0] = 0;
    assert_int_equal(bw_rigid_motion_between(&other, &one, zero, &out), BW_ERROR_SINGULAR);
    assert_int_equal(bw_rigid_motion_between(&one, &one, nowhere, &out), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_rigid_motion_between(NULL, &one, zero, &out), BW_ERROR_ARGUMENT);
    other.m[0][3] = (double)INFINITY;
    assert_int_equal(bw_rigid_motion_between(&one, &other, zero, &out), BW_ERROR_NOT_FINITE);
}

/* Two spheres that approach along a line, and a turn in place: times that are known. */
static void known_times(void **state)
{
    (void)state;
    solid s;
    solid_make(&s, 8, -1);
    bw_rigid_motion still = {.start = bw_transform_identity()}, coming = still;
    coming.start.m[0][3] = 5;
    coming.translation.x = -4;
    bw_swept_rigid_report report = {0};
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &coming, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_FOUND);
    /* The spheres are of radius 1 and meet where two corners do: a gap of 3 closed at a speed of 4. */
    assert_true(report.time <= 0.75 + 1e-9 && report.time > 0.7499);
    coming.translation.x = -2.9;
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &coming, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    bw_swept_rigid_desc few = {.max_steps = 2, .tolerance = 1e-9};
    coming.translation.x = -4;
    coming.angle = 50;
    coming.axis.z = 1;
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &coming, &few, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_LIMIT);
    assert_int_equal(report.steps, 2);
    assert_true(report.time < 0.75);
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &still, NULL, &report, NULL), BW_OK);
    assert_true(report.status == BW_FOUND && report.time == 0);
    /* At rest and apart: one step more, to the end. */
    bw_rigid_motion away = still;
    away.start.m[1][3] = 9;
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &away, NULL, &report, NULL), BW_OK);
    assert_true(report.status == BW_DONE && report.time == 1 && report.steps == 2);
    /* Bad arguments. */
    report.steps = 77;
    coming.axis = (bw_vec3){0, 0, 0};
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &coming, NULL, &report, NULL),
                     BW_ERROR_ARGUMENT);
    coming.angle = (double)NAN;
    assert_int_equal(bw_swept_rigid(&s.body, &coming, &s.body, &still, NULL, &report, NULL),
                     BW_ERROR_NOT_FINITE);
    coming.start.m[2][2] = (double)INFINITY;
    assert_int_equal(bw_rigid_motion_pose(&coming, 0, &still.start), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_rigid_motion_pose(&still, 2, &still.start), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_rigid(&s.body, NULL, &s.body, &still, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    few.tolerance = -1;
    assert_int_equal(bw_swept_rigid(&s.body, &still, &s.body, &still, &few, &report, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(report.steps, 77);
    solid_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sampling), cmocka_unit_test(between),
                                       cmocka_unit_test(known_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
