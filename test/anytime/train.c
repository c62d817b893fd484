/* Fits, drawn poses and training. */
#include "anytime/fit.h"
#include "anytime/model.h"
#include "objects.h"
#include "oracle/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Shares that were made to fall are found again, in order, to the accuracy of the counts. */
static void fits_find_curves(bws_random *r, void *user)
{
    (void)user;
    bw_fit fit = {.knots = 20};
    double prior[20], out[20];
    for (int i = 0; i < 40000; i++) {
        double place = 19.0 * bws_random_unit(r), p = 1.0 / (1.0 + exp(0.5 * (place - 9)));
        bw_fit_add(&fit, place, bws_random_unit(r) < p, 1.0);
    }
    bw_fit_add(&fit, -5.0, true, 1e-9);
    bw_fit_add(&fit, 50.0, false, 1e-9);
    for (int k = 0; k < 20; k++)
        prior[k] = 0.5;
    bw_fit_curve(&fit, prior, 1.0, true, out);
    for (int k = 0; k < 20; k++) {
        assert_true(fabs(out[k] - 1.0 / (1.0 + exp(0.5 * (k - 9)))) < 0.06);
        assert_true(k == 0 || out[k] <= out[k - 1]);
    }
}

static void test_fits(void **state)
{
    (void)state;
    BW_EACH_SEED(10, fits_find_curves, NULL);
    bw_fit rising = {.knots = 3, .seen = {10, 10, 10}, .hits = {5, 1, 9}};
    double prior[3] = {0.5, 0.5, 0.5}, out[3];
    bw_fit_curve(&rising, prior, 1e-9, false, out);
    assert_true(out[0] <= out[1] && out[1] <= out[2]);
}

static void models_look_up(void **state)
{
    (void)state;
    for (int which = 0; which < 6; which++) {
        const bw_adb_model *m = bw_adb_model_builtin((bw_adb_poses)(which / 3), (bw_adb_kind)(which % 3));
        assert_true(bw_adb_model_valid(m));
        for (uint32_t code = 0; code < 4 * BW_MOMENT_SPARSE; code++) {
            if (code % BW_MOMENT_SPARSE >= BW_MOMENT_LEVELS)
                continue;
            float last = INFINITY;
            for (float d = 0.0f; d < 10.0f; d += 0.05f) {
                float h = bw_adb_hazard(m, code, code, d);
                assert_true(h >= 0.0f && h <= last);
                last = h;
            }
        }
        for (uint32_t row = 0; row < BW_ADB_ENDS; row++) {
            double last = 0.0, reached = bw_adb_end_reaches(m, row, 0.5);
            assert_true(reached > 0x1p7 || (bw_adb_end(m, row, reached * 1.001) >= 0.499 &&
                                            bw_adb_end(m, row, reached * 0.99) <= 0.5));
            for (double e = 1e-4; e < 100.0; e *= 1.1) {
                double p = bw_adb_end(m, row, e);
                assert_true(p >= last && p <= 1.0);
                last = p;
            }
        }
        assert_non_null(bw_adb_setting_for(m, 0.01));
        assert_true((double)bw_adb_setting_for(m, 0.01)->error <= 0.0100001);
    }
    assert_true(bw_adb_hazard_of(1.0) == INFINITY && bw_adb_hazard_of(0.0) == 0.0f);
    assert_true(fabs(bw_adb_probability_of((double)bw_adb_hazard_of(0.3)) - 0.3) < 1e-6);
    assert_int_equal(bw_adb_end_budget(1), BW_END_BUDGET);
    assert_int_equal(bw_adb_end_budget(2), BW_END_BUDGET + 1);
    assert_int_equal(bw_adb_end_budget(4), BW_END_BUDGET + 2);
    assert_int_equal(bw_adb_end_budget(UINT64_MAX), BW_END_SURE - 1);
    assert_int_equal(bw_adb_stage(0), 0);
    for (uint64_t steps = 1, stage = 1; stage < BW_ADB_STAGES; stage++, steps *= 2) {
        assert_int_equal(bw_adb_stage(steps), stage);
        assert_int_equal(bw_adb_stage(steps + 1), stage + 1 < BW_ADB_STAGES ? stage + 1 : stage);
    }
    assert_int_equal(bw_adb_stage(UINT64_MAX), BW_ADB_STAGES - 1);
    /* Evidence lies where its logarithm does, at powers of two, and between them in order. */
    for (int e = -9; e < 6; e++) {
        assert_true(bw_adb_end_place(ldexp(1.0, e)) == 2.0 * (e + 9));
        assert_true(fabs(bw_adb_end_place(ldexp(1.5, e)) - 2.0 * (e + 9.5)) < 1e-9);
    }
    assert_true(bw_adb_end_place(1e300) == BW_ADB_LEVELS - 1 && bw_adb_end_place(-1.0) == 0.0);
    assert_int_equal(bw_adb_end_counted(1), 1);
    assert_int_equal(bw_adb_end_counted(99), 4);
}

