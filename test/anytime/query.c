/* Queries: what is proven is bw_collide's answer; limits end them; a query that was ended goes on. */
#include "objects.h"
#include "oracle/random.h"

#include <boxwood/nearest.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static object objects[OBJECTS];

static int make_objects(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < OBJECTS; i++)
        object_make(&objects[i], i, i % 2 == 0 ? NULL : &(bw_tree_desc){.compact = true}, NULL);
    return 0;
}

static int free_objects(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < OBJECTS; i++)
        object_free(&objects[i]);
    return 0;
}

typedef struct random_pair {
    const object *a, *b;
    bw_transform pose_a, pose_b;
    bw_anytime_body body_a, body_b;
} random_pair;

static void draw_pair(bws_random *r, random_pair *out)
{
    out->a = &objects[bws_random_below(r, OBJECTS)];
    out->b = &objects[bws_random_below(r, OBJECTS)];
    out->pose_a = bws_random_pose(r, &(bws_pose_desc){.reach = 0.8, .mirror = true});
    out->pose_b = bws_random_pose(r, &(bws_pose_desc){.reach = 0.8, .mirror = true});
    bool posed = bws_random_bool(r);
    out->body_a = object_body(out->a, posed ? &out->pose_a : NULL);
    out->body_b = object_body(out->b, &out->pose_b);
}

static bool truth_of(const random_pair *p)
{
    return objects_meet(p->a, p->b, p->body_a.pose, p->body_b.pose);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

/* Unlimited, with a budget that is never reached, and in pieces of a few steps: the same proven answer. */
static void converges(bws_random *r, void *user)
{
    (void)user;
    random_pair p;
    draw_pair(r, &p);
    bool truth = truth_of(&p);
    bw_anytime_answer answer = {0};
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, NULL, &answer, NULL), BW_OK);
    assert_true(answer.proven && answer.collision == truth && answer.confidence == 1.0);
    assert_int_equal(answer.reason, BW_ANYTIME_PROVEN);
    bw_anytime_query_desc patient = {
        .go_on = always, .poses = bws_random_bool(r) ? BW_ANYTIME_POSES_SPREAD : BW_ANYTIME_POSES_CONTACT};
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &patient, &answer, NULL), BW_OK);
    assert_true(answer.proven && answer.collision == truth);
    uint64_t whole = answer.steps;

    bw_anytime_cache *state;
    assert_int_equal(bw_anytime_cache_create(NULL, &state, NULL), BW_OK);
    bw_anytime_query_desc piece = patient;
    piece.cache = state;
    piece.limit_steps = true;
    piece.max_steps = 1 + bws_random_below(r, 5);
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &piece, &answer, NULL), BW_OK);
    piece.resume = true;
    while (bw_anytime_cache_resumable(state)) {
        assert_int_equal(answer.reason, BW_ANYTIME_BUDGET);
        assert_true(answer.confidence >= 0.5 && answer.confidence <= 1.0 && !answer.proven);
        assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &piece, &answer, NULL), BW_OK);
    }
    assert_true(answer.proven && answer.collision == truth && answer.steps == whole);
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &piece, &answer, NULL), BW_ERROR_MISMATCH);
    bw_anytime_cache_destroy(state);
}

static void test_converges(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, converges, NULL);
}

