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
    const bw_anytime_desc *kind = user;
    bw_anytime_desc desc = *kind;
    bw_anytime *anytime = NULL;
    desc.allocator = &memory->hook;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_anytime_create(&desc, a.tree, &a.view, &anytime, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((result == BW_OK) == (anytime != NULL));
    bw_anytime_destroy(anytime);
    return result;
}

static bw_result update(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_anytime_desc *kind = user;
    bw_anytime_desc desc = *kind;
    bw_anytime *anytime;
    desc.allocator = &memory->hook;
    assert_int_equal(bw_anytime_create(&desc, a.tree, &a.view, &anytime, NULL), BW_OK);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_anytime_update(anytime, &a.view, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_null(bw_anytime_check(anytime, &a.view));
    bw_anytime_destroy(anytime);
    return result;
}

static bw_result make_state(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_anytime_cache *state = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_anytime_cache_create(&memory->hook, &state, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((result == BW_OK) == (state != NULL));
    bw_anytime_cache_destroy(state);
    return result;
}

static bw_result train(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_transform poses[2];
    bw_anytime_body body = object_body(&a, NULL);
    assert_int_equal(bw_anytime_draw_poses(&body, &body, BW_ANYTIME_POSES_SPREAD, 3, poses, 2, NULL), BW_OK);
    bw_anytime_example example = {body, body, poses, 2, 0};
    bw_anytime_model model, before;
    memset(&model, 0x33, sizeof model);
    before = model;
    bw_failing_allocator_fail(memory, n);
    bw_result result =
        bw_anytime_train(&example, 1, &(bw_anytime_train_desc){.allocator = &memory->hook}, &model, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true(result == BW_OK || memcmp(&model, &before, sizeof model) == 0);
    return result;
}

static bw_result try_pair(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_anytime_body body = object_body(&a, NULL);
    bw_anytime_settings out, before;
    memset(&out, 0x33, sizeof out);
    before = out;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_anytime_try(&body, &body, BW_ANYTIME_POSES_CONTACT, 8, &memory->hook, &out, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true(result == BW_OK || memcmp(&out, &before, sizeof out) == 0);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bw_anytime_desc moments = {0};
    bw_each_allocation_failure(create, &moments, 4);
    bw_each_allocation_failure(update, &moments, 3);
#if BW_RESEARCH
    bw_anytime_desc paper = {.estimator = BW_ESTIMATOR_PAPER},
                    octree = {.estimator = BW_ESTIMATOR_PAPER, .hierarchy = BW_ANYTIME_OCTREE};
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
