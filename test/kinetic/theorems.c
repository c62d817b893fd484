/* Zachmann and Weller's section 5, as tests: no event without a change, none under translation, as many for
 * one frame as for a thousand, about n log n in all. Theorem 1, that boxes are right at all times, is the
 * matter of methods.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinetic/film.h"
#include "kinetic/kinetic.h"
#include "oracle/random.h"

static bw_kinetic *create(const film *f, bw_kinetic_method method, double time)
{
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic_desc desc = {.method = method, .time = time};
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL), BW_OK);
    return k;
}

static bw_kinetic_method queue = BW_KINETIC_QUEUE, boxtree = BW_KINETIC_BOXTREE,
                         compiled = BW_KINETIC_COMPILED, interpolated = BW_KINETIC_INTERPOLATED,
                         automatic = BW_KINETIC_AUTO;

static bool needs_keyframes(bw_kinetic_method method)
{
    return method == BW_KINETIC_COMPILED || method == BW_KINETIC_INTERPOLATED;
}

static void translation(bws_random *r, void *user)
{
    bw_kinetic_method method = *(const bw_kinetic_method *)user;
    film_desc d = film_any(r);
    d.kind = bws_random_bool(r) && !needs_keyframes(method) ? BW_MOTION_VELOCITY : BW_MOTION_KEYFRAMES;
    d.scalar = BW_F64;
    film f;
    film_make(&d, r, &f);
    /* Lines are of floats: steps of 2^-10, so that they move alike as well. */
    for (size_t i = 0; i < 3 * (size_t)f.motion.vertex_count && needs_keyframes(method); i++)
        ((double *)f.frames[0])[i] = round(((double *)f.frames[0])[i] * 1024) / 1024;
    for (uint32_t k = 1; k < f.frame_count; k++) {
        double *at = f.frames[k], move[3];
        for (int axis = 0; axis < 3; axis++)
            move[axis] = (double)bws_random_int(r, -1000, 1000) / 64;
        for (size_t i = 0; i < 3 * (size_t)f.motion.vertex_count; i++)
            at[i] = move[i % 3] + (d.kind == BW_MOTION_VELOCITY ? 0 : ((double *)f.frames[0])[i]);
    }
    double begin, end;
    bw_motion_span(&f.motion, &begin, &end);
    bw_kinetic *k = create(&f, method, begin);
    for (int i = 1; i <= 10; i++) {
        bw_kinetic_report step = {0};
        double t = begin + (end - begin) * i / 10;
        assert_int_equal(bw_kinetic_advance(k, t < end ? t : end, &step, NULL), BW_OK);
        assert_int_equal(step.events, 0);
        assert_int_equal(step.updates, 0);
        film_prove(&f, k, false);
    }
    bw_kinetic_destroy(k);
    film_free(&f);
}

static void test_translation(void **state)
{
    (void)state;
    BW_EACH_SEED(40, translation, &queue);
    if (BW_RESEARCH)
        BW_EACH_SEED(40, translation, &boxtree);
    BW_EACH_SEED(40, translation, &compiled);
    BW_EACH_SEED(40, translation, &interpolated);
    BW_EACH_SEED(40, translation, &automatic);
}

static bw_kinetic_report run(const film *f, bw_kinetic_method method, uint32_t frames)
{
    double begin, end;
    bw_motion_span(&f->motion, &begin, &end);
    bw_kinetic *k = create(f, method, begin);
    for (uint32_t i = 1; i <= frames; i++) {
        double t = i == frames ? end : begin + (end - begin) * i / frames;
        assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
    }
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    bw_kinetic_report sum = {0};
    bw_kinetic_get_total(k, &sum);
    film_prove(f, k, false);
    bw_kinetic_destroy(k);
    return sum;
}

