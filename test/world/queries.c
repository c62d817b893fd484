/* Rays, overlaps, distances and sweeps of a random world against a loop over its bodies. */
#include "world/playground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool passes(const bw_world_filter *filter, const play_body *x)
{
    return x->id != 0 &&
           (filter->mask == 0 || ((x->body.layers == 0 ? 1u : x->body.layers) & filter->mask) != 0) &&
           filter->except != x->id;
}

static bool is_shape(const play_body *x)
{
    return x->body.tree == NULL && x->body.kinetic == NULL;
}

static double cast_one(const playground *p, const play_body *x, const bw_ray *ray, uint32_t *primitive)
{
    *primitive = BW_NONE;
    if (is_shape(x)) {
        const bw_placed_shape shape = play_shape(x);
        bw_shape_ray_hit hit;
        assert_int_equal(bw_shape_raycast(&shape, ray, &hit, NULL), BW_OK);
        return hit.hit ? hit.t : INFINITY;
    }
    const bw_body body = play_mesh_body(p, x);
    bw_ray_hit hit;
    assert_int_equal(bw_raycast(&body, ray, NULL, &hit, NULL, NULL), BW_OK);
    *primitive = hit.primitive;
    return hit.t;
}

static bw_world_filter some_filter(playground *p)
{
    const play_body *x = &p->bodies[bws_random_below(&p->random, PLAY_BODIES)];
    return (bw_world_filter){.mask = bws_random_below(&p->random, 3) == 0 ? 2u : 0,
                             .except = bws_random_below(&p->random, 3) == 0 ? x->id : 0};
}

static void check_ray(playground *p)
{
    const bw_world_filter filter = some_filter(p);
    bw_ray ray = {.origin = bws_random_direction(&p->random), .direction = bws_random_direction(&p->random)};
    ray.origin.x *= 2 * p->size;
    if (bws_random_below(&p->random, 4) == 0)
        ray.t_max = bws_random_double(&p->random, 0.1, 3);
    bw_world_ray_hit hits[PLAY_BODIES];
    uint32_t count, wanted = 0;
    assert_int_equal(bw_world_raycast(p->world, &ray, &filter, hits, PLAY_BODIES, &count, NULL), BW_OK);
    for (int i = 0; i < PLAY_BODIES; i++) {
        uint32_t primitive;
        const double t =
            passes(&filter, &p->bodies[i]) ? cast_one(p, &p->bodies[i], &ray, &primitive) : INFINITY;
        if (t == INFINITY)
            continue;
        wanted++;
        uint32_t k = 0;
        while (k < count && hits[k].id != p->bodies[i].id)
            k++;
        assert_true(k < count && hits[k].t == t && hits[k].primitive == primitive);
        const bw_world_ray_hit *h = &hits[k];
        const double reach = fabs(h->point.x - (ray.origin.x + t * ray.direction.x)) +
                             fabs(h->point.y - (ray.origin.y + t * ray.direction.y)) +
                             fabs(h->point.z - (ray.origin.z + t * ray.direction.z));
        assert_true(reach < 1e-9 * (1 + t));
        const double along =
            h->normal.x * ray.direction.x + h->normal.y * ray.direction.y + h->normal.z * ray.direction.z;
        assert_true(along <= 1e-12);
        if (primitive != BW_NONE)
            assert_true(fabs(h->weights[0] + h->weights[1] + h->weights[2] - 1) < 1e-12 &&
                        h->weights[0] > -1e-6 && h->weights[1] > -1e-6 && h->weights[2] > -1e-6);
    }
    assert_int_equal(count, wanted);
    for (uint32_t k = 1; k < count; k++)
        assert_true(hits[k - 1].t < hits[k].t || (hits[k - 1].t == hits[k].t && hits[k - 1].id < hits[k].id));
    bw_world_ray_hit one;
    assert_int_equal(bw_world_raycast_many(p->world, &ray, 1, &filter, &one, NULL), BW_OK);
    assert_true(count == 0 ? one.id == 0 : one.id == hits[0].id && one.t == hits[0].t);
}

