/* Memory that runs out: nothing is made, changed or left behind. */
#include "objects.h"
#include "oracle/failing_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static object a;

static int make(void **state)
{
    (void)state;
    object_make(&a, 4, NULL, NULL);
    return 0;
}

static int done(void **state)
{
    (void)state;
    object_free(&a);
    return 0;
}

static bw_result create(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_adb_desc *kind = user;
    bw_adb_desc desc = *kind;
    bw_adb *adb = NULL;
    desc.allocator = &memory->hook;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_adb_create(&desc, a.tree, &a.view, &adb);
    bw_failing_allocator_fail_none(memory);
    assert_true((result == BW_OK) == (adb != NULL));
    bw_adb_destroy(adb);
    return result;
}

static bw_result update(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_adb_desc *kind = user;
    bw_adb_desc desc = *kind;
    bw_adb *adb;
    desc.allocator = &memory->hook;
    assert_int_equal(bw_adb_create(&desc, a.tree, &a.view, &adb), BW_OK);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_adb_update(adb, &a.view);
    bw_failing_allocator_fail_none(memory);
    assert_null(bw_adb_check(adb, &a.view));
    bw_adb_destroy(adb);
    return result;
}

static bw_result make_state(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_adb_state *state = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_adb_state_create(&memory->hook, &state);
    bw_failing_allocator_fail_none(memory);
    assert_true((result == BW_OK) == (state != NULL));
    bw_adb_state_destroy(state);
    return result;
}

static bw_result train(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_transform poses[2];
    bw_adb_body body = object_body(&a, NULL);
    assert_int_equal(bw_adb_draw_poses(&body, &body, BW_ADB_POSES_SPREAD, 3, poses, 2), BW_OK);
    bw_adb_example example = {body, body, poses, 2, 0};
    bw_adb_model model, before;
    memset(&model, 0x33, sizeof model);
    before = model;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_adb_train(&example, 1, &(bw_adb_train_desc){.allocator = &memory->hook}, &model);
    bw_failing_allocator_fail_none(memory);
    assert_true(result == BW_OK || memcmp(&model, &before, sizeof model) == 0);
    return result;
}

static bw_result try_pair(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_adb_body body = object_body(&a, NULL);
    bw_adb_settings out, before;
    memset(&out, 0x33, sizeof out);
    before = out;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_adb_try(&body, &body, BW_ADB_POSES_CONTACT, 8, &memory->hook, &out);
    bw_failing_allocator_fail_none(memory);
    assert_true(result == BW_OK || memcmp(&out, &before, sizeof out) == 0);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bw_adb_desc moments = {0};
    bw_each_allocation_failure(create, &moments, 4);
    bw_each_allocation_failure(update, &moments, 3);
#if BW_RESEARCH
    bw_adb_desc paper = {.estimator = BW_ESTIMATOR_PAPER},
                octree = {.estimator = BW_ESTIMATOR_PAPER, .hierarchy = BW_ADB_OCTREE};
    bw_each_allocation_failure(create, &paper, 4);
    bw_each_allocation_failure(update, &octree, 4);
#endif
    bw_each_allocation_failure(make_state, NULL, 1);
    bw_each_allocation_failure(train, NULL, 5);
    bw_each_allocation_failure(try_pair, NULL, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, make, done);
}
