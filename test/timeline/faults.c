/* Arguments that are refused, and memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include "timeline/stage.h"

static void some_stage(bw_motion_kind kind, stage *st)
{
    bws_random r = bws_random_seeded(5);
    film_desc d = {.kind = kind, .style = FILM_WAVE, .size = 60, .frames = 3, .span = 1, .degree = 2};
    stage_make(&d, &d, &r, st);
}

static bool stop(void *user, const bw_separation_entry *entry)
{
    (void)entry;
    ++*(int *)user;
    return false;
}

static void test_arguments(void **state)
{
    (void)state;
    stage st, plans;
    some_stage(BW_MOTION_KEYFRAMES, &st);
    some_stage(BW_MOTION_PLANS, &plans);
    bw_separation *s = NULL;
    const bw_moving *a = &st.moving[0], *b = &st.moving[1];
    assert_int_equal(bw_separation_create(NULL, NULL, b, &s, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_separation_create(NULL, a, b, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_moving half = {a->mesh, NULL};
    assert_int_equal(bw_separation_create(NULL, &half, b, &s, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_separation_create(NULL, a, &half, &s, NULL), BW_ERROR_ARGUMENT);
    bw_separation_desc desc = {.method = (bw_separation_method)9};
    assert_int_equal(bw_separation_create(&desc, a, b, &s, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_separation_desc){.time = NAN};
    assert_int_equal(bw_separation_create(&desc, a, b, &s, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_separation_desc){.builder = BW_BUILDER_MIDPOINT};
    assert_int_equal(bw_separation_create(&desc, a, b, &s, NULL), BW_ERROR_UNSUPPORTED);
    bw_mesh other = *a->mesh;
    other.vertex_count--;
    bw_moving odd = {&other, a->motion};
    assert_int_equal(bw_separation_create(NULL, &odd, b, &s, NULL), BW_ERROR_MISMATCH);
    other = *a->mesh, other.triangle_count = 0;
    assert_int_equal(bw_separation_create(NULL, &odd, b, &s, NULL), BW_ERROR_EMPTY);
    bw_motion late = *b->motion;
    double times[3] = {7, 8, 9};
    late.times = times;
    assert_int_equal(bw_separation_create(NULL, a, &(bw_moving){b->mesh, &late}, &s, NULL),
                     BW_ERROR_ARGUMENT);
    times[1] = NAN;
    assert_int_equal(bw_separation_create(NULL, a, &(bw_moving){b->mesh, &late}, &s, NULL),
                     BW_ERROR_ARGUMENT);
    assert_null(s);
    bw_separation_destroy(NULL);

    static const bw_separation_method methods[] = {BW_SEPARATION_AUTO, BW_SEPARATION_EVENTS,
                                                   BW_SEPARATION_COMPILED, BW_SEPARATION_TRAVERSE};
    for (int i = 0; i < 4; i++) {
        s = stage_separation(&st, methods[i], false);
        bool events = methods[i] == BW_SEPARATION_EVENTS, listed = events || i == 3;
        assert_int_equal(bw_separation_advance(NULL, 0, NULL, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_separation_advance(s, NAN, NULL, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_separation_advance(s, st.end + 1, NULL, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_separation_collide(s, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
        bw_collide_report report = {0};
        assert_int_equal(bw_separation_collide(NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
        bw_collide_desc bad = {.mode = (bw_collide_mode)8};
        assert_int_equal(bw_separation_collide(s, &bad, &report, NULL), BW_ERROR_ARGUMENT);
        bw_plan plan = {0};
        uint32_t v = 0;
        assert_int_equal(bw_separation_set_plans(s, 2, &v, &plan, 1, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_separation_set_plans(NULL, 0, &v, &plan, 1, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_separation_set_plans(s, 0, &v, &plan, 1, NULL),
                         events ? BW_OK : BW_ERROR_UNSUPPORTED);
        v = UINT32_MAX;
        assert_int_equal(bw_separation_set_plans(s, 1, &v, &plan, 1, NULL),
                         events ? BW_ERROR_INDEX : BW_ERROR_UNSUPPORTED);
        int seen = 0;
        assert_int_equal(bw_separation_visit(s, NULL, &seen, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_separation_visit(s, stop, &seen, NULL), listed ? BW_OK : BW_ERROR_UNSUPPORTED);
        assert_int_equal(seen, listed ? 1 : 0);
        assert_null(bw_separation_check(s));
        bw_separation_destroy(s);
    }
    stage_free(&st);
    stage_free(&plans);
}

typedef struct trial {
    stage *st;
    bw_separation_method method;
    bool self;
} trial;

/* Every allocation of creation and of a walk through time fails once; what failed is then done again. */
static bw_result use(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const trial *t = user;
    bw_separation_desc desc = {.method = t->method, .allocator = &memory->hook, .time = t->st->begin};
    bw_separation *s = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result =
        bw_separation_create(&desc, &t->st->moving[0], t->self ? NULL : &t->st->moving[1], &s, NULL);
    if (result != BW_OK) {
        bw_failing_allocator_fail_none(memory);
        assert_null(s);
        return result;
    }
    bw_result worst = BW_OK;
    for (int i = 1; i <= 6; i++) {
        double time = t->st->begin + (t->st->end - t->st->begin) * (i % 4) / 4;
        result = bw_separation_advance(s, time, NULL, NULL);
        worst = result != BW_OK ? result : worst;
        assert_true(bw_separation_time(s) == time);
        if (result != BW_OK)
            assert_int_equal(bw_separation_advance(s, time, NULL, NULL), BW_OK);
        if (i == 3 && t->method == BW_SEPARATION_EVENTS && t->self) {
            uint32_t v = 1;
            bw_plan plan = {.origin = time, .c = {{0, 0, 1}}};
            result = bw_separation_set_plans(s, 0, &v, &plan, 1, NULL);
            worst = result != BW_OK ? result : worst;
            i = 6;
        }
        bw_collide_report report = {0};
        result = bw_separation_collide(s, NULL, &report, NULL);
        worst = result != BW_OK ? result : worst;
    }
    bw_failing_allocator_fail_none(memory);
    bw_collide_report report = {0};
    assert_int_equal(bw_separation_collide(s, NULL, &report, NULL), BW_OK);
    assert_null(bw_separation_check(s));
    bw_separation_stats stats = {0};
    bw_separation_get_stats(s, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    bw_separation_destroy(s);
    /* Answers need none: where boxes cannot be deferred or a span not be prepared, all is fitted. */
    return memory->refused > 0 ? BW_ERROR_MEMORY : worst;
}

static void test_memory(void **state)
{
    (void)state;
    stage st;
    some_stage(BW_MOTION_KEYFRAMES, &st);
    for (int self = 0; self < 2; self++)
        for (int m = BW_SEPARATION_AUTO; m <= BW_SEPARATION_TRAVERSE; m++)
            bw_each_allocation_failure(use, &(trial){&st, (bw_separation_method)m, self == 1}, 5);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
