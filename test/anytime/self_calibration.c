/* Settings that are tried by one walk, and what bodies choose by it. */
#include "anytime/train/self_calibration.h"
#include "objects.h"
#include "oracle/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What one walk tells of a setting is what a query with that setting does. */
static void walks_tell_what_queries_do(bws_random *r, void *user)
{
    (void)user;
    enum { POSES = 24 };
    const bw_anytime_poses set = (bw_anytime_poses)bws_random_int(r, 0, 1);
    object o;
    object_make(&o, (uint32_t)bws_random_int(r, 0, OBJECTS - 1), NULL, &(bw_anytime_desc){.tries = BW_NONE});
    const bw_anytime_kind kind = bw_anytime_kind_of(&o.anytime->moments, &o.anytime->moments);
    bw_anytime_model model = *bw_anytime_model_builtin(set, kind);
    const bw_allocator heap = bw_allocator_or_heap(NULL);
    bw_transform poses[POSES];
    bw_trial_grid grid;
    bw_trial_setup *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    bw_trial_setup_init(scene, &heap);
    bw_trial_grid_of(&model, &grid);
    bw_anytime_body body = object_body(&o, NULL);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, set, bws_random_u64(r), poses, POSES, NULL), BW_OK);
    for (uint32_t k = 0; k < POSES; k++) {
        bw_trial trial;
        bw_anytime_body b = object_body(&o, &poses[k]);
        assert_int_equal(
            bw_trial_setup_place(scene, o.anytime, &o.view, o.anytime, &o.view, &poses[k], &model), BW_OK);
        assert_int_equal(bw_trial_traverse(scene, &grid, &trial), BW_OK);
        bw_trial_setup_clear(scene);
        for (uint32_t n = 0; n < 12; n++) {
            const uint32_t s = (uint32_t)bws_random_int(r, 0, BW_TRIAL_SURES - 1),
                           p = (uint32_t)bws_random_int(r, 0, BW_TRIAL_PRUNES - 1);
            const bw_trial_end end = bw_trial_end_of(&trial, s, p);
            bw_anytime_answer answer = {0};
            memset(model.setting, 0, sizeof model.setting);
            model.setting[0] = (bw_anytime_setting){.error = 0.5f, .prune = bw_trial_prunes[p]};
            memcpy(model.setting[0].sure, grid.sure[s], sizeof grid.sure[s]);
            assert_int_equal(bw_anytime_query(&body, &b,
                                              &(bw_anytime_query_desc){.model = &model, .wanted_error = 0.5},
                                              &answer, NULL),
                             BW_OK);
            assert_int_equal(answer.reason, end.status);
            assert_int_equal(answer.steps, end.steps);
            assert_true(end.status != BW_ANYTIME_PROVEN || trial.hit == answer.collision);
        }
    }
    bw_trial_setup_release(scene);
    free(scene);
    object_free(&o);
}

static void test_walks(void **state)
{
    (void)state;
    BW_EACH_SEED(14, walks_tell_what_queries_do, NULL);
}

/* The same, by adding up the distribution of rates in small steps: the priors times the likelihood of the
 * count. */
static double doubt_by_sums(double wrong, double poses, double expected, double wanted)
{
    const double shapes[2] = {1.0, 0.5}, means[2] = {expected, 4.0 * wanted}, shares[2] = {0.8, 0.2};
    double all = 0.0, over = 0.0;
    for (double step = 2e-3, x = -30.0; x < 0.0; x += step) { /* the logarithm of a rate */
        const double rate = exp(x);
        for (int k = 0; k < 2; k++) {
            const double theta = means[k] / shapes[k];
            const double weight =
                shares[k] * exp(shapes[k] * log(rate / theta) - rate / theta - lgamma(shapes[k]) +
                                wrong * log(poses * rate) - poses * rate - lgamma(wrong + 1.0));
            all += weight;
            over += rate > wanted ? weight : 0.0;
        }
    }
    return over / all;
}

static void doubt_is_what_remains(void **state)
{
    (void)state;
    static const double wanted[] = {0.02, 0.005, 0.001}, expected[] = {1e-5, 0.001, 0.01};
    for (int w = 0; w < 3; w++)
        for (int e = 0; e < 3; e++)
            for (uint32_t poses = 256; poses <= 4096; poses *= 4) {
                double last = -1.0;
                for (uint32_t wrong = 0; wrong < wanted[w] * poses; wrong += 1 + wrong / 2) {
                    const double doubt = bw_doubt(wrong, poses, expected[e], wanted[w]);
                    assert_true(doubt >= last - 1e-9);
                    last = doubt;
                    assert_true(fabs(doubt - doubt_by_sums(wrong, poses, expected[e], wanted[w])) < 0.025);
                }
                const uint32_t most = (uint32_t)(wanted[w] * poses) + 1;
                assert_true(bw_doubt(most, poses, expected[e], wanted[w]) == 1.0);
            }
}

