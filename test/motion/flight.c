/* The two questions of a kinetic structure, against positions at many times: before the time that leave
 * names the order holds, from the time that settle names it is the one it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "motion/flight.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

enum { VERTICES = 12, FRAMES = 6 };

typedef struct stage {
    double wide[FRAMES][3 * VERTICES];
    float narrow[FRAMES][3 * VERTICES];
    const void *frames[FRAMES];
    double times[FRAMES];
    bw_plan plans[VERTICES];
    bw_motion motion;
    bw_allocator heap;
    bw_flight flight;
} stage;

static double number(bws_random *r, int style)
{
    switch (style) {
    case 0:
        return (double)bws_random_int(r, -3, 3); /* ties without end */
    case 1:
        return bws_random_double(r, -1, 1);
    default: /* as good as equal */
        return 1 + (double)bws_random_int(r, -2, 2) * 0x1p-52;
    }
}

static bw_plan some_plan(bws_random *r, int style, double origin)
{
    bw_plan plan = {.origin = bws_random_bool(r) ? origin : origin + number(r, style)};
    int degree = (int)bws_random_int(r, 0, 3);
    for (int i = 0; i <= degree; i++)
        plan.c[i] = (bw_vec3){number(r, style), number(r, style), number(r, style)};
    return plan;
}

static void stage_make(stage *s, bws_random *r)
{
    int style = (int)bws_random_int(r, 0, 2);
    static const double starts[] = {0, 0, 1e9, -3};
    double t = starts[bws_random_below(r, 4)], step = bws_random_below(r, 4) == 0 ? 1e-9 : 1;
    bw_scalar scalar = bws_random_bool(r) ? BW_F64 : BW_F32;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < FRAMES; k++) {
        s->times[k] = t;
        double next = t + step * bws_random_double(r, 0.1, 3);
        t = next > t ? next : nextafter(t, INFINITY);
        for (int i = 0; i < 3 * VERTICES; i++) {
            s->wide[k][i] = number(r, style);
            s->narrow[k][i] = (float)s->wide[k][i];
        }
        s->frames[k] = scalar == BW_F64 ? (void *)s->wide[k] : (void *)s->narrow[k];
    }
    for (int v = 0; v < VERTICES; v++)
        s->plans[v] = some_plan(r, style, s->times[0]);
    s->motion = (bw_motion){.kind = bws_random_below(r, 3) == 0 ? BW_MOTION_PLANS : BW_MOTION_KEYFRAMES,
                            .vertex_count = VERTICES,
                            .scalar = scalar,
                            .frame_count = FRAMES,
                            .times = s->times,
                            .frames = s->frames,
                            .plans = s->plans,
                            .begin = s->times[0],
                            .end = s->times[FRAMES - 1]};
    assert_int_equal(bw_motion_validate(&s->motion, NULL), BW_OK);
    s->heap = bw_allocator_or_heap(NULL);
    s->flight = bw_flight_of(&s->motion, &s->heap);
    if (bws_random_bool(r)) {
        assert_int_equal(bw_flight_reserve(&s->flight), BW_OK);
        for (uint32_t v = 0; v < VERTICES; v += 3) {
            bw_plan plan = some_plan(r, style, s->times[1]);
            bw_flight_set(&s->flight, v, &plan);
        }
    }
}

/* How far the first is ahead. */
static double lead(const bw_flight *f, const bw_race *race, double t)
{
    return race->sign *
           (bw_flight_at(f, race->first, race->axis, t) - bw_flight_at(f, race->second, race->axis, t));
}

static double between(bws_random *r, double low, double high, int i)
{
    double x = bws_random_unit(r);
    double t = i == 0       ? nextafter(low, INFINITY)
               : i == 1     ? nextafter(high, -INFINITY)
               : i % 3 == 0 ? low + x * exp2(-i) * (high - low)
               : i % 3 == 1 ? high - x * exp2(-i) * (high - low)
                            : low + x * (high - low);
    return t < low ? low : t > high ? high : t;
}

