/* Separation lists: at random times exactly the cut that a fresh traversal gives (the paper's Definition 2
 * and Theorem 6), whatever moves and whatever plans change; contacts as brute force finds them; events that
 * do not depend on how often anybody looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "oracle/brute_force.h"
#include "oracle/random.h"
#include "timeline/separation/separation.h"
#include "timeline/stage.h"

static void prove(bw_separation *s)
{
    const char *fault = bw_separation_check(s);
    if (fault != NULL)
        fail_msg("at %.17g: %s", bw_separation_time(s), fault);
}

/* The list of events beside a fresh traversal of another separation's trees. */
static void compare_lists(bw_separation *events, bw_separation *fresh)
{
    listing a = {0}, b = {0};
    assert_int_equal(bw_separation_visit(events, listing_add, &a, NULL), BW_OK);
    assert_int_equal(bw_separation_visit(fresh, listing_add, &b, NULL), BW_OK);
    listing_equal(&a, &b);
    free(a.entries);
    free(b.entries);
}

static void lists(bws_random *r, void *user)
{
    bool self = user != NULL;
    stage st;
    film_desc a = stage_any(r), b = stage_any(r);
    stage_make(&a, &b, r, &st);
    bw_separation *events = stage_separation(&st, BW_SEPARATION_EVENTS, self);
    bw_separation *fresh = stage_separation(&st, BW_SEPARATION_TRAVERSE, self);
    prove(events);
    compare_lists(events, fresh);
    for (int i = 0; i < 12; i++) {
        double t = stage_time(&st, bw_separation_time(events), r);
        bw_separation_stats stats = {0};
        bw_separation_get_stats(events, &stats);
        if (bws_random_below(r, 4) == 0 && stats.next_event <= st.end)
            t = stats.next_event; /* where it is hardest */
        bw_separation_report report = {0};
        assert_int_equal(bw_separation_advance(events, t, &report, NULL), BW_OK);
        assert_int_equal(report.events, report.overlaps + report.parents + report.leaves);
        assert_int_equal(bw_separation_advance(fresh, t, NULL, NULL), BW_OK);
        assert_true(bw_separation_time(events) == t);
        prove(events);
        compare_lists(events, fresh);
        contacts p = contacts_of(events), q = contacts_of(fresh);
        contacts_equal(&p, &q);
        free(p.hits);
        free(q.hits);
    }
    bw_separation_destroy(events);
    bw_separation_destroy(fresh);
    stage_free(&st);
}

static void test_lists(void **state)
{
    (void)state;
    BW_EACH_SEED(80, lists, NULL);
}

static void test_lists_self(void **state)
{
    (void)state;
    BW_EACH_SEED(40, lists, &(int){1});
}

/* Plans that change in between: the cut of the kinetic trees themselves, which have their own proof. */
static void replans(bws_random *r, void *user)
{
    bool self = user != NULL;
    stage st;
    film_desc a = stage_any(r), b = stage_any(r);
    stage_make(&a, &b, r, &st);
    bw_separation *s = stage_separation(&st, BW_SEPARATION_EVENTS, self);
    double now = st.begin;
    for (int i = 0; i < 12; i++) {
        uint32_t vertices[3];
        bw_plan plans[3];
        uint32_t side = self ? 0 : (uint32_t)bws_random_below(r, 2), count = (uint32_t)bws_random_below(r, 4);
        for (uint32_t k = 0; k < count; k++) {
            vertices[k] = (uint32_t)bws_random_below(r, st.meshes[side].vertex_count);
            plans[k] = film_plan((film_style)bws_random_below(r, FILM_STYLES),
                                 (uint32_t)bws_random_below(r, 4), now, r);
        }
        assert_int_equal(bw_separation_set_plans(s, side, vertices, plans, count, NULL), BW_OK);
        for (int step = 0; step < 2; step++) {
            prove(s);
            listing l = {0}, m = {0};
            assert_int_equal(bw_separation_visit(s, listing_add, &l, NULL), BW_OK);
            bw_body bodies[2];
            for (int k = 0; k < 2; k++)
                assert_int_equal(bw_kinetic_body(s->list.trees[k], &bodies[k], NULL), BW_OK);
            assert_int_equal(bw_cut_visit(&s->allocator, &bodies[0].tree->wide, &bodies[1].tree->wide, self,
                                          listing_add, &m),
                             BW_OK);
            listing_equal(&l, &m);
            free(l.entries);
            free(m.entries);
            if (!self) {
                contacts p = contacts_of(s);
                bw_hit_list q = bw_brute_force(bodies[0].mesh, bodies[1].mesh, NULL, 0);
                contacts_equal(&p, &(contacts){q.hits, q.count});
                free(p.hits);
                bw_hit_list_free(&q);
            }
            now += step == 0 ? (st.end - now) * 0.3 * bws_random_unit(r) : 0;
            assert_int_equal(bw_separation_advance(s, now, NULL, NULL), BW_OK);
        }
    }
    if (s->list.trees[0]->flight.plans != NULL && now > st.begin)
        assert_int_equal(bw_separation_advance(s, st.begin, NULL, NULL), BW_ERROR_UNSUPPORTED);
    bw_separation_destroy(s);
    stage_free(&st);
}

static void test_replans(void **state)
{
    (void)state;
    BW_EACH_SEED(50, replans, NULL);
}

static void test_replans_self(void **state)
{
    (void)state;
    BW_EACH_SEED(25, replans, &(int){1});
}

/* One step over the whole motion and many steps: the same changes. */
static void independence(bws_random *r, void *user)
{
    uint64_t *all = user;
    stage st;
    film_desc d = {.kind = (bw_motion_kind)bws_random_below(r, 3),
                   .style = FILM_WAVE,
                   .scalar = bws_random_bool(r) ? BW_F32 : BW_F64,
                   .size = 80,
                   .frames = 4,
                   .span = 1,
                   .degree = 3};
    stage_make(&d, &d, r, &st);
    uint64_t events[3];
    static const int steps[3] = {1, 17, 313};
    for (int k = 0; k < 3; k++) {
        bw_separation *s = stage_separation(&st, BW_SEPARATION_EVENTS, false);
        for (int i = 1; i <= steps[k]; i++)
            assert_int_equal(
                bw_separation_advance(s, i == steps[k] ? st.end : st.end * i / steps[k], NULL, NULL), BW_OK);
        bw_separation_stats stats = {0};
        bw_separation_get_stats(s, &stats);
        bw_separation_report sum = {0};
        bw_separation_get_total(s, &sum);
        events[k] = sum.events;
        prove(s);
        bw_separation_destroy(s);
    }
    *all += events[0];
    assert_int_equal(events[0], events[1]);
    assert_int_equal(events[0], events[2]);
    stage_free(&st);
}

static void test_independence(void **state)
{
    (void)state;
    uint64_t all = 0;
    BW_EACH_SEED(12, independence, &all);
    assert_true(all > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_lists_self),
                                       cmocka_unit_test(test_replans), cmocka_unit_test(test_replans_self),
                                       cmocka_unit_test(test_independence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
