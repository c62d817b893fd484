/* What is held, what goes back, and shapes that must not degenerate. */
#include "oracle/failing_allocator.h"
#include "scene/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Removing objects in any order returns their memory, all of it at the end. */
static void test_returned(void **state)
{
    const world_nesting *nesting = *state;
    bws_random random = bws_random_seeded(11);
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_scene_desc desc = {.nesting = nesting->nesting, .leafy = nesting->leafy, .allocator = &memory.hook};
    world w = world_create(&random, WORLD_UNIFORM, 20000, &desc, BW_SIMD_AUTO);
    uint64_t empty = memory.live_bytes;
    world_insert_many(&w, 20000);
    assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
    bw_scene_stats stats = {0};
    bw_scene_get_stats(w.scene, &stats);
    uint64_t full = memory.live_bytes;
    assert_int_equal(stats.bytes, full);
    assert_true(full / 20000 < 130);
    uint32_t left = 20000;
    for (; w.count > 2000;)
        world_remove(&w, (uint32_t)bws_random_below(&random, w.count));
    world_check(&w);
    /* The table keeps 16 bytes a place (and the paper's trees 4) until its end is free. */
    assert_true(memory.live_bytes < empty + left * 24ull + 2000 * 200ull + 200000);
    while (w.count != 0)
        world_remove(&w, (uint32_t)bws_random_below(&random, w.count));
    world_check(&w);
    assert_true(memory.live_bytes <= empty + 8192);
    /* And it can be used again. */
    world_insert_many(&w, 1000);
    world_compare_pairs(&w);
    world_destroy(&w);
    assert_int_equal(memory.live_blocks, 0);
}

/* Inserting in sorted order, one by one, does not make a list of the tree. */
static void test_sorted(void **state)
{
    (void)state;
    bw_scene *scene;
    bw_scene_desc desc = {.nesting = BW_NESTING_MODERN};
    assert_int_equal(bw_scene_create(&desc, &scene, NULL), BW_OK);
    bw_id id;
    for (uint32_t i = 0; i < 60000; i++) {
        float x = (float)i;
        bw_box box = {{x, 0, 0}, {x + 0.5f, 1, 1}};
        assert_int_equal(bw_scene_insert(scene, &box, 0, &id, NULL), BW_OK);
    }
    bw_scene_stats stats = {0};
    bw_scene_get_stats(scene, &stats);
    assert_true(stats.depth <= 16);
    assert_true(stats.rebuilt_count > 0);
    assert_null(bw_scene_check(scene));
    bw_scene_destroy(scene);
}

/* All at one place, then spread out one by one: the tree must open up. */
static void test_spread(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(2);
    enum { COUNT = 5000 };
    bw_scene *scene;
    bw_scene_desc desc = {.nesting = BW_NESTING_MODERN};
    assert_int_equal(bw_scene_create(&desc, &scene, NULL), BW_OK);
    static bw_box boxes[COUNT];
    static bw_id ids[COUNT];
    for (int i = 0; i < COUNT; i++)
        boxes[i] = (bw_box){{0, 0, 0}, {1, 1, 1}};
    assert_int_equal(bw_scene_insert_many(scene, boxes, NULL, COUNT, ids, NULL), BW_OK);
    assert_null(bw_scene_check(scene));
    /* Moves that lead nowhere wear leaves out; the hashed nodes above must stand it. */
    for (int round = 0; round < 60; round++) {
        assert_int_equal(bw_scene_move_many(scene, ids, boxes, COUNT, NULL), BW_OK);
        assert_null(bw_scene_check(scene));
    }
    bw_id more;
    for (int i = 0; i < 100; i++)
        assert_int_equal(bw_scene_insert(scene, &boxes[0], 0, &more, NULL), BW_OK);
    assert_null(bw_scene_check(scene));
    for (int i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            boxes[i].min[a] = bws_random_float(&random, 0, 500);
            boxes[i].max[a] = boxes[i].min[a] + 1;
        }
        assert_int_equal(bw_scene_move(scene, ids[i], &boxes[i], NULL), BW_OK);
    }
    assert_null(bw_scene_check(scene));
    uint64_t tested = 0;
    for (int i = 0; i < 100; i++) {
        bw_region region = {.kind = BW_REGION_BOX, .box = boxes[i]};
        bw_scene_report report = {0};
        assert_int_equal(bw_scene_query(scene, &region, NULL, &report, NULL), BW_OK);
        tested += report.tested_count;
    }
    assert_true(tested < 100 * 300);
    bw_scene_destroy(scene);
}

