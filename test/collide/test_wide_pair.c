/* The pair query of wide trees against brute force: every scene, float and double, corners kept or gathered,
 * rigid, scaled, sheared, flattening and huge poses, every SIMD level. */
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "wide_solid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENE_SIZE = 250 };

static bw_transform random_shear(bws_random *random)
{
    bw_transform t = bw_transform_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            t.m[i][j] += bws_random_double(random, -0.6, 0.6);
    return t;
}

/* Onto a plane or a line: no inverse. */
static bw_transform random_flat(bws_random *random)
{
    bw_transform t = random_shear(random);
    for (int j = 0; j < 4; j++)
        t.m[2][j] = 0.5 * t.m[0][j] + (bws_random_bool(random) ? t.m[1][j] : 0.0);
    return t;
}

static bw_transform random_pose(bws_random *random, int kind)
{
    switch (kind) {
    case 0:
        return bws_random_rigid(random, 0.7);
    case 1:
        return bws_random_pose(random,
                               &(bws_pose_desc){.reach = 0.7, .low = 0.2, .high = 3.0, .mirror = true});
    case 2:
        return random_shear(random);
    default:
        return random_flat(random);
    }
}

static void scenes_body(bws_random *random, void *user)
{
    (void)user;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t k = 0; k < count; k++) {
        const bws_scene *other = &scenes[bws_random_below(random, count)];
        bw_scalar scalar = bws_random_bool(random) ? BW_F32 : BW_F64;
        uint32_t size = (uint32_t)bws_random_int(random, 4, SCENE_SIZE);
        wide_solid a = wide_solid_of_scene(&scenes[k], SCENE_SIZE, scalar, bws_random_bool(random));
        wide_solid b = wide_solid_of_scene(other, size, scalar, bws_random_bool(random));
        bw_transform pose = random_pose(random, (int)bws_random_below(random, 4));
        wide_assert_truth(&a, &b, &pose);
        wide_assert_truth(&a, &b, NULL);
        wide_solid_free(&a);
        wide_solid_free(&b);
    }
}

static void test_scenes(void **state)
{
    (void)state;
    BW_EACH_SEED(6, scenes_body, NULL);
}

/* Unequal trees: one side stops at leaves, or is much smaller, while the other descends. */
static void unequal_body(bws_random *random, void *user)
{
    (void)user;
    bws_mesh soup[2];
    uint32_t sizes[2] = {(uint32_t)bws_random_int(random, 1, 30), 1500};
    for (int i = 0; i < 2; i++) {
        bws_soup_desc desc = {.triangles = sizes[i],
                              .spread = 1.0,
                              .size = i == 0 ? 0.6 : 0.05,
                              .seed = bws_random_u64(random)};
        assert_int_equal(bws_soup(&desc, BW_F32, &soup[i]), BW_OK);
    }
    wide_solid s[2];
    for (int i = 0; i < 2; i++) {
        bw_mesh mesh = bws_view(&soup[i]);
        wide_solid_build(&s[i], &mesh, false);
        s[i].owned = soup[i];
    }
    bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 0.3, .low = 0.05, .high = 2.0});
    wide_assert_truth(&s[0], &s[1], &pose);
    wide_assert_truth(&s[1], &s[0], &pose);
    wide_solid_free(&s[0]);
    wide_solid_free(&s[1]);
}

static void test_unequal(void **state)
{
    (void)state;
    BW_EACH_SEED(12, unequal_body, NULL);
}

typedef struct stopper {
    uint64_t left;
} stopper;

static bool stop_after(void *user, const bw_hit *hit)
{
    (void)hit;
    stopper *s = user;
    return --s->left > 0;
}

