/* Every allocation fails once: nothing leaks, and the scene is as it was, or (for moves, which cannot fail)
 * as it should be. */
#include "oracle/failing_allocator.h"
#include "scene/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BEFORE = 300, MORE = 400 };

typedef struct setting {
    world_nesting nesting;
    world_shape shape;
} setting;

static world start(bw_failing_allocator *memory, const setting *s, bws_random *random, uint32_t count)
{
    bw_scene_desc desc = {.nesting = s->nesting.nesting,
                          .leafy = s->nesting.leafy,
                          .split_threshold = 8,
                          .track_pairs = true,
                          .allocator = &memory->hook};
    world w = world_create(random, s->shape, BEFORE + MORE, &desc, BW_SIMD_AUTO);
    world_insert_many(&w, count);
    assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
    return w;
}

static bw_result create_body(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const setting *s = user;
    bw_scene_desc desc = {.nesting = s->nesting.nesting, .track_pairs = true, .allocator = &memory->hook};
    bw_scene *scene = NULL;
    bw_view_cache *planes = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_scene_create(&desc, &scene, NULL);
    if (result == BW_OK)
        result = bw_view_cache_create(&memory->hook, &planes);
    bw_failing_allocator_fail_none(memory);
    bw_view_cache_destroy(planes);
    bw_scene_destroy(scene);
    return result;
}

static bw_result insert_body(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bws_random random = bws_random_seeded(1);
    world w = start(memory, user, &random, BEFORE);
    bw_failing_allocator_fail(memory, n);
    bw_result result = BW_OK;
    for (int i = 0; i < MORE && result == BW_OK; i++) {
        world_object *o = &w.objects[w.count];
        o->box = world_new_box(&w);
        o->user = 3;
        o->id = 77;
        result = bw_scene_insert(w.scene, &o->box, o->user, &o->id, NULL);
        assert_true(result == BW_OK || o->id == 77);
        w.count += result == BW_OK;
    }
    bw_failing_allocator_fail_none(memory);
    world_check(&w);
    world_destroy(&w);
    return result;
}

static bw_result insert_many_body(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bws_random random = bws_random_seeded(n % 2 + 1);
    world w = start(memory, user, &random, n % 2 == 0 ? BEFORE : 0);
    bw_box boxes[MORE];
    bw_id ids[MORE];
    for (int i = 0; i < MORE; i++) {
        boxes[i] = world_new_box(&w);
        ids[i] = 77;
    }
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_scene_insert_many(w.scene, boxes, NULL, MORE, ids, NULL);
    bw_failing_allocator_fail_none(memory);
    for (int i = 0; i < MORE; i++) {
        if (result == BW_OK)
            w.objects[w.count++] = (world_object){ids[i], boxes[i], 0};
        else
            assert_true(ids[i] == 77);
    }
    world_check(&w);
    world_destroy(&w);
    return result;
}

