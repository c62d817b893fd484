/* Contacts of whole meshes during a step, against every pair of features asked one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <boxwood/swept.h>

#include "oracle/pool.h"
#include "oracle/random.h"
#include "scenes/scenes.h"
#include "swept/motions.h"

static void same_contacts(const bw_swept_contact *a, const bw_swept_contact *b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        same_contact(&a[i], &b[i]);
}

/* Without a contact a simulator that goes on to the earliest time goes on by the whole step. */
static void nothing_earliest(const bw_swept_report *r)
{
    assert_int_equal(r->contact_count, 0);
    assert_int_equal(r->earliest.feature, BW_CCD_NOTHING);
    assert_int_equal(r->earliest.first.answer, BW_CCD_APART);
    assert_true(r->earliest.first.time == 1 && r->earliest.first.time_after == 1);
}

typedef struct heard {
    const bw_swept_contact *expected;
    uint64_t count, stop_after;
} heard;

static bool hear(void *user, const bw_swept_contact *contact)
{
    heard *h = user;
    assert_int_equal(by_name(contact, &h->expected[h->count]), 0);
    return ++h->count != h->stop_after;
}

static int by_pair(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(bw_swept_candidate)); /* any order will do */
}

/* The list of candidates: as many as counted, each once, every contact among them, the same in the same order
 * for any number of threads; a part of it where there is less room. */
static void list_candidates(const bw_swept *x, const bw_swept *y, const bw_ccd_desc *desc,
                            const bw_tasks *tasks, const bw_swept_report *whole, const list *contacts)
{
    uint64_t count = whole->candidate_count;
    bw_swept_candidate *pairs[2] = {calloc(count + 1, sizeof **pairs), calloc(count + 1, sizeof **pairs)};
    bw_swept_report report = {0};
    for (int i = 0; i < 2; i++) {
        bw_swept_query query = {.mode = BW_SWEPT_CANDIDATES,
                                .tolerance = desc->tolerance,
                                .separation = desc->separation,
                                .candidates = pairs[i],
                                .candidate_capacity = count + 1,
                                .tasks = i == 0 ? NULL : tasks};
        assert_int_equal(ask_steps(x, y, &query, &report), BW_OK);
        assert_int_equal(report.status, BW_DONE);
        assert_int_equal(report.vertex_face_candidates, whole->vertex_face_candidates);
        assert_int_equal(report.edge_edge_candidates, whole->edge_edge_candidates);
        assert_int_equal(pairs[i][count].feature, BW_CCD_NOTHING);
        nothing_earliest(&report);
    }
    assert_memory_equal(pairs[0], pairs[1], count * sizeof **pairs);
    for (int i = 0; i < 2 && count > 1; i++) {
        memset(pairs[1], 0, count * sizeof **pairs);
        bw_swept_query query = {.mode = BW_SWEPT_CANDIDATES,
                                .tolerance = desc->tolerance,
                                .separation = desc->separation,
                                .candidates = pairs[1],
                                .candidate_capacity = count / 2,
                                .tasks = i == 0 ? NULL : tasks};
        assert_int_equal(ask_steps(x, y, &query, &report), BW_OK);
        assert_int_equal(report.status, BW_FULL);
        assert_int_equal(report.edge_edge_candidates, whole->edge_edge_candidates);
        assert_memory_equal(pairs[0], pairs[1], count / 2 * sizeof **pairs);
        assert_int_equal(pairs[1][count / 2].feature, BW_CCD_NOTHING);
    }
    if (count > 0)
        qsort(pairs[0], count, sizeof **pairs, by_pair);
    for (uint64_t i = 1; i < count; i++)
        assert_true(by_pair(&pairs[0][i - 1], &pairs[0][i]) != 0);
    for (uint32_t i = 0; i < contacts->count; i++) {
        bw_swept_candidate key = {contacts->items[i].feature, contacts->items[i].a, contacts->items[i].b};
        assert_non_null(bsearch(&key, pairs[0], count, sizeof key, by_pair));
    }
    free(pairs[0]);
    free(pairs[1]);
}

