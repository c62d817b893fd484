/* The same bits for every level of instructions and every number of threads: order of results included. */
#include "oracle/pool.h"
#include "scene/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OBJECTS = 9000, QUERIES = 64 };

typedef struct trace {
    bw_id *ids;
    bw_pair *pairs;
    uint64_t id_count, pair_count;
} trace;

static bw_id *all_ids(const bw_scene *scene, uint64_t *count)
{
    bw_id *ids = malloc(OBJECTS * sizeof *ids);
    bw_region all = {.kind = BW_REGION_PLANES};
    bw_scene_output output = {.ids = ids, .id_capacity = OBJECTS};
    bw_scene_report report = {0};
    assert_int_equal(bw_scene_query(scene, &all, &output, &report, NULL), BW_OK);
    *count = report.found_count;
    return ids;
}

/* One history, and everything that comes out at its end. */
static trace run(uint64_t seed, world_shape shape, bw_nesting nesting, bw_simd simd, const bw_tasks *tasks)
{
    bws_random random = bws_random_seeded(seed);
    bw_scene_desc desc = {.nesting = nesting, .tasks = tasks};
    world w = world_create(&random, shape, OBJECTS, &desc, simd);
    world_insert_many(&w, OBJECTS);
    assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
    for (int round = 0; round < 3; round++) {
        world_move_many(&w, OBJECTS, round == 2);
        world_check(&w);
    }
    trace t = {0};
    t.ids = all_ids(w.scene, &t.id_count);
    t.ids = realloc(t.ids, (OBJECTS + QUERIES * 1024) * sizeof *t.ids);
    bw_region regions[QUERIES];
    bw_scene_output outputs[QUERIES];
    bw_scene_report reports[QUERIES] = {0};
    bw_plane planes[QUERIES][6];
    for (int i = 0; i < QUERIES; i++) {
        regions[i] = (bw_region){.kind = (bw_region_kind)(i % 4), .box = world_query_box(&w), .radius = 9};
        regions[i].centre = (bw_vec3){(double)regions[i].box.min[0], 3, 4};
        regions[i].ray = (bw_ray){.origin = regions[i].centre, .direction = {1, 0.5, 0.25}};
        regions[i].planes = planes[i];
        regions[i].plane_count = world_planes(&w, planes[i]);
        outputs[i] = (bw_scene_output){.ids = t.ids + OBJECTS + 1024 * i, .id_capacity = 1024};
        memset(outputs[i].ids, 0, 1024 * sizeof(bw_id));
    }
    assert_int_equal(bw_scene_query_many(w.scene, regions, QUERIES, outputs, reports, NULL), BW_OK);
    for (int i = 0; i < QUERIES; i++) {
        bw_scene_report alone = {0};
        assert_int_equal(bw_scene_query(w.scene, &regions[i], NULL, &alone, NULL), BW_OK);
        assert_int_equal(alone.found_count, reports[i].found_count);
    }
    bw_pair_report report = {0};
    assert_int_equal(bw_scene_pairs(w.scene, NULL, &report, NULL), BW_OK);
    t.pair_count = report.found_count;
    t.pairs = malloc((t.pair_count + 1) * sizeof *t.pairs);
    bw_pair_output output = {.pairs = t.pairs, .pair_capacity = t.pair_count};
    assert_int_equal(bw_scene_pairs(w.scene, &output, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    world_destroy(&w);
    return t;
}

static void same(const trace *a, const trace *b)
{
    assert_int_equal(a->id_count, b->id_count);
    assert_int_equal(a->pair_count, b->pair_count);
    assert_memory_equal(a->ids, b->ids, a->id_count * sizeof *a->ids);
    assert_memory_equal(a->ids + OBJECTS, b->ids + OBJECTS, QUERIES * 1024 * sizeof *a->ids);
    assert_memory_equal(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs);
}

static void drop(trace *t)
{
    free(t->ids);
    free(t->pairs);
}

static void test_same(void **state)
{
    (void)state;
    static const world_shape shapes[] = {WORLD_UNIFORM, WORLD_CLUSTERED, WORLD_LINE, WORLD_GRID};
    static const bw_nesting nestings[] = {BW_NESTING_MODERN,
                                          BW_RESEARCH ? BW_NESTING_OCTREE : BW_NESTING_AUTO};
    bw_pool *two = test_pool_create(2), *five = test_pool_create(5);
    for (int s = 0; s < 4; s++)
        for (int n = 0; n < 2; n++) {
            if (n == 1 && s > 0)
                continue;
            trace serial = run(7, shapes[s], nestings[n], BW_SIMD_AUTO, NULL);
            trace others[] = {run(7, shapes[s], nestings[n], BW_SIMD_128, NULL),
                              run(7, shapes[s], nestings[n], BW_SIMD_AUTO, bw_pool_tasks(two)),
                              run(7, shapes[s], nestings[n], BW_SIMD_128, bw_pool_tasks(five))};
            for (int i = 0; i < 3; i++) {
                same(&serial, &others[i]);
                drop(&others[i]);
            }
            drop(&serial);
        }
    bw_pool_destroy(two);
    bw_pool_destroy(five);
}

/* What a view remembers changes the time only. */
static void test_view_cache(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(3);
    for (int n = 0; n < WORLD_NESTINGS; n++) {
        bw_scene_desc desc = {
            .nesting = world_nestings[n].nesting, .leafy = world_nestings[n].leafy, .split_threshold = 16};
        world w = world_create(&random, WORLD_UNIFORM, 2000, &desc, BW_SIMD_AUTO);
        world_insert_many(&w, 2000);
        assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
        bw_view_cache *cache;
        assert_int_equal(bw_view_cache_create(NULL, &cache), BW_OK);
        for (int i = 0; i < 60; i++) {
            bw_plane planes[6];
            bw_region region = {.kind = BW_REGION_PLANES, .planes = planes, .cache = cache};
            region.plane_count = world_planes(&w, planes);
            for (int again = 0; again < 2; again++)
                world_compare_region(&w, &region);
            if (i % 10 == 0)
                world_move_many(&w, 500, false);
        }
        bw_view_cache_destroy(cache);
        world_destroy(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_view_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