/* What 400 small queries around the objects cost, in objects tested and nodes visited. */
static double work(const world *w, const bw_scene *scene, uint64_t seed)
{
    bws_random random = bws_random_seeded(seed);
    double sum = 0;
    for (int i = 0; i < 400; i++) {
        const bw_box *near = &w->objects[bws_random_below(&random, w->count)].box;
        bw_region region = {.kind = BW_REGION_BOX};
        for (int a = 0; a < 3; a++) {
            region.box.min[a] = near->min[a];
            region.box.max[a] = near->min[a] + 10;
        }
        bw_scene_report report = {0};
        assert_int_equal(bw_scene_query(scene, &region, NULL, &report, NULL), BW_OK);
        sum += (double)report.tested_count + 8 * (double)report.node_count;
    }
    return sum;
}

/* After 100 moves of every object, in batches or one at a time, queries take little more work than in a tree
 * built where the objects ended, also where a crowd has changed its shape by then. */
static void test_no_drift(void **state)
{
    (void)state;
    enum { COUNT = 6000 };
    static const world_shape shapes[] = {WORLD_UNIFORM, WORLD_CLUSTERED, WORLD_LISSAJOUS, WORLD_LINE};
    for (int k = 0; k < 8; k++) {
        bws_random random = bws_random_seeded((uint64_t)k);
        bw_scene_desc desc = {.nesting = BW_NESTING_MODERN};
        world w = world_create(&random, shapes[k / 2], COUNT, &desc, BW_SIMD_AUTO);
        world_insert_many(&w, COUNT);
        for (int round = 0; round < 100; round++)
            if (k % 2 == 0) {
                world_move_many(&w, COUNT, false);
            } else {
                for (uint32_t i = 0; i < COUNT; i++) {
                    bw_box box = world_moved_box(&w, &w.objects[i].box);
                    world_move(&w, i, &box);
                }
            }
        assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
        world_check(&w);
        bw_scene *fresh;
        assert_int_equal(bw_scene_create(&desc, &fresh, NULL), BW_OK);
        bw_box *boxes = calloc(COUNT, sizeof *boxes);
        bw_id *ids = calloc(COUNT, sizeof *ids);
        for (uint32_t i = 0; i < COUNT; i++)
            boxes[i] = w.objects[i].box;
        assert_int_equal(bw_scene_insert_many(fresh, boxes, NULL, COUNT, ids, NULL), BW_OK);
        assert_true(work(&w, w.scene, 9) < 1.3 * work(&w, fresh, 9));
        free(boxes);
        free(ids);
        bw_scene_destroy(fresh);
        world_destroy(&w);
    }
}

/* Worn subtrees that are too large for moves to renew wait for bw_scene_prepare. */
static void test_large_worn(void **state)
{
    (void)state;
    enum { COUNT = 17000 };
    bws_random random = bws_random_seeded(3);
    bw_scene_desc desc = {.nesting = BW_NESTING_MODERN};
    world w = world_create(&random, WORLD_CLUSTERED, COUNT, &desc, BW_SIMD_AUTO);
    world_insert_many(&w, COUNT);
    bw_scene_stats before = {0}, after = {0};
    bw_scene_get_stats(w.scene, &before);
    assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
    bw_scene_get_stats(w.scene, &after);
    assert_int_equal(after.rebuilt_count, before.rebuilt_count);
    for (int round = 0; round < 200; round++)
        world_move_many(&w, COUNT, false);
    bw_scene_get_stats(w.scene, &before);
    assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
    bw_scene_get_stats(w.scene, &after);
    assert_int_equal(after.rebuilt_count, before.rebuilt_count + 1);
    world_check(&w);
    assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
    bw_scene_get_stats(w.scene, &before);
    assert_int_equal(after.rebuilt_count, before.rebuilt_count);
    world_destroy(&w);
}