static void frames_do_not_matter(bws_random *r, void *user)
{
    bw_kinetic_method method = *(const bw_kinetic_method *)user;
    film_desc d = film_any(r);
    d.style = bws_random_bool(r) ? FILM_SMOOTH : FILM_WAVE;
    d.begin = 0;
    d.span = 1;
    if (method == BW_KINETIC_COMPILED) { /* one segment: those that a step passes over are not compiled */
        d.kind = BW_MOTION_KEYFRAMES;
        d.frames = 2;
    }
    film f;
    film_make(&d, r, &f);
    bw_kinetic_report once = run(&f, method, 1), often = run(&f, method, 313);
    assert_int_equal(once.events, often.events);
    assert_int_equal(once.leaf_events, often.leaf_events);
    assert_int_equal(once.updates, often.updates);
    film_free(&f);
}

static void test_frames_do_not_matter(void **state)
{
    (void)state;
    BW_EACH_SEED(30, frames_do_not_matter, &queue);
    if (BW_RESEARCH)
        BW_EACH_SEED(30, frames_do_not_matter, &boxtree);
    BW_EACH_SEED(30, frames_do_not_matter, &compiled);
}

/* Every extent that was handed on is larger for it a moment later, and as many were as are reported. */
static void events_change_extents(bws_random *r, void *user)
{
    bw_kinetic_method method = *(const bw_kinetic_method *)user;
    bool planes = BW_RESEARCH && method == BW_KINETIC_BOXTREE;
    film_desc d = {.kind = BW_MOTION_VELOCITY,
                   .scalar = BW_F64,
                   .style = FILM_SMOOTH,
                   .points = bws_random_bool(r),
                   .size = 200,
                   .span = 1};
    film f;
    film_make(&d, r, &f);
    bw_kinetic *k = create(&f, method, 0);
    uint32_t extents = planes ? bw_boxtree_planes(&k->boxtree) : (bw_kinetic_root(k) + 1) * BW_EXTENTS;
    uint32_t handed = 0, *winner = planes ? k->boxtree.winner : k->queue.winner;
    uint32_t *old = malloc(extents * sizeof *old);
    assert_non_null(old);
    for (int i = 0; i < 60; i++) {
        bw_kinetic_stats stats = {0};
        bw_kinetic_get_stats(k, &stats);
        if (stats.next_event > 0.99)
            break;
        memcpy(old, winner, extents * sizeof *old);
        bw_kinetic_report step = {0};
        assert_int_equal(bw_kinetic_advance(k, nextafter(stats.next_event, -1), &step, NULL), BW_OK);
        assert_int_equal(step.events, 0);
        assert_memory_equal(old, winner, extents * sizeof *old);
        double t = stats.next_event + 1e-9;
        assert_int_equal(bw_kinetic_advance(k, t, &step, NULL), BW_OK);
        uint32_t changed = 0;
        for (uint32_t id = 0; id < extents; id++)
            if (winner[id] != old[id]) {
                uint32_t extent = planes ? bw_boxtree_extent(&k->boxtree, id) : id % BW_EXTENTS;
                changed++;
                assert_true(bw_kinetic_reach_out(k, winner[id], extent, t) >
                            bw_kinetic_reach_out(k, old[id], extent, t));
            }
        assert_int_equal(changed, step.updates);
        assert_true(step.events <= step.updates);
        handed += changed;
        film_prove(&f, k, false);
    }
    assert_true(handed > 20);
    free(old);
    bw_kinetic_destroy(k);
    film_free(&f);
}

static void test_events_change_extents(void **state)
{
    (void)state;
    BW_EACH_SEED(10, events_change_extents, &queue);
    if (BW_RESEARCH)
        BW_EACH_SEED(10, events_change_extents, &boxtree);
}

/* Theorem 2: no more than about n log n events. Two motions, as far as an ordinary test may take time; the
 * bench kinetic-growth goes on to 2^18.
 *
 * Tangents: the coordinates are tangents of a parabola, so every point is the farthest one of every box above
 * it in its turn. That is the worst that straight lines can do: a box of m points has m - 1 updates, and
 * those of each level make n.
 *
 * Points that fly anywhere: of m random lines only about log m ever are the uppermost, so boxes have few
 * events, most boxes are small ones, and all events together grow like n. */