static void test_modes(void **state)
{
    (void)state;
    wide_solid a = wide_solid_of_scene(bws_scene_find("torus"), 2000, BW_F32, false);
    bws_random random = bws_random_seeded(3);
    bw_transform pose = bws_random_rigid(&random, 0.3);
    bw_relative_pose relative = wide_pose(&pose);
    bw_wide_side side = {&a.tree, &a.mesh};
    bw_wide_options options = {0};
    wide_answer all = wide_answer_of(&a, &a, &pose, BW_BOX_TEST_DEFAULT, &options);
    assert_true(all.report.hit_count > 20);

    bw_hit hits[5];
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = 5};
    bw_hit_sink sink = {.desc = &desc};
    assert_int_equal(bw_wide_pair(&side, &side, &relative, &options, &sink), BW_OK);
    assert_int_equal(sink.report.status, BW_FULL);
    assert_int_equal(sink.report.hit_count, all.report.hit_count);
    assert_memory_equal(hits, all.hits, sizeof hits);

    stopper stop = {7};
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ALL, .on_hit = stop_after, .user = &stop};
    sink = (bw_hit_sink){.desc = &desc};
    assert_int_equal(bw_wide_pair(&side, &side, &relative, &options, &sink), BW_OK);
    assert_int_equal(sink.report.status, BW_STOPPED);
    assert_int_equal(sink.report.hit_count, 7);

    desc = (bw_collide_desc){.mode = BW_COLLIDE_ANY, .hits = hits, .hit_capacity = 1};
    sink = (bw_hit_sink){.desc = &desc};
    assert_int_equal(bw_wide_pair(&side, &side, &relative, &options, &sink), BW_OK);
    assert_int_equal(sink.report.status, BW_FOUND);
    assert_int_equal(sink.report.hit_count, 1);
    bool found = false;
    for (uint64_t i = 0; i < all.report.hit_count; i++)
        found |= all.hits[i].a == hits[0].a && all.hits[i].b == hits[0].b;
    assert_true(found);
    wide_answer_free(&all);

    bw_wide nothing = {0};
    bw_wide_side empty = {&nothing, &a.mesh};
    sink = (bw_hit_sink){.desc = &desc};
    assert_int_equal(bw_wide_pair(&empty, &side, &relative, &options, &sink), BW_OK);
    assert_int_equal(sink.report.status, BW_DONE);
    wide_solid_free(&a);
}

/* ---- several threads ---- */

static void assert_threads(const wide_solid *a, const wide_solid *b, const bw_transform *relative,
                           bw_pool *const *pools, size_t pool_count, uint64_t *visited)
{
    wide_answer serial = wide_answer_of(a, b, relative, BW_BOX_TEST_DEFAULT, &(bw_wide_options){0});
    assert_true(serial.report.hit_count > 0);
    *visited += serial.report.nodes_visited;
    for (size_t k = 0; k < pool_count; k++) {
        bw_wide_options options = {.tasks = bw_pool_tasks(pools[k])};
        wide_answer threaded = wide_answer_of(a, b, relative, BW_BOX_TEST_DEFAULT, &options);
        wide_assert_same(&threaded, &serial);
        wide_answer_free(&threaded);
    }
    wide_answer_free(&serial);
}

static void test_threads(void **state)
{
    (void)state;
    bw_pool *pools[2] = {test_pool_create(2), test_pool_create(7)};
    bws_random random = bws_random_seeded(bw_random_seed_from_env(5));
    const char *names[] = {"torus", "bumpy-sphere", "soup"};
    uint64_t visited = 0;
    for (int k = 0; k < 3; k++) {
        wide_solid a = wide_solid_of_scene(bws_scene_find(names[k]), 5000, BW_F32, k == 1);
        wide_solid b = wide_solid_of_scene(bws_scene_find("torus"), 3000, BW_F32, false);
        bw_transform pose = bws_random_rigid(&random, 0.3);
        assert_threads(&a, &b, &pose, pools, 2, &visited);
        assert_threads(&b, &a, NULL, pools, 2, &visited);
        if (k == 2)
            assert_threads(&a, NULL, NULL, pools, 2, &visited);
        /* A callback that stops gets the same hits. */
        stopper stop = {9};
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .on_hit = stop_after, .user = &stop};
        bw_hit_sink sink = {.desc = &desc};
        bw_wide_side side_a = {&a.tree, &a.mesh}, side_b = {&b.tree, &b.mesh};
        bw_relative_pose relative = wide_pose(&pose);
        bw_wide_options options = {.tasks = bw_pool_tasks(pools[0])};
        assert_int_equal(bw_wide_pair(&side_a, &side_b, &relative, &options, &sink), BW_OK);
        assert_int_equal(sink.report.status, BW_STOPPED);
        assert_int_equal(sink.report.hit_count, 9);
        wide_solid_free(&a);
        wide_solid_free(&b);
    }
    assert_true(visited > 4000); /* enough for the threads to have been used */
    bw_pool_destroy(pools[0]);
    bw_pool_destroy(pools[1]);
}

/* ---- every allocation may fail, with one thread and with several ---- */

typedef struct fault_query {
    const wide_solid *solid;
    bw_relative_pose pose;
    const bw_tasks *tasks;
} fault_query;

