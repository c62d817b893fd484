/* Steps and advances that the caller ends, at every question and with threads: the world is as it was, so that the next step tells
 * what began and ended since the last one that was taken. */
#include "oracle/pool.h"
#include "world/playground.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct asked {
    atomic_uint count;
    unsigned until; /* the question that is answered by no */
} asked;

static bool answer(void *user)
{
    asked *q = user;
    return atomic_fetch_add(&q->count, 1) + 1 != q->until;
}

static void step(playground *p)
{
    asked q = {.until = 1};
    const bw_world_step_desc desc = {.progress = {answer, &q}};
    bw_world_step_report report = {0};
    bw_result result;
    bw_fault fault;
    while ((result = bw_world_step(p->world, &desc, &report, &fault)) == BW_ERROR_STOPPED) {
        assert_int_equal(fault.result, BW_ERROR_STOPPED);
        assert_int_equal(fault.element, BW_NONE);
        assert_true(report.contacts == NULL && report.contact_count == 0);
        q = (asked){.until = q.until + 1 + q.until / 4};
    }
    assert_int_equal(result, BW_OK);
    assert_true(q.until > 2);
    play_compare(p, &report);
}

/* Stopped and then carried through it gives the time that it gives at once. */
static void advance(playground *p)
{
    bw_id ids[PLAY_BODIES];
    bw_transform poses[PLAY_BODIES];
    const uint32_t count = play_moves(p, ids, poses);
    bw_world_advance_report whole = {0}, report = {0};
    assert_int_equal(
        bw_world_advance(p->world, ids, poses, count, &(bw_world_advance_desc){.stay = true}, &whole, NULL),
        BW_OK);
    asked q = {.until = 1};
    bw_world_advance_desc desc = {.progress = {answer, &q}};
    bw_result result;
    while ((result = bw_world_advance(p->world, ids, poses, count, &desc, &report, NULL)) ==
           BW_ERROR_STOPPED) {
        for (uint32_t i = 0; i < count; i++) {
            bw_world_body body = {0};
            assert_int_equal(bw_world_get(p->world, ids[i], &body, NULL), BW_OK);
            for (int k = 0; k < PLAY_BODIES; k++)
                if (p->bodies[k].id == ids[i])
                    assert_memory_equal(body.pose, &p->bodies[k].pose, sizeof *body.pose);
        }
        q = (asked){.until = q.until + 1 + q.until / 4};
        desc.stay = true; /* carried through without moving, so that the list of bodies stays true */
    }
    assert_int_equal(result, BW_OK);
    assert_true(q.until > 1);
    assert_true(report.first.time == whole.first.time && report.first.a == whole.first.a &&
                report.first.b == whole.first.b);
    assert_null(bw_world_check(p->world));
}

static void run(bws_random *random, void *user)
{
    static playground p;
    const bw_world_desc desc = {.tasks = user};
    play_begin(&p, bws_random_u64(random), &desc, 1.5);
    for (int i = 0; i < 6; i++) {
        play_change(&p);
        step(&p);
        advance(&p);
    }
    play_end(&p);
}

static void test_alone(void **state)
{
    (void)state;
    BW_EACH_SEED(2, run, NULL);
}

static void test_threads(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(4);
    BW_EACH_SEED(2, run, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