/* A body that errs as is given at the boldest setting, and less by half with each step of caution. */
static bw_tally tally_of(uint32_t mistaken, uint32_t missed)
{
    bw_tally t = {.poses = 1024};
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++) {
            t.mistaken[s][p] = mistaken >> s;
            t.missed[s][p] = missed >> p;
            t.walked[s][p] = 1024;
            t.steps[s][p] = 1024 * (2 + s + p);
        }
    return t;
}

static void bodies_choose(void **state)
{
    (void)state;
    bw_prospect prospect = {0};
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        prospect.mistaken[s] = 0.01f / (float)(1u << s);
    for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++)
        prospect.missed[p] = 0.01f / (float)(1u << p);
    const bw_tally good = tally_of(10, 10), premature = tally_of(800, 10), blind = tally_of(10, 800);
    for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++) {
        const double wanted = (double)bw_wanted_errors[w];
        const bw_choice a = bw_choose(&good, &prospect, wanted, 1e9),
                        b = bw_choose(&premature, &prospect, wanted, 1e9),
                        c = bw_choose(&blind, &prospect, wanted, 1e9);
        if (wanted >= 0.001) { /* what errs in one way is careful in that */
            assert_true(!a.exact && !b.exact && !c.exact);
            assert_true(b.sure > a.sure && c.prune > a.prune);
        }
        assert_true(bw_choose(&good, &prospect, wanted, 600.0).exact); /* nothing is as fast */
        if (w > 0 && !a.exact) {
            const bw_choice before = bw_choose(&good, &prospect, (double)bw_wanted_errors[w - 1], 1e9);
            assert_true(before.sure + before.prune <= a.sure + a.prune);
        }
    }
    const bw_tally hopeless = tally_of(1024u << 15, 0);
    bw_tally capped = hopeless;
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++)
            capped.mistaken[s][p] = 512;
    assert_true(bw_choose(&capped, &prospect, 0.05, 1e9).exact);
    assert_int_equal(bw_wanted_level(0.05), 0);
    assert_int_equal(bw_wanted_level(0.004), 4);
    assert_int_equal(bw_wanted_level(0.0001), BW_ANYTIME_SETTINGS);
    const bw_choice both = bw_choice_of_both((bw_choice){false, 3, 7}, (bw_choice){false, 5, 2});
    assert_true(!both.exact && both.sure == 5 && both.prune == 7);
    assert_true(bw_choice_of_both(both, (bw_choice){.exact = true}).exact);
}

/* Tried bodies keep what is wanted at poses that they were not tried at, and two like bodies choose alike. */
static void tried_bodies_keep_promises(void **state)
{
    (void)state;
    enum { POSES = 600 };
    bw_transform *poses = calloc(POSES, sizeof *poses);
    assert_non_null(poses);
    for (uint32_t number = 0; number < OBJECTS; number++) {
        object o, again;
        object_make(&o, number, NULL, &(bw_anytime_desc){.tries = 200});
        object_make(&again, number, NULL, &(bw_anytime_desc){.tries = 200});
        assert_true(o.anytime->tried);
        assert_memory_equal(o.anytime->choice, again.anytime->choice, sizeof o.anytime->choice);
        object_free(&again);
        bw_anytime_body body = object_body(&o, NULL);
        for (int set = 0; set < 2; set++) {
            const uint32_t count = set == 0 ? POSES : POSES / 4;
            uint32_t wrong = 0;
            assert_int_equal(
                bw_anytime_draw_poses(&body, &body, (bw_anytime_poses)set, 17, poses, count, NULL), BW_OK);
            for (uint32_t k = 0; k < count; k++) {
                bw_anytime_body b = object_body(&o, &poses[k]);
                bw_anytime_answer answer = {0};
                assert_int_equal(bw_anytime_query(&body, &b,
                                                  &(bw_anytime_query_desc){.poses = (bw_anytime_poses)set,
                                                                           .wanted_error = 0.02},
                                                  &answer, NULL),
                                 BW_OK);
                wrong += answer.collision != objects_meet(&o, &o, NULL, &poses[k]);
            }
            assert_true(wrong <= 0.02 * count + 3.0 * sqrt(0.02 * count));
        }
        object_free(&o);
    }
    free(poses);
}

