/* Batches beside single queries: the same answers pair by pair and group by group, with and without a
 * clearance, for any number of threads; pairs that fail fail alone. */
#include "oracle/pool.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <boxwood/collide.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINKS = 5, GROUPS = 70, PAIRS = LINKS * GROUPS };

typedef struct arm {
    bws_mesh owned[2];
    bw_mesh mesh[2];
    bw_tree *tree[2];
    bw_transform poses[PAIRS];
    bw_body_pair pairs[PAIRS];
} arm;

/* A body in many poses around another that has a pose of its own, or not; one pose in fifty has no inverse. */
static void make_arm(arm *m, bws_random *random, bool singular)
{
    static bw_transform still;
    still = bws_random_rigid(random, 1.0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = i == 0 ? 9 : 4,
                                                             .radius = i == 0 ? 1.0 : 0.2,
                                                             .amplitude = 0.4,
                                                             .seed = i},
                                          BW_F32, &m->owned[i]),
                         BW_OK);
        m->mesh[i] = bws_view(&m->owned[i]);
        assert_int_equal(bw_tree_create(NULL, &m->mesh[i], &m->tree[i], NULL), BW_OK);
    }
    const bool posed = bws_random_bool(random);
    for (uint32_t i = 0; i < PAIRS; i++) {
        m->poses[i] = bws_random_rigid(random, 2.5);
        if (singular && i % 50 == 7)
            memset(m->poses[i].m[1], 0, sizeof m->poses[i].m[1]);
        const bw_body large = {m->tree[0], &m->mesh[0], posed ? &still : NULL},
                      small = {m->tree[1], &m->mesh[1], &m->poses[i]};
        m->pairs[i] = i % 3 == 0 ? (bw_body_pair){small, large} : (bw_body_pair){large, small};
    }
}

static void free_arm(arm *m)
{
    for (int i = 0; i < 2; i++) {
        bw_tree_destroy(m->tree[i]);
        bws_mesh_free(&m->owned[i]);
    }
}

static void assert_contacts(const arm *m, const bw_collide_many_desc *desc)
{
    const uint32_t size = desc->group_size > 0 ? desc->group_size : 1, count = PAIRS / size;
    static bw_collide_answer answers[PAIRS], others[PAIRS];
    bw_collide_many_report report = {0};
    assert_int_equal(bw_collide_many(m->pairs, PAIRS, desc, answers, &report, NULL), BW_OK);
    uint64_t hits = 0, failed = 0;
    for (uint32_t g = 0; g < count; g++) {
        const bw_collide_answer *answer = &answers[g];
        uint64_t truth = 0;
        bool fails = false;
        for (uint32_t k = g * size; k < (g + 1) * size; k++) {
            bw_hit hit;
            const bw_collide_desc single = {.mode = desc->mode,
                                            .hits = desc->mode == BW_COLLIDE_ANY ? &hit : NULL,
                                            .hit_capacity = desc->mode == BW_COLLIDE_ANY,
                                            .separation = desc->separation};
            bw_collide_report one = {0};
            const bw_result result = bw_collide(&m->pairs[k].a, &m->pairs[k].b, &single, &one, NULL);
            fails |= result != BW_OK;
            truth += one.hit_count;
            if (answer->pair != k)
                continue;
            assert_int_equal(answer->result, result);
            if (result == BW_OK && desc->mode == BW_COLLIDE_ANY)
                assert_int_equal(one.hit_count, 1);
            if (size == 1 && one.hit_count > 0 && desc->mode == BW_COLLIDE_ANY && !desc->coherent)
                assert_true(answer->hit.a == hit.a && answer->hit.b == hit.b && answer->hit.kind == hit.kind);
        }
        if (size == 1 || desc->mode == BW_COLLIDE_COUNT)
            assert_int_equal(answer->result != BW_OK, fails);
        assert_true(answer->result == BW_OK || fails);
        if (answer->result == BW_OK) {
            assert_int_equal(answer->hit_count, desc->mode == BW_COLLIDE_ANY ? truth > 0 : truth);
            assert_int_equal(answer->pair != BW_NONE, truth > 0);
            assert_int_equal(answer->status, desc->mode == BW_COLLIDE_ANY && truth > 0 ? BW_FOUND : BW_DONE);
        }
        hits += answer->hit_count > 0;
        failed += answer->result != BW_OK;
    }
    assert_true(report.hit_count == hits && report.failed_count == failed && report.status == BW_DONE);
    for (uint32_t workers = 2; workers <= 7; workers += 5) {
        bw_pool *pool = test_pool_create(workers);
        bw_collide_many_desc threaded = *desc;
        threaded.tasks = bw_pool_tasks(pool);
        assert_int_equal(bw_collide_many(m->pairs, PAIRS, &threaded, others, NULL, NULL), BW_OK);
        for (uint32_t g = 0; g < count; g++)
            assert_true(others[g].result == answers[g].result && others[g].status == answers[g].status &&
                        others[g].pair == answers[g].pair && others[g].hit_count == answers[g].hit_count &&
                        others[g].hit.a == answers[g].hit.a && others[g].hit.b == answers[g].hit.b &&
                        others[g].hit.kind == answers[g].hit.kind);
        bw_pool_destroy(pool);
    }
}

