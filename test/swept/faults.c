/* Steps when memory runs out: nothing leaks, and what stood stays as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <boxwood/swept.h>

#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "scenes/scenes.h"

typedef struct input {
    bw_mesh start, end, scrambled;
    uint64_t contacts, scrambled_contacts;
} input;

static bw_result create(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    /* With points and an edge more. */
    bw_swept_desc desc = {
        .allocator = &memory->hook, .points = true, .edges = (uint32_t[2]){0, 5}, .edge_count = 1};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_create(&desc, &in->start, &in->end, &s, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK)
        assert_null(s);
    bw_swept_destroy(s);
    return result;
}

static bw_result update(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    bw_swept_desc desc = {.allocator = &memory->hook};
    assert_int_equal(bw_swept_create(&desc, &in->end, &in->start, &s, NULL), BW_OK);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_update(s, &in->start, &in->end, NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_null(bw_swept_check(s));
    bw_swept_report report = {0};
    assert_int_equal(bw_swept_self(s, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, in->contacts);
    bw_swept_destroy(s);
    return result;
}

/* A step for which the tree must be rebuilt: where that fails, the one before stands. */
static bw_result jump(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    bw_swept_desc desc = {.allocator = &memory->hook};
    assert_int_equal(bw_swept_create(&desc, &in->start, &in->end, &s, NULL), BW_OK);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_update(s, &in->end, &in->scrambled, NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_null(bw_swept_check(s));
    bw_swept_report report = {0};
    assert_int_equal(bw_swept_self(s, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, result == BW_OK ? in->scrambled_contacts : in->contacts);
    bw_swept_destroy(s);
    return result;
}

static bw_result query(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    assert_int_equal(bw_swept_create(NULL, &in->start, &in->end, &s, NULL), BW_OK);
    bw_swept_report report = {.contact_count = 123456789};
    bw_swept_query all = {.allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_self(s, &all, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(report.contact_count, result == BW_OK ? in->contacts : 123456789);
    bw_swept_destroy(s);
    return result;
}

static bw_result list(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    enum { ROOM = 64 };
    bw_swept_candidate pairs[ROOM];
    bw_swept *s = NULL;
    assert_int_equal(bw_swept_create(NULL, &in->start, &in->end, &s, NULL), BW_OK);
    bw_swept_report report = {.edge_edge_candidates = 123456789};
    /* Two workers: every part keeps its own. */
    bw_pool *pool = test_pool_create(2);
    bw_swept_query query = {.mode = BW_SWEPT_CANDIDATES,
                            .allocator = &memory->hook,
                            .tasks = bw_pool_tasks(pool),
                            .candidates = pairs,
                            .candidate_capacity = ROOM};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_self(s, &query, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    bw_pool_destroy(pool);
    assert_true((report.edge_edge_candidates == 123456789) == (result != BW_OK));
    bw_swept_destroy(s);
    return result;
}

/* A cache, made and filled: where that fails it is empty, and serves the next query. */
static bw_result keep(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    bw_swept_cache *cache = NULL;
    assert_int_equal(bw_swept_create(NULL, &in->start, &in->end, &s, NULL), BW_OK);
    bw_swept_report report = {.contact_count = 123456789};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_cache_create(
        &(bw_swept_cache_desc){.allocator = &memory->hook, .margin = 0.01}, &cache, NULL);
    bw_swept_query query = {.allocator = &memory->hook, .cache = cache};
    if (result == BW_OK)
        result = bw_swept_self(s, &query, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(report.contact_count, result == BW_OK ? in->contacts : 123456789);
    if (cache != NULL) {
        assert_int_equal(bw_swept_self(s, &query, &report, NULL), BW_OK);
        assert_int_equal(report.contact_count, in->contacts);
        assert_true(report.kept > 0);
    }
    bw_swept_cache_destroy(cache);
    bw_swept_destroy(s);
    return result;
}

/* The earliest of a step in which all moves far: for which boxes are made again. */
static bw_result earliest(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    assert_int_equal(bw_swept_create(NULL, &in->start, &in->scrambled, &s, NULL), BW_OK);
    bw_swept_report report = {.contact_count = 123456789};
    bw_swept_query query = {.mode = BW_SWEPT_EARLIEST, .allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_self(s, &query, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(report.contact_count, result == BW_OK ? 1 : 123456789);
    bw_swept_destroy(s);
    return result;
}

static bw_result near(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL;
    assert_int_equal(bw_swept_create(NULL, &in->start, &in->end, &s, NULL), BW_OK);
    bw_swept_near_report report = {.pair_count = 123456789};
    bw_swept_near_query query = {.distance = 0.05, .allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_near(s, NULL, &query, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((report.pair_count == 123456789) == (result != BW_OK));
    bw_swept_destroy(s);
    return result;
}

static bw_result safe_step(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const input *in = user;
    bw_swept *s = NULL, *t = NULL;
    assert_int_equal(bw_swept_create(NULL, &in->start, &in->scrambled, &s, NULL), BW_OK);
    assert_int_equal(bw_swept_create(NULL, &in->end, &in->start, &t, NULL), BW_OK);
    const bw_swept_couple couples[2] = {{s, NULL}, {s, t}};
    bw_swept_safe_report report = {.step = 7};
    bw_swept_safe_desc desc = {.allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_swept_safe_step(couples, 2, &desc, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((report.step == 7) == (result != BW_OK));
    bw_swept_destroy(s);
    bw_swept_destroy(t);
    return result;
}

static void faults(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_lathe(&(bws_lathe_desc){.triangles = 800}, BW_F64, &mesh), BW_OK);
    input in = {.start = bws_view(&mesh), .end = bws_view(&mesh)};
    size_t count = 3 * (size_t)in.start.vertex_count;
    double *moved = malloc(count * sizeof *moved);
    bws_random random = bws_random_seeded(1);
    for (size_t i = 0; i < count; i++)
        moved[i] = ((const double *)in.start.positions)[i] + bws_random_double(&random, -0.05, 0.05);
    in.end.positions = moved;
    bw_swept *s = NULL;
    assert_int_equal(bw_swept_create(NULL, &in.start, &in.end, &s, NULL), BW_OK);
    bw_swept_report report = {0};
    assert_int_equal(bw_swept_self(s, NULL, &report, NULL), BW_OK);
    in.contacts = report.contact_count;
    assert_true(in.contacts > 10);
    bw_swept_destroy(s);
    /* Every vertex where another was. */
    double *scrambled = malloc(count * sizeof *scrambled);
    for (size_t i = 0; i < count; i++)
        scrambled[i] = moved[(i * 3 * 101 + i % 3) % count];
    in.scrambled = in.end;
    in.scrambled.positions = scrambled;
    assert_int_equal(bw_swept_create(NULL, &in.end, &in.scrambled, &s, NULL), BW_OK);
    assert_int_equal(bw_swept_self(s, NULL, &report, NULL), BW_OK);
    in.scrambled_contacts = report.contact_count;
    bw_swept_destroy(s);
    bw_each_allocation_failure(create, &in, 8);
    assert_int_equal(bw_each_allocation_failure(update, &in, 0), 0); /* all in the memory of the last step */
    bw_each_allocation_failure(jump, &in, 6);
    bw_each_allocation_failure(query, &in, 3);
    bw_each_allocation_failure(list, &in, 4);
    bw_each_allocation_failure(keep, &in, 6);
    bw_each_allocation_failure(earliest, &in, 5);
    bw_each_allocation_failure(near, &in, 4);
    bw_each_allocation_failure(safe_step, &in, 5);
    free(scrambled);
    free(moved);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
