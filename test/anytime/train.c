/* Fits, drawn poses and training. */
#include "anytime/model/fit.h"
#include "anytime/model/model.h"
#include "anytime/moments/kernels.h"
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

/* Every number of a model, one after the other, made what it must not be: each is found, at every level. */
static void damaged_models_are_refused(void **state)
{
    (void)state;
    static const float wrong[] = {NAN, -1.0f, -INFINITY, 101.0f, INFINITY};
    bw_anytime_model m = *bw_anytime_model_builtin(BW_ANYTIME_POSES_SPREAD, BW_ANYTIME_KIND_SHELL);
    float *numbers[] = {&m.hazard[0][0], m.whole, &m.end[0][0]};
    const uint32_t counts[] = {BW_ANYTIME_CLASSES * BW_ANYTIME_KNOTS, BW_ANYTIME_KNOTS,
                               BW_ANYTIME_ENDS * BW_ANYTIME_LEVELS};
    for (int level = 1; level <= 3; level++) {
        const bw_moment_kernels *k = bw_moment_kernels_for(bw_simd_level((bw_simd)level));
        assert_true(k->sound(&m));
        for (int part = 0; part < 3; part++)
            for (uint32_t i = 0; i < counts[part]; i++) {
                float kept = numbers[part][i];
                for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
                    numbers[part][i] = wrong[w];
                    assert_false(k->sound(&m));
                }
                numbers[part][i] = kept;
            }
        for (uint32_t c = 0; c < BW_ANYTIME_CLASSES; c++)
            for (uint32_t i = 0; i + 1 < BW_ANYTIME_KNOTS; i++) { /* a curve that rises */
                float kept = m.hazard[c][i + 1];
                m.hazard[c][i + 1] = nextafterf(m.hazard[c][i], 100.0f);
                assert_false(k->sound(&m));
                m.hazard[c][i + 1] = kept;
            }
        for (uint32_t i = 0; i < BW_ANYTIME_SETTINGS; i++)
            for (uint32_t j = 0; j < BW_ANYTIME_STAGES + 2; j++)
                for (size_t w = 0; w < 3; w++) {
                    bw_anytime_setting kept = m.setting[i];
                    *(j == 0   ? &m.setting[i].error
                      : j == 1 ? &m.setting[i].prune
                               : &m.setting[i].sure[j - 2]) = wrong[w];
                    assert_false(k->sound(&m));
                    m.setting[i] = kept;
                }
        assert_true(k->sound(&m));
    }
    m.setting[7].error = 1.5f;
    assert_false(bw_anytime_model_valid(&m));
}