typedef struct growth {
    bw_kinetic_method method;
    bool tangents;
    uint32_t last;
} growth;

static void make_tangents(film *f)
{
    uint32_t n = f->motion.vertex_count;
    for (uint32_t v = 0; v < n; v++) {
        double t = (double)v / n, *at = (double *)f->frames[0] + 3 * (size_t)v;
        double *speed = (double *)f->frames[1] + 3 * (size_t)v;
        at[0] = -0.5 * t * t, at[1] = at[2] = t;
        speed[0] = t, speed[1] = speed[2] = 0;
    }
}

enum { FIRST = 10, SIZES = 9 };

/* The updates of every size, over n. */
static void grow(const growth *g, double updates[SIZES])
{
    for (uint32_t log_n = FIRST; log_n <= g->last; log_n++) {
        bws_random r = bws_random_seeded(log_n);
        film_desc d = {
            .kind = BW_MOTION_VELOCITY, .scalar = BW_F64, .points = true, .size = 1u << log_n, .span = 1};
        film f;
        film_make(&d, &r, &f);
        if (g->tangents)
            make_tangents(&f);
        bw_kinetic *k = create(&f, g->method, 0);
        assert_int_equal(bw_kinetic_advance(k, 1, NULL, NULL), BW_OK);
        bw_kinetic_stats stats = {0};
        bw_kinetic_get_stats(k, &stats);
        bw_kinetic_report sum = {0};
        bw_kinetic_get_total(k, &sum);
        updates[log_n - FIRST] = (double)sum.updates / exp2(log_n);
        printf("n = 2^%u: %llu events, %llu updates: %.3f n, %.3f n log2 n\n", log_n,
               (unsigned long long)sum.events, (unsigned long long)sum.updates, updates[log_n - FIRST],
               updates[log_n - FIRST] / log_n);
        bw_kinetic_destroy(k);
        film_free(&f);
    }
}

static void test_growth_of_tangents(void **state)
{
    (void)state;
    double queue_updates[SIZES], boxtree_updates[SIZES];
    growth g = {.method = BW_KINETIC_QUEUE, .tangents = true, .last = 15};
    grow(&g, queue_updates);
    /* Eight times as many points, one level more: one update more for each. */
    for (uint32_t i = 0; i + 3 <= g.last - FIRST; i++)
        assert_true(fabs(queue_updates[i + 3] - queue_updates[i] - 1) < 0.1);
    if (!BW_RESEARCH)
        return;
    g = (growth){.method = BW_KINETIC_BOXTREE, .tangents = true, .last = 13};
    grow(&g, boxtree_updates);
    for (uint32_t i = 0; i <= g.last - FIRST; i++) {
        double part = boxtree_updates[i] / boxtree_updates[0] * FIRST / (FIRST + i);
        assert_true(part > 0.9 && part < 1.1); /* n log n, as it is */
    }
}

static void test_growth_of_points(void **state)
{
    (void)state;
    static const growth runs[] = {{.method = BW_KINETIC_QUEUE, .last = 15},
                                  {.method = BW_KINETIC_BOXTREE, .last = 12}};
    for (size_t i = 0; i < 1 + BW_RESEARCH; i++) {
        double updates[SIZES];
        grow(&runs[i], updates);
        for (uint32_t j = 1; j <= runs[i].last - FIRST; j++) {
            assert_true(updates[j] < 1.5 * updates[0]);   /* about n, */
            assert_true(updates[j] / (FIRST + j) < 0.12); /* and far below n log n */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_translation), cmocka_unit_test(test_frames_do_not_matter),
        cmocka_unit_test(test_events_change_extents), cmocka_unit_test(test_growth_of_tangents),
        cmocka_unit_test(test_growth_of_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
