/* The pool of boxwood/pool.h: every item is worked on once, in rounds within rounds; bad input is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <boxwood/pool.h>

typedef struct tally {
    const bw_tasks *tasks;
    uint8_t counts[1000];
    uint8_t inner[1000][10];
    int busy[8]; /* each written by one thread at a time, or the thread sanitizer tells */
} tally;

static void count_inner(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    uint8_t *counts = context;
    for (uint32_t i = begin; i < end; i++)
        counts[i]++;
}

static void count_outer(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    tally *t = context;
    t->busy[worker]++;
    for (uint32_t i = begin; i < end; i++) {
        t->counts[i]++;
        t->tasks->parallel_for(t->tasks->user, count_inner, t->inner[i], 10, 3);
    }
}

static void test_work_is_done_once(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= 8; workers++) {
        bw_pool *p;
        assert_int_equal(bw_pool_create(workers, &p, NULL), BW_OK);
        assert_int_equal(bw_pool_tasks(p)->worker_count, workers);
        tally t = {.tasks = bw_pool_tasks(p)};
        static const uint32_t sizes[] = {0, 1, 7, 1000};
        uint32_t rounds[1000] = {0};
        for (int round = 0; round < 40; round++) {
            uint32_t size = sizes[round % 4];
            t.tasks->parallel_for(t.tasks->user, count_outer, &t, size, 1 + (uint32_t)round % 3);
            for (uint32_t i = 0; i < size; i++)
                rounds[i]++;
        }
        for (uint32_t i = 0; i < 1000; i++) {
            assert_int_equal(t.counts[i], rounds[i]);
            for (int k = 0; k < 10; k++)
                assert_int_equal(t.inner[i][k], rounds[i]);
        }
        bw_pool_destroy(p);
    }
    bw_pool_destroy(NULL);
    assert_true(bw_pool_default_workers() >= 1 && bw_pool_default_workers() <= BW_MAX_WORKERS);
}

static void test_errors(void **state)
{
    (void)state;
    bw_fault fault = {0};
    bw_pool *p = NULL;
    assert_int_equal(bw_pool_create(BW_MAX_WORKERS + 1, &p, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.result, BW_ERROR_ARGUMENT);
    assert_true(fault.value == BW_MAX_WORKERS + 1 && fault.text != NULL && p == NULL);
    assert_int_equal(bw_pool_create(1, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_pool_create(0, &p, &fault), BW_OK);
    assert_int_equal(fault.result, BW_OK);
    assert_int_equal(bw_pool_tasks(p)->worker_count, bw_pool_default_workers());
    bw_pool_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work_is_done_once),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