static void models_look_up(void **state)
{
    (void)state;
    for (int which = 0; which < 10; which++) {
        const bw_anytime_model *m =
            bw_anytime_model_builtin((bw_anytime_poses)(which / 5), (bw_anytime_kind)(which % 5));
        assert_true(bw_anytime_model_valid(m));
        for (uint32_t code = 0; code < 4 * BW_MOMENT_SPARSE; code++) {
            if (code % BW_MOMENT_SPARSE >= BW_MOMENT_LEVELS)
                continue;
            float last = INFINITY;
            for (float d = 0.0f; d < 10.0f; d += 0.05f) {
                float h = bw_anytime_hazard(m, code, code, d);
                assert_true(h >= 0.0f && h <= last);
                last = h;
            }
        }
        for (uint32_t row = 0; row < BW_ANYTIME_ENDS; row++) {
            double last = 0.0, reached = bw_anytime_end_reaches(m, row, 0.5);
            assert_true(reached > 0x1p7 || (bw_anytime_end(m, row, reached * 1.001) >= 0.499 &&
                                            bw_anytime_end(m, row, reached * 0.99) <= 0.5));
            for (double e = 1e-4; e < 100.0; e *= 1.1) {
                double p = bw_anytime_end(m, row, e);
                assert_true(p >= last && p <= 1.0);
                last = p;
            }
        }
        assert_non_null(bw_anytime_setting_for(m->setting, 0.02));
        assert_true((double)bw_anytime_setting_for(m->setting, 0.02)->error <= 0.0200001);
    }
    assert_true(bw_anytime_hazard_of(1.0) == INFINITY && bw_anytime_hazard_of(0.0) == 0.0f);
    assert_true(fabs(bw_anytime_probability_of((double)bw_anytime_hazard_of(0.3)) - 0.3) < 1e-6);
    assert_int_equal(bw_anytime_end_budget(1), BW_END_BUDGET);
    assert_int_equal(bw_anytime_end_budget(2), BW_END_BUDGET + 1);
    assert_int_equal(bw_anytime_end_budget(4), BW_END_BUDGET + 2);
    assert_int_equal(bw_anytime_end_budget(UINT64_MAX), BW_END_SURE - 1);
    assert_int_equal(bw_anytime_stage(0), 0);
    for (uint64_t steps = 1, stage = 1; stage < BW_ANYTIME_STAGES; stage++, steps *= 2) {
        assert_int_equal(bw_anytime_stage(steps), stage);
        assert_int_equal(bw_anytime_stage(steps + 1), stage + 1 < BW_ANYTIME_STAGES ? stage + 1 : stage);
    }
    assert_int_equal(bw_anytime_stage(UINT64_MAX), BW_ANYTIME_STAGES - 1);
    /* Evidence lies where its logarithm does, at powers of two, and between them in order. */
    for (int e = -9; e < 6; e++) {
        assert_true(bw_anytime_end_place(ldexp(1.0, e)) == 2.0 * (e + 9));
        assert_true(fabs(bw_anytime_end_place(ldexp(1.5, e)) - 2.0 * (e + 9.5)) < 1e-9);
    }
    assert_true(bw_anytime_end_place(1e300) == BW_ANYTIME_LEVELS - 1 && bw_anytime_end_place(-1.0) == 0.0);
    assert_int_equal(bw_anytime_end_counted(1), 1);
    assert_int_equal(bw_anytime_end_counted(99), 4);
}

enum { POSES = 300 };

static void drawn_poses_are_of_their_kind(void **state)
{
    (void)state;
    object o;
    object_make(&o, 0, NULL, NULL);
    bw_anytime_body body = object_body(&o, NULL);
    bw_transform *spread = calloc(POSES, sizeof *spread), *again = calloc(POSES, sizeof *again);
    assert_true(spread != NULL && again != NULL);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_SPREAD, 5, spread, POSES, NULL),
                     BW_OK);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_SPREAD, 5, again, POSES, NULL),
                     BW_OK);
    assert_memory_equal(spread, again, POSES * sizeof *spread);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_CONTACT, 5, again, 60, NULL),
                     BW_OK);
    uint32_t met = 0;
    for (uint32_t i = 0; i < 60; i++) {
        bw_distance_report report = {0};
        bw_body a = {o.tree, &o.view, NULL}, b = {o.tree, &o.view, &again[i]};
        assert_int_equal(bw_distance(&a, &b, NULL, &report, NULL), BW_OK);
        met += report.distance == 0.0;
        assert_true(report.distance <= 0.025 * 2.3);
    }
    assert_true(met > 10 && met < 50);
    assert_int_equal(bw_anytime_draw_poses(&body, NULL, BW_ANYTIME_POSES_SPREAD, 5, again, 1, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, (bw_anytime_poses)4, 5, again, 1, NULL),
                     BW_ERROR_ARGUMENT);
    free(spread);
    free(again);
    object_free(&o);
}

