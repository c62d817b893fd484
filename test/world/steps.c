/* Steps of a random world, replayed against brute force: contacts, events, stable ids, filters, insertions and removals.
 * BOXWOOD_SEED_FACTOR multiplies the seeds: each is 50 steps, so a factor of 400 gives 10^5. */
#include "world/playground.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 50 };

static void replay(bws_random *random, void *user)
{
    const uint64_t seed = bws_random_u64(random);
    static playground p; /* too large for a stack of 8 MB under sanitizers */
    (void)user;
    const bw_world_desc desc = {.separation = seed % 3 == 0 ? 0.1 : 0};
    play_begin(&p, seed, &desc, 1.5 + 3 * bws_random_unit(random));
    for (int step = 0; step < STEPS; step++) {
        play_change(&p);
        bw_world_step_report report = {0};
        assert_int_equal(bw_world_step(p.world, NULL, &report, NULL), BW_OK);
        const char *why = bw_world_check(p.world);
        if (why != NULL)
            fail_msg("%s", why);
        play_compare(&p, &report);
    }
    play_end(&p);
}

static void test_replay(void **state)
{
    (void)state;
    BW_EACH_SEED(5, replay, NULL);
}

/* Pairs alone are those of a step with contacts. */
static void pairs_only(bws_random *random, void *user)
{
    (void)user;
    static playground p, q;
    const uint64_t seed = bws_random_u64(random);
    const bw_world_desc desc = {.separation = seed % 2 == 0 ? 0.05 : 0};
    play_begin(&p, seed, &desc, 2);
    play_begin(&q, seed, &desc, 2);
    for (int step = 0; step < 20; step++) {
        play_change(&p);
        play_change(&q);
        bw_world_step_report with = {0}, without = {0};
        const bw_world_step_desc only = {.pairs_only = true};
        assert_int_equal(bw_world_step(p.world, NULL, &with, NULL), BW_OK);
        assert_int_equal(bw_world_step(q.world, &only, &without, NULL), BW_OK);
        assert_int_equal(with.pair_count, without.pair_count);
        assert_int_equal(without.contact_count + without.ended_count + without.began_count, 0);
        for (uint32_t i = 0; i < with.pair_count; i++)
            assert_true(with.pairs[i].a == without.pairs[i].a && with.pairs[i].b == without.pairs[i].b &&
                        with.pairs[i].event == without.pairs[i].event && without.pairs[i].count == 0);
    }
    play_end(&p);
    play_end(&q);
}

static void test_pairs_only(void **state)
{
    (void)state;
    BW_EACH_SEED(4, pairs_only, NULL);
}

/* The callback sees each candidate once, in order, and what it turns away has no contact. */
typedef struct callback {
    uint64_t last;
    uint32_t count;
    bw_id away;
} callback;

static bool may_meet(void *user, bw_id a, bw_id b)
{
    callback *c = user;
    const uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
    assert_true((uint32_t)a < (uint32_t)b && (c->count == 0 || key > c->last));
    c->last = key;
    c->count++;
    return a != c->away && b != c->away;
}

static void test_callback(void **state)
{
    (void)state;
    static playground p;
    const bw_world_desc desc = {0};
    play_begin(&p, 5, &desc, 1.5);
    for (int i = 0; i < 20; i++)
        play_change(&p);
    callback c = {.away = 0};
    bw_world_step_desc how = {.may_meet = may_meet, .user = &c};
    bw_world_step_report report = {0};
    assert_int_equal(bw_world_step(p.world, &how, &report, NULL), BW_OK);
    assert_true(report.contact_count > 0 && c.count == report.candidate_count);
    c = (callback){.away = report.contacts[0].a};
    assert_int_equal(bw_world_step(p.world, &how, &report, NULL), BW_OK);
    bool ended = false;
    for (uint64_t i = 0; i < report.contact_count; i++)
        assert_true(report.contacts[i].a != c.away && report.contacts[i].b != c.away);
    for (uint64_t i = 0; i < report.ended_count; i++)
        ended |= report.ended[i].a == c.away;
    assert_true(ended);
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay), cmocka_unit_test(test_pairs_only),
                                       cmocka_unit_test(test_callback)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