static void assert_distances(const arm *m, const bw_distance_many_desc *desc)
{
    const uint32_t size = desc->group_size > 0 ? desc->group_size : 1, count = PAIRS / size;
    static bw_distance_answer answers[PAIRS], others[PAIRS];
    assert_int_equal(bw_distance_many(m->pairs, PAIRS, desc, answers, NULL, NULL), BW_OK);
    for (uint32_t g = 0; g < count; g++) {
        const bw_distance_answer *answer = &answers[g];
        bw_distance_report best = {.distance = INFINITY};
        uint32_t pair = BW_NONE;
        for (uint32_t k = g * size; k < (g + 1) * size; k++) {
            bw_distance_report one = {0};
            assert_int_equal(bw_distance(&m->pairs[k].a, &m->pairs[k].b,
                                         &(bw_distance_desc){.max_distance = desc->max_distance}, &one, NULL),
                             BW_OK);
            if (one.distance < best.distance) {
                best = one;
                pair = k;
            }
        }
        assert_int_equal(answer->result, BW_OK);
        assert_true(answer->distance == best.distance);
        assert_int_equal(answer->status, pair == BW_NONE ? BW_LIMIT : BW_DONE);
        if (best.distance > 0) /* of several that meet, any */
            assert_int_equal(answer->pair, pair);
        if (best.distance > 0 && pair != BW_NONE) {
            assert_true(answer->a == best.a && answer->b == best.b);
            assert_memory_equal(&answer->point_a, &best.point_a, sizeof best.point_a);
            assert_memory_equal(&answer->point_b, &best.point_b, sizeof best.point_b);
        }
    }
    bw_pool *pool = test_pool_create(3);
    bw_distance_many_desc threaded = *desc;
    threaded.tasks = bw_pool_tasks(pool);
    assert_int_equal(bw_distance_many(m->pairs, PAIRS, &threaded, others, NULL, NULL), BW_OK);
    for (uint32_t g = 0; g < count; g++)
        assert_true(others[g].distance == answers[g].distance && others[g].pair == answers[g].pair &&
                    others[g].a == answers[g].a && others[g].b == answers[g].b);
    bw_pool_destroy(pool);
}

static void batches(bws_random *random, void *user)
{
    (void)user;
    static arm m;
    make_arm(&m, random, true);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 16; i++)
            assert_contacts(&m,
                            &(bw_collide_many_desc){.group_size = (i & 1) != 0 ? LINKS : 0,
                                                    .mode = (i & 2) != 0 ? BW_COLLIDE_COUNT : BW_COLLIDE_ANY,
                                                    .separation = (i & 4) != 0 ? 0.2 : 0,
                                                    .coherent = (i & 8) != 0});
        assert_int_equal(bw_tree_prepare_clearance(m.tree[0], &m.mesh[0], 3000, NULL, NULL), BW_OK);
    }
    free_arm(&m);
    make_arm(&m, random, false);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 8; i++)
            assert_distances(&m, &(bw_distance_many_desc){.group_size = (i & 1) != 0 ? LINKS : 0,
                                                          .max_distance = (i & 2) != 0 ? 0.3 : 0,
                                                          .coherent = (i & 4) != 0});
        assert_int_equal(bw_tree_prepare_clearance(m.tree[0], &m.mesh[0], 3000, NULL, NULL), BW_OK);
    }
    /* One large group. */
    assert_distances(&m, &(bw_distance_many_desc){.group_size = PAIRS});
    assert_contacts(&m, &(bw_collide_many_desc){.group_size = PAIRS});
    free_arm(&m);
}

static void test_batches(void **state)
{
    (void)state;
    BW_EACH_SEED(2, batches, NULL);
}

static bool three_times(void *user)
{
    return --*(int *)user > 0;
}

static void test_arguments_and_progress(void **state)
{
    (void)state;
    static arm m;
    static bw_collide_answer answers[PAIRS];
    static bw_distance_answer distances[PAIRS];
    bws_random random = bws_random_seeded(5);
    make_arm(&m, &random, false);
    assert_int_equal(bw_collide_many(NULL, 0, NULL, NULL, NULL, NULL), BW_OK);
    assert_int_equal(bw_collide_many(NULL, 1, NULL, answers, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_many(m.pairs, PAIRS, NULL, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_collide_many(m.pairs, PAIRS, &(bw_collide_many_desc){.group_size = 3}, answers, NULL, NULL),
        BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_collide_many(m.pairs, PAIRS, &(bw_collide_many_desc){.mode = BW_COLLIDE_ALL}, answers, NULL, NULL),
        BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_collide_many(m.pairs, PAIRS, &(bw_collide_many_desc){.separation = NAN}, answers, NULL, NULL),
        BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_distance_many(m.pairs, PAIRS, &(bw_distance_many_desc){.max_distance = -1}, distances, NULL, NULL),
        BW_ERROR_ARGUMENT);
    bw_body_pair broken = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    assert_int_equal(bw_collide_many(&broken, 1, NULL, answers, NULL, NULL), BW_OK);
    assert_int_equal(answers[0].result, BW_ERROR_ARGUMENT);
    assert_int_equal(bw_distance_many(&broken, 1, NULL, distances, NULL, NULL), BW_OK);
    assert_int_equal(distances[0].result, BW_ERROR_ARGUMENT);
    int left = 3;
    bw_collide_many_report report = {0};
    bw_collide_many_desc desc = {.progress = {three_times, &left}};
    assert_int_equal(bw_collide_many(m.pairs, PAIRS, &desc, answers, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_STOPPED);
    assert_int_equal(answers[PAIRS - 1].status, BW_STOPPED);
    free_arm(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_arguments_and_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