static void check_shape(playground *p)
{
    const bw_world_filter filter = some_filter(p);
    const bw_transform pose = bws_random_rigid(&p->random, p->size);
    const bw_shape shape = {.kind = BW_SHAPE_CAPSULE, .radius = 0.2, .half = {0, 0, 0.5}};
    const bw_placed_shape placed = {&shape, &pose};
    bw_id ids[PLAY_BODIES];
    uint32_t count, wanted = 0;
    assert_int_equal(bw_world_overlap(p->world, &placed, &filter, ids, PLAY_BODIES, &count, NULL), BW_OK);
    double nearest = INFINITY;
    bw_id nearest_id = 0;
    for (int i = 0; i < PLAY_BODIES; i++) {
        const play_body *x = &p->bodies[i];
        if (!passes(&filter, x))
            continue;
        double distance;
        if (is_shape(x)) {
            const bw_placed_shape other = play_shape(x);
            bw_shape_nearest found;
            assert_int_equal(bw_shape_distance(&placed, &other, NULL, &found, NULL), BW_OK);
            distance = found.distance;
        } else {
            const bw_body body = play_mesh_body(p, x);
            bw_shape_distance_report found = {0};
            assert_int_equal(bw_shape_distance_body(&placed, &body, NULL, &found, NULL), BW_OK);
            distance = found.nearest.distance;
        }
        uint32_t k = 0;
        while (k < count && ids[k] != x->id)
            k++;
        assert_int_equal(k < count, distance == 0);
        wanted += distance == 0;
        if (distance < nearest || (distance == nearest && x->id < nearest_id)) {
            nearest = distance;
            nearest_id = x->id;
        }
    }
    assert_int_equal(count, wanted);
    for (uint32_t k = 1; k < count; k++)
        assert_true(ids[k - 1] < ids[k]);
    bw_world_distance_report report = {0};
    const double limit = bws_random_below(&p->random, 2) == 0 ? 0.2 : 0;
    assert_int_equal(bw_world_distance(p->world, &placed, limit, &filter, &report, NULL), BW_OK);
    if (limit > 0 && nearest > limit) {
        assert_true(report.id == 0 && report.distance == INFINITY);
    } else {
        assert_true(report.distance == nearest || (isinf(nearest) && isinf(report.distance)));
        assert_true(report.id == nearest_id);
    }
}

static void check_sweep(playground *p)
{
    const bw_world_filter filter = some_filter(p);
    const bw_shape shape = {.kind = BW_SHAPE_BOX, .half = {0.2, 0.1, 0.3}};
    bw_rigid_motion motion = {.start = bws_random_rigid(&p->random, p->size),
                              .axis = bws_random_direction(&p->random),
                              .angle = bws_random_double(&p->random, -2, 2)};
    motion.centre = (bw_vec3){motion.start.m[0][3], motion.start.m[1][3], motion.start.m[2][3]};
    motion.translation = bws_random_direction(&p->random);
    bw_world_impact impact;
    assert_int_equal(bw_world_sweep(p->world, &shape, &motion, &filter, &impact, NULL), BW_OK);
    /* Nothing is met before, by dense sampling of single queries. */
    for (int s = 0; s <= 40; s++) {
        const double time = impact.time * s / 40 * (1 - 1e-9);
        bw_transform pose;
        assert_int_equal(bw_rigid_motion_pose(&motion, time, &pose), BW_OK);
        const bw_placed_shape placed = {&shape, &pose};
        uint32_t count;
        assert_int_equal(bw_world_overlap(p->world, &placed, &filter, NULL, 0, &count, NULL), BW_OK);
        if (impact.b == 0 || time < impact.time)
            assert_int_equal(count, 0);
    }
    if (impact.b == 0)
        return;
    bw_transform pose;
    assert_int_equal(bw_rigid_motion_pose(&motion, impact.time, &pose), BW_OK);
    const bw_placed_shape placed = {&shape, &pose};
    bw_world_distance_report report = {0};
    assert_int_equal(bw_world_distance(p->world, &placed, 0, &filter, &report, NULL), BW_OK);
    assert_true(report.distance < 1e-4);
}

static void ask(bws_random *random, void *user)
{
    (void)user;
    static playground p;
    const bw_world_desc desc = {0};
    play_begin(&p, bws_random_u64(random), &desc, 2.5);
    for (int i = 0; i < 8; i++)
        play_change(&p);
    for (int turn = 0; turn < 60; turn++) {
        check_ray(&p);
        check_shape(&p);
        check_sweep(&p);
        if (turn % 10 == 9)
            play_change(&p);
    }
    play_end(&p);
}

static void test_queries(void **state)
{
    (void)state;
    BW_EACH_SEED(6, ask, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
