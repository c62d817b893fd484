/* Kinetic trees as bodies: contacts of two moving meshes at times between keyframes,
 * against every pair tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kinetic/film.h"
#include "oracle/brute_force.h"
#include "oracle/random.h"

static const bw_kinetic_method methods[] = {BW_KINETIC_QUEUE, BW_KINETIC_COMPILED, BW_KINETIC_INTERPOLATED,
                                            BW_KINETIC_REFIT, BW_KINETIC_BOXTREE};

static bw_kinetic *create(const film *f, bw_kinetic_method method)
{
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &mesh, &f->motion, &k, NULL),
                     BW_OK);
    return k;
}

static void pairs(bws_random *r, void *user)
{
    (void)user;
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 150, .frames = 3, .span = 1};
    film f, g;
    film_make(&d, r, &f);
    film_make(&d, r, &g);
    /* The second one stands across the first: x, y and z change places. */
    for (uint32_t k = 0; k < g.frame_count; k++)
        for (uint32_t v = 0; v < g.motion.vertex_count; v++) {
            float *p = (float *)g.frames[k] + 3 * (size_t)v, x = p[0];
            p[0] = p[1];
            p[1] = p[2];
            p[2] = x;
        }
    double last = f.times[2] < g.times[2] ? f.times[2] : g.times[2], t = bws_random_unit(r) * last;
    bw_hit_list expected = {0};
    for (size_t m = 0; m < 4 + BW_RESEARCH; m++) {
        bw_kinetic *a = create(&f, methods[m]), *b = create(&g, methods[m]);
        assert_int_equal(bw_kinetic_advance(a, t, NULL, NULL), BW_OK);
        assert_int_equal(bw_kinetic_advance(b, t, NULL, NULL), BW_OK);
        bw_body body_a, body_b;
        assert_int_equal(bw_kinetic_body(a, &body_a, NULL), BW_OK);
        assert_int_equal(bw_kinetic_body(b, &body_b, NULL), BW_OK);
        if (m == 0)
            expected = bw_brute_force(body_a.mesh, body_b.mesh, NULL, 0);
        assert_true(expected.count > 0);
        bw_hit *hits = malloc((expected.count + 1) * sizeof *hits);
        assert_non_null(hits);
        bw_collide_report report = {0};
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = expected.count + 1};
        assert_int_equal(bw_collide(&body_a, &body_b, &desc, &report, NULL), BW_OK);
        assert_int_equal(report.hit_count, expected.count);
        bw_hits_sort(hits, expected.count);
        for (size_t i = 0; i < expected.count; i++)
            assert_true(hits[i].a == expected.hits[i].a && hits[i].b == expected.hits[i].b &&
                        hits[i].kind == expected.hits[i].kind);
        free(hits);
        bw_kinetic_destroy(a);
        bw_kinetic_destroy(b);
    }
    bw_hit_list_free(&expected);
    film_free(&f);
    film_free(&g);
}

static void test_pairs(void **state)
{
    (void)state;
    BW_EACH_SEED(20, pairs, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