enum { POSES = 300 };

static void drawn_poses_are_of_their_kind(void **state)
{
    (void)state;
    object o;
    object_make(&o, 0, NULL, NULL);
    bw_adb_body body = object_body(&o, NULL);
    bw_transform *spread = calloc(POSES, sizeof *spread), *again = calloc(POSES, sizeof *again);
    assert_true(spread != NULL && again != NULL);
    assert_int_equal(bw_adb_draw_poses(&body, &body, BW_ADB_POSES_SPREAD, 5, spread, POSES), BW_OK);
    assert_int_equal(bw_adb_draw_poses(&body, &body, BW_ADB_POSES_SPREAD, 5, again, POSES), BW_OK);
    assert_memory_equal(spread, again, POSES * sizeof *spread);
    assert_int_equal(bw_adb_draw_poses(&body, &body, BW_ADB_POSES_CONTACT, 5, again, 60), BW_OK);
    uint32_t met = 0;
    for (uint32_t i = 0; i < 60; i++) {
        bw_distance_report report;
        bw_body a = {o.tree, &o.view, NULL}, b = {o.tree, &o.view, &again[i]};
        assert_int_equal(bw_distance(&a, &b, NULL, &report), BW_OK);
        met += report.distance == 0.0;
        assert_true(report.distance <= 0.025 * 2.3);
    }
    assert_true(met > 10 && met < 50);
    assert_int_equal(bw_adb_draw_poses(&body, NULL, BW_ADB_POSES_SPREAD, 5, again, 1), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_adb_draw_poses(&body, &body, (bw_adb_poses)4, 5, again, 1), BW_ERROR_ARGUMENT);
    free(spread);
    free(again);
    object_free(&o);
}

/* A model trained on a body's own poses keeps its promise on others, and knows how sure it is. */
static void training_keeps_its_promise(void **state)
{
    (void)state;
    object o;
    object_make(&o, 5, NULL, NULL);
    bw_adb_body body = object_body(&o, NULL);
    bw_transform *poses = calloc(2 * POSES, sizeof *poses);
    assert_non_null(poses);
    assert_int_equal(bw_adb_draw_poses(&body, &body, BW_ADB_POSES_SPREAD, 1, poses, 2 * POSES), BW_OK);
    bw_adb_example example = {body, body, poses, POSES};
    bw_adb_model model, same;
    assert_int_equal(bw_adb_train(&example, 1, NULL, &model), BW_OK);
    assert_int_equal(bw_adb_train(&example, 1, NULL, &same), BW_OK);
    assert_memory_equal(&model, &same, sizeof model);
    assert_true(bw_adb_model_valid(&model));
    double wrong = 0, said = 0;
    for (uint32_t i = POSES; i < 2 * POSES; i++) {
        bw_adb_body b = object_body(&o, &poses[i]);
        bw_adb_answer answer;
        assert_int_equal(
            bw_adb_query(&body, &b, &(bw_adb_query_desc){.model = &model, .wanted_error = 0.05}, &answer),
            BW_OK);
        wrong += answer.collision != objects_meet(&o, &o, NULL, &poses[i]);
        said += 1.0 - answer.confidence;
    }
    assert_true(wrong / POSES <= 0.1);
    assert_true(fabs(wrong - said) / POSES <= 0.06);

    example.pose_count = 0;
    assert_int_equal(bw_adb_train(&example, 1, NULL, &same), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_adb_train(NULL, 1, NULL, &same), BW_ERROR_ARGUMENT);
    const bw_adb_train_desc bad[] = {{.prior_weight = -1.0}, {.mean_share = -0.1}, {.worst_share = NAN}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(bw_adb_train(&example, 1, &bad[i], &same), BW_ERROR_ARGUMENT);
    example.pose_count = 1;
    poses[0].m[0][0] = NAN;
    assert_int_equal(bw_adb_train(&example, 1, NULL, &same), BW_ERROR_NOT_FINITE);
    assert_memory_equal(&model, &same, sizeof model);
    free(poses);
    object_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits),
        cmocka_unit_test(models_look_up),
        cmocka_unit_test(drawn_poses_are_of_their_kind),
        cmocka_unit_test(training_keeps_its_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
