/* The scenes in motion: what they claim to be, and kinetic trees over them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinetic/film.h"

static double edge(const bws_film *f, uint32_t frame, uint32_t a, uint32_t b)
{
    const float *p = (const float *)f->frames[frame] + 3 * (size_t)a;
    const float *q = (const float *)f->frames[frame] + 3 * (size_t)b;
    double dx = (double)p[0] - (double)q[0], dy = (double)p[1] - (double)q[1],
           dz = (double)p[2] - (double)q[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

/* Cloth neither tears nor shrinks to a point: the edges keep their length, about, in the middle and at most
 * by a factor. */
static void keeps_its_size(const bws_film *f, double mean_factor, double worst_factor)
{
    uint32_t edges = 3 * f->mesh.triangle_count;
    for (uint32_t k = 1; k < f->frame_count; k++) {
        double sum = 0, first_sum = 0;
        for (uint32_t i = 0; i < edges; i++) {
            uint32_t a = f->mesh.indices[i], b = f->mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
            double now = edge(f, k, a, b), first = edge(f, 0, a, b);
            assert_true(now < worst_factor * first && now > first / worst_factor / 4);
            sum += now;
            first_sum += first;
        }
        assert_true(sum < mean_factor * first_sum && sum > first_sum / mean_factor);
    }
}

static double lowest(const bws_film *f, uint32_t frame)
{
    double z = INFINITY;
    for (uint32_t v = 0; v < f->mesh.vertex_count; v++)
        z = fmin(z, (double)((const float *)f->frames[frame])[3 * (size_t)v + 2]);
    return z;
}

static void prove_film(const bws_film *f, bw_kinetic_method method)
{
    film wrapped = {.motion = bws_film_motion(f)};
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    assert_int_equal(
        bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &mesh, &wrapped.motion, &k, NULL), BW_OK);
    double end = f->times[f->frame_count - 1];
    for (int i = 0; i <= 7; i++) {
        assert_int_equal(bw_kinetic_advance(k, end * i / 7, NULL, NULL), BW_OK);
        film_prove(&wrapped, k, false);
    }
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    bw_kinetic_report sum = {0};
    bw_kinetic_get_total(k, &sum);
    assert_true(sum.updates > 0);
    bw_kinetic_destroy(k);
}

static void test_tablecloth(void **state)
{
    (void)state;
    bws_film f, g;
    bws_film_desc desc = {.triangles = 3000, .keyframes = 6};
    assert_int_equal(bws_tablecloth(&desc, &f), BW_OK);
    assert_true(f.mesh.triangle_count > 2900 && f.mesh.triangle_count < 3100);
    bw_motion motion = bws_film_motion(&f);
    assert_int_equal(bw_motion_validate(&motion, NULL), BW_OK);
    assert_true(lowest(&f, 5) < lowest(&f, 0) - 0.1); /* it falls, */
    assert_true(lowest(&f, 5) > -1);                  /* but the table holds it */
    keeps_its_size(&f, 1.1, 3);
    prove_film(&f, BW_KINETIC_QUEUE);
    prove_film(&f, BW_KINETIC_COMPILED);
    assert_int_equal(bws_tablecloth(&desc, &g), BW_OK); /* the same bits */
    for (uint32_t k = 0; k < f.frame_count; k++)
        assert_memory_equal(f.frames[k], g.frames[k], 12 * (size_t)f.mesh.vertex_count);
    bws_film_free(&f);
    bws_film_free(&g);
    assert_int_equal(bws_tablecloth(&(bws_film_desc){.keyframes = 1}, &f), BW_ERROR_ARGUMENT);
}

