/* The earliest contact alone, and filters: the same as of all contacts, whatever the threads, the cache, and
 * what may not collide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/pool.h"
#include "swept/motions.h"

enum { POOLS = 3 };
static bw_pool *pools[POOLS];
static uint32_t found, told_better, pruned;

/* Leaves out about a third of the pairs, by their numbers alone. */
static bool by_number(void *user, const bw_swept_candidate *pair)
{
    assert_true(user == NULL);
    return (pair->feature + 3 * pair->a + 5 * pair->b) % 3 != 0;
}

/* The first of the list by time, feature, a, b. */
static const bw_swept_contact *first_of(const list *contacts, const bw_swept_query *query)
{
    const bw_swept_contact *first = NULL;
    for (uint32_t i = 0; i < contacts->count; i++) {
        const bw_swept_contact *c = &contacts->items[i];
        bool may = query->can_collide == NULL ||
                   query->can_collide(NULL, &(bw_swept_candidate){c->feature, c->a, c->b});
        if (may && (first == NULL || c->first.time < first->first.time))
            first = c; /* of equal times the list has the first by name first */
    }
    return first;
}

static uint32_t count_allowed(const list *contacts, const bw_swept_query *query)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < contacts->count; i++) {
        const bw_swept_contact *c = &contacts->items[i];
        count += query->can_collide == NULL ||
                 query->can_collide(NULL, &(bw_swept_candidate){c->feature, c->a, c->b});
    }
    return count;
}

static void nothing_found(const bw_swept_report *r)
{
    assert_int_equal(r->contact_count, 0);
    assert_int_equal(r->earliest.feature, BW_CCD_NOTHING);
    assert_true(r->earliest.first.time == 1 && r->earliest.first.time_after == 1);
}

static bool hear(void *user, const bw_swept_contact *contact)
{
    assert_null(user);
    found += contact->feature != BW_CCD_NOTHING;
    return true;
}

static void compare(const motion *a, const motion *b, const bw_swept *x, const bw_swept *y,
                    const bw_ccd_desc *desc, bool filtered)
{
    list truth = every_pair(a, b, desc);
    bw_swept_cache *cache = NULL;
    assert_int_equal(bw_swept_cache_create(&(bw_swept_cache_desc){.margin = 0.05}, &cache, NULL), BW_OK);
    bw_swept_query query = {.tolerance = desc->tolerance,
                            .separation = desc->separation,
                            .can_collide = filtered ? by_number : NULL};
    bw_swept_report all = {0}, reports[POOLS] = {{0}}, kept = {0};
    assert_int_equal(ask_steps(x, y, &query, &all), BW_OK);
    assert_int_equal(all.contact_count, count_allowed(&truth, &query));
    const bw_swept_contact *first = first_of(&truth, &query);
    if (first != NULL)
        same_contact(first, &all.earliest);
    else
        nothing_found(&all);
    query.mode = BW_SWEPT_EARLIEST;
    for (int i = 0; i < POOLS; i++) {
        bw_swept_contact contact = {0};
        query.tasks = bw_pool_tasks(pools[i]);
        query.contacts = &contact;
        query.contact_capacity = 1;
        query.on_contact = hear;
        found = 0;
        assert_int_equal(ask_steps(x, y, &query, &reports[i]), BW_OK);
        assert_int_equal(reports[i].status, BW_DONE);
        assert_int_equal(reports[i].contact_count, found);
        same_report(&reports[0], &reports[i]);
        if (found > 0)
            same_contact(&contact, &reports[i].earliest);
    }
    const bw_swept_report *r = &reports[0];
    if (first != NULL && first->first.answer == BW_CCD_CLOSE) {
        /* A near miss may be told as one: then what follows counts. */
        assert_true(r->earliest.first.time >= first->first.time);
        told_better += r->earliest.first.time > first->first.time;
    } else if (first != NULL) {
        same_contact(&r->earliest, first);
    } else {
        nothing_found(r);
    }
    pruned += r->candidate_count < all.candidate_count;
    /* With kept candidates: another way through the same. */
    query.contacts = NULL;
    query.contact_capacity = 0;
    query.cache = cache;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask_steps(x, y, &query, &kept), BW_OK);
        if (first == NULL || first->first.answer != BW_CCD_CLOSE)
            same_contact(&kept.earliest, &r->earliest);
    }
    bw_swept_cache_destroy(cache);
    free(truth.items);
}

