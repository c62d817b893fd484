/* Arguments that are refused, and memory that runs out: nothing is made, changed or left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kinetic/film.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

static film some_film(bw_motion_kind kind)
{
    film f;
    bws_random r = bws_random_seeded(9);
    film_desc d = {.kind = kind, .style = FILM_WAVE, .size = 200, .frames = 4, .span = 3, .degree = 2};
    film_make(&d, &r, &f);
    return f;
}

static void test_arguments(void **state)
{
    (void)state;
    film f = some_film(BW_MOTION_KEYFRAMES), plans = some_film(BW_MOTION_PLANS);
    bw_mesh mesh = bws_view(&f.mesh), other;
    bw_kinetic *k = NULL;
    bw_kinetic_desc desc = {0};
    assert_int_equal(bw_kinetic_create(NULL, NULL, &f.motion, &k, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_create(NULL, &mesh, NULL, &k, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_create(NULL, &mesh, &f.motion, NULL, NULL), BW_ERROR_ARGUMENT);
    desc.method = (bw_kinetic_method)77;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_kinetic_desc){.time = NAN};
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_kinetic_desc){.builder = (bw_builder)9};
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_kinetic_desc){.builder = BW_BUILDER_MIDPOINT};
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_ERROR_UNSUPPORTED);
    bw_tasks tasks = {0};
    desc = (bw_kinetic_desc){.tasks = &tasks};
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_ERROR_ARGUMENT);
    other = mesh, other.vertex_count--;
    assert_int_equal(bw_kinetic_create(NULL, &other, &f.motion, &k, NULL), BW_ERROR_MISMATCH);
    other = mesh, other.triangle_count = 0;
    assert_int_equal(bw_kinetic_create(NULL, &other, &f.motion, &k, NULL), BW_ERROR_EMPTY);
    uint32_t bad_index[3] = {0, 1, mesh.vertex_count};
    other = mesh, other.indices = bad_index, other.triangle_count = 1;
    assert_int_equal(bw_kinetic_create(NULL, &other, &f.motion, &k, NULL), BW_ERROR_INDEX);
    ((float *)f.frames[1])[5] = NAN;
    assert_int_equal(bw_kinetic_create(NULL, &mesh, &f.motion, &k, NULL), BW_ERROR_NOT_FINITE);
    ((float *)f.frames[1])[5] = 0;
    assert_null(k);
    bw_kinetic_destroy(NULL);

    assert_int_equal(bw_kinetic_create(NULL, &mesh, &f.motion, &k, NULL), BW_OK);
    assert_true(bw_kinetic_time(k) == f.times[0]);
    bw_kinetic_report report = {0}, before = {0};
    memset(&report, 0x66, sizeof report);
    report.size = 0;
    before = report;
    assert_int_equal(bw_kinetic_advance(NULL, 1, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_advance(k, NAN, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_advance(k, f.times[0] - 1, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_advance(k, f.times[3] + 1, &report, NULL), BW_ERROR_ARGUMENT);
    assert_memory_equal(&report, &before, sizeof report);
    bw_plan plan = {.origin = 0};
    bw_body body;
    assert_int_equal(bw_kinetic_body(NULL, &body, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_body(k, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_set_plan(NULL, 0, &plan, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_set_plan(k, 0, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_set_plans(k, NULL, &plan, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_set_plans(k, NULL, NULL, 0, NULL), BW_OK);
    assert_int_equal(bw_kinetic_set_plan(k, mesh.vertex_count, &plan, NULL), BW_ERROR_INDEX);
    plan.c[1].y = INFINITY;
    assert_int_equal(bw_kinetic_set_plan(k, 0, &plan, NULL), BW_ERROR_NOT_FINITE);
    plan.c[1].y = 0x1p101;
    assert_int_equal(bw_kinetic_set_plan(k, 0, &plan, NULL), BW_ERROR_RANGE);
    film_prove(&f, k, false);
    bw_kinetic_destroy(k);
    film_free(&f);
    film_free(&plans);
}

typedef struct faults {
    const film *film;
    bw_kinetic_method method;
} faults;

static bw_result create(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const film *f = ((const faults *)user)->film;
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *untouched = (bw_kinetic *)user, *k = untouched;
    bw_kinetic_desc desc = {.method = ((const faults *)user)->method, .allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_ptr_equal(k, untouched);
        return result;
    }
    film_prove(f, k, false);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes); /* statistics tell all that is held */
    bw_kinetic_destroy(k);
    return result;
}

static bw_result change(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const film *f = ((const faults *)user)->film;
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    bw_kinetic_desc desc = {.method = ((const faults *)user)->method, .allocator = &memory->hook};
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL), BW_OK);
    bw_plan plan = {.c = {{9, 9, 9}}};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_kinetic_set_plan(k, 7, &plan, NULL);
    bw_failing_allocator_fail_none(memory);
    film_prove(f, k, result == BW_OK);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    if (result == BW_OK)
        assert_int_equal(stats.bytes, memory->live_bytes);
    assert_int_equal(bw_kinetic_advance(k, 1, NULL, NULL), BW_OK);
    film_prove(f, k, result == BW_OK);
    bw_kinetic_destroy(k);
    return result;
}

static void test_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        film f = some_film((bw_motion_kind)kind);
        for (int method = BW_KINETIC_QUEUE; method <= FILM_LAST_METHOD; method++) {
            faults input = {&f, (bw_kinetic_method)method};
            bool lines = method == BW_KINETIC_COMPILED || method == BW_KINETIC_INTERPOLATED;
            if (lines && kind != BW_MOTION_KEYFRAMES)
                continue;
            bw_each_allocation_failure(create, &input, 4);
            if (!lines)
                bw_each_allocation_failure(change, &input, 2);
        }
        film_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