/* Who was not tried takes the settings of its kind; who takes the exact query is told what it says. */
static void settings_come_from_choices(void **state)
{
    (void)state;
    object o;
    object_make(&o, 0, NULL, NULL);
    enum { POSES = 20 };
    bw_transform poses[POSES];
    bw_anytime_body body = object_body(&o, NULL), b = object_body(&o, &poses[0]);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_CONTACT, 3, poses, POSES, NULL),
                     BW_OK);
    const bw_anytime_query_desc desc = {.poses = BW_ANYTIME_POSES_CONTACT, .wanted_error = 0.01};
    bw_anytime_answer answer = {0};
    uint32_t guessed = 0;
    for (uint32_t k = 0; k < POSES; k++) {
        bw_anytime_answer exact = {0};
        b.pose = &poses[k];
        assert_int_equal(bw_anytime_query(&body, &b, NULL, &exact, NULL), BW_OK);
        for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++)
            o.anytime->choice[1][w].exact = true;
        assert_int_equal(bw_anytime_query(&body, &b, &desc, &answer, NULL), BW_OK);
        assert_true(answer.proven && answer.steps == exact.steps && answer.box_tests == exact.box_tests);
        for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++)
            o.anytime->choice[1][w] = (bw_choice){false, 0, 0}; /* bold beyond measure */
        assert_int_equal(bw_anytime_query(&body, &b, &desc, &answer, NULL), BW_OK);
        guessed += !answer.proven;
    }
    assert_true(guessed > POSES / 2);
    bw_anytime_model model = *bw_anytime_model_builtin(
        BW_ANYTIME_POSES_CONTACT, bw_anytime_kind_of(&o.anytime->moments, &o.anytime->moments));
    bw_anytime_query_desc with = desc;
    with.model = &model;
    bw_anytime_answer untried = {0}, given = {0};
    o.anytime->tried = false;
    assert_int_equal(bw_anytime_query(&body, &b, &desc, &untried, NULL), BW_OK);
    assert_int_equal(bw_anytime_query(&body, &b, &with, &given, NULL), BW_OK);
    assert_true(untried.status == given.status && untried.steps == given.steps &&
                untried.confidence == given.confidence);
    assert_int_equal(
        bw_anytime_query(&body, &b, &(bw_anytime_query_desc){.wanted_error = 1e-6}, &answer, NULL), BW_OK);
    assert_true(answer.proven);
    o.anytime->tried = true;
    assert_int_equal(
        bw_anytime_query(&body, &b, &(bw_anytime_query_desc){.wanted_error = 1e-6}, &answer, NULL), BW_OK);
    assert_true(answer.proven);
    object_free(&o);
}