static void compare(const motion *a, const motion *b, const bw_swept *x, const bw_swept *y,
                    const bw_ccd_desc *desc, const bw_tasks *tasks)
{
    list truth = every_pair(a, b, desc);
    bw_swept_contact *found = calloc(truth.count + 8, sizeof *found),
                     *again = calloc(truth.count + 8, sizeof *found);
    bw_swept_report report = {0}, second = {0};
    bw_swept_query query = {.tolerance = desc->tolerance,
                            .separation = desc->separation,
                            .contacts = found,
                            .contact_capacity = truth.count + 8};
    assert_int_equal(
        x == y ? bw_swept_self(x, &query, &report, NULL) : bw_swept_pair(x, y, &query, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, truth.count);
    assert_int_equal(report.contact_count, report.vertex_face_count + report.edge_edge_count +
                                               report.vertex_edge_count + report.vertex_vertex_count);
    assert_int_equal(report.status, BW_DONE);
    assert_true(report.tested <= report.candidate_count);
    /* The same contacts in the same order from several threads, and to the callback. */
    heard h = {found, 0, 0};
    bw_swept_query with_tasks = {.tolerance = desc->tolerance,
                                 .separation = desc->separation,
                                 .contacts = again,
                                 .contact_capacity = truth.count + 8,
                                 .tasks = tasks,
                                 .on_contact = hear,
                                 .user = &h};
    assert_int_equal(x == y ? bw_swept_self(x, &with_tasks, &second, NULL)
                            : bw_swept_pair(x, y, &with_tasks, &second, NULL),
                     BW_OK);
    same_report(&report, &second);
    same_contacts(found, again, truth.count);
    assert_int_equal(h.count, truth.count);
    if (truth.count > 1) {
        query.contact_capacity = truth.count / 2;
        query.contacts = again;
        h = (heard){found, 0, truth.count / 2};
        assert_int_equal(x == y ? bw_swept_self(x, &query, &second, NULL)
                                : bw_swept_pair(x, y, &query, &second, NULL),
                         BW_OK);
        assert_int_equal(second.status, BW_FULL);
        with_tasks.tasks = NULL;
        with_tasks.contacts = NULL;
        with_tasks.contact_capacity = 0;
        assert_int_equal(x == y ? bw_swept_self(x, &with_tasks, &second, NULL)
                                : bw_swept_pair(x, y, &with_tasks, &second, NULL),
                         BW_OK);
        assert_int_equal(second.status, BW_STOPPED);
        assert_int_equal(h.count, truth.count / 2);
    }
    double first = INFINITY;
    for (uint32_t i = 0; i < truth.count; i++) {
        same_contact(&found[i], &truth.items[i]); /* both by feature, a and b */
        first = fmin(first, truth.items[i].first.time);
    }
    if (truth.count == 0)
        nothing_earliest(&report);
    else
        assert_true(report.earliest.first.time == first);
    list_candidates(x, y, desc, tasks, &report, &truth);
    free(truth.items);
    free(found);
    free(again);
}

/* Ropes, points and thicknesses, with or without triangles; half of the meshes have none of these. */
static void add_more(bws_random *random, motion *m, double shake)
{
    if (bws_random_below(random, 3) == 0)
        motion_add_loose(random, m, (uint32_t)bws_random_below(random, 9),
                         (uint32_t)bws_random_int(random, 1, 9), shake, bws_random_bool(random));
    if (bws_random_below(random, 4) == 0)
        motion_add_thickness(random, m, 0.05);
}

static void meshes_meet(bws_random *random, void *user)
{
    const bw_tasks *tasks = user;
    double shake = bws_random_double(random, 0, 0.4);
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 9), shake);
    motion b = motion_make(random, (uint32_t)bws_random_int(random, 1, 7), shake);
    add_more(random, &a, shake);
    add_more(random, &b, shake);
    bw_swept *x = sweep_of(&a, tasks), *y = sweep_of(&b, NULL);
    bw_ccd_desc desc = {0};
    if (bws_random_below(random, 3) == 0)
        desc.separation = bws_random_double(random, 0.001, 0.05);
    compare(&a, &a, x, x, &desc, tasks);
    compare(&a, &b, x, y, &desc, tasks);
    /* The next step: back to where it came from. */
    bw_mesh swap = a.start;
    a.start = a.end;
    a.end = swap;
    double *positions = a.positions[0];
    a.positions[0] = a.positions[1];
    a.positions[1] = positions;
    assert_int_equal(bw_swept_update(x, &a.start, &a.end, tasks, NULL), BW_OK);
    assert_null(bw_swept_check(x));
    compare(&a, &a, x, x, &desc, tasks);
    bw_swept_destroy(x);
    bw_swept_destroy(y);
    motion_free(&a);
    motion_free(&b);
}

