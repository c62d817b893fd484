/* Bad input is refused with a clear code, and changes nothing. */
#include "scene/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const bw_box good = {{0, 0, 0}, {1, 1, 1}};

static bw_scene *new_scene(const world_nesting *nesting)
{
    bw_scene_desc desc = {.nesting = nesting->nesting, .leafy = nesting->leafy, .split_threshold = 4};
    bw_scene *scene;
    assert_int_equal(bw_scene_create(&desc, &scene, NULL), BW_OK);
    return scene;
}

static void test_boxes(void **state)
{
    const struct {
        bw_box box;
        bw_result result;
        uint32_t axis;
        double value;
    } bad[] = {{{{NAN, 0, 0}, {1, 1, 1}}, BW_ERROR_NOT_FINITE, 0, NAN},
               {{{0, 0, 0}, {1, NAN, 1}}, BW_ERROR_NOT_FINITE, 1, NAN},
               {{{0, 0, 0}, {1, 1, INFINITY}}, BW_ERROR_NOT_FINITE, 2, INFINITY},
               {{{5, -INFINITY, 0}, {1, 1, 1}}, BW_ERROR_NOT_FINITE, 1, -INFINITY},
               {{{0, 2, 0}, {1e30f, 1, 1}}, BW_ERROR_ARGUMENT, 1, 2},
               {{{0, 0, 0}, {1, 1, -1e-30f}}, BW_ERROR_ARGUMENT, 2, 0},
               {{{0, 0, 0}, {1, 0x1p100f, 1}}, BW_ERROR_RANGE, 1, 0x1p100},
               {{{-0x1p90f, 0, 0}, {1, 1, 1}}, BW_ERROR_RANGE, 0, -0x1p90}};
    bw_scene *scene = new_scene(*state);
    bw_id id, other = 5, ids[3];
    assert_int_equal(bw_scene_insert(scene, &good, 7, &id, NULL), BW_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(bw_scene_insert(scene, &bad[i].box, 0, &other, NULL), bad[i].result);
        assert_int_equal(bw_scene_move(scene, id, &bad[i].box, NULL), bad[i].result);
        assert_int_equal(bw_scene_move_swept(scene, id, &bad[i].box, (bw_vec3){0, 0, 0}, NULL),
                         bad[i].result);
        const bw_box three[3] = {good, bad[i].box, good};
        const bw_id same[3] = {id, id, id};
        bw_fault faults[4];
        assert_int_equal(bw_scene_insert_many(scene, three, NULL, 3, ids, &faults[0]), bad[i].result);
        assert_int_equal(bw_scene_move_many(scene, same, three, 3, &faults[1]), bad[i].result);
        assert_int_equal(bw_scene_insert(scene, &bad[i].box, 0, &other, &faults[2]), bad[i].result);
        assert_int_equal(bw_scene_move(scene, id, &bad[i].box, &faults[3]), bad[i].result);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(faults[k].result, bad[i].result);
            assert_int_equal(faults[k].element, k < 2 ? 1 : BW_NONE);
            assert_int_equal(faults[k].axis, bad[i].axis);
            assert_true(faults[k].value == bad[i].value || isnan(bad[i].value));
        }
        bw_region region = {.kind = BW_REGION_BOX, .box = bad[i].box};
        bw_scene_report report = {.found_count = 3};
        bw_result result = bw_scene_query(scene, &region, NULL, &report, NULL);
        if (bad[i].result == BW_ERROR_ARGUMENT)
            assert_int_equal(result, BW_ERROR_ARGUMENT);
        assert_true(result == BW_OK || report.found_count == 3);
    }
    assert_true(other == 5);
    assert_int_equal(bw_scene_count(scene), 1);
    bw_box box;
    assert_int_equal(bw_scene_get(scene, id, &box, NULL, NULL), BW_OK);
    assert_memory_equal(&box, &good, sizeof box);
    assert_null(bw_scene_check(scene));
    bw_scene_destroy(scene);
}