/* AUTO says what it chose and why, and answers the same. */
static void test_auto(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(8);
    bw_scene *scene;
    assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
    enum { COUNT = 20000 };
    bw_box *boxes = calloc(COUNT, sizeof *boxes);
    bw_id *ids = calloc(COUNT, sizeof *ids);
    bw_scene_stats stats = {0};
    for (int mixed = 0; mixed < 2; mixed++) {
        for (int i = 0; i < COUNT; i++) {
            float size = mixed == 1 && i % 40 == 0 ? 150.0f : 1.0f;
            for (int a = 0; a < 3; a++) {
                boxes[i].min[a] = bws_random_float(&random, 0, 300);
                boxes[i].max[a] = boxes[i].min[a] + size;
            }
        }
        assert_int_equal(bw_scene_insert_many(scene, boxes, NULL, COUNT, ids, NULL), BW_OK);
        bw_scene_get_stats(scene, &stats);
        assert_int_equal(stats.nesting, mixed == 1 && BW_RESEARCH ? BW_NESTING_OCTREE : BW_NESTING_MODERN);
        assert_non_null(stats.reason);
        assert_null(bw_scene_check(scene));
        for (int i = 0; i < 20; i++) {
            bw_region region = {.kind = BW_REGION_BOX, .box = boxes[i * 7]};
            uint64_t wanted = 0;
            for (int k = 0; k < COUNT; k++)
                wanted += bw_region_meets(&region, &boxes[k]);
            bw_scene_report report = {0};
            assert_int_equal(bw_scene_query(scene, &region, NULL, &report, NULL), BW_OK);
            assert_int_equal(report.found_count, wanted);
        }
        /* Half of them gone, large ones first: it may choose again. */
        uint32_t removed = 0;
        for (int i = 0; i < COUNT; i++)
            if (i % 40 == 0 || i % 2 == 0) {
                assert_int_equal(bw_scene_remove(scene, ids[i], NULL), BW_OK);
                ids[i] = 0;
                removed++;
            }
        for (int i = 0; i < COUNT && removed < COUNT * 3 / 4; i++)
            if (ids[i] != 0) {
                assert_int_equal(bw_scene_remove(scene, ids[i], NULL), BW_OK);
                ids[i] = 0;
                removed++;
            }
        assert_int_equal(bw_scene_prepare(scene, NULL, NULL, NULL), BW_OK);
        bw_scene_get_stats(scene, &stats);
        assert_int_equal(stats.nesting, BW_NESTING_MODERN);
        assert_null(bw_scene_check(scene));
        for (int i = 0; i < COUNT; i++)
            if (ids[i] != 0)
                assert_int_equal(bw_scene_remove(scene, ids[i], NULL), BW_OK);
    }
    free(boxes);
    free(ids);
    bw_scene_destroy(scene);
}

static bool count_nodes(void *user, const bw_box *box, uint32_t depth, const bw_id *ids, uint32_t count)
{
    uint32_t *seen = user;
    (void)box;
    assert_true(count == 0 ? ids == NULL : ids != NULL);
    seen[0]++;
    seen[1] += count;
    seen[2] = depth > seen[2] ? depth : seen[2];
    return seen[0] != seen[3];
}

static void test_visit(void **state)
{
    const world_nesting *nesting = *state;
    bws_random random = bws_random_seeded(6);
    bw_scene_desc desc = {.nesting = nesting->nesting, .leafy = nesting->leafy, .split_threshold = 10};
    world w = world_create(&random, WORLD_CLUSTERED, 2000, &desc, BW_SIMD_AUTO);
    uint32_t seen[4] = {0};
    assert_int_equal(bw_scene_visit(w.scene, count_nodes, seen, NULL), BW_OK);
    assert_int_equal(seen[0], 0);
    world_insert_many(&w, 2000);
    bw_prepare_report report = {0};
    assert_int_equal(bw_scene_prepare(w.scene, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.pending_count, 0);
    bw_scene_stats stats = {0};
    bw_scene_get_stats(w.scene, &stats);
    assert_int_equal(bw_scene_visit(w.scene, count_nodes, seen, NULL), BW_OK);
    assert_int_equal(seen[0], stats.node_count);
    assert_int_equal(seen[1], 2000);
    assert_int_equal(seen[2], stats.depth);
    seen[0] = 0;
    seen[3] = 2;
    assert_int_equal(bw_scene_visit(w.scene, count_nodes, seen, NULL), BW_OK);
    assert_int_equal(seen[0], 2);
    world_destroy(&w);
}

int main(void)
{
    struct CMUnitTest tests[2 * WORLD_NESTINGS + 5];
    for (int i = 0; i < WORLD_NESTINGS; i++) {
        void *nesting = (void *)(uintptr_t)&world_nestings[i];
        tests[2 * i] = (struct CMUnitTest){"returned", test_returned, NULL, NULL, nesting};
        tests[2 * i + 1] = (struct CMUnitTest){"visit", test_visit, NULL, NULL, nesting};
    }
    tests[2 * WORLD_NESTINGS] = (struct CMUnitTest){"sorted", test_sorted, NULL, NULL, NULL};
    tests[2 * WORLD_NESTINGS + 1] = (struct CMUnitTest){"spread", test_spread, NULL, NULL, NULL};
    tests[2 * WORLD_NESTINGS + 2] = (struct CMUnitTest){"no drift", test_no_drift, NULL, NULL, NULL};
    tests[2 * WORLD_NESTINGS + 3] = (struct CMUnitTest){"auto", test_auto, NULL, NULL, NULL};
    tests[2 * WORLD_NESTINGS + 4] = (struct CMUnitTest){"large worn", test_large_worn, NULL, NULL, NULL};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
