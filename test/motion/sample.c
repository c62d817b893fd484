/* Positions at any time: exact at keyframes, within rounding of the true line between, in order where the
 * theory needs it; and motions that cannot be read or hold bad numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <boxwood/motion.h>

#include "oracle/random.h"

enum { VERTICES = 40, FRAMES = 7, PADDED = 4 };

typedef struct film {
    double f64[FRAMES][VERTICES * PADDED];
    float f32[FRAMES][VERTICES * PADDED];
    const void *frames[FRAMES];
    double times[FRAMES];
    bw_motion motion;
} film;

static void film_make(film *f, bws_random *r, bw_scalar scalar, bool padded)
{
    double t = bws_random_double(r, -5, 5);
    uint32_t width = padded ? PADDED : 3;
    for (int k = 0; k < FRAMES; k++) {
        f->times[k] = t;
        t += exp2(bws_random_double(r, -20, 4));
        for (uint32_t i = 0; i < VERTICES * width; i++) {
            f->f64[k][i] = bws_random_double(r, -1, 1) * exp2((double)bws_random_int(r, -30, 30));
            f->f32[k][i] = (float)f->f64[k][i];
        }
        f->frames[k] = scalar == BW_F64 ? (void *)f->f64[k] : (void *)f->f32[k];
    }
    uint32_t size = scalar == BW_F64 ? sizeof(double) : sizeof(float);
    f->motion = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                            .vertex_count = VERTICES,
                            .scalar = scalar,
                            .stride = padded ? PADDED * size : 0,
                            .frame_count = FRAMES,
                            .times = f->times,
                            .frames = f->frames};
}

static double part(bw_vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* What is stored, as double. */
static double stored(const film *f, int k, uint32_t v, int axis)
{
    size_t i = (f->motion.stride != 0 ? PADDED : 3) * (size_t)v + (size_t)axis;
    return f->motion.scalar == BW_F64 ? f->f64[k][i] : (double)f->f32[k][i];
}

static void compare_sample(const bw_motion *m, double t)
{
    double wide[VERTICES * 3];
    float narrow[VERTICES * 3];
    assert_int_equal(bw_motion_sample(m, t, m->scalar == BW_F64 ? (void *)wide : (void *)narrow, NULL),
                     BW_OK);
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int axis = 0; axis < 3; axis++) {
            double x = part(bw_motion_position(m, v, t), axis);
            double y =
                m->scalar == BW_F64 ? wide[3 * v + (uint32_t)axis] : (double)narrow[3 * v + (uint32_t)axis];
            assert_memory_equal(&x, &y, sizeof x);
        }
}

static void keyframes(bws_random *r, void *user)
{
    (void)user;
    static film f;
    film_make(&f, r, bws_random_bool(r) ? BW_F64 : BW_F32, bws_random_bool(r));
    assert_int_equal(bw_motion_validate(&f.motion, NULL), BW_OK);
    double begin, end;
    bw_motion_span(&f.motion, &begin, &end);
    assert_true(begin == f.times[0] && end == f.times[FRAMES - 1]);
    bw_motion_span(&f.motion, NULL, NULL);
    for (int k = 0; k < FRAMES; k++)
        for (uint32_t v = 0; v < VERTICES; v++)
            for (int axis = 0; axis < 3; axis++)
                assert_true(part(bw_motion_position(&f.motion, v, f.times[k]), axis) ==
                            stored(&f, k, v, axis));
    for (int i = 0; i < 20; i++) {
        int k = (int)bws_random_int(r, 0, FRAMES - 2);
        double t = f.times[k] + bws_random_unit(r) * (f.times[k + 1] - f.times[k]);
        compare_sample(&f.motion, t);
        long double s = ((long double)t - (long double)f.times[k]) /
                        ((long double)f.times[k + 1] - (long double)f.times[k]);
        for (uint32_t v = 0; v < VERTICES; v++) {
            uint32_t w = (v + 1) % VERTICES;
            bw_plan line = bw_motion_plan(&f.motion, v, t);
            for (int axis = 0; axis < 3; axis++) {
                long double a = stored(&f, k, v, axis), b = stored(&f, k + 1, v, axis);
                long double exact = a + s * (b - a), size = fabsl(a) + fabsl(b);
                double eps = f.motion.scalar == BW_F64 ? 0x1p-50 : 0x1p-23;
                double x = part(bw_motion_position(&f.motion, v, t), axis);
                assert_true(fabsl((long double)x - exact) <= eps * size);
                assert_true(fabsl((long double)part(bw_plan_position(&line, t), axis) - exact) <=
                            0x1p-49 * size);
                /* In order at both ends: in order between. */
                long double c = stored(&f, k, w, axis), d = stored(&f, k + 1, w, axis);
                double y = part(bw_motion_position(&f.motion, w, t), axis);
                if (a <= c && b <= d)
                    assert_true(x <= y);
            }
        }
    }
}

