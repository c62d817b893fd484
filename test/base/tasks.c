/* The inside of the task hook: every item once, serial where that is enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/tasks.h"
#include "oracle/random.h"

enum { MOST = 1000 };

typedef struct work {
    int done[MOST];
    int calls;
    uint32_t smallest; /* range but the last */
    uint32_t count;
} work;

static void mark(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    work *w = context;
    assert_true(begin < end && end <= w->count && worker < 3);
    for (uint32_t i = begin; i < end; i++)
        w->done[i]++;
    w->calls++;
    if (end < w->count && end - begin < w->smallest)
        w->smallest = end - begin;
}

static void backwards(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    ++*(int *)user;
    uint32_t ranges = (count + grain - 1) / grain;
    for (uint32_t r = ranges; r-- > 0;)
        fn(context, r * grain, (r + 1) * grain < count ? (r + 1) * grain : count, r % 3);
}

static void covers_all_once(bws_random *random, void *user)
{
    (void)user;
    uint32_t count = (uint32_t)bws_random_below(random, MOST);
    uint32_t grain = (uint32_t)bws_random_below(random, 50);
    int used = 0;
    bw_tasks tasks = {backwards, &used, 1 + (uint32_t)bws_random_below(random, 3)};
    assert_int_equal(bw_tasks_check(&tasks), BW_OK);
    assert_int_equal(bw_workers(&tasks), tasks.worker_count);
    work w;
    memset(&w, 0, sizeof w);
    w.count = count;
    w.smallest = UINT32_MAX;
    bw_parallel(&tasks, mark, &w, count, grain);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(w.done[i], 1);
    assert_true(w.smallest >= grain);
    assert_int_equal(used, tasks.worker_count > 1 && count > grain && count > 0);
}

static void test_covers_all_once(void **state)
{
    (void)state;
    BW_EACH_SEED(300, covers_all_once, NULL);
}

static void test_serial(void **state)
{
    (void)state;
    work w;
    memset(&w, 0, sizeof w);
    w.count = 100;
    bw_parallel(NULL, mark, &w, 100, 1);
    assert_int_equal(w.calls, 1);
    bw_parallel(NULL, mark, &w, 0, 1);
    assert_int_equal(w.calls, 1);
    assert_int_equal(bw_workers(NULL), 1);
}

static void test_bad_hooks(void **state)
{
    (void)state;
    assert_int_equal(bw_tasks_check(NULL), BW_OK);
    assert_int_equal(bw_tasks_check(&(bw_tasks){NULL, NULL, 1}), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tasks_check(&(bw_tasks){backwards, NULL, 0}), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tasks_check(&(bw_tasks){backwards, NULL, BW_MAX_WORKERS + 1}), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tasks_check(&(bw_tasks){backwards, NULL, BW_MAX_WORKERS}), BW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covers_all_once),
        cmocka_unit_test(test_serial),
        cmocka_unit_test(test_bad_hooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