static bw_result query_body(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bws_random random = bws_random_seeded(2);
    world w = start(memory, user, &random, BEFORE);
    bw_scene_report report = {.found_count = 12345},
                    reports[2] = {{.found_count = 12345}, {.found_count = 12345}};
    bw_region regions[2] = {{.kind = BW_REGION_PLANES}, {.kind = BW_REGION_SPHERE, .radius = 1e6}};
    bw_pair_report pairs = {.found_count = 12345};
    bw_scene_hit hits[40] = {{.id = 77}};
    bw_scene_paths *paths = NULL;
    bw_scene *child;
    bw_id id;
    bw_transform pose = bw_transform_identity();
    assert_int_equal(bw_scene_create(&(bw_scene_desc){.allocator = &memory->hook}, &child, NULL), BW_OK);
    assert_int_equal(bw_scene_insert(child, &w.objects[0].box, 0, &id, NULL), BW_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(bw_scene_insert_scene(w.scene, child, &pose, 0, &id, NULL), BW_OK);
    uint32_t found = 77;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_scene_query_many(w.scene, regions, 2, NULL, reports, NULL);
    assert_true(result == BW_OK || reports[0].found_count == 12345);
    if (result == BW_OK) {
        result = bw_scene_paths_create(&memory->hook, &paths);
        assert_true(result == BW_OK || paths == NULL);
    }
    if (result == BW_OK) {
        const bw_scene_search search = {.paths = paths};
        result = bw_scene_nearest(w.scene, (bw_vec3){1, 2, 3}, &search, hits, 40, &found, NULL);
        assert_true(result == BW_OK || (found == 77 && hits[0].id == 77));
    }
    if (result == BW_OK) {
        bw_scene_paths_reset(paths);
        result = bw_scene_query(w.scene, &regions[0], &(bw_scene_output){.paths = paths}, &report, NULL);
        assert_true(result == BW_OK || report.found_count == 12345);
        assert_true(result != BW_OK || report.found_count == w.count + 20);
    }
    if (result == BW_OK) {
        result = bw_scene_pairs(w.scene, &(bw_pair_output){.paths = paths}, &pairs, NULL);
        assert_true(result == BW_OK || pairs.found_count == 12345);
    }
    bw_failing_allocator_fail_none(memory);
    bw_scene_paths_destroy(paths);
    bw_scene_destroy(child);
    world_check(&w);
    world_destroy(&w);
    return result;
}

static bw_result pairs_body(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bws_random random = bws_random_seeded(3);
    world w = start(memory, user, &random, BEFORE);
    bw_pair_report began = {.found_count = 12345}, ended = {0}, all = {0};
    assert_int_equal(bw_scene_pairs(w.scene, NULL, &all, NULL), BW_OK);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_scene_pairs_changed(w.scene, NULL, NULL, &began, &ended, NULL);
    bw_failing_allocator_fail_none(memory);
    /* A failure reported nothing: the next call tells all of it. */
    if (result != BW_OK) {
        assert_int_equal(began.found_count, 12345);
        world_check(&w);
        assert_int_equal(bw_scene_pairs_changed(w.scene, NULL, NULL, &began, &ended, NULL), BW_OK);
    }
    assert_int_equal(began.found_count, all.found_count);
    world_check(&w);
    world_destroy(&w);
    return result;
}

static bw_result nested_body(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const setting *s = user;
    bws_random random = bws_random_seeded(4);
    world w = start(memory, s, &random, 40);
    bw_scene_desc desc = {.allocator = &memory->hook};
    bw_scene *children[6];
    bw_transform pose = bw_transform_identity();
    bw_result result = BW_OK;
    for (int i = 0; i < 6; i++)
        assert_int_equal(bw_scene_create(&desc, &children[i], NULL), BW_OK);
    bw_failing_allocator_fail(memory, n);
    for (int i = 0; i < 6 && result == BW_OK; i++) {
        bw_id id = 77;
        result = bw_scene_insert_scene(w.scene, children[i], &pose, 5, &id, NULL);
        if (result != BW_OK) {
            assert_true(id == 77);
            break;
        }
        bw_box box;
        assert_int_equal(bw_scene_get(w.scene, id, &box, NULL, NULL), BW_OK);
        w.objects[w.count++] = (world_object){id, box, 5};
    }
    bw_failing_allocator_fail_none(memory);
    world_check(&w);
    for (int i = 0; i < 6; i++)
        bw_scene_destroy(children[i]);
    assert_int_equal(bw_scene_count(w.scene), 40);
    world_destroy(&w);
    return result;
}

/* Like bw_each_allocation_failure, for calls that may also do without the memory: trees put off what only
 * saves time. */
static void each_failure(bw_fault_fn *body, void *user)
{
    uint64_t failures = 0;
    for (uint64_t n = 1;; n++) {
        bw_failing_allocator memory;
        bw_failing_allocator_init(&memory);
        bw_result result = body(&memory, n, user);
        assert_int_equal(memory.live_blocks, 0);
        if (memory.refused == 0) {
            assert_int_equal(result, BW_OK);
            break;
        }
        assert_true(result == BW_OK || result == BW_ERROR_MEMORY);
        failures += result == BW_ERROR_MEMORY;
    }
    assert_true(failures >= 4);
}

static void test_failures(void **state)
{
    (void)bw_each_allocation_failure(create_body, *state, 3);
    each_failure(insert_body, *state);
    each_failure(insert_many_body, *state);
    bw_each_allocation_failure(query_body, *state, 8);
    bw_each_allocation_failure(pairs_body, *state, 3);
    bw_each_allocation_failure(nested_body, *state, 4);
}

/* Moves, removals and preparation go on without memory; what they could not do shows in the time only. */
static void test_moves_go_on(void **state)
{
    const setting *s = *state;
    for (uint64_t n = 1; n < 40; n++) {
        bw_failing_allocator memory;
        bw_failing_allocator_init(&memory);
        bws_random random = bws_random_seeded(n);
        world w = start(&memory, s, &random, BEFORE);
        for (int round = 0; round < 12; round++) {
            bw_failing_allocator_fail(&memory, round < 6 ? n : 1);
            uint32_t k = (uint32_t)bws_random_below(&random, w.count);
            bw_box box = world_new_box(&w);
            world_move(&w, k, &box);
            world_move_many(&w, 60, true);
            (void)bw_scene_prepare(w.scene, NULL, NULL, NULL);
            world_remove(&w, (uint32_t)bws_random_below(&random, w.count));
            bw_failing_allocator_fail_none(&memory);
            world_check(&w);
            world_compare_random_query(&w);
        }
        world_destroy(&w);
        assert_int_equal(memory.live_blocks, 0);
    }
    /* A batch too large for the stack says so before it changes anything. */
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bws_random random = bws_random_seeded(1);
    world w = start(&memory, s, &random, BEFORE);
    static bw_id ids[2000];
    static bw_box boxes[2000];
    for (int i = 0; i < 2000; i++) {
        ids[i] = w.objects[i % BEFORE].id;
        boxes[i] = world_new_box(&w);
    }
    bw_failing_allocator_fail(&memory, 1);
    bw_result result = bw_scene_move_many(w.scene, ids, boxes, 2000, NULL);
    bw_failing_allocator_fail_none(&memory);
    if (result == BW_OK)
        for (int i = 0; i < 2000; i++)
            w.objects[i % BEFORE].box = boxes[i];
    else
        assert_int_equal(result, BW_ERROR_MEMORY);
    world_check(&w);
    world_destroy(&w);
}

int main(void)
{
    static setting settings[2 * WORLD_NESTINGS];
    struct CMUnitTest tests[4 * WORLD_NESTINGS];
    for (int i = 0; i < 2 * WORLD_NESTINGS; i++) {
        settings[i] = (setting){world_nestings[i / 2], i % 2 == 0 ? WORLD_UNIFORM : WORLD_EQUAL};
        tests[2 * i] = (struct CMUnitTest){"failures", test_failures, NULL, NULL, &settings[i]};
        tests[2 * i + 1] = (struct CMUnitTest){"moves go on", test_moves_go_on, NULL, NULL, &settings[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