static void test_keyframes(void **state)
{
    (void)state;
    BW_EACH_SEED(60, keyframes, NULL);
}

static void plans(bws_random *r, void *user)
{
    (void)user;
    static bw_plan plan[VERTICES];
    static double p[VERTICES * 3], w[VERTICES * 3];
    bw_scalar scalar = bws_random_bool(r) ? BW_F64 : BW_F32;
    for (uint32_t v = 0; v < VERTICES; v++) {
        plan[v].origin = 2;
        for (int i = 0; i < 4; i++)
            plan[v].c[i] = (bw_vec3){bws_random_double(r, -9, 9), bws_random_double(r, -9, 9),
                                     bws_random_double(r, -9, 9)};
        plan[v].c[2] = plan[v].c[3] = (bw_vec3){0, 0, 0};
        memcpy(&p[3 * v], &plan[v].c[0], sizeof plan[v].c[0]);
        memcpy(&w[3 * v], &plan[v].c[1], sizeof plan[v].c[1]);
    }
    bw_motion by_plan = {.kind = BW_MOTION_PLANS,
                         .vertex_count = VERTICES,
                         .scalar = scalar,
                         .plans = plan,
                         .begin = 2,
                         .end = 9};
    bw_motion by_velocity = {.kind = BW_MOTION_VELOCITY,
                             .vertex_count = VERTICES,
                             .scalar = BW_F64,
                             .positions = p,
                             .velocities = w,
                             .begin = 2,
                             .end = 9};
    assert_int_equal(bw_motion_validate(&by_plan, NULL), BW_OK);
    assert_int_equal(bw_motion_validate(&by_velocity, NULL), BW_OK);
    double t = bws_random_double(r, 2, 9);
    compare_sample(&by_plan, t);
    compare_sample(&by_velocity, t);
    static float narrow_p[VERTICES * 3], narrow_w[VERTICES * 3];
    for (int i = 0; i < VERTICES * 3; i++) {
        narrow_p[i] = bws_random_bool(r) ? (float)p[i] : -0.0f;
        narrow_w[i] = bws_random_bool(r) ? (float)w[i] : -0.0f;
    }
    bw_motion narrow = by_velocity;
    narrow.scalar = BW_F32;
    narrow.positions = narrow_p;
    narrow.velocities = narrow_w;
    compare_sample(&narrow, t);
    compare_sample(&narrow, narrow.begin);
    for (uint32_t v = 0; v < VERTICES; v++) {
        bw_vec3 a = bw_motion_position(&by_plan, v, t), b = bw_motion_position(&by_velocity, v, t);
        assert_true(a.x == (scalar == BW_F64 ? b.x : (double)(float)b.x) &&
                    b.x == p[3 * v] + w[3 * v] * (t - 2));
        bw_plan back = bw_motion_plan(&by_velocity, v, t);
        assert_memory_equal(&back, &plan[v], sizeof back);
        back = bw_motion_plan(&by_plan, v, t);
        assert_memory_equal(&back, &plan[v], sizeof back);
    }
}

static void test_plans(void **state)
{
    (void)state;
    BW_EACH_SEED(20, plans, NULL);
    /* Too small to be exact about: zero, and never -0. */
    bw_plan falling = {.c = {{1, 0, 0}, {-1, -0x1p-302, 0}}};
    bw_motion m = {.kind = BW_MOTION_PLANS, .vertex_count = 1, .scalar = BW_F64, .plans = &falling, .end = 1};
    bw_vec3 q = bw_motion_position(&m, 0, 1);
    assert_true(q.x == 0 && q.y == 0 && !signbit(q.y));
}

static void refused(const bw_motion *m)
{
    bw_fault fault;
    assert_int_equal(bw_motion_validate(m, &fault), BW_ERROR_ARGUMENT);
    assert_true(fault.result == BW_ERROR_ARGUMENT && fault.element == BW_NONE && fault.vertex == BW_NONE);
    assert_non_null(fault.text);
}