/* Points never meet, and nothing is learnt from them: the exact query. */
static void points_are_asked_exactly(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_points(&(bws_points_desc){.count = 200}, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_tree *tree;
    bw_anytime *anytime;
    assert_int_equal(bw_tree_create(NULL, &view, &tree, NULL), BW_OK);
    assert_int_equal(bw_anytime_create(&(bw_anytime_desc){.tries = 40}, tree, &view, &anytime, NULL), BW_OK);
    assert_true(anytime->tried);
    for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++)
        assert_true(anytime->choice[BW_ANYTIME_POSES_CONTACT][w].exact);
    bw_anytime_destroy(anytime);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

/* Two unlike bodies, tried with each other, keep what is wanted; with what each found for itself they are
 * careful. */
static void pairs_are_tried(void **state)
{
    (void)state;
    enum { POSES = 400 };
    object a, b;
    object_make(&a, 1, NULL, &(bw_anytime_desc){.tries = 200});
    object_make(&b, 6, NULL, &(bw_anytime_desc){.tries = 200});
    bw_transform *poses = calloc(POSES, sizeof *poses);
    assert_non_null(poses);
    bw_anytime_body on_a = object_body(&a, NULL), on_b = object_body(&b, NULL);
    for (int set = 0; set < 2; set++) {
        bw_anytime_settings settings, same;
        const uint32_t count = set == 0 ? POSES : POSES / 4;
        uint32_t wrong = 0;
        on_b.pose = NULL;
        assert_int_equal(bw_anytime_try(&on_a, &on_b, (bw_anytime_poses)set, 300, NULL, &settings, NULL),
                         BW_OK);
        assert_int_equal(bw_anytime_try(&on_a, &on_b, (bw_anytime_poses)set, 300, NULL, &same, NULL), BW_OK);
        assert_memory_equal(&settings, &same, sizeof same);
        assert_int_equal(bw_anytime_draw_poses(&on_a, &on_b, (bw_anytime_poses)set, 23, poses, count, NULL),
                         BW_OK);
        const bw_anytime_query_desc with = {.poses = (bw_anytime_poses)set,
                                            .wanted_error = 0.02,
                                            .settings = &settings},
                                    none = {.poses = (bw_anytime_poses)set, .wanted_error = 0.02},
                                    exact = {.poses = (bw_anytime_poses)set,
                                             .wanted_error = 0.02,
                                             .settings =
                                                 &(bw_anytime_settings){.poses = (bw_anytime_poses)set}};
        for (uint32_t k = 0; k < count; k++) {
            bw_anytime_answer answer = {0};
            const bool truth = objects_meet(&a, &b, NULL, &poses[k]);
            on_b.pose = &poses[k];
            assert_int_equal(bw_anytime_query(&on_a, &on_b, &with, &answer, NULL), BW_OK);
            wrong += answer.collision != truth;
            assert_int_equal(bw_anytime_query(&on_a, &on_b, &none, &answer, NULL), BW_OK);
            assert_int_equal(bw_anytime_query(&on_a, &on_b, &exact, &answer, NULL), BW_OK);
            assert_true(answer.proven && answer.collision == truth);
        }
        assert_true(wrong <= 0.02 * count + 3.0 * sqrt(0.02 * count));
        /* what is not settings, or not for these poses, or beside a model */
        bw_anytime_answer untouched = {.steps = 77};
        bw_anytime_settings bad = settings;
        bad.setting[3].sure[2] = NAN;
        assert_int_equal(
            bw_anytime_query(&on_a, &on_b,
                             &(bw_anytime_query_desc){.poses = (bw_anytime_poses)set, .settings = &bad},
                             &untouched, NULL),
            BW_ERROR_ARGUMENT);
        bad = settings;
        bad.setting[7].error = 1.5f;
        assert_int_equal(
            bw_anytime_query(&on_a, &on_b,
                             &(bw_anytime_query_desc){.poses = (bw_anytime_poses)set, .settings = &bad},
                             &untouched, NULL),
            BW_ERROR_ARGUMENT);
        assert_int_equal(bw_anytime_query(&on_a, &on_b,
                                          &(bw_anytime_query_desc){.poses = (bw_anytime_poses)(1 - set),
                                                                   .settings = &settings},
                                          &untouched, NULL),
                         BW_ERROR_ARGUMENT);
        const bw_anytime_model *model =
            bw_anytime_model_builtin((bw_anytime_poses)set, BW_ANYTIME_KIND_SHELL);
        assert_int_equal(bw_anytime_query(&on_a, &on_b,
                                          &(bw_anytime_query_desc){.poses = (bw_anytime_poses)set,
                                                                   .settings = &settings,
                                                                   .model = model},
                                          &untouched, NULL),
                         BW_ERROR_ARGUMENT);
        assert_int_equal(untouched.steps, 77);
    }
    bw_anytime_settings out;
    assert_int_equal(bw_anytime_try(NULL, &on_b, BW_ANYTIME_POSES_SPREAD, 8, NULL, &out, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_try(&on_a, &on_b, (bw_anytime_poses)2, 8, NULL, &out, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_try(&on_a, &on_b, BW_ANYTIME_POSES_SPREAD, BW_NONE, NULL, &out, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_try(&on_a, &on_b, BW_ANYTIME_POSES_SPREAD, 8, NULL, NULL, NULL),
                     BW_ERROR_ARGUMENT);
#if BW_RESEARCH
    bw_anytime *paper;
    assert_int_equal(
        bw_anytime_create(&(bw_anytime_desc){.estimator = BW_ESTIMATOR_PAPER}, a.tree, &a.view, &paper, NULL),
        BW_OK);
    assert_int_equal(bw_anytime_try(&on_b, &(bw_anytime_body){paper, &a.view, NULL}, BW_ANYTIME_POSES_SPREAD,
                                    8, NULL, &out, NULL),
                     BW_ERROR_UNSUPPORTED);
    bw_anytime_destroy(paper);
#endif
    assert_int_equal(bw_tree_update(a.tree, &a.view, NULL, NULL, NULL), BW_OK);
    assert_int_equal(bw_anytime_try(&on_a, &on_b, BW_ANYTIME_POSES_SPREAD, 8, NULL, &out, NULL),
                     BW_ERROR_MISMATCH);
    free(poses);
    object_free(&a);
    object_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks),
        cmocka_unit_test(doubt_is_what_remains),
        cmocka_unit_test(bodies_choose),
        cmocka_unit_test(tried_bodies_keep_promises),
        cmocka_unit_test(settings_come_from_choices),
        cmocka_unit_test(points_are_asked_exactly),
        cmocka_unit_test(pairs_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