static bw_anytime_stats stats_of(bw_result made, bws_mesh *mesh)
{
    assert_int_equal(made, BW_OK);
    bw_mesh view = bws_view(mesh);
    bw_tree *tree;
    bw_anytime *anytime;
    bw_anytime_stats stats = {0}, again = {0};
    assert_int_equal(bw_tree_create(NULL, &view, &tree, NULL), BW_OK);
    assert_int_equal(bw_anytime_create(NULL, tree, &view, &anytime, NULL), BW_OK);
    bw_anytime_get_stats(anytime, &stats);
    assert_int_equal(bw_anytime_update(anytime, &view, NULL),
                     BW_OK); /* tries nothing again, and keeps what it knows */
    bw_anytime_get_stats(anytime, &again);
    assert_true(again.kind == stats.kind && again.filling == stats.filling &&
                again.solidity == stats.solidity);
    bw_anytime_destroy(anytime);
    bw_tree_destroy(tree);
    bws_mesh_free(mesh);
    return stats;
}

/* Bodies show what kind they are. */
static void kinds_are_told_apart(void **state)
{
    (void)state;
    bws_mesh m;
    bw_anytime_stats s = stats_of(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 12}, BW_F32, &m), &m);
    assert_true(s.kind == BW_ANYTIME_KIND_SHELL && s.filling == 1.0 && s.solidity > 0.99);
    s = stats_of(bws_torus(&(bws_torus_desc){.segments = 60, .sides = 12, .minor = 0.1}, BW_F32, &m), &m);
    assert_true(s.kind == BW_ANYTIME_KIND_LOOSE && s.filling < 0.9 && s.solidity < 0.9);
    s = stats_of(bws_spikes(&(bws_parts_desc){.triangles = 8000}, BW_F32, &m), &m);
    assert_true(s.kind == BW_ANYTIME_KIND_RODS && s.rods > 0.2);
    s = stats_of(bws_plates(&(bws_parts_desc){.triangles = 8000}, BW_F32, &m), &m);
    assert_true(s.kind == BW_ANYTIME_KIND_PARTS && s.density > 20.0);
    s = stats_of(bws_spikes(&(bws_parts_desc){.triangles = 4000, .parts = 3}, BW_F32, &m), &m);
    assert_true(s.filling < 1.0 || s.solidity < 0.99); /* three arms */
}

/* Several bodies, held out by turns: the same model every time, which keeps its promise on another body. */
static void bodies_are_held_out(void **state)
{
    (void)state;
    enum { BODIES = 5, EACH = 120 };
    object o[BODIES + 1];
    bw_anytime_example examples[BODIES];
    bw_transform *poses = calloc((BODIES + 1) * EACH, sizeof *poses);
    assert_non_null(poses);
    for (uint32_t i = 0; i <= BODIES; i++) {
        assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 8, .seed = i, .amplitude = 0.2},
                                          BW_F32, &o[i].mesh),
                         BW_OK);
        o[i].view = bws_view(&o[i].mesh);
        assert_int_equal(bw_tree_create(NULL, &o[i].view, &o[i].tree, NULL), BW_OK);
        assert_int_equal(bw_anytime_create(NULL, o[i].tree, &o[i].view, &o[i].anytime, NULL), BW_OK);
        bw_anytime_body body = object_body(&o[i], NULL);
        assert_int_equal(
            bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_SPREAD, i, poses + i * EACH, EACH, NULL),
            BW_OK);
        if (i < BODIES)
            examples[i] = (bw_anytime_example){body, body, poses + i * EACH, EACH, 0};
    }
    bw_anytime_model model, same;
    for (uint32_t count = 2; count <= BODIES; count += 3) {
        for (uint32_t i = 0; i < count;
             i++) /* of five, two by two; of two, both: nothing is left but themselves */
            examples[i].group = i < 4 ? 1 + i / 2 : 0;
        assert_int_equal(bw_anytime_train(examples, count, NULL, &model, NULL), BW_OK);
        assert_int_equal(bw_anytime_train(examples, count, NULL, &same, NULL), BW_OK);
        assert_memory_equal(&model, &same, sizeof model);
        assert_true(bw_anytime_model_valid(&model));
    }
    const bw_anytime_query_desc desc = {.model = &model, .wanted_error = 0.05};
    double wrong = 0, said = 0;
    for (uint32_t i = 0; i < EACH; i++) {
        const bw_transform *pose = &poses[BODIES * EACH + i];
        bw_anytime_body a = object_body(&o[BODIES], NULL), b = object_body(&o[BODIES], pose);
        bw_anytime_answer answer = {0};
        assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
        wrong += answer.collision != objects_meet(&o[BODIES], &o[BODIES], NULL, pose);
        said += 1.0 - answer.confidence;
    }
    assert_true(wrong / EACH <= 0.1 && fabs(wrong - said) / EACH <= 0.08);
    /* What no setting promises is proven, by the exact query. */
    memset(model.setting, 0, sizeof model.setting);
    for (uint32_t i = 0; i < EACH; i++) {
        bw_anytime_body a = object_body(&o[0], NULL), b = object_body(&o[0], &poses[i]);
        bw_anytime_answer answer = {0}, exact = {0};
        assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
        assert_int_equal(bw_anytime_query(&a, &b, NULL, &exact, NULL), BW_OK);
        assert_true(answer.proven && answer.confidence == 1.0 && answer.collision == exact.collision &&
                    answer.steps == exact.steps);
    }
    for (uint32_t i = 0; i <= BODIES; i++)
        object_free(&o[i]);
    free(poses);
}