static void steps_follow(bws_random *random, void *user)
{
    const bw_tasks *tasks = user;
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 6), 0.03);
    bw_swept *x = sweep_of(&a, tasks);
    for (int i = 0; i < 12; i++) {
        motion_next(random, &a, i % 5 == 4);
        assert_int_equal(bw_swept_update(x, &a.start, &a.end, i % 2 == 0 ? tasks : NULL, NULL), BW_OK);
        assert_null(bw_swept_check(x));
        compare(&a, &a, x, x, &(bw_ccd_desc){0}, tasks);
        /* Candidates are those of a fresh tree: the boxes of features are. */
        bw_swept *fresh = sweep_of(&a, NULL);
        bw_swept_report kept = {0}, rebuilt = {0};
        assert_int_equal(bw_swept_self(x, NULL, &kept, NULL), BW_OK);
        assert_int_equal(bw_swept_self(fresh, NULL, &rebuilt, NULL), BW_OK);
        assert_int_equal(kept.vertex_face_candidates, rebuilt.vertex_face_candidates);
        assert_int_equal(kept.edge_edge_candidates, rebuilt.edge_edge_candidates);
        bw_swept_destroy(fresh);
        /* A step that is refused changes nothing. */
        double *spoiled = &a.positions[1][3 * bws_random_below(random, a.end.vertex_count) + 1],
               was = *spoiled;
        *spoiled = NAN;
        bw_fault fault;
        assert_int_equal(bw_swept_update(x, &a.start, &a.end, NULL, &fault), BW_ERROR_NOT_FINITE);
        assert_true(&a.positions[1][3 * fault.vertex + 1] == spoiled);
        *spoiled = was;
        assert_null(bw_swept_check(x));
        assert_int_equal(bw_swept_self(x, NULL, &rebuilt, NULL), BW_OK);
        same_report(&kept, &rebuilt);
    }
    bw_swept_destroy(x);
    motion_free(&a);
}

/* A cache changes nothing but the work: the same report and contacts as without. */
static void same_with_cache(const bw_swept *x, const bw_swept *y, bw_swept_cache *cache, double separation,
                            const bw_tasks *tasks, uint64_t *served)
{
    enum { MOST = 20000 };
    bw_swept_contact *found[2] = {malloc(MOST * sizeof **found), malloc(MOST * sizeof **found)};
    bw_swept_report plain = {0}, cached = {0};
    bw_swept_query query = {.separation = separation, .contacts = found[0], .contact_capacity = MOST};
    assert_int_equal(ask_steps(x, y, &query, &plain), BW_OK);
    query.contacts = found[1];
    query.cache = cache;
    query.tasks = tasks;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(ask_steps(x, y, &query, &cached), BW_OK);
        *served += cached.kept > 0;
        cached.kept = 0;
        cached.box_tests = plain.box_tests;
        same_report(&plain, &cached);
        same_contacts(found[0], found[1], plain.contact_count < MOST ? plain.contact_count : MOST);
    }
    free(found[0]);
    free(found[1]);
}

/* One cache for all: one mesh by itself and with another, separations that grow and shrink, steps small and
 * large, another mesh. */