/* Whatever the limits, what is called proven is true, and the numbers are in their domains. */
static void limits_hold(bws_random *r, void *user)
{
    (void)user;
    random_pair p;
    draw_pair(r, &p);
    bw_anytime_region places[4];
    bw_anytime_query_desc desc = {.p_min = bws_random_unit(r),
                                  .k_min = (uint32_t)bws_random_below(r, 6),
                                  .p_prune = bws_random_bool(r) ? 0.0 : 0.1 * bws_random_unit(r),
                                  .limit_steps = bws_random_bool(r),
                                  .max_steps = bws_random_below(r, 30),
                                  .regions = places,
                                  .region_capacity = (uint32_t)bws_random_below(r, 5)};
    if (bws_random_below(r, 4) == 0)
        desc.wanted_error = 0.05 * bws_random_unit(r) + 1e-6;
    bw_anytime_answer answer = {0};
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &desc, &answer, NULL), BW_OK);
    assert_true(!answer.proven || answer.collision == truth_of(&p));
    assert_true(answer.confidence >= 0.5 && answer.confidence <= 1.0);
    assert_true(!desc.limit_steps || answer.steps <= desc.max_steps);
    assert_true(answer.region_count <= desc.region_capacity);
    if (desc.limit_steps && desc.max_steps == 0)
        assert_true(answer.reason == BW_ANYTIME_BUDGET && answer.confidence == 0.5 && !answer.collision);
    /* No built-in model promises so few errors. */
    bw_anytime_query_desc strictest = {.wanted_error = 1e-9};
    bw_anytime_answer proof = {0};
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &strictest, &proof, NULL), BW_OK);
    assert_true(proof.proven && proof.confidence == 1.0 && proof.collision == truth_of(&p));
    if (answer.reason == BW_ANYTIME_ENOUGH)
        assert_true(answer.collision && (desc.wanted_error > 0.0 || answer.counted > 0));
    if (answer.reason == BW_ANYTIME_PRUNED)
        assert_true(!answer.collision && answer.pruned > 0);
    for (uint32_t i = 0; i < answer.region_count; i++) {
        const bw_anytime_region *q = &places[i];
        double length = q->normal.x * q->normal.x + q->normal.y * q->normal.y + q->normal.z * q->normal.z;
        assert_true(fabs(length - 1.0) < 1e-9 || length == 0.0);
        assert_true(q->probability >= 0.0 && q->probability <= 1.0 &&
                    isfinite(q->point.x + q->point.y + q->point.z));
        assert_true(i == 0 || q->probability <= places[i - 1].probability);
        assert_true(q->proven == (q->a != BW_NONE));
    }
}

static void test_limits(void **state)
{
    (void)state;
    BW_EACH_SEED(3000, limits_hold, NULL);
}

/* A proven place lies on both surfaces. */
static void proven_places_lie_there(bws_random *r, void *user)
{
    (void)user;
    random_pair p;
    draw_pair(r, &p);
    bw_anytime_region place;
    bw_anytime_query_desc desc = {
        .regions = &place, .region_capacity = 1, .go_on = bws_random_bool(r) ? always : NULL};
    bw_anytime_answer answer = {0};
    assert_int_equal(bw_anytime_query(&p.body_a, &p.body_b, &desc, &answer, NULL), BW_OK);
    if (!answer.collision)
        return;
    assert_int_equal(answer.region_count, 1);
    bw_nearest_hit near;
    bw_body on_a = {p.a->tree, &p.a->view, p.body_a.pose}, on_b = {p.b->tree, &p.b->view, p.body_b.pose};
    assert_int_equal(bw_nearest(&on_a, &place.point, NULL, &near, NULL, NULL), BW_OK);
    assert_true(near.distance < 1e-9);
    assert_int_equal(bw_nearest(&on_b, &place.point, NULL, &near, NULL, NULL), BW_OK);
    assert_true(near.distance < 1e-6);
}

static void test_places(void **state)
{
    (void)state;
    BW_EACH_SEED(300, proven_places_lie_there, NULL);
}

/* Estimated places are near the true contact: spheres that touch at a known point. */
static void estimated_places_are_near(void **state)
{
    (void)state;
    const object *o = &objects[0];
    bw_transform pose =
        bw_transform_compose((bw_vec3){1.9, 0, 0}, (bw_vec3){0, 0, 1}, 0.3, (bw_vec3){1, 1, 1});
    bw_anytime_body a = object_body(o, NULL), b = object_body(o, &pose);
    bw_anytime_region places[4];
    bw_anytime_query_desc desc = {.p_min = 0.5, .k_min = 2, .regions = places, .region_capacity = 4};
    bw_anytime_answer answer = {0};
    assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
    assert_true(answer.region_count > 0);
    assert_true(fabs(places[0].point.x - 0.95) < 0.3 && fabs(places[0].point.y) < 0.5 &&
                fabs(places[0].point.z) < 0.5);
    assert_true(places[0].normal.x > 0.5);
}

