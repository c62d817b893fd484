/* Safe steps: no pair of features is in contact before, by exact distances at sampled times, and the step
 * ends within the tolerance of the first contact of all couples asked one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "oracle/pool.h"
#include "oracle/triangle_oracle.h"
#include "swept/motions.h"

enum { POOLS = 3 };
static bw_pool *pools[POOLS];

/* What each pair may do until the step. */
typedef struct watch {
    double separation, keep, step, tolerance;
    uint64_t near_count;
    double first; /* when the first pair is told in contact, by itself */
} watch;

static bool within(bw_ccd_feature feature, const bw_vec3 start[4], const bw_vec3 end[4], double time,
                   double distance)
{
    return bw_oracle_moving_within(feature == BW_CCD_EDGE_EDGE, start, end, time, distance);
}

/* The distance at time 0, by exact bisection, to 2^-40 of the upper end. */
static double distance_at_start(bw_ccd_feature feature, const bw_vec3 start[4], double most)
{
    double low = 0, high = most;
    if (within(feature, start, start, 0, 0))
        return 0;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (within(feature, start, start, 0, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

static void look(void *user, bw_ccd_feature feature, uint32_t a, uint32_t b, const motion *const m[4],
                 const uint32_t v[4])
{
    enum { TIMES = 6 };
    watch *w = user;
    bw_vec3 start[4], end[4];
    (void)a;
    (void)b;
    for (int i = 0; i < 4; i++) {
        start[i] = bw_mesh_vertex(&m[i]->start, v[i]);
        end[i] = bw_mesh_vertex(&m[i]->end, v[i]);
    }
    double separation = pair_thickness(feature, m, v) + w->separation;
    if (separation > 0 && within(feature, start, end, 0, separation * (1 - 1e-9))) {
        /* Nearer already: it keeps a part of its distance. */
        w->near_count++;
        separation = w->keep * distance_at_start(feature, start, separation) * (1 - 1e-9);
    }
    bw_ccd_result alone;
    bw_ccd_desc desc = {.tolerance = w->tolerance, .separation = separation};
    bw_result result = feature == BW_CCD_EDGE_EDGE ? bw_ccd_edge_edge(start, end, &desc, &alone)
                                                   : bw_ccd_vertex_face(start, end, &desc, &alone);
    assert_int_equal(result, BW_OK);
    if (alone.answer != BW_CCD_APART && alone.time < w->first)
        w->first = alone.time;
    for (int i = 0; w->step > 0 && i <= TIMES; i++)
        assert_false(within(feature, start, end, w->step * i / TIMES, separation));
}

static void step_of(bws_random *random, void *user)
{
    (void)user;
    double shake = bws_random_double(random, 0, bws_random_bool(random) ? 0.03 : 0.5);
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 3), shake);
    motion b = motion_make(random, (uint32_t)bws_random_int(random, 1, 3), shake);
    if (bws_random_bool(random)) /* some are near, but not in contact */
        for (uint32_t v = 0; v < b.start.vertex_count; v++)
            for (int time = 0; time < 2; time++)
                b.positions[time][3 * v + 2] += 1.2;
    if (bws_random_below(random, 4) == 0)
        motion_add_loose(random, &b, 3, 2, shake, false);
    if (bws_random_below(random, 4) == 0)
        motion_add_thickness(random, &b, 0.02);
    bw_swept *x = sweep_of(&a, NULL), *y = sweep_of(&b, NULL);
    const bw_swept_couple couples[] = {{x, NULL}, {x, y}, {y, y}};
    bool self = bws_random_bool(random); /* what begins in contact with itself ends every step */
    const bw_swept_couple *asked = self ? couples : couples + 1;
    uint32_t count = self ? 3 : 1;
    bw_swept_safe_desc desc = {.tolerance = bws_random_bool(random) ? 0 : 0x1p-30,
                               .separation =
                                   bws_random_bool(random) ? 0 : bws_random_double(random, 0.001, 0.3),
                               .keep = bws_random_bool(random) ? 0 : bws_random_double(random, 0.01, 0.99)};
    bw_swept_safe_report reports[POOLS] = {{0}};
    for (int i = 0; i < POOLS; i++) {
        desc.tasks = bw_pool_tasks(pools[i]);
        assert_int_equal(bw_swept_safe_step(asked, count, &desc, &reports[i], NULL), BW_OK);
        assert_true(reports[i].step == reports[0].step && reports[i].couple == reports[0].couple);
        same_contact(&reports[i].earliest, &reports[0].earliest);
        assert_int_equal(reports[i].tested, reports[0].tested);
        assert_int_equal(reports[i].near_count, reports[0].near_count);
    }
    const bw_swept_safe_report *r = &reports[0];
    watch w = {.separation = desc.separation,
               .keep = desc.keep == 0 ? 0.5 : desc.keep,
               .step = r->step,
               .tolerance = desc.tolerance,
               .first = 1};
    if (self) {
        each_pair(&a, &a, look, &w);
        each_pair(&b, &b, look, &w);
    }
    each_pair(&a, &b, look, &w);
    /* The separation of those that are near is off by a billionth here: so may their times be. */
    double tolerance = (desc.tolerance == 0 ? 0x1p-20 : desc.tolerance) + (w.near_count > 0 ? 1e-6 : 0);
    if (r->earliest.first.answer != BW_CCD_CLOSE)
        assert_true(fabs(r->step - w.first) <= tolerance);
    assert_true((r->couple == BW_NONE) == (r->earliest.feature == BW_CCD_NOTHING));
    assert_true(r->couple != BW_NONE || r->step == 1);
    assert_true(r->near_count <= w.near_count);
    bw_swept_destroy(x);
    bw_swept_destroy(y);
    motion_free(&a);
    motion_free(&b);
}

static void steps(void **state)
{
    (void)state;
    BW_EACH_SEED(24, step_of, NULL);
}

static void bad_arguments(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(3);
    motion a = motion_make(&random, 2, 0.1);
    bw_swept *x = sweep_of(&a, NULL);
    bw_swept_couple couples[2] = {{x, NULL}, {NULL, x}};
    bw_swept_safe_report report = {.step = 7};
    bw_fault fault;
    assert_int_equal(bw_swept_safe_step(couples, 2, NULL, &report, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.element, 1);
    assert_int_equal(bw_swept_safe_step(NULL, 1, NULL, &report, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_safe_step(couples, 1, NULL, NULL, &fault), BW_ERROR_ARGUMENT);
    const bw_swept_safe_desc wrong[] = {{.keep = 1},        {.keep = -1},
                                        {.separation = -1}, {.separation = (double)NAN},
                                        {.tolerance = 2},   {.size = 5}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(bw_swept_safe_step(couples, 1, &wrong[i], &report, &fault) != BW_OK);
    assert_true(report.step == 7);
    assert_int_equal(bw_swept_safe_step(NULL, 0, NULL, &report, &fault), BW_OK);
    assert_true(report.step == 1 && report.couple == BW_NONE);
    assert_int_equal(bw_swept_safe_step(couples, 1, NULL, &report, NULL), BW_OK);
    bw_swept_destroy(x);
    motion_free(&a);
}

/* Goes on so many times. */
static bool count_down(void *user)
{
    uint32_t *left = user;
    return (*left)-- > 0;
}

static bool none_is_told(void *user, const bw_swept_contact *contact)
{
    (void)user;
    (void)contact;
    fail_msg("a query that was ended told a contact");
    return true;
}

/* Ended at the n-th time it asks, for every n: nothing is told and no step is taken; else as without. */
static void ended(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(5);
    motion a = motion_make(&random, 4, 0.4);
    bw_swept *x = sweep_of(&a, NULL);
    const bw_swept_couple couples[2] = {{x, NULL}, {x, x}};
    bw_swept_safe_report wanted = {0}, got = {0};
    bw_swept_report all = {0}, some = {0};
    assert_int_equal(bw_swept_safe_step(couples, 2, NULL, &wanted, NULL), BW_OK);
    assert_int_equal(bw_swept_self(x, &(bw_swept_query){.mode = BW_SWEPT_ALL}, &all, NULL), BW_OK);
    assert_true(wanted.status == BW_DONE && wanted.step < 1 && all.contact_count > 0);
    bw_swept_near_report near_all = {0};
    assert_int_equal(bw_swept_near(x, NULL, &(bw_swept_near_query){.distance = 0.2}, &near_all, NULL), BW_OK);
    assert_true(near_all.pair_count > 0);
    bw_swept_cache *cache = NULL;
    assert_int_equal(bw_swept_cache_create(&(bw_swept_cache_desc){.margin = 0.1}, &cache, NULL), BW_OK);
    bool whole = false;
    for (uint32_t n = 0; !whole; n = 2 * n + 1) {
        for (int p = 0; p < POOLS; p++) {
            const bw_tasks *tasks = bw_pool_tasks(pools[p]);
            uint32_t left = n;
            const bw_swept_safe_desc desc = {.tasks = tasks, .progress = {count_down, &left}};
            assert_int_equal(bw_swept_safe_step(couples, 2, &desc, &got, NULL), BW_OK);
            whole = got.status == BW_DONE;
            assert_true(whole ? got.step == wanted.step && got.couple == wanted.couple
                              : got.status == BW_STOPPED && got.step == 0 && got.couple == BW_NONE);
            for (int kept = 0; kept < 2; kept++) { /* a cache that is being filled is left empty */
                bw_swept_near_report near = {0};
                bw_swept_cache_reset(cache);
                left = n;
                const bw_swept_near_query query = {.distance = 0.2,
                                                   .tasks = tasks,
                                                   .cache = kept != 0 ? cache : NULL,
                                                   .progress = {count_down, &left}};
                assert_int_equal(bw_swept_near(x, NULL, &query, &near, NULL), BW_OK);
                assert_true(near.status == BW_DONE ? near.pair_count == near_all.pair_count
                                                   : near.status == BW_STOPPED && near.pair_count == 0);
                whole &= near.status == BW_DONE;
            }
            left = n;
            bw_swept_query query = {.mode = BW_SWEPT_ALL, .tasks = tasks, .progress = {count_down, &left}};
            assert_int_equal(bw_swept_self(x, &query, &some, NULL), BW_OK);
            if (some.status == BW_DONE) {
                assert_true(some.contact_count == all.contact_count);
                continue;
            }
            assert_int_equal(some.status, BW_STOPPED);
            assert_true(some.contact_count == 0 && some.earliest.first.time == 0);
            if (p > 0) /* of several threads that would ask, not all do */
                continue;
            left = n;
            query.on_contact = none_is_told;
            assert_int_equal(bw_swept_self(x, &query, &some, NULL), BW_OK);
        }
        if (n > 1u << 20)
            fail_msg("it never came to its end");
    }
    bw_swept_cache_destroy(cache);
    bw_swept_destroy(x);
    motion_free(&a);
}

int main(void)
{
    static const uint32_t workers[POOLS] = {1, 2, 7};
    for (int i = 0; i < POOLS; i++)
        pools[i] = test_pool_create(workers[i]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps), cmocka_unit_test(bad_arguments),
                                       cmocka_unit_test(ended)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < POOLS; i++)
        bw_pool_destroy(pools[i]);
    return failed;
}