static void steps_kept(bws_random *random, void *user)
{
    const bw_tasks *tasks = user;
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 2, 7), 0.01);
    motion b = motion_make(random, (uint32_t)bws_random_int(random, 2, 7), 0.01);
    add_more(random, &a, 0.01);
    add_more(random, &b, 0.01);
    bw_swept *x = sweep_of(&a, NULL), *y = sweep_of(&b, NULL);
    bw_swept_cache *caches[2] = {NULL, NULL};
    bw_swept_cache_desc desc = {.margin =
                                    bws_random_bool(random) ? 0 : bws_random_double(random, 0.001, 0.3)};
    assert_int_equal(bw_swept_cache_create(&desc, &caches[0], NULL), BW_OK);
    assert_int_equal(bw_swept_cache_create(NULL, &caches[1], NULL), BW_OK);
    uint64_t served = 0;
    for (int i = 0; i < 14; i++) {
        double separation = i % 4 == 0 ? 0 : bws_random_double(random, 0, 0.02);
        same_with_cache(x, x, caches[0], separation, i % 2 == 0 ? tasks : NULL, &served);
        same_with_cache(x, y, caches[1], separation, i % 3 == 0 ? tasks : NULL, &served);
        if (i % 5 == 3) /* one that was made for other meshes */
            same_with_cache(y, y, caches[bws_random_below(random, 2)], separation, tasks, &served);
        if (i == 9)
            bw_swept_cache_reset(caches[0]);
        motion_next(random, &a, i % 6 == 5);
        assert_int_equal(bw_swept_update(x, &a.start, &a.end, tasks, NULL), BW_OK);
    }
    if (desc.margin > 0)
        assert_true(served > 0);
    bw_swept_cache_destroy(caches[0]);
    bw_swept_cache_destroy(caches[1]);
    bw_swept_destroy(x);
    bw_swept_destroy(y);
    motion_free(&a);
    motion_free(&b);
}

