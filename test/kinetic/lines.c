/* Compiled schedules give the tight boxes, bit for bit, at any time; interpolated boxes contain them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinetic/film.h"
#include "kinetic/kinetic.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

static bw_kinetic *create(const film *f, bw_kinetic_method method, double time)
{
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic_desc desc = {.method = method, .time = time};
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL), BW_OK);
    return k;
}

static double some_time(const film *f, double now, bws_random *r)
{
    double end = f->times[f->frame_count - 1], t = now;
    uint32_t how = (uint32_t)bws_random_below(r, 5);
    if (how == 0)
        t = f->times[bws_random_below(r, f->frame_count)];
    else if (how == 1)
        t = nextafter(f->times[bws_random_below(r, f->frame_count)],
                      bws_random_bool(r) ? INFINITY : -INFINITY);
    else
        t = now + bws_random_unit(r) * (end - now) * 0.3;
    if (t < now && bws_random_below(r, 4) != 0) /* seldom back in time */
        t = now;
    return t > end ? end : t < f->times[0] ? f->times[0] : t;
}

/* The times at which a compiled extent hands over, and their neighbours: where a line is too short, it is
 * there. */
static double event_time(const film *f, const bw_kinetic *k, bws_random *r)
{
    const bw_segment *lines = &k->lines;
    if (lines->segment == BW_NONE || lines->events.count == 0)
        return bw_kinetic_time(k);
    const bw_segment_event *e = bw_array_at(&lines->events, bws_random_below(r, lines->events.count));
    double from = f->times[lines->segment], to = f->times[lines->segment + 1];
    double s = ((double)e->time + bws_random_double(r, -1, 2)) * 0x1p-40;
    return fmin(fmax(from + s * (to - from), from), to);
}

static film_desc keyed_film(bws_random *r)
{
    film_desc d = film_any(r);
    d.kind = BW_MOTION_KEYFRAMES;
    return d;
}

typedef struct boxes {
    bw_box *box;
    uint32_t count;
} boxes;

static bool keep(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    (void)depth;
    (void)primitives;
    (void)count;
    boxes *b = user;
    b->box = realloc(b->box, (b->count + 1) * sizeof *b->box);
    assert_non_null(b->box);
    b->box[b->count++] = *box;
    return true;
}

static boxes boxes_of(bw_kinetic *k)
{
    boxes b = {0};
    bw_body body;
    assert_null(bw_kinetic_check(k));
    assert_int_equal(bw_kinetic_body(k, &body, NULL), BW_OK);
    assert_int_equal(bw_tree_visit(body.tree, keep, &b, NULL), BW_OK);
    return b;
}

/* Boxes of doubles: outside the tight ones, by what rounding to floats at both keyframes and once more can
 * do. */
static void hardly_larger(bw_kinetic *k, bw_kinetic *tight)
{
    boxes a = boxes_of(k), b = boxes_of(tight);
    assert_int_equal(a.count, b.count);
    for (uint32_t j = 0; j < a.count; j++)
        for (int axis = 0; axis < 3; axis++) {
            double size = (double)k->lines.size[axis], most = 4 * 0x1p-23 * size;
            double low = (double)b.box[j].min[axis] - (double)a.box[j].min[axis];
            double high = (double)a.box[j].max[axis] - (double)b.box[j].max[axis];
            assert_true(low >= 0 && low <= most && high >= 0 && high <= most);
        }
    free(a.box);
    free(b.box);
}

static void compiled(bws_random *r, void *user)
{
    (void)user;
    film_desc d = keyed_film(r);
    film f;
    film_make(&d, r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_COMPILED, d.begin);
    bw_kinetic *tight = create(&f, BW_KINETIC_REFIT, d.begin);
    if (bws_random_bool(r)) { /* the twin of the vector code */
        k->simd = BW_SIMD_128;
        k->lines.segment = BW_NONE;
        k->boxes_fresh = false;
    }
    film_prove(&f, k, false);
    for (int i = 0; i < 30; i++) {
        double t = i % 2 == 0 ? some_time(&f, bw_kinetic_time(k), r) : event_time(&f, k, r);
        bw_kinetic_report step = {0};
        bool back = t < bw_kinetic_time(k);
        assert_int_equal(bw_kinetic_advance(k, t, &step, NULL), BW_OK);
        assert_int_equal(step.restarted, back);
        film_prove(&f, k, false);
        assert_int_equal(bw_kinetic_advance(tight, t, NULL, NULL), BW_OK);
        if (d.scalar == BW_F64)
            hardly_larger(k, tight);
    }
    bw_kinetic_destroy(tight);
    bw_kinetic_destroy(k);
    film_free(&f);
}

static void test_compiled(void **state)
{
    (void)state;
    BW_EACH_SEED(200, compiled, NULL);
}

