/* Deadlines, by a clock that the test moves: steps of known cost, and queries that are cut off amid a leaf.
 */
#include "anytime/query/deadline.h"
#include "objects.h"
#include "oracle/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct fake {
    uint64_t now, looks;
    uint64_t each; /* that a look takes */
} fake;

static uint64_t look(void *user)
{
    fake *f = user;
    f->looks++;
    return f->now += f->each;
}

/* Steps that take at most what watch.h says they do, whatever the machine's speed: a query never ends later
 * than its deadline and as long again, and does not stop with half of the time left. */
static void deadlines_hold(bws_random *r, void *user)
{
    (void)user;
    uint64_t plain = 20 + bws_random_below(r, 400), budget = plain * (8 + bws_random_below(r, 200));
    fake f = {.now = bws_random_below(r, 1000), .each = plain / 4};
    bw_deadline watch;
    bw_deadline_start(&watch, &(bw_anytime_query_desc){
                                  .limit_time = true, .max_nanoseconds = budget, .clock = look, .user = &f});
    uint64_t start = watch.start, steps = 0;
    f.now += 4 * plain;
    bool leaves_seen = false;
    for (;;) {
        bw_deadline_step step = bws_random_below(r, 3) == 0 ? BW_STEP_LEAVES : BW_STEP_WEIGHED;
        if (step == BW_STEP_LEAVES && !leaves_seen)
            step = BW_STEP_FIRST_LEAVES;
        if (bw_deadline_over(&watch, step))
            break;
        leaves_seen |= step == BW_STEP_FIRST_LEAVES;
        bool bad = bws_random_below(r, 20) == 0;
        f.now += plain * (bad ? bw_deadline_worst[step] : bw_deadline_usual[step]);
        steps++;
    }
    uint64_t took = f.now - start;
    assert_true(took <= 2 * budget + 2 * f.each);
    /* The first leaves take 16 plain steps at worst: nothing shorter is asked for here. */
    assert_true(took >= budget / 2 || budget < 40 * plain);
    assert_true(f.looks <= steps + 2);
}

static void test_deadlines(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, deadlines_hold, NULL);
}

/* Far from the deadline there is no look before every step. */
static void looks_are_few(void **state)
{
    (void)state;
    fake f = {.each = 36};
    bw_deadline watch;
    bw_deadline_start(&watch, &(bw_anytime_query_desc){
                                  .limit_time = true, .max_nanoseconds = 100000, .clock = look, .user = &f});
    f.now += 400;
    uint64_t steps = 0;
    for (; !bw_deadline_over(&watch, BW_STEP_PLAIN); steps++)
        f.now += 100;
    assert_true(steps > 800 && f.looks < 40);
}

/* What usually fits but at worst ends late is not begun, and what fits is. */
static void long_steps_are_not_begun(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fake f = {.each = 0};
        bw_deadline watch;
        bw_deadline_start(
            &watch,
            &(bw_anytime_query_desc){.limit_time = true, .max_nanoseconds = 1000, .clock = look, .user = &f});
        f.now = 400;
        assert_false(bw_deadline_over(&watch, BW_STEP_WEIGHED));
        f.now = 640; /* 120 a unit: 1920 at worst for first leaves, 600 for a node */
        assert_int_equal(bw_deadline_over(&watch, k == 0 ? BW_STEP_FIRST_LEAVES : BW_STEP_WEIGHED), k == 0);
    }
}

/* A clock that goes on with every look: queries end within it at all places, amid leaves too, and go on to
 * the exact answer. */
static void cut_off_queries_go_on(bws_random *r, void *user)
{
    const object *o = user;
    bw_anytime_body a = object_body(o, NULL), b = a;
    bw_transform pose;
    assert_int_equal(
        bw_anytime_draw_poses(&a, &b, BW_ANYTIME_POSES_CONTACT, bws_random_u64(r), &pose, 1, NULL), BW_OK);
    b.pose = &pose;
    bw_anytime_cache *kept;
    assert_int_equal(bw_anytime_cache_create(NULL, &kept, NULL), BW_OK);
    fake f = {.each = 100};
    bw_anytime_query_desc desc = {
        .limit_time = true, .max_nanoseconds = 1500, .clock = look, .user = &f, .cache = kept};
    bw_anytime_answer answer = {0}, exact = {0};
    uint32_t calls = 0;
    do {
        assert_int_equal(bw_anytime_query(&a, &b, &desc, &answer, NULL), BW_OK);
        desc.resume = true;
    } while (!answer.proven && ++calls < 10000);
    assert_int_equal(bw_anytime_query(&a, &b, NULL, &exact, NULL), BW_OK);
    assert_true(answer.proven && answer.collision == exact.collision);
    bw_anytime_cache_destroy(kept);
}

static void test_cut_off(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < OBJECTS; number++) {
        object o;
        object_make(&o, number, NULL, NULL);
        BW_EACH_SEED(10, cut_off_queries_go_on, &o);
        object_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadlines),
        cmocka_unit_test(looks_are_few),
        cmocka_unit_test(long_steps_are_not_begun),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