/* A model trained on a body's own poses keeps its promise on others, and knows how sure it is. */
static void training_keeps_its_promise(void **state)
{
    (void)state;
    object o;
    object_make(&o, 5, NULL, NULL);
    bw_anytime_body body = object_body(&o, NULL);
    bw_transform *poses = calloc(2 * POSES, sizeof *poses);
    assert_non_null(poses);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_SPREAD, 1, poses, 2 * POSES, NULL),
                     BW_OK);
    bw_anytime_example example = {body, body, poses, POSES, 0};
    bw_anytime_model model, same;
    assert_int_equal(bw_anytime_train(&example, 1, NULL, &model, NULL), BW_OK);
    assert_int_equal(bw_anytime_train(&example, 1, NULL, &same, NULL), BW_OK);
    assert_memory_equal(&model, &same, sizeof model);
    assert_true(bw_anytime_model_valid(&model));
    double wrong = 0, said = 0;
    for (uint32_t i = POSES; i < 2 * POSES; i++) {
        bw_anytime_body b = object_body(&o, &poses[i]);
        bw_anytime_answer answer = {0};
        assert_int_equal(bw_anytime_query(&body, &b,
                                          &(bw_anytime_query_desc){.model = &model, .wanted_error = 0.05},
                                          &answer, NULL),
                         BW_OK);
        wrong += answer.collision != objects_meet(&o, &o, NULL, &poses[i]);
        said += 1.0 - answer.confidence;
    }
    assert_true(wrong / POSES <= 0.1);
    assert_true(fabs(wrong - said) / POSES <= 0.06);

    example.pose_count = 0;
    assert_int_equal(bw_anytime_train(&example, 1, NULL, &same, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_train(NULL, 1, NULL, &same, NULL), BW_ERROR_ARGUMENT);
    const bw_anytime_train_desc bad[] = {{.prior_weight = -1.0}, {.mean_share = -0.1}, {.worst_share = NAN}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(bw_anytime_train(&example, 1, &bad[i], &same, NULL), BW_ERROR_ARGUMENT);
    example.pose_count = 1;
    poses[0].m[0][0] = NAN;
    assert_int_equal(bw_anytime_train(&example, 1, NULL, &same, NULL), BW_ERROR_NOT_FINITE);
    assert_memory_equal(&model, &same, sizeof model);
    free(poses);
    object_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits),
        cmocka_unit_test(damaged_models_are_refused),
        cmocka_unit_test(models_look_up),
        cmocka_unit_test(drawn_poses_are_of_their_kind),
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(bodies_are_held_out),
        cmocka_unit_test(training_keeps_its_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
