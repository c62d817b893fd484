/* Every method as a body: self-contacts, pairs, distance and rays at random times against every primitive
 * tried, while plans change where they may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "kinetic/film.h"
#include "oracle/random.h"

static void corners(const bw_mesh *mesh, uint32_t i, bw_vec3 out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = bw_mesh_vertex(mesh, mesh->indices[3 * (size_t)i + (size_t)c]);
}

static void prove_pairs(const bw_body *a, const bw_body *b)
{
    uint64_t contacts = 0;
    double nearest = INFINITY;
    for (uint32_t i = 0; i < a->mesh->triangle_count; i++)
        for (uint32_t j = 0; j < b->mesh->triangle_count; j++) {
            bw_vec3 p[3], q[3];
            corners(a->mesh, i, p);
            corners(b->mesh, j, q);
            contacts += bw_triangle_triangle(p, q) != BW_CONTACT_NONE;
            nearest = fmin(nearest, bw_triangle_distance2(p, q, NULL, NULL));
        }
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(a, b, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, contacts);
    bw_distance_report distance = {0};
    assert_int_equal(bw_distance(a, b, NULL, &distance, NULL), BW_OK);
    assert_true(fabs(distance.distance - sqrt(nearest)) <= 1e-11 &&
                (nearest == 0) == (distance.distance == 0));
}

/* Of triangles that share no vertices. */
static void prove_self(const bw_body *body)
{
    uint64_t contacts = 0;
    for (uint32_t i = 0; i < body->mesh->triangle_count; i++)
        for (uint32_t j = i + 1; j < body->mesh->triangle_count; j++) {
            bw_vec3 p[3], q[3];
            corners(body->mesh, i, p);
            corners(body->mesh, j, q);
            contacts += bw_triangle_triangle(p, q) != BW_CONTACT_NONE;
        }
    bw_collide_report report = {0};
    assert_int_equal(bw_collide_self(body, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, contacts);
}

static bool count_hit(void *user, const bw_ray_hit *hit)
{
    (void)hit;
    ++*(uint64_t *)user;
    return true;
}

static void prove_ray(const bw_body *body, bws_random *r)
{
    uint64_t contacts = 0, seen = 0;
    double first = INFINITY;
    double x[6];
    for (int i = 0; i < 6; i++)
        x[i] = bws_random_double(r, -2, 2);
    bw_ray desc_ray = {.origin = {x[0], x[1], x[2]}, .direction = {x[3], x[4], x[5]}, .between = true};
    bw_raycast_desc desc = {.on_hit = count_hit};
    for (uint32_t i = 0; i < body->mesh->triangle_count; i++) {
        bw_vec3 p[3];
        double t = INFINITY;
        corners(body->mesh, i, p);
        contacts += bw_ray_triangle(&desc_ray.origin, &desc_ray.direction, p, &t) != BW_CONTACT_NONE;
        first = fmin(first, t);
    }
    bw_raycast_report report = {0};
    bw_ray_hit report_hit;
    desc.mode = BW_RAY_ALL;
    desc.user = &seen;
    assert_int_equal(bw_raycast(body, &desc_ray, &desc, &report_hit, &report, NULL), BW_OK);
    assert_true(seen == contacts && report.hit_count == contacts);
    desc.mode = BW_RAY_NEAREST;
    desc.on_hit = NULL;
    assert_int_equal(bw_raycast(body, &desc_ray, &desc, &report_hit, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, contacts > 0);
    if (contacts > 0)
        assert_true(report_hit.t == first);
}

static bool suits(bw_kinetic_method method, bw_motion_kind kind)
{
    return method != BW_KINETIC_COMPILED || kind == BW_MOTION_KEYFRAMES;
}

static bool takes_plans(bw_kinetic_method method)
{
    return method == BW_KINETIC_QUEUE || method == BW_KINETIC_BOXTREE || method == BW_KINETIC_REFIT;
}

static void queries(bws_random *r, void *user)
{
    (void)user;
    film_desc d = film_any(r);
    d.soup = true;
    d.points = false;
    d.size = 60 + (uint32_t)bws_random_below(r, 60);
    d.style = bws_random_bool(r) ? FILM_SMOOTH : FILM_TIES;
    film f, g;
    film_make(&d, r, &f);
    film_make(&d, r, &g);
    bw_mesh mesh_f = bws_view(&f.mesh), mesh_g = bws_view(&g.mesh);
    double end_f, end_g;
    bw_motion_span(&f.motion, NULL, &end_f);
    bw_motion_span(&g.motion, NULL, &end_g);
    for (int m = BW_KINETIC_QUEUE; m <= FILM_LAST_METHOD; m++) {
        bw_kinetic_desc desc = {.method = (bw_kinetic_method)m, .time = d.begin};
        if (!suits(desc.method, d.kind))
            continue;
        bw_kinetic *a = NULL, *b = NULL;
        assert_int_equal(bw_kinetic_create(&desc, &mesh_f, &f.motion, &a, NULL), BW_OK);
        assert_int_equal(bw_kinetic_create(&desc, &mesh_g, &g.motion, &b, NULL), BW_OK);
        for (int i = 0; i < 4; i++) {
            double now_a = bw_kinetic_time(a), now_b = bw_kinetic_time(b);
            double t_a = now_a + bws_random_unit(r) * (end_f - now_a);
            double t_b = now_b + bws_random_unit(r) * (end_g - now_b);
            assert_int_equal(bw_kinetic_advance(a, t_a < end_f ? t_a : end_f, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_advance(b, t_b < end_g ? t_b : end_g, NULL, NULL), BW_OK);
            bw_plan plan = film_plan(d.style, 1, bw_kinetic_time(a), r);
            if (takes_plans(desc.method) && i > 1)
                assert_int_equal(
                    bw_kinetic_set_plan(a, (uint32_t)bws_random_below(r, f.motion.vertex_count), &plan, NULL),
                    BW_OK);
            bw_body body_a, body_b;
            assert_int_equal(bw_kinetic_body(a, &body_a, NULL), BW_OK);
            assert_int_equal(bw_kinetic_body(b, &body_b, NULL), BW_OK);
            prove_pairs(&body_a, &body_b);
            prove_self(&body_a);
            prove_ray(&body_a, r);
        }
        bw_kinetic_destroy(a);
        bw_kinetic_destroy(b);
    }
    film_free(&f);
    film_free(&g);
}

static void test_queries(void **state)
{
    (void)state;
    BW_EACH_SEED(20, queries, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