static uint64_t updates(const film *f, uint32_t frames)
{
    double begin = f->times[0], end = f->times[f->frame_count - 1];
    bw_kinetic *k = create(f, BW_KINETIC_COMPILED, begin);
    for (uint32_t i = 1; i <= frames; i++) {
        bw_kinetic_report step = {0};
        double t = i == frames ? end : begin + (end - begin) * i / frames;
        /* All keyframes are stops, so that no segment is left out. */
        for (uint32_t j = 0; j < f->frame_count; j++)
            if (f->times[j] > bw_kinetic_time(k) && f->times[j] < t) {
                assert_int_equal(bw_kinetic_advance(k, nextafter(f->times[j], -INFINITY), &step, NULL),
                                 BW_OK);
                assert_int_equal(bw_kinetic_advance(k, f->times[j], &step, NULL), BW_OK);
            }
        assert_int_equal(bw_kinetic_advance(k, t, &step, NULL), BW_OK);
    }
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    bw_kinetic_report sum = {0};
    bw_kinetic_get_total(k, &sum);
    assert_int_equal(sum.segments, f->frame_count - 1);
    bw_kinetic_destroy(k);
    return sum.updates;
}

static void frames_do_not_matter(bws_random *r, void *user)
{
    (void)user;
    film_desc d = {.scalar = BW_F32,
                   .style = FILM_WAVE,
                   .size = 300,
                   .frames = 4,
                   .span = 3,
                   .points = bws_random_bool(r)};
    film f;
    film_make(&d, r, &f);
    uint64_t once = updates(&f, 1);
    assert_true(once > 0);
    assert_int_equal(once, updates(&f, 211));
    film_free(&f);
}

static void test_frames_do_not_matter(void **state)
{
    (void)state;
    BW_EACH_SEED(5, frames_do_not_matter, NULL);
}

static void interpolated(bws_random *r, void *user)
{
    (void)user;
    film_desc d = keyed_film(r);
    film f;
    film_make(&d, r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_INTERPOLATED, d.begin);
    bw_kinetic *tight = create(&f, BW_KINETIC_REFIT, d.begin);
    for (int i = 0; i < 20; i++) {
        double t = some_time(&f, bw_kinetic_time(k), r);
        assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
        assert_int_equal(bw_kinetic_advance(tight, t, NULL, NULL), BW_OK);
        film_prove(&f, tight, false);
        boxes a = boxes_of(k), b = boxes_of(tight);
        assert_int_equal(a.count, b.count);
        bool keyframe = false;
        for (uint32_t j = 0; j < f.frame_count; j++)
            keyframe = keyframe || t == f.times[j];
        for (uint32_t j = 0; j < a.count; j++)
            for (int axis = 0; axis < 3; axis++) {
                assert_true(a.box[j].min[axis] <= b.box[j].min[axis] &&
                            a.box[j].max[axis] >= b.box[j].max[axis]);
                if (keyframe) /* where nothing is blended, nothing is lost */
                    assert_true(a.box[j].min[axis] == b.box[j].min[axis] &&
                                a.box[j].max[axis] == b.box[j].max[axis]);
            }
        free(a.box);
        free(b.box);
    }
    bw_kinetic_destroy(k);
    bw_kinetic_destroy(tight);
    film_free(&f);
}

static void test_interpolated(void **state)
{
    (void)state;
    BW_EACH_SEED(60, interpolated, NULL);
}

static void test_refused(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(2);
    film_desc d = {.scalar = BW_F64, .size = 50, .frames = 3, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_mesh mesh = bws_view(&f.mesh);
    bw_kinetic *k = NULL;
    bw_kinetic_desc desc = {.method = BW_KINETIC_COMPILED};
    f.motion.kind = BW_MOTION_VELOCITY;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_ERROR_UNSUPPORTED);
    f.motion.kind = BW_MOTION_KEYFRAMES;
    k = create(&f, BW_KINETIC_INTERPOLATED, 0);
    bw_plan plan = {.origin = 0};
    assert_int_equal(bw_kinetic_set_plan(k, 0, &plan, NULL), BW_ERROR_UNSUPPORTED);
    bw_kinetic_destroy(k);
    film_free(&f);
}

static bw_result go_on(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const film *f = user;
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    bw_kinetic_desc desc = {.method = BW_KINETIC_COMPILED, .allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL);
    if (result != BW_OK) {
        bw_failing_allocator_fail_none(memory);
        assert_null(k);
        return result;
    }
    for (uint32_t i = 1; i < f->frame_count && result == BW_OK; i++)
        result = bw_kinetic_advance(k, 0.5 * (f->times[i - 1] + f->times[i]), NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    film_prove(f, k, false);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    assert_int_equal(bw_kinetic_advance(k, f->times[f->frame_count - 1], NULL, NULL), BW_OK);
    film_prove(f, k, false);
    bw_kinetic_destroy(k);
    return result;
}

static void test_memory(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(2);
    for (int scalar = 0; scalar < 2; scalar++) {
        film_desc d = {
            .scalar = (bw_scalar)scalar, .style = FILM_SMOOTH, .size = 150, .frames = 4, .span = 1};
        film f;
        film_make(&d, &r, &f);
        bw_each_allocation_failure(go_on, &f, 10);
        film_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiled), cmocka_unit_test(test_frames_do_not_matter),
        cmocka_unit_test(test_interpolated), cmocka_unit_test(test_refused), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