static void test_ids(void **state)
{
    bw_scene *scene = new_scene(*state);
    bw_id first, second;
    assert_int_equal(bw_scene_insert(scene, &good, 1, &first, NULL), BW_OK);
    assert_int_equal(bw_scene_remove(scene, 0, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_remove(scene, first + 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_remove(scene, first + (2ull << 32), NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_remove(scene, first, NULL), BW_OK);
    assert_int_equal(bw_scene_remove(scene, first, NULL), BW_ERROR_STALE);
    assert_int_equal(bw_scene_insert(scene, &good, 2, &second, NULL), BW_OK);
    assert_true(second != first && second != 0);
    uint64_t user = 9;
    bw_box box = good;
    assert_int_equal(bw_scene_get(scene, first, &box, &user, NULL), BW_ERROR_STALE);
    assert_int_equal(bw_scene_move(scene, first, &good, NULL), BW_ERROR_STALE);
    assert_int_equal(bw_scene_set_user(scene, first, 3, NULL), BW_ERROR_STALE);
    assert_int_equal(bw_scene_move_many(scene, &first, &good, 1, NULL), BW_ERROR_STALE);
    assert_int_equal(bw_scene_set_pose(scene, first, &(bw_transform){{{0}}}, NULL), BW_ERROR_STALE);
    assert_int_equal(bw_scene_set_pose(scene, second, &(bw_transform){{{0}}}, NULL), BW_ERROR_UNSUPPORTED);
    assert_int_equal(user, 9);
    assert_false(bw_scene_has(scene, first));
    assert_true(bw_scene_has(scene, second));
    assert_int_equal(bw_scene_set_user(scene, second, 3, NULL), BW_OK);
    assert_int_equal(bw_scene_get(scene, second, NULL, &user, NULL), BW_OK);
    assert_int_equal(user, 3);
    const bw_id twice[2] = {second, second};
    bw_fault bad;
    assert_int_equal(bw_scene_remove_many(scene, twice, 2, &bad), BW_ERROR_STALE);
    assert_int_equal(bad.element, 1);
    assert_true(bw_scene_has(scene, second));
    assert_int_equal(bw_scene_remove_many(scene, twice, 1, &bad), BW_OK);
    /* Ids stay stale when the memory of their places went back and came again. */
    bw_id ids[100];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            assert_int_equal(bw_scene_insert(scene, &good, 0, &ids[i], NULL), BW_OK);
        assert_false(bw_scene_has(scene, first));
        assert_false(bw_scene_has(scene, second));
        assert_int_equal(bw_scene_remove_many(scene, ids, 100, NULL), BW_OK);
        for (int i = 0; i < 100; i++)
            assert_int_equal(bw_scene_remove(scene, ids[i], NULL), BW_ERROR_STALE);
    }
    bw_scene_destroy(scene);
}

static void test_arguments(void **state)
{
    bw_scene *scene = new_scene(*state), *none = NULL;
    bw_id id = 0;
    uint32_t found = 0;
    bw_scene_hit hit;
    bw_region region = {.kind = BW_REGION_BOX, .box = good};
    bw_ray ray = {.direction = {1, 0, 0}};
    bw_transform pose = bw_transform_identity();
    assert_int_equal(bw_scene_create(NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_create(&(bw_scene_desc){.nesting = (bw_nesting)17}, &none, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_create(&(bw_scene_desc){.tasks = &(bw_tasks){0}}, &none, NULL),
                     BW_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(bw_scene_insert(NULL, &good, 0, &id, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert(scene, NULL, 0, &id, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert(scene, &good, 0, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert_sphere(NULL, (bw_vec3){0, 0, 0}, 1, 0, &id, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert_sphere(scene, (bw_vec3){0, 0, 0}, -1, 0, &id, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert_sphere(scene, (bw_vec3){0, NAN, 0}, 1, 0, &id, NULL),
                     BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_scene_insert_sphere(scene, (bw_vec3){1e300, 0, 0}, 1, 0, &id, NULL),
                     BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_scene_remove(NULL, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_move(NULL, 1, &good, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_move(scene, 1, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_move_swept(scene, 1, NULL, (bw_vec3){0, 0, 0}, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_move_swept(scene, 1, &good, (bw_vec3){0, INFINITY, 0}, NULL),
                     BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_scene_insert_many(scene, NULL, NULL, 2, &id, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert_many(scene, NULL, NULL, 0, NULL, NULL), BW_OK);
    assert_int_equal(bw_scene_move_many(scene, NULL, &good, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_move_many(scene, NULL, NULL, 0, NULL), BW_OK);
    assert_int_equal(bw_scene_remove_many(NULL, &id, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_get(NULL, 1, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_set_user(NULL, 1, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_count(NULL), 0);
    assert_true(bw_scene_bounds(NULL).min[0] > bw_scene_bounds(NULL).max[0]);
    assert_int_equal(bw_scene_prepare(NULL, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_prepare(scene, &(bw_box){{NAN, 0, 0}, {0, 0, 0}}, NULL, NULL),
                     BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_scene_query(scene, NULL, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_query_many(NULL, &region, 1, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_query_many(scene, NULL, 0, NULL, NULL, NULL), BW_OK);
    assert_int_equal(bw_scene_paths_create(NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_cast(scene, NULL, &(bw_scene_search){.any = true}, &hit, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_nearest(scene, (bw_vec3){0, 0, 0}, NULL, NULL, 1, &found, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_nearest(scene, (bw_vec3){0, NAN, 0}, NULL, &hit, 1, &found, NULL),
                     BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_scene_nearest(scene, (bw_vec3){0, 0, 0}, NULL, &hit, 1, &found, NULL), BW_OK);
    assert_int_equal(bw_scene_pairs(NULL, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_pairs_changed(NULL, NULL, NULL, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_pairs_changed(scene, NULL, NULL, NULL, NULL, NULL), BW_ERROR_UNSUPPORTED);
    assert_int_equal(bw_scene_insert_scene(scene, NULL, &pose, 0, &id, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_insert_scene(scene, scene, &pose, 0, &id, NULL), BW_ERROR_CYCLE);
    assert_int_equal(bw_scene_set_pose(NULL, 1, &pose, NULL), BW_ERROR_ARGUMENT);
    assert_null(bw_scene_child(NULL, 1, NULL));
    assert_int_equal(bw_scene_visit(scene, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_non_null(bw_scene_check(NULL));
    bw_scene_get_stats(NULL, NULL);
    bw_view_cache_destroy(NULL);
    assert_int_equal(bw_view_cache_create(NULL, NULL), BW_ERROR_ARGUMENT);
    /* regions */
    region.kind = (bw_region_kind)9;
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_false(bw_region_meets(&region, &good));
    region = (bw_region){.kind = BW_REGION_SPHERE, .radius = -1};
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    region.radius = NAN;
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_NOT_FINITE);
    region = (bw_region){.kind = BW_REGION_SPHERE, .radius = 1, .pose = &pose};
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_UNSUPPORTED);
    region = (bw_region){.kind = BW_REGION_CAPSULE, .radius = -1};
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    region = (bw_region){.kind = BW_REGION_CAPSULE, .end = {INFINITY, 0, 0}};
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_NOT_FINITE);
    region = (bw_region){.kind = BW_REGION_CAPSULE, .centre = {-1e308, 0, 0}, .end = {1e308, 0, 0}};
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_RANGE);
    region = (bw_region){.kind = BW_REGION_PLANES, .plane_count = 1};
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_plane plane = {{1e30f, 0, 0}, 0};
    region.planes = &plane;
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_RANGE);
    plane.n[0] = NAN;
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_NOT_FINITE);
    ray.direction.x = 0;
    assert_int_equal(bw_scene_cast(scene, &ray, &(bw_scene_search){.any = true}, &hit, NULL),
                     BW_ERROR_ARGUMENT);
    ray.direction.x = INFINITY;
    assert_int_equal(bw_scene_cast(scene, &ray, &(bw_scene_search){.any = true}, &hit, NULL),
                     BW_ERROR_NOT_FINITE);
    assert_true(id == 0);
    bw_scene_destroy(scene);
    bw_scene_destroy(NULL);
}

static bool stop_at_once(void *user, const bw_id *ids, size_t count, uint32_t path)
{
    (void)ids, (void)path;
    *(size_t *)user += count;
    return false;
}

static bool stop_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    (void)pairs, (void)paths;
    *(size_t *)user += count;
    return false;
}

/* A full buffer and a stopped search say so. */
static void test_statuses(void **state)
{
    bw_scene *scene = new_scene(*state);
    bw_id ids[600], some[5];
    for (int i = 0; i < 600; i++)
        assert_int_equal(bw_scene_insert(scene, &good, 0, &ids[i], NULL), BW_OK);
    bw_plane plane = {{0, 0, 1}, 5};
    const bw_region regions[] = {{.kind = BW_REGION_BOX, .box = good},
                                 {.kind = BW_REGION_SPHERE, .radius = 3},
                                 {.kind = BW_REGION_PLANES, .planes = &plane, .plane_count = 1}};
    for (int k = 0; k < 3; k++) {
        bw_scene_output output = {.ids = some, .id_capacity = 5};
        bw_scene_report report = {0};
        assert_int_equal(bw_scene_query(scene, &regions[k], &output, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_FULL);
        assert_int_equal(report.found_count, 600);
        size_t seen = 0;
        output = (bw_scene_output){.on_objects = stop_at_once, .user = &seen};
        assert_int_equal(bw_scene_query(scene, &regions[k], &output, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_STOPPED);
        assert_true(seen > 0 && seen == report.found_count);
    }
    bw_pair pairs[5];
    bw_pair_output output = {.pairs = pairs, .pair_capacity = 5};
    bw_pair_report report = {0};
    assert_int_equal(bw_scene_pairs(scene, &output, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_FULL);
    assert_int_equal(report.found_count, 600 * 599 / 2);
    size_t seen = 0;
    output = (bw_pair_output){.on_pairs = stop_pairs, .user = &seen};
    assert_int_equal(bw_scene_pairs(scene, &output, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_STOPPED);
    assert_true(seen > 0 && seen < 600 * 599 / 2);
    bw_scene_destroy(scene);
}

static void test_spheres(void **state)
{
    bw_scene *scene = new_scene(*state);
    bw_id id;
    bw_box box;
    bws_random random = bws_random_seeded(3);
    assert_int_equal(bw_scene_insert_sphere(scene, (bw_vec3){1, 2, 3}, 0.5, 0, &id, NULL), BW_OK);
    assert_int_equal(bw_scene_get(scene, id, &box, NULL, NULL), BW_OK);
    assert_true(box.min[0] == 0.5f && box.max[1] == 2.5f && box.min[2] == 2.5f);
    for (int i = 0; i < 3000; i++) {
        double c = bws_random_double(&random, -1, 1) * pow(10, (double)bws_random_int(&random, -8, 8));
        double r = bws_random_unit(&random) * pow(10, (double)bws_random_int(&random, -8, 8));
        assert_int_equal(bw_scene_move_sphere(scene, id, (bw_vec3){c, c, c}, r, NULL), BW_OK);
        assert_int_equal(bw_scene_get(scene, id, &box, NULL, NULL), BW_OK);
        /* The exact ends, in long double, lie inside by less than one float. */
        long double low = (long double)c - (long double)r, high = (long double)c + (long double)r;
        assert_true((long double)box.min[0] <= low && (long double)nextafterf(box.min[0], INFINITY) > low);
        assert_true((long double)box.max[0] >= high && (long double)nextafterf(box.max[0], -INFINITY) < high);
    }
    bw_box start = {{0, 0, 0}, {1, 1, 1}};
    assert_int_equal(bw_scene_move_swept(scene, id, &start, (bw_vec3){2, -3, 0}, NULL), BW_OK);
    assert_int_equal(bw_scene_get(scene, id, &box, NULL, NULL), BW_OK);
    assert_true(box.min[0] == 0 && box.max[0] == 3 && box.min[1] == -3 && box.max[1] == 1 && box.max[2] == 1);
    bw_scene_destroy(scene);
}

/* All of space as a box finds all, and nothing in the slots of nodes that are empty. */
static void test_infinite(void **state)
{
    bw_scene *scene = new_scene(*state);
    bw_id id;
    for (int i = 0; i < 100; i++) {
        const bw_box box = {{(float)i, 0, 0}, {(float)i + 0.5f, 1, 1}};
        assert_int_equal(bw_scene_insert(scene, &box, 0, &id, NULL), BW_OK);
    }
    const bw_region all = {.kind = BW_REGION_BOX,
                           .box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}};
    bw_scene_report report = {0};
    assert_int_equal(bw_scene_query(scene, &all, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.found_count, 100);
    bw_scene_destroy(scene);
}

/* Structures that were not initialised are told from those of another version, and nothing is written. */
static void test_layouts(void **state)
{
    bw_scene *scene = new_scene(*state), *none = NULL;
    bw_id id;
    assert_int_equal(bw_scene_insert(scene, &good, 7, &id, NULL), BW_OK);
    bw_scene_desc desc = {.size = 0xdeadbeef};
    assert_int_equal(bw_scene_create(&desc, &none, NULL), BW_ERROR_LAYOUT);
    bw_region region = {.box = good};
    bw_scene_report report = {.size = 3, .found_count = 5};
    bw_scene_output output = {.size = 3};
    assert_int_equal(bw_scene_query(scene, &region, NULL, &report, NULL), BW_ERROR_LAYOUT);
    assert_int_equal(bw_scene_query(scene, &region, &output, NULL, NULL), BW_ERROR_LAYOUT);
    assert_int_equal(bw_scene_query_many(scene, &region, 1, NULL, &report, NULL), BW_ERROR_LAYOUT);
    assert_int_equal(report.found_count, 5);
    report = BW_SIZED(bw_scene_report);
    assert_int_equal(bw_scene_query(scene, &region, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.found_count, 1);
    assert_int_equal(report.size, sizeof report);
    region.size = 1;
    assert_int_equal(bw_scene_query(scene, &region, NULL, NULL, NULL), BW_ERROR_LAYOUT);
    bw_pair_report pairs = {.size = 3};
    bw_pair_output pairs_to = {.size = 3};
    assert_int_equal(bw_scene_pairs(scene, NULL, &pairs, NULL), BW_ERROR_LAYOUT);
    assert_int_equal(bw_scene_pairs(scene, &pairs_to, NULL, NULL), BW_ERROR_LAYOUT);
    bw_prepare_report prepared = {.size = 3};
    assert_int_equal(bw_scene_prepare(scene, NULL, &prepared, NULL), BW_ERROR_LAYOUT);
    bw_scene_search search = {.size = 3};
    bw_ray ray = {.direction = {1, 0, 0}};
    bw_scene_hit hit;
    assert_int_equal(bw_scene_cast(scene, &ray, &search, &hit, NULL), BW_ERROR_LAYOUT);
    /* A later version's descriptor that asks for nothing new, and one that does. */
    struct {
        bw_scene_search known;
        uint64_t later;
    } newer = {.known = {.size = sizeof newer}};
    assert_int_equal(bw_scene_cast(scene, &ray, &newer.known, &hit, NULL), BW_OK);
    newer.later = 1;
    assert_int_equal(bw_scene_cast(scene, &ray, &newer.known, &hit, NULL), BW_ERROR_UNSUPPORTED);
    bw_scene_destroy(scene);
}

/* The difference of the points is the direction. */
static void test_ray_between(void **state)
{
    bw_scene *scene = new_scene(*state);
    bw_id id;
    const bw_box box = {{10, -1, -1}, {11, 1, 1}};
    assert_int_equal(bw_scene_insert(scene, &box, 0, &id, NULL), BW_OK);
    const bw_ray ray = {.origin = {6, 0, 0}, .direction = {8, 0, 0}, .between = true};
    bw_scene_hit hit;
    assert_int_equal(bw_scene_cast(scene, &ray, NULL, &hit, NULL), BW_OK);
    assert_true(hit.id == id && hit.value == 2);
    const bw_ray nowhere = {.origin = {6, 0, 0}, .direction = {6, 0, 0}, .between = true};
    assert_int_equal(bw_scene_cast(scene, &nowhere, NULL, &hit, NULL), BW_ERROR_ARGUMENT);
    bw_scene_destroy(scene);
}

int main(void)
{
    static const struct {
        const char *name;
        CMUnitTestFunction function;
    } functions[] = {{"boxes", test_boxes},         {"ids", test_ids},
                     {"arguments", test_arguments}, {"statuses", test_statuses},
                     {"spheres", test_spheres},     {"infinite", test_infinite},
                     {"layouts", test_layouts},     {"ray between", test_ray_between}};
    struct CMUnitTest tests[8 * WORLD_NESTINGS];
    for (int i = 0; i < 8 * WORLD_NESTINGS; i++)
        tests[i] =
            (struct CMUnitTest){functions[i / WORLD_NESTINGS].name, functions[i / WORLD_NESTINGS].function,
                                NULL, NULL, (void *)(uintptr_t)&world_nestings[i % WORLD_NESTINGS]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