static void kept_candidates(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(3);
    BW_EACH_SEED(30, steps_kept, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

static void many_steps(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(3);
    BW_EACH_SEED(8, steps_follow, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

static void brute_force(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(4);
    BW_EACH_SEED(40, meshes_meet, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

/* A step large enough for many parts: the same for any number of threads. */
static void threads(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(5);
    bws_mesh mesh;
    assert_int_equal(bws_lathe(&(bws_lathe_desc){.triangles = 6000}, BW_F64, &mesh), BW_OK);
    bw_mesh start = bws_view(&mesh), end = start;
    double *moved = malloc(3 * (size_t)start.vertex_count * sizeof *moved);
    for (size_t i = 0; i < 3 * (size_t)start.vertex_count; i++)
        moved[i] = ((const double *)start.positions)[i] + bws_random_double(&random, -0.01, 0.01);
    end.positions = moved;
    bw_swept_report first = {0};
    bw_swept_contact *contacts[2] = {calloc(100000, sizeof **contacts), calloc(100000, sizeof **contacts)};
    for (uint32_t workers = 1; workers <= 5; workers++) {
        bw_pool *pool = test_pool_create(workers);
        bw_swept *s = NULL;
        bw_swept_desc desc = {.tasks = bw_pool_tasks(pool)};
        assert_int_equal(bw_swept_create(&desc, &start, &end, &s, NULL), BW_OK);
        assert_null(bw_swept_check(s));
        bw_swept_report report = {0};
        bw_swept_query query = {
            .contacts = contacts[workers > 1], .contact_capacity = 100000, .tasks = bw_pool_tasks(pool)};
        assert_int_equal(bw_swept_self(s, &query, &report, NULL), BW_OK);
        if (workers == 1)
            first = report;
        assert_true(report.contact_count > 100);
        same_report(&report, &first);
        same_contacts(contacts[0], contacts[workers > 1], report.contact_count);
        bw_swept_destroy(s);
        bw_pool_destroy(pool);
    }
    free(contacts[0]);
    free(contacts[1]);
    free(moved);
    bws_mesh_free(&mesh);
}

static void bad_arguments(void **state)
{
    (void)state;
    double p[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, q[9] = {0, 0, 1, 1, 0, 1, 0, 1, 1};
    uint32_t indices[3] = {0, 1, 2};
    bw_fault fault;
    bw_mesh start = {p, BW_F64, 3, 0, indices, 1}, end = {q, BW_F64, 3, 0, indices, 1}, other = end;
    bw_swept *s = NULL;
    bw_tasks no_function = {.worker_count = 2};
    assert_int_equal(bw_swept_create(NULL, NULL, &end, &s, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_create(NULL, &start, NULL, &s, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_create(NULL, &start, &end, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_create(&(bw_swept_desc){.tasks = &no_function}, &start, &end, &s, &fault),
                     BW_ERROR_ARGUMENT);
    other.triangle_count = 0;
    assert_int_equal(bw_swept_create(NULL, &start, &other, &s, &fault), BW_ERROR_MISMATCH);
    bw_mesh none = start;
    none.triangle_count = 0;
    assert_int_equal(bw_swept_create(NULL, &none, &other, &s, &fault), BW_ERROR_EMPTY);
    none.indices = NULL; /* points, whatever its count of triangles */
    assert_int_equal(bw_swept_create(NULL, &start, &none, &s, &fault), BW_ERROR_MISMATCH);
    none.vertex_count = 0;
    assert_int_equal(bw_swept_create(NULL, &none, &none, &s, &fault), BW_ERROR_EMPTY);
    assert_true(fault.element == BW_NONE && fault.vertex == BW_NONE);
    none = start;
    none.triangle_count = 0;
    assert_int_equal(
        bw_swept_create(&(bw_swept_desc){.points = true, .edge_count = 1}, &none, &none, &s, &fault),
        BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_create(&(bw_swept_desc){.edges = (uint32_t[4]){0, 1, 2, 7}, .edge_count = 2},
                                     &start, &end, &s, &fault),
                     BW_ERROR_INDEX);
    assert_true(fault.element == 2 && fault.vertex == 7);
    const double bad_thickness[3][3] = {{0, 0, -1}, {0, (double)NAN, 0}, {1e-95, 0, 0}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(
            bw_swept_create(&(bw_swept_desc){.thickness = bad_thickness[i]}, &start, &end, &s, &fault),
            i == 1 ? BW_ERROR_NOT_FINITE : BW_ERROR_RANGE);
        assert_true(fault.vertex == 2 - i && fault.axis == 3);
    }
    indices[1] = 3;
    assert_int_equal(bw_swept_create(NULL, &start, &end, &s, &fault), BW_ERROR_INDEX);
    assert_true(fault.element == 0 && fault.vertex == 3);
    indices[1] = 1;
    q[4] = (double)NAN;
    assert_int_equal(bw_swept_create(NULL, &start, &end, &s, &fault), BW_ERROR_NOT_FINITE);
    assert_true(fault.vertex == 1 && fault.axis == 1 && isnan(fault.value));
    q[4] = 1e31;
    assert_int_equal(bw_swept_create(NULL, &start, &end, &s, &fault), BW_ERROR_RANGE);
    q[4] = 0;
    assert_null(s);
    assert_int_equal(bw_swept_create(NULL, &start, &end, &s, &fault), BW_OK);
    assert_int_equal(bw_swept_edge_count(s), 3);
    assert_int_equal(bw_swept_edge_count(NULL), 0);
    q[8] = 1e-95;
    assert_int_equal(bw_swept_update(s, &start, &end, NULL, &fault), BW_ERROR_RANGE);
    assert_true(fault.vertex == 2 && fault.axis == 2 && fault.value == 1e-95);
    assert_null(bw_swept_check(s));
    start.vertex_count = end.vertex_count = 2;
    assert_int_equal(bw_swept_update(s, &start, &end, NULL, &fault), BW_ERROR_MISMATCH);
    assert_int_equal(bw_swept_update(NULL, &start, &end, NULL, &fault), BW_ERROR_ARGUMENT);
    bw_swept_report report = {.contact_count = 99};
    bw_swept_candidate pair;
    const bw_swept_query wrong[] = {{.mode = (bw_swept_mode)4},
                                    {.contact_capacity = 1},
                                    {.mode = BW_SWEPT_CANDIDATES, .candidate_capacity = 1},
                                    {.candidates = &pair, .candidate_capacity = 1},
                                    {.separation = -1},
                                    {.tolerance = (double)NAN},
                                    {.tasks = &no_function}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(bw_swept_self(s, &wrong[i], &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_self(NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_self(s, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_pair(s, s, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_pair(s, NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(report.contact_count, 99);
    assert_int_equal(bw_swept_self(s, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, 0);
    bw_swept_cache *cache = NULL;
    const double margins[] = {-1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++)
        assert_int_equal(bw_swept_cache_create(&(bw_swept_cache_desc){.margin = margins[i]}, &cache, NULL),
                         BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_cache_create(NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_null(cache);
    bw_swept_cache_reset(NULL);
    bw_swept_cache_destroy(NULL);
    assert_non_null(bw_swept_check(NULL));
    bw_swept_destroy(s);
    bw_swept_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(brute_force), cmocka_unit_test(many_steps),
                                       cmocka_unit_test(kept_candidates), cmocka_unit_test(threads),
                                       cmocka_unit_test(bad_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