static void test_dress(void **state)
{
    (void)state;
    bws_film f;
    assert_int_equal(bws_dress(&(bws_film_desc){.triangles = 3000, .keyframes = 5}, &f), BW_OK);
    assert_true(f.mesh.triangle_count > 2800 && f.mesh.triangle_count < 3200);
    bw_motion motion = bws_film_motion(&f);
    assert_int_equal(bw_motion_validate(&motion, NULL), BW_OK);
    keeps_its_size(&f, 1.1, 3);
    prove_film(&f, BW_KINETIC_QUEUE);
    prove_film(&f, BW_KINETIC_COMPILED);
    bws_film_free(&f);
}

/* The film of the spheres: some vertices turn back, and no one is ever beyond the plane between them. */
static void test_expanding_film(void **state)
{
    (void)state;
    bws_film f;
    assert_int_equal(bws_expanding_film(&(bws_film_desc){.triangles = 3000, .keyframes = 5}, &f), BW_OK);
    bw_motion motion = bws_film_motion(&f);
    assert_int_equal(bw_motion_validate(&motion, NULL), BW_OK);
    uint32_t half = f.mesh.vertex_count / 2, back = 0, forth = 0;
    for (uint32_t v = 0; v < f.mesh.vertex_count; v++) {
        double side = v < half ? -1 : 1;
        const float *before = NULL;
        for (uint32_t k = 0; k < f.frame_count; before = (const float *)f.frames[k++] + 3 * (size_t)v) {
            const float *now = (const float *)f.frames[k] + 3 * (size_t)v;
            assert_true(side * (double)now[0] >= 0);
            if (before == NULL)
                continue;
            double middle = 0.6 * side, was = (double)before[0] - middle, is = (double)now[0] - middle;
            back += fabs(is) < fabs(was);
            forth += fabs(is) > fabs(was);
        }
    }
    assert_true(back > 0 && forth > 4 * back);
    prove_film(&f, BW_KINETIC_QUEUE);
    prove_film(&f, BW_KINETIC_COMPILED);
    bws_film_free(&f);
    assert_int_equal(bws_expanding_film(&(bws_film_desc){.keyframes = 1}, &f), BW_ERROR_ARGUMENT);
}

/* The two spheres come to touch, and whatever touches turns back: then no contact lasts. */
static void test_expanding(void **state)
{
    (void)state;
    bws_mesh mesh;
    float *velocities;
    assert_int_equal(bws_expanding(3000, &mesh, &velocities), BW_OK);
    bw_motion motion = {.kind = BW_MOTION_VELOCITY,
                        .vertex_count = mesh.vertex_count,
                        .positions = mesh.positions,
                        .velocities = velocities,
                        .end = 1};
    film wrapped = {.motion = motion};
    bw_mesh view = bws_view(&mesh);
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(NULL, &view, &motion, &k, NULL), BW_OK);
    uint32_t half = mesh.vertex_count / 2, turned = 0;
    bool *back = calloc(mesh.vertex_count, sizeof *back);
    assert_non_null(back);
    for (int i = 1; i <= 60; i++) {
        double t = i / 60.0;
        assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
        film_prove(&wrapped, k, turned > 0);
        bw_body body;
        assert_int_equal(bw_kinetic_body(k, &body, NULL), BW_OK);
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            bw_vec3 p = bw_mesh_vertex(body.mesh, v);
            bool beyond = v < half ? p.x >= 0 : p.x <= 0;
            if (!beyond || back[v])
                continue;
            bw_plan plan = {.origin = t,
                            .c = {p,
                                  {-(double)velocities[3 * v], -(double)velocities[3 * v + 1],
                                   -(double)velocities[3 * v + 2]}}};
            assert_int_equal(bw_kinetic_set_plan(k, v, &plan, NULL), BW_OK);
            back[v] = true;
            turned++;
        }
        film_prove(&wrapped, k, turned > 0);
    }
    assert_true(turned > 20);
    free(back);
    bw_kinetic_destroy(k);
    free(velocities);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tablecloth), cmocka_unit_test(test_dress),
                                       cmocka_unit_test(test_expanding),
                                       cmocka_unit_test(test_expanding_film)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