static void races(bws_random *r, void *user)
{
    (void)user;
    static stage s;
    stage_make(&s, r);
    const bw_flight *f = &s.flight;
    for (int i = 0; i < 40; i++) {
        bw_race race = {(uint32_t)bws_random_below(r, VERTICES), (uint32_t)bws_random_below(r, VERTICES),
                        (int)bws_random_below(r, 3), bws_random_bool(r) ? 1 : -1};
        double now = bws_random_below(r, 3) == 0 ? s.times[bws_random_below(r, FRAMES)]
                                                 : f->begin + bws_random_unit(r) * (f->end - f->begin);
        now = now < f->end ? now : f->end;
        double leave = bw_flight_leave(f, &race, now, INFINITY);
        assert_true(leave > now && (leave == INFINITY || leave <= f->end || now >= f->end));
        double horizon = bws_random_double(r, f->begin, f->end),
               near = bw_flight_leave(f, &race, now, horizon);
        assert_true(near == leave || (near == INFINITY && leave >= horizon));
        double limit = leave < f->end ? leave : f->end;
        for (int j = 0; j < 40; j++) {
            double t = between(r, now, limit, j);
            if (t > now && t < leave)
                assert_true(lead(f, &race, t) >= 0);
        }
        int order;
        double settled = bw_flight_settle(f, &race, now, &order);
        assert_true(settled >= now);
        if (order == 0) {
            assert_true(settled == INFINITY);
            continue;
        }
        assert_true(settled <= f->end);
        assert_true(order * lead(f, &race, settled) >= 0);
        if (order < 0) {
            /* Certain the other way: and for a while. */
            bw_race back = {race.second, race.first, race.axis, race.sign};
            double until = bw_flight_leave(f, &back, settled, INFINITY);
            limit = until < f->end ? until : f->end;
            for (int j = 0; j < 10; j++) {
                double t = between(r, settled, limit, j);
                if (t > settled && t < until)
                    assert_true(lead(f, &race, t) <= 0);
            }
        }
    }
    double all[3 * VERTICES];
    float all32[3 * VERTICES];
    bw_flight_sample(f, f->end, s.motion.scalar == BW_F64 ? (void *)all : (void *)all32);
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int axis = 0; axis < 3; axis++) {
            double x = bw_flight_at(f, v, axis, f->end);
            size_t k = 3 * v + (uint32_t)axis;
            assert_true(x == (s.motion.scalar == BW_F64 ? all[k] : (double)all32[k]));
        }
    bw_flight_release(&s.flight);
}

static void test_races(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, races, NULL);
}

/* From event to event: the walk along any pair ends, soon. */
static void walks_end(bws_random *r, void *user)
{
    (void)user;
    static stage s;
    stage_make(&s, r);
    const bw_flight *f = &s.flight;
    bw_race race = {0, (uint32_t)bws_random_int(r, 1, VERTICES - 1), 0, 1};
    double t = f->begin;
    int steps = 0;
    while (t < f->end) {
        int order;
        double settled = bw_flight_settle(f, &race, t, &order);
        if (order == 0)
            break;
        if (order < 0) {
            uint32_t v = race.first;
            race.first = race.second;
            race.second = v;
        }
        double next = bw_flight_leave(f, &race, settled, INFINITY);
        if (next == INFINITY)
            break;
        assert_true(next > t);
        t = next;
        assert_true(++steps < 40 * FRAMES);
    }
    bw_flight_release(&s.flight);
}

static void test_walks_end(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, walks_end, NULL);
}

static bw_result reserve(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bw_flight flight = bw_flight_of(user, &memory->hook);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_flight_reserve(&flight);
    bw_failing_allocator_fail_none(memory);
    assert_true((flight.plans != NULL) == (result == BW_OK));
    bw_flight_release(&flight);
    return result;
}

static void test_memory(void **state)
{
    (void)state;
    static stage s;
    bws_random r = bws_random_seeded(1);
    stage_make(&s, &r);
    bw_each_allocation_failure(reserve, &s.motion, 2);
    bw_flight_release(&s.flight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_races), cmocka_unit_test(test_walks_end),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