static bw_result query_with_faults(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const fault_query *q = user;
    bw_wide_side side = {&q->solid->tree, &q->solid->mesh};
    bw_wide_options options = {.tasks = q->tasks};
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .allocator = &memory->hook};
    bw_hit_sink sink = {.desc = &desc};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_wide_pair(&side, &side, &q->pose, &options, &sink);
    bw_failing_allocator_fail_none(memory);
    assert_true(result != BW_OK || sink.report.hit_count > 0);
    return result;
}

static void test_memory(void **state)
{
    (void)state;
    wide_solid a = wide_solid_of_scene(bws_scene_find("torus"), 5000, BW_F32, false);
    bw_transform pose =
        bw_transform_compose((bw_vec3){0.2, 0.1, 0.0}, (bw_vec3){1, 2, 3}, 1.0, (bw_vec3){1, 1, 1});
    bw_pool *pool = test_pool_create(2);
    fault_query q = {&a, wide_pose(&pose), NULL};
    bw_each_allocation_failure(query_with_faults, &q, 0);
    q.tasks = bw_pool_tasks(pool);
    bw_each_allocation_failure(query_with_faults, &q, 4);
    bw_pool_destroy(pool);
    wide_solid_free(&a);
}

/* ---- a witness changes nothing but the time ---- */

static void test_witness(void **state)
{
    (void)state;
    wide_solid a = wide_solid_of_scene(bws_scene_find("bumpy-sphere"), 1200, BW_F32, false);
    bw_wide_side side = {&a.tree, &a.mesh};
    bw_witness witness = {0};
    uint64_t with = 0, without = 0;
    for (int frame = 0; frame < 120; frame++) {
        bw_transform pose = bw_transform_compose((bw_vec3){1.6 + 0.006 * frame, 0.0, 0.0}, (bw_vec3){1, 2, 3},
                                                 0.01 * frame, (bw_vec3){1, 1, 1});
        bw_relative_pose relative = wide_pose(&pose);
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY};
        bw_hit_sink plain = {.desc = &desc}, helped = {.desc = &desc};
        assert_int_equal(bw_wide_pair(&side, &side, &relative, &(bw_wide_options){0}, &plain), BW_OK);
        assert_int_equal(
            bw_wide_pair(&side, &side, &relative, &(bw_wide_options){.witness = &witness}, &helped), BW_OK);
        assert_int_equal(helped.report.hit_count, plain.report.hit_count);
        assert_int_equal(helped.report.status, plain.report.status);
        with += helped.report.nodes_visited;
        without += plain.report.nodes_visited;
        if (frame % 10 == 9) /* nonsense does no harm */
            witness = (bw_witness){true, frame % 20 == 9 ? 1u << 30 : 3, 5};
    }
    assert_true(with < without);
    wide_solid_free(&a);
}

/* ---- the study of axes ---- */

static void test_axis_exits(void **state)
{
    (void)state;
    wide_solid a = wide_solid_of_scene(bws_scene_find("torus"), 1500, BW_F32, false);
    bw_transform pose =
        bw_transform_compose((bw_vec3){0.2, 0.1, 0.0}, (bw_vec3){1, 2, 3}, 1.0, (bw_vec3){1, 2, 1});
    bw_relative_pose relative = wide_pose(&pose);
    bw_wide_side side = {&a.tree, &a.mesh};
    for (int test = BW_BOX_TEST_SAT; test <= BW_BOX_TEST_SAT_LITE; test++) {
        uint64_t exits[BW_AXIS_EXITS] = {0}, sum = 0, edges = 0;
        wide_answer expected = wide_answer_of(&a, &a, &pose, (bw_box_test)test, &(bw_wide_options){0});
        bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .box_test = (bw_box_test)test, .axis_exits = exits};
        bw_hit_sink sink = {.desc = &desc};
        assert_int_equal(bw_wide_pair(&side, &side, &relative, &(bw_wide_options){0}, &sink), BW_OK);
        assert_int_equal(sink.report.hit_count, expected.report.hit_count);
        for (int k = 0; k < BW_AXIS_EXITS; k++) {
            sum += exits[k];
            edges += k >= 6 && k < 15 ? exits[k] : 0;
        }
        assert_true(sum > 0 && sum <= sink.report.box_tests);
        assert_true(exits[BW_AXIS_OVERLAP] > 0 && exits[0] > 0);
        assert_int_equal(edges > 0, test == BW_BOX_TEST_SAT);
        wide_answer_free(&expected);
    }
    wide_solid_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes),    cmocka_unit_test(test_unequal),
                                       cmocka_unit_test(test_modes),     cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_memory),    cmocka_unit_test(test_witness),
                                       cmocka_unit_test(test_axis_exits)};
    return cmocka_run_group_tests_name("wide-pair", tests, NULL, NULL);
}
