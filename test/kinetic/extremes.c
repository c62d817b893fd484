/* What has broken kinetic structures elsewhere, for every method, the policy included: vertices at rest, all
 * of one plan, thousands of events at one time, plans that change at that very time, times at 1e9, spans of
 * 1e-9. Always valid, and never for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kinetic/film.h"
#include "oracle/random.h"

enum { SIDE = 20, VERTICES = SIDE * SIDE, STEPS = 9 };

typedef enum what { REST, ONE_PLAN, MIRROR, MIRROR_HALF_AT_REST, WHATS } what;

static void put(const film *f, int frame, size_t i, double x)
{
    if (f->motion.scalar == BW_F64)
        ((double *)f->frames[frame])[i] = x;
    else
        ((float *)f->frames[frame])[i] = (float)x;
}

/* A sheet of which every column, and every row, changes places with its mirror image half-way. */
static void fill(film *f, what w, double span)
{
    for (uint32_t v = 0; v < f->motion.vertex_count; v++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            double at[3] = {v % SIDE, v / SIDE, (double)(v % 3)}, moved[3];
            for (int i = 0; i < 3; i++) {
                at[i] = w == ONE_PLAN ? 5 : at[i];
                bool mirrored = w == MIRROR || (w == MIRROR_HALF_AT_REST && v % 2 == 0);
                moved[i] = w == ONE_PLAN ? 7 : mirrored ? SIDE - 1 - at[i] : at[i];
            }
            put(f, 0, 3 * v + axis, at[axis]);
            bool keyed = f->motion.kind == BW_MOTION_KEYFRAMES;
            put(f, 1, 3 * v + axis, keyed ? moved[axis] : (moved[axis] - at[axis]) / span);
            double *c[2] = {axis == 0   ? &f->plans[v].c[0].x
                            : axis == 1 ? &f->plans[v].c[0].y
                                        : &f->plans[v].c[0].z,
                            axis == 0   ? &f->plans[v].c[1].x
                            : axis == 1 ? &f->plans[v].c[1].y
                                        : &f->plans[v].c[1].z};
            *c[0] = at[axis];
            *c[1] = (moved[axis] - at[axis]) / span;
        }
}

static bool takes_plans(bw_kinetic_method method)
{
    return method != BW_KINETIC_COMPILED && method != BW_KINETIC_INTERPOLATED;
}

static void follow(film *f, bw_kinetic_method method, what w, bool replan)
{
    double begin, end, middle;
    bw_motion_span(&f->motion, &begin, &end);
    middle = begin + 0.5 * (end - begin);
    double times[STEPS] = {
        begin,  nextafter(begin, INFINITY),  begin + 0.25 * (end - begin), nextafter(middle, -INFINITY),
        middle, nextafter(middle, INFINITY), begin + 0.75 * (end - begin), nextafter(end, -INFINITY),
        end};
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    bw_kinetic_desc desc = {.method = method, .time = begin};
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL), BW_OK);
    bool replanned = false;
    for (int i = 0; i < STEPS; i++) {
        bw_kinetic_report step = {0};
        double t = fmin(fmax(times[i], bw_kinetic_time(k)), end);
        assert_int_equal(bw_kinetic_advance(k, t, &step, NULL), BW_OK);
        assert_true(step.checks + step.events <= 100 * (uint64_t)VERTICES);
        if (w == REST || w == ONE_PLAN)
            assert_int_equal(step.updates, 0);
        film_prove(f, k, replanned);
        if (!replan || i != 4)
            continue;
        /* At the very time of the events: half of those involved turn back, in bulk, some one by one. */
        uint32_t some[VERTICES / 2];
        static bw_plan plans[VERTICES / 2];
        for (uint32_t j = 0; j < VERTICES / 2; j++) {
            some[j] = 2 * j;
            bw_plan plan = bw_motion_plan(&f->motion, 2 * j, t);
            bw_vec3 p = bw_motion_position(&f->motion, 2 * j, t), u = plan.c[1];
            plans[j] = (bw_plan){.origin = t, .c = {p, {-u.x, -u.y, -u.z}}};
        }
        assert_int_equal(bw_kinetic_set_plans(k, some, plans, VERTICES / 2 - 9, NULL), BW_OK);
        for (uint32_t j = VERTICES / 2 - 9; j < VERTICES / 2; j++)
            assert_int_equal(bw_kinetic_set_plan(k, some[j], &plans[j], NULL), BW_OK);
        replanned = true;
        film_prove(f, k, replanned);
    }
    bw_kinetic_destroy(k);
}

