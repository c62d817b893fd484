/* Bad input is refused, names what is wrong, and changes nothing; every allocation may fail. */
#include "oracle/failing_allocator.h"
#include "world/playground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_arguments(void **state)
{
    (void)state;
    bw_world *world = NULL;
    bw_fault fault;
    assert_int_equal(bw_world_create(NULL, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_world_create(&(bw_world_desc){.separation = -1}, &world, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_world_create(&(bw_world_desc){.separation = NAN}, &world, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_world_create(&(bw_world_desc){.size = 3}, &world, &fault), BW_ERROR_LAYOUT);
    assert_null(world);
    assert_int_equal(bw_world_create(NULL, &world, NULL), BW_OK);
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1},
                   bad = {.kind = BW_SHAPE_SPHERE, .radius = -1};
    bw_id id = 77, ids[2];
    assert_int_equal(bw_world_insert(world, &(bw_world_body){0}, &id, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_world_insert(world, &(bw_world_body){.shape = &bad}, &id, &fault), BW_ERROR_ARGUMENT);
    bw_transform pose = bw_transform_identity();
    pose.m[0][3] = NAN;
    assert_int_equal(bw_world_insert(world, &(bw_world_body){.shape = &ball, .pose = &pose}, &id, &fault),
                     BW_ERROR_NOT_FINITE);
    pose.m[0][3] = 1e19;
    assert_int_equal(bw_world_insert(world, &(bw_world_body){.shape = &ball, .pose = &pose}, &id, &fault),
                     BW_ERROR_RANGE);
    assert_int_equal(id, 77);
    const bw_world_body two[2] = {{.shape = &ball}, {.shape = &bad}};
    assert_int_equal(bw_world_insert_many(world, two, 2, ids, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.element, 1);
    assert_int_equal(bw_world_body_count(world), 0);
    assert_int_equal(bw_world_insert(world, &two[0], &id, NULL), BW_OK);
    assert_int_equal(bw_world_move(world, id, &pose, &fault), BW_ERROR_RANGE);
    const bw_id twice[2] = {id, id};
    const bw_transform poses[2] = {bw_transform_identity(), bw_transform_identity()};
    assert_int_equal(bw_world_move_many(world, twice, poses, 2, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.element, 1);
    assert_int_equal(bw_world_move(world, id + 1, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_world_allow(world, id, id, true, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_world_remove(world, id, NULL), BW_OK);
    assert_int_equal(bw_world_remove(world, id, &fault), BW_ERROR_STALE);
    assert_int_equal(bw_world_move(world, id, NULL, &fault), BW_ERROR_STALE);
    assert_int_equal(bw_world_changed(world, id, &fault), BW_ERROR_STALE);
    assert_int_equal(bw_world_step(world, NULL, NULL, NULL), BW_OK);
    assert_null(bw_world_check(world));
    bw_world_destroy(world);
    bw_world_destroy(NULL);
}

/* What is NULL is told, by every call. */
static void test_nothing_given(void **state)
{
    (void)state;
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1};
    const bw_placed_shape placed = {&ball, NULL};
    const bw_world_body body = {.shape = &ball};
    const bw_transform pose = bw_transform_identity();
    const bw_ray ray = {.direction = {1, 0, 0}};
    bw_world *world = NULL;
    bw_rigid_motion motion;
    bw_world_ray_hit hit;
    bw_world_impact impact;
    bw_world_distance_report near = {0};
    bw_world_advance_report advanced = {0};
    bw_id id = 0;
    uint32_t count;
    bw_fault fault;
    assert_int_equal(bw_rigid_motion_between(&pose, &pose, (bw_vec3){0, 0, 0}, &motion), BW_OK);
    assert_int_equal(bw_world_create(NULL, &world, NULL), BW_OK);
    const bw_result all[] = {
        bw_world_insert(NULL, &body, &id, &fault),
        bw_world_insert(world, NULL, &id, &fault),
        bw_world_insert_many(NULL, &body, 1, &id, &fault),
        bw_world_insert_many(world, NULL, 1, &id, &fault),
        bw_world_insert_many(world, &body, 1, NULL, &fault),
        bw_world_remove(NULL, 0, &fault),
        bw_world_get(NULL, 0, &(bw_world_body){0}, &fault),
        bw_world_get(world, 0, NULL, &fault),
        bw_world_move(NULL, 0, &pose, &fault),
        bw_world_move_many(NULL, &id, &pose, 1, &fault),
        bw_world_move_many(world, NULL, &pose, 1, &fault),
        bw_world_move_many(world, &id, NULL, 1, &fault),
        bw_world_changed(NULL, 0, &fault),
        bw_world_set_filter(NULL, 0, 1, 1, 0, &fault),
        bw_world_allow(NULL, 0, 1, true, &fault),
        bw_world_step(NULL, NULL, NULL, &fault),
        bw_world_advance(NULL, &id, &pose, 1, NULL, &advanced, &fault),
        bw_world_advance(world, NULL, &pose, 1, NULL, &advanced, &fault),
        bw_world_advance(world, NULL, NULL, 0, &(bw_world_advance_desc){.tolerance = -1}, &advanced, &fault),
        bw_world_raycast(NULL, &ray, NULL, &hit, 1, &count, &fault),
        bw_world_raycast(world, NULL, NULL, &hit, 1, &count, &fault),
        bw_world_raycast_many(NULL, &ray, 1, NULL, &hit, &fault),
        bw_world_raycast_many(world, &ray, 1, NULL, NULL, &fault),
        bw_world_sweep(world, NULL, &motion, NULL, &impact, &fault),
        bw_world_sweep(world, &ball, NULL, NULL, &impact, &fault),
        bw_world_overlap(world, NULL, NULL, &id, 1, &count, &fault),
        bw_world_overlap(world, &placed, NULL, NULL, 1, &count, &fault),
        bw_world_distance(world, NULL, 1, NULL, &near, &fault),
        bw_world_distance(world, &placed, -1, NULL, &near, &fault),
        bw_world_distance(world, &placed, 1, NULL, NULL, &fault),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != BW_ERROR_ARGUMENT)
            fail_msg("call %zu: %s", i, bw_result_string(all[i]));
    assert_string_equal(bw_world_check(NULL), "no world");
    bw_world_destroy(world);
}

/* A body that is moved by NULL stands where it was made, as one without a pose does; trees may be empty. */
static void test_no_pose(void **state)
{
    (void)state;
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1};
    bw_transform away = bw_transform_identity();
    away.m[0][3] = 9;
    bw_world *world = NULL;
    bw_tree *empty = NULL, *points = NULL;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t first[3] = {0, 1, 2};
    const bw_mesh triangle = {corners, BW_F32, 3, 0, first, 1}, cloud = {corners, BW_F32, 3, 0, NULL, 0};
    assert_int_equal(bw_tree_create(NULL, &triangle, &empty, NULL), BW_OK);
    assert_int_equal(bw_tree_remove(empty, &triangle, first, 1, NULL), BW_OK);
    assert_int_equal(bw_tree_create(NULL, &cloud, &points, NULL), BW_OK);
    assert_int_equal(bw_world_create(NULL, &world, NULL), BW_OK);
    bw_id still, moved, nothing;
    assert_int_equal(bw_world_insert(world, &(bw_world_body){.shape = &ball}, &still, NULL), BW_OK);
    assert_int_equal(bw_world_insert(world, &(bw_world_body){.shape = &ball, .pose = &away}, &moved, NULL),
                     BW_OK);
    assert_int_equal(
        bw_world_insert(world, &(bw_world_body){.tree = empty, .mesh = &triangle}, &nothing, NULL), BW_OK);
    bw_fault fault;
    bw_world_body body = {.tree = points, .mesh = &cloud};
    assert_int_equal(bw_world_insert(world, &body, &nothing, &fault), BW_ERROR_UNSUPPORTED);
    bw_world_step_report report = {0};
    assert_int_equal(bw_world_step(world, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, 0);
    assert_int_equal(bw_world_move(world, moved, NULL, NULL), BW_OK);
    assert_int_equal(bw_world_move(world, nothing, NULL, NULL), BW_OK);
    assert_int_equal(bw_world_step(world, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, 1);
    assert_true(report.contacts[0].a == still && report.contacts[0].b == moved);
    assert_int_equal(bw_world_get(world, moved, &body, NULL), BW_OK);
    assert_null(body.pose);
    assert_null(bw_world_check(world));
    bw_transform flat = away;
    flat.m[0][0] = NAN;
    assert_int_equal(bw_world_move(world, nothing, &flat, &fault), BW_ERROR_NOT_FINITE);
    bw_world_destroy(world);
    bw_tree_destroy(empty);
    bw_tree_destroy(points);
}

/* A few steps with changes; where an allocation fails, the same call made again goes through, and the world is sound. */
static bw_result steps(bw_failing_allocator *memory, uint64_t n, void *user)
{
    static playground p;
    (void)user;
    const bw_world_desc desc = {.allocator = &memory->hook};
    play_begin(&p, 11, &desc, 1.2);
    for (int i = 0; i < 3; i++)
        play_change(&p);
    bw_result result = BW_OK;
    for (int step = 0; step < 3; step++) {
        bw_world_step_report report = {0};
        if (step == 1 && memory->refused == 0)
            bw_failing_allocator_fail(memory, n);
        bw_result now = bw_world_step(p.world, NULL, &report, NULL);
        if (now != BW_OK) {
            result = now;
            now = bw_world_step(p.world, NULL, &report, NULL);
        }
        assert_int_equal(now, BW_OK);
        assert_null(bw_world_check(p.world));
        play_compare(&p, &report);
        bw_failing_allocator_fail_none(memory);
        play_change(&p);
        play_change(&p);
    }
    play_end(&p);
    /* What caches have no memory for is only slower. */
    return memory->refused != 0 ? BW_ERROR_MEMORY : result;
}

static void test_faults(void **state)
{
    (void)state;
    bw_each_allocation_failure(steps, NULL, 5);
}

static bw_result insertions(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_failing_allocator_fail(memory, n);
    bw_world *world = NULL;
    bw_id ids[300];
    bw_world_body bodies[300];
    bw_transform poses[300];
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1};
    const bw_world_desc desc = {.allocator = &memory->hook};
    bw_result result = bw_world_create(&desc, &world, NULL);
    for (int i = 0; i < 300; i++) {
        poses[i] = bw_transform_identity();
        poses[i].m[0][3] = i;
        bodies[i] = (bw_world_body){.shape = &ball, .pose = &poses[i]};
    }
    if (result == BW_OK)
        result = bw_world_insert_many(world, bodies, 300, ids, NULL);
    for (int i = 0; i < 300; i++)
        poses[i].m[1][3] = 100;
    if (result == BW_OK)
        result = bw_world_move_many(world, ids, poses, 300, NULL);
    if (result == BW_OK)
        result = bw_world_allow(world, ids[0], ids[1], true, NULL);
    bw_world_ray_hit hits[40];
    uint32_t count;
    const bw_ray ray = {.origin = {-5, 100, 0}, .direction = {1, 0, 0}};
    if (result == BW_OK)
        result = bw_world_raycast(world, &ray, NULL, hits, 40, &count, NULL);
    bw_world_advance_report report = {0};
    if (result == BW_OK)
        result = bw_world_advance(world, ids, poses, 300, NULL, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    if (world != NULL)
        assert_null(bw_world_check(world));
    bw_world_destroy(world);
    return result;
}

static void test_fault_insertions(void **state)
{
    (void)state;
    bw_each_allocation_failure(insertions, NULL, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments), cmocka_unit_test(test_nothing_given),
                                       cmocka_unit_test(test_no_pose), cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_fault_insertions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
