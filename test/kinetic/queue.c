/* The queue and the BoxTree on motions of every kind and style: valid at frames, at random times, at the very
 * times of events and next to them; with plans that change, there too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kinetic/film.h"
#include "oracle/random.h"

static void valid(bws_random *r, void *user)
{
    film_desc d = film_any(r);
    film f;
    film_make(&d, r, &f);
    bw_mesh mesh = bws_view(&f.mesh);
    bw_kinetic_desc desc = {.method = *(const bw_kinetic_method *)user,
                            .builder = bws_random_bool(r) ? BW_BUILDER_FAST : BW_BUILDER_QUALITY,
                            .time = d.begin};
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_OK);
    film_prove(&f, k, false);
    bw_kinetic_report total = {0}, step = {0};
    for (int i = 0; i < 25; i++) {
        assert_int_equal(bw_kinetic_advance(k, film_time(&f, k, r), &step, NULL), BW_OK);
        assert_false(step.restarted);
        assert_true(step.updates >= step.events && step.events >= step.leaf_events);
        total.events += step.events;
        total.updates += step.updates;
        film_prove(&f, k, false);
    }
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    bw_kinetic_report sum = {0};
    bw_kinetic_get_total(k, &sum);
    assert_true(sum.events == total.events && sum.updates == total.updates);
    double end;
    bw_motion_span(&f.motion, NULL, &end);
    assert_int_equal(bw_kinetic_advance(k, end, NULL, NULL), BW_OK);
    film_prove(&f, k, false);
    bw_kinetic_get_stats(k, &stats);
    assert_true(stats.next_event > end);
    /* Back in time. */
    assert_int_equal(bw_kinetic_advance(k, d.begin, &step, NULL), BW_OK);
    assert_true(step.restarted || end == d.begin);
    film_prove(&f, k, false);
    bw_kinetic_destroy(k);
    film_free(&f);
}

static bw_kinetic_method queue = BW_KINETIC_QUEUE, boxtree = BW_KINETIC_BOXTREE;

static void test_valid(void **state)
{
    (void)state;
    BW_EACH_SEED(80, valid, &queue);
}

static void test_boxtree_valid(void **state)
{
    (void)state;
    BW_EACH_SEED(80, valid, &boxtree);
}

static void plans_change(bws_random *r, void *user)
{
    film_desc d = film_any(r);
    film f;
    film_make(&d, r, &f);
    bw_mesh mesh = bws_view(&f.mesh);
    bw_kinetic_desc desc = {.method = *(const bw_kinetic_method *)user, .time = d.begin};
    bw_kinetic *k = NULL, *refit = NULL;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &k, NULL), BW_OK);
    desc.method = BW_KINETIC_REFIT;
    assert_int_equal(bw_kinetic_create(&desc, &mesh, &f.motion, &refit, NULL), BW_OK);
    uint32_t vertices[20];
    bw_plan plans[20];
    for (int i = 0; i < 20; i++) {
        double t = film_time(&f, k, r);
        assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
        assert_int_equal(bw_kinetic_advance(refit, t, NULL, NULL), BW_OK);
        uint32_t count = bws_random_bool(r) ? 1 : (uint32_t)bws_random_below(r, 20);
        for (uint32_t j = 0; j < count; j++) {
            vertices[j] = (uint32_t)bws_random_below(r, f.motion.vertex_count);
            plans[j] = film_plan(d.style, (uint32_t)bws_random_below(r, 4), t, r);
        }
        if (count == 1)
            assert_int_equal(bw_kinetic_set_plan(k, vertices[0], plans, NULL), BW_OK);
        else
            assert_int_equal(bw_kinetic_set_plans(k, vertices, plans, count, NULL), BW_OK);
        assert_int_equal(bw_kinetic_set_plans(refit, vertices, plans, count, NULL), BW_OK);
        film_prove(&f, k, true);
        film_prove(&f, refit, true);
        bw_body a, b;
        assert_int_equal(bw_kinetic_body(k, &a, NULL), BW_OK);
        assert_int_equal(bw_kinetic_body(refit, &b, NULL), BW_OK);
        size_t bytes = 3 * (d.scalar == BW_F64 ? sizeof(double) : sizeof(float)) * f.motion.vertex_count;
        assert_memory_equal(a.mesh->positions, b.mesh->positions, bytes);
        for (uint32_t j = 0; j < count && j < 3; j++) {
            bool last = true;
            for (uint32_t l = j + 1; l < count; l++)
                last = last && vertices[l] != vertices[j];
            bw_vec3 p = bw_plan_position(&plans[j], t), q = bw_mesh_vertex(a.mesh, vertices[j]);
            if (last)
                assert_true(fabs(p.x - q.x) <= 0x1p-20 * (1 + fabs(p.x)));
        }
    }
    double now = bw_kinetic_time(k);
    if (now > d.begin)
        assert_int_equal(bw_kinetic_advance(k, d.begin, NULL, NULL), BW_ERROR_UNSUPPORTED);
    assert_true(bw_kinetic_time(k) == now);
    bw_kinetic_destroy(k);
    bw_kinetic_destroy(refit);
    film_free(&f);
}

static void test_plans_change(void **state)
{
    (void)state;
    BW_EACH_SEED(60, plans_change, &queue);
}

static void test_boxtree_plans_change(void **state)
{
    (void)state;
    BW_EACH_SEED(60, plans_change, &boxtree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_valid), cmocka_unit_test(test_plans_change)},
                            boxtrees[] = {cmocka_unit_test(test_boxtree_valid),
                                          cmocka_unit_test(test_boxtree_plans_change)};
    return cmocka_run_group_tests(tests, NULL, NULL) +
           (BW_RESEARCH ? cmocka_run_group_tests(boxtrees, NULL, NULL) : 0);
}