static void test_extremes(void **state)
{
    (void)state;
    static const double begins[] = {0, 1e9, -3, 0}, spans[] = {2, 4, 1, 1e-9};
    bws_random r = bws_random_seeded(1);
    for (int w = 0; w < WHATS; w++)
        for (int kind = 0; kind < 3; kind++)
            for (int when = 0; when < 4; when++) {
                if ((w + kind + when) % 2 != 0) /* half of them, for the time it takes */
                    continue;
                double begin = begins[when], span = spans[when];
                film_desc d = {.kind = (bw_motion_kind)kind,
                               .scalar = (w + when) % 2 == 0 ? BW_F32 : BW_F64,
                               .size = VERTICES,
                               .frames = 2,
                               .begin = begin,
                               .span = span,
                               .degree = 1};
                film f;
                film_make(&d, &r, &f);
                assert_int_equal(f.motion.vertex_count, VERTICES);
                if (kind == BW_MOTION_KEYFRAMES)
                    f.times[1] = begin + span;
                fill(&f, (what)w, span);
                assert_int_equal(bw_motion_validate(&f.motion, NULL), BW_OK);
                FILM_EACH_METHOD(m)
                {
                    if (m == BW_KINETIC_COMPILED && kind != BW_MOTION_KEYFRAMES)
                        continue;
                    follow(&f, (bw_kinetic_method)m, (what)w, false);
                    if (takes_plans((bw_kinetic_method)m) && w >= MIRROR)
                        follow(&f, (bw_kinetic_method)m, (what)w, true);
                }
                film_free(&f);
            }
}

/* Some that cross at one point, closer to each other than their coordinates can tell, followed from a moment
 * at which the order is open of some pairs and still certain of another: an extent must not go round among
 * them. */
static void test_crossing_at_a_point(void **state)
{
    (void)state;
    enum { FOUR = 4, ORDERS = 24, ALL = 3 * FOUR };
    static const float ends[FOUR][2] = {{0x1p0f - 0x1p-23f, 0x1p0f - 0x2p-23f},
                                        {0x1p0f - 0x3p-23f, 0x1p0f - 0x1p-23f},
                                        {0x1p0f - 0x1p-23f, 0x1p0f - 0x2p-23f},
                                        {0x1p0f + 0x1p-23f, 0x1p0f - 0x3p-23f}};
    float frames[2][ALL];
    const void *frame[2] = {frames[0], frames[1]};
    const double times[2] = {0.36812675665333039, 2.7238130599305057};
    film f = {.motion = {
                  .vertex_count = FOUR, .scalar = BW_F32, .frame_count = 2, .times = times, .frames = frame}};
    bw_mesh mesh = {.vertex_count = FOUR};
    for (uint32_t order = 0; order < ORDERS; order++)
        FILM_EACH_METHOD(m)
        {
            uint32_t left[FOUR] = {0, 1, 2, 3}, rest = order;
            for (uint32_t v = 0; v < FOUR; v++) {
                uint32_t at = rest % (FOUR - v), which = left[at];
                rest /= FOUR - v;
                left[at] = left[FOUR - v - 1];
                for (uint32_t axis = 0; axis < 3; axis++)
                    for (uint32_t i = 0; i < 2; i++)
                        frames[i][3 * v + axis] = axis == 1 ? -ends[which][i] : ends[which][i];
            }
            bw_kinetic *k = NULL;
            bw_kinetic_desc desc = {.method = (bw_kinetic_method)m, .time = 1.9385841991414208};
            assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_OK);
            film_prove(&f, k, false);
            for (int i = 0; i < 3; i++) {
                static const double when[3] = {1.9385841991414210, 1.95, 2.7238130599305057};
                bw_kinetic_report step = {0};
                assert_int_equal(bw_kinetic_advance(k, when[i], &step, NULL), BW_OK);
                assert_true(step.checks + step.events <= 1000);
                film_prove(&f, k, false);
            }
            bw_kinetic_destroy(k);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_extremes),
                                       cmocka_unit_test(test_crossing_at_a_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