static void coherence_keeps_answers(bws_random *r, void *user)
{
    (void)user;
    const object *a = &objects[bws_random_below(r, OBJECTS)], *b = &objects[bws_random_below(r, OBJECTS)];
    bw_anytime_cache *state;
    assert_int_equal(bw_anytime_cache_create(NULL, &state, NULL), BW_OK);
    bw_transform pose = bws_random_rigid(r, 0.5);
    for (int frame = 0; frame < 40; frame++) {
        pose.m[0][3] += 0.05;
        bw_anytime_body body_a = object_body(a, NULL), body_b = object_body(b, &pose);
        bw_anytime_query_desc desc = {
            .cache = state, .coherent = true, .p_min = frame % 3 == 0 ? 0.9 : 0.0, .k_min = 2};
        bw_anytime_answer answer = {0};
        assert_int_equal(bw_anytime_query(&body_a, &body_b, &desc, &answer, NULL), BW_OK);
        if (answer.proven)
            assert_int_equal(answer.collision, objects_meet(a, b, NULL, &pose));
    }
    bw_anytime_cache_destroy(state);
}

static void test_coherence(void **state)
{
    (void)state;
    BW_EACH_SEED(30, coherence_keeps_answers, NULL);
}

typedef struct ticker {
    uint64_t now;
    uint32_t asked;
} ticker;

static uint64_t tick(void *user)
{
    return ((ticker *)user)->now += 100;
}

static bool stop_third(void *user)
{
    return ++((ticker *)user)->asked <= 3;
}

static void clocks_and_flags_end_queries(void **state)
{
    (void)state;
    bw_transform pose =
        bw_transform_compose((bw_vec3){1.2, 0.1, 0}, (bw_vec3){1, 2, 3}, 1.0, (bw_vec3){1, 1, 1});
    bw_anytime_body a = object_body(&objects[2], NULL), b = object_body(&objects[5], &pose);
    ticker t = {0, 0};
    bw_anytime_answer answer = {0};
    bw_anytime_query_desc timed = {.limit_time = true, .max_nanoseconds = 350, .clock = tick, .user = &t};
    assert_int_equal(bw_anytime_query(&a, &b, &timed, &answer, NULL), BW_OK);
    assert_true(answer.reason == BW_ANYTIME_BUDGET && answer.steps >= 1 && answer.steps <= 3);
    timed.max_nanoseconds = 0;
    assert_int_equal(bw_anytime_query(&a, &b, &timed, &answer, NULL), BW_OK);
    assert_true(answer.reason == BW_ANYTIME_BUDGET && answer.steps == 0 && answer.confidence == 0.5);
    timed.max_nanoseconds = UINT64_MAX;
    timed.clock = NULL;
    assert_int_equal(bw_anytime_query(&a, &b, &timed, &answer, NULL), BW_OK);
    assert_true(answer.proven);
    bw_anytime_query_desc stopped = {.go_on = stop_third, .user = &t};
    assert_int_equal(bw_anytime_query(&a, &b, &stopped, &answer, NULL), BW_OK);
    assert_true(answer.reason == BW_ANYTIME_STOPPED && answer.steps == 3);
}

/* Bodies deep in each other are told by a look at them as wholes, where they are of like size; never with
 * nothing to look at, and places take a walk. */