static void earliest_of(bws_random *random, void *user)
{
    (void)user;
    double shake = bws_random_double(random, 0, bws_random_bool(random) ? 0.05 : 0.6);
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 9), shake);
    motion b = motion_make(random, (uint32_t)bws_random_int(random, 1, 7), shake);
    if (bws_random_below(random, 3) == 0)
        motion_add_loose(random, &b, (uint32_t)bws_random_below(random, 12), 5, shake,
                         bws_random_bool(random));
    if (bws_random_below(random, 4) == 0)
        motion_add_thickness(random, &a, 0.03);
    bw_swept *x = sweep_of(&a, NULL), *y = sweep_of(&b, NULL);
    bw_ccd_desc desc = {0};
    if (bws_random_below(random, 3) == 0)
        desc.separation = bws_random_double(random, 0.0001, 0.05);
    if (bws_random_below(random, 4) == 0)
        desc.tolerance = ldexp(1, -(int)bws_random_int(random, 1, 50));
    bool filtered = bws_random_below(random, 3) == 0;
    compare(&a, &a, x, x, &desc, filtered);
    compare(&a, &b, x, y, &desc, filtered);
    bw_swept_destroy(x);
    bw_swept_destroy(y);
    motion_free(&a);
    motion_free(&b);
}

static void earliest(void **state)
{
    (void)state;
    told_better = pruned = 0;
    BW_EACH_SEED(60, earliest_of, NULL);
    assert_true(pruned > 10);
}

/* A thickness that all vertices have is a separation of twice as much. */
static void uniform(bws_random *random, void *user)
{
    (void)user;
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 8), 0.2);
    double radius = bws_random_double(random, 0.001, 0.03);
    bw_swept *thin = sweep_of(&a, NULL);
    a.thickness = malloc(a.start.vertex_count * sizeof *a.thickness);
    for (uint32_t v = 0; v < a.start.vertex_count; v++)
        a.thickness[v] = radius;
    bw_swept *thick = sweep_of(&a, NULL);
    enum { MOST = 20000 };
    bw_swept_contact *contacts[2] = {malloc(MOST * sizeof **contacts), malloc(MOST * sizeof **contacts)};
    bw_swept_report reports[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        bw_swept_query query = {
            .separation = i == 0 ? 2 * radius : 0, .contacts = contacts[i], .contact_capacity = MOST};
        assert_int_equal(bw_swept_self(i == 0 ? thin : thick, &query, &reports[i], NULL), BW_OK);
    }
    assert_int_equal(reports[0].contact_count, reports[1].contact_count);
    for (uint32_t i = 0; i < reports[0].contact_count && i < MOST; i++)
        same_contact(&contacts[0][i], &contacts[1][i]);
    /* The next step keeps the thickness. */
    assert_int_equal(bw_swept_update(thin, &a.end, &a.start, NULL, NULL), BW_OK);
    assert_int_equal(bw_swept_update(thick, &a.end, &a.start, NULL, NULL), BW_OK);
    assert_null(bw_swept_check(thick));
    for (int i = 0; i < 2; i++) {
        bw_swept_query query = {.mode = BW_SWEPT_EARLIEST, .separation = i == 0 ? 2 * radius : 0};
        assert_int_equal(bw_swept_self(i == 0 ? thin : thick, &query, &reports[i], NULL), BW_OK);
    }
    same_contact(&reports[0].earliest, &reports[1].earliest);
    for (int i = 0; i < 2; i++)
        free(contacts[i]);
    bw_swept_destroy(thin);
    bw_swept_destroy(thick);
    motion_free(&a);
}

static void uniform_thickness(void **state)
{
    (void)state;
    BW_EACH_SEED(40, uniform, NULL);
}

int main(void)
{
    static const uint32_t workers[POOLS] = {1, 2, 7};
    for (int i = 0; i < POOLS; i++)
        pools[i] = test_pool_create(workers[i]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(earliest), cmocka_unit_test(uniform_thickness)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < POOLS; i++)
        bw_pool_destroy(pools[i]);
    return failed;
}