static void test_unreadable(void **state)
{
    (void)state;
    static film f;
    bws_random r = bws_random_seeded(5);
    film_make(&f, &r, BW_F32, false);
    bw_motion good = f.motion, m;
    refused(NULL);
    m = good, m.kind = (bw_motion_kind)3, refused(&m);
    m = good, m.scalar = (bw_scalar)2, refused(&m);
    m = good, m.stride = 8, refused(&m);
    m = good, m.stride = 14, refused(&m);
    m = good, m.frame_count = 1, refused(&m);
    m = good, m.times = NULL, refused(&m);
    m = good, m.frames = NULL, refused(&m);
    double times[FRAMES];
    const void *frames[FRAMES];
    const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p301, f.times[1], f.times[0]};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memcpy(times, f.times, sizeof times);
        times[2] = bad[i];
        m = good, m.times = times, refused(&m);
    }
    memcpy(frames, f.frames, sizeof frames);
    frames[3] = NULL;
    m = good, m.frames = frames, refused(&m);
    m = (bw_motion){.kind = BW_MOTION_VELOCITY, .vertex_count = 1, .positions = f.f32, .end = 1}, refused(&m);
    m.positions = NULL, m.velocities = f.f32, refused(&m);
    m = (bw_motion){.kind = BW_MOTION_PLANS, .vertex_count = 1, .end = 1}, refused(&m);
    bw_plan plan = {0};
    m.plans = &plan, m.begin = 2, refused(&m);
    m.begin = NAN, refused(&m);
    m = (bw_motion){.kind = BW_MOTION_PLANS};
    assert_int_equal(bw_motion_validate(&m, NULL), BW_OK);
    float out[VERTICES * 3];
    assert_int_equal(bw_motion_sample(NULL, 0, out, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_motion_sample(&good, f.times[0], NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_motion_sample(&good, NAN, out, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_motion_sample(&good, nextafter(f.times[0], -1e9), out, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_motion_sample(&good, nextafter(f.times[FRAMES - 1], 1e9), out, NULL),
                     BW_ERROR_ARGUMENT);
}

static void test_bad_numbers(void **state)
{
    (void)state;
    static film f;
    bws_random r = bws_random_seeded(6);
    film_make(&f, &r, BW_F64, true);
    f.f64[2][PADDED * 5 + 1] = NAN;
    f.f64[4][PADDED * 3 + 2] = 0x1p101;
    f.f64[4][PADDED * 7 + 3] = NAN; /* the padding is nobody's */
    bw_fault report;
    assert_int_equal(bw_motion_validate(&f.motion, &report), BW_ERROR_NOT_FINITE);
    assert_int_equal(report.defect, BW_DEFECT_NAN);
    assert_true(report.element == 2 && report.vertex == 5 && report.axis == 1 && isnan(report.value));
    f.f64[2][PADDED * 5 + 1] = 0;
    assert_int_equal(bw_motion_validate(&f.motion, &report), BW_ERROR_RANGE);
    assert_true(report.element == 4 && report.vertex == 3 && report.axis == 2 && report.value == 0x1p101);
    f.f64[4][PADDED * 3 + 2] = 0x1p-301;
    assert_int_equal(bw_motion_validate(&f.motion, &report), BW_ERROR_RANGE);

    bw_plan plan[3];
    memset(plan, 0, sizeof plan);
    bw_motion m = {.kind = BW_MOTION_PLANS, .vertex_count = 3, .plans = plan, .begin = -4, .end = 2};
    assert_int_equal(bw_motion_validate(&m, &report), BW_OK);
    assert_int_equal(report.result, BW_OK);
    plan[1].c[3].y = INFINITY;
    plan[2].c[0].x = NAN;
    assert_int_equal(bw_motion_validate(&m, &report), BW_ERROR_NOT_FINITE);
    assert_true(report.element == 3 && report.vertex == 1 && report.axis == 1);
    plan[1].c[3].y = 0x1p95; /* times 4^3 */
    plan[2].c[0].x = 0;
    assert_int_equal(bw_motion_validate(&m, &report), BW_ERROR_RANGE);
    assert_true(report.element == BW_NONE && report.value == 0x1p101);
    plan[1].c[3].y = 0x1p94;
    assert_int_equal(bw_motion_validate(&m, &report), BW_OK);
    plan[0].origin = NAN;
    assert_int_equal(bw_motion_validate(&m, &report), BW_ERROR_NOT_FINITE);
    assert_true(report.element == BW_NONE && report.vertex == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keyframes), cmocka_unit_test(test_plans),
                                       cmocka_unit_test(test_unreadable), cmocka_unit_test(test_bad_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