static void wholes_are_looked_at_first(void **state)
{
    (void)state;
    const object *o = &objects[0];
    bw_transform pose =
        bw_transform_compose((bw_vec3){0.5, 0.1, 0}, (bw_vec3){0, 0, 1}, 0.3, (bw_vec3){1, 1, 1});
    bw_anytime_body a = object_body(o, NULL), b = object_body(o, &pose);
    bw_anytime_answer answer = {0};
    bw_anytime_query_desc desc = {.wanted_error = 0.05};
    assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
    assert_true(answer.collision && !answer.proven && answer.reason == BW_ANYTIME_ENOUGH &&
                answer.steps == 0 && answer.pairs == 1 && answer.confidence > 0.9);
    bw_anytime_cache *kept;
    assert_int_equal(bw_anytime_cache_create(NULL, &kept, NULL), BW_OK);
    desc.cache = kept;
    assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
    assert_true(answer.steps == 0 && !bw_anytime_cache_resumable(kept));
    bw_anytime_cache_destroy(kept);
    bw_anytime_region place;
    desc = (bw_anytime_query_desc){.wanted_error = 0.05, .regions = &place, .region_capacity = 1};
    assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
    assert_true(answer.collision && answer.steps > 0 && answer.region_count == 1);
    desc = (bw_anytime_query_desc){.wanted_error = 0.05, .limit_steps = true};
    assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
    assert_true(answer.reason == BW_ANYTIME_BUDGET && answer.confidence == 0.5);
    pose = bw_transform_compose((bw_vec3){0.1, 0.1, 0}, (bw_vec3){0, 0, 1}, 0.3, (bw_vec3){0.1, 0.1, 0.1});
    desc = (bw_anytime_query_desc){.wanted_error = 0.05};
    assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
    assert_true(answer.steps > 0 && !answer.collision);
    bw_anytime_stats stats = {0};
    bw_anytime_get_stats(o->anytime, &stats);
    assert_true(stats.density > 12.0 && stats.density < 15.5 && stats.rods >= 0.0 && stats.rods <= 1.0);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    bw_anytime_body a = object_body(&objects[0], NULL), b = object_body(&objects[1], NULL);
    bw_anytime_answer answer = {0}, before = {0};
    memset(&answer, 0x5A, sizeof answer);
    answer.size = 0;
    before = answer;
    bw_anytime_model broken = *bw_anytime_model_builtin(BW_ANYTIME_POSES_SPREAD, BW_ANYTIME_KIND_SHELL);
    broken.hazard[3][7] = NAN;
    const bw_anytime_query_desc descs[] = {
        {.wanted_error = -0.1}, {.p_min = 1.5},     {.p_prune = NAN},       {.poses = (bw_anytime_poses)7},
        {.resume = true},       {.coherent = true}, {.region_capacity = 1}, {.model = &broken}};
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; i++)
        assert_int_equal(bw_anytime_query(&a, &b, &descs[i], &answer, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_query(NULL, &b, NULL, &answer, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_query(&a, &(bw_anytime_body){NULL, a.mesh, NULL}, NULL, &answer, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_query(&a, &b, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_transform bad = bw_transform_identity();
    bad.m[1][2] = NAN;
    bw_anytime_body lost = object_body(&objects[1], &bad);
    assert_int_equal(bw_anytime_query(&a, &lost, NULL, &answer, NULL), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_anytime_query(&lost, &a, NULL, &answer, NULL), BW_ERROR_NOT_FINITE);
    bw_transform flat = {{{0}}};
    bw_anytime_body flattened = object_body(&objects[1], &flat);
    assert_int_equal(bw_anytime_query(&flattened, &a, NULL, &answer, NULL), BW_ERROR_SINGULAR);
    bw_anytime_body other = {objects[0].anytime, &objects[1].view, NULL};
    assert_int_equal(bw_anytime_query(&other, &b, NULL, &answer, NULL), BW_ERROR_MISMATCH);
    assert_memory_equal(&answer, &before, sizeof answer);

    bw_anytime *adb = NULL;
    assert_int_equal(bw_anytime_create(NULL, NULL, &objects[0].view, &adb, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_create(NULL, objects[0].tree, &objects[0].view, NULL, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_create(&(bw_anytime_desc){.estimator = (bw_estimator)9}, objects[0].tree,
                                       &objects[0].view, &adb, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_create(NULL, objects[0].tree, &objects[1].view, &adb, NULL),
                     BW_ERROR_MISMATCH);
    assert_null(adb);
    assert_int_equal(bw_anytime_update(NULL, &objects[0].view, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_anytime_update(objects[0].anytime, &objects[1].view, NULL), BW_ERROR_MISMATCH);
    assert_non_null(bw_anytime_check(objects[0].anytime, &objects[1].view));
    assert_int_equal(bw_anytime_cache_create(NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_false(bw_anytime_cache_resumable(NULL));
    assert_null(bw_anytime_model_builtin((bw_anytime_poses)5, BW_ANYTIME_KIND_SHELL));
    assert_null(bw_anytime_model_builtin(BW_ANYTIME_POSES_SPREAD, (bw_anytime_kind)5));
    bw_anytime_destroy(NULL);
    bw_anytime_cache_destroy(NULL);
    bw_anytime_get_stats(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_converges),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_places),
        cmocka_unit_test(estimated_places_are_near),
        cmocka_unit_test(test_coherence),
        cmocka_unit_test(clocks_and_flags_end_queries),
        cmocka_unit_test(wholes_are_looked_at_first),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, make_objects, free_objects);
}
