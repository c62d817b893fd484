/* Continuous steps: nobody touches anybody before the time that is told, by dense sampling, and at that time two bodies are
 * within the tolerance. */
#include "world/playground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double TOLERANCE = 1e-4;

typedef struct trip {
    bw_id ids[PLAY_BODIES];
    bw_transform poses[PLAY_BODIES];
    bw_rigid_motion motions[PLAY_BODIES];
    play_body *bodies[PLAY_BODIES];
    uint32_t count;
} trip;

static bw_box bounds(const playground *p, const play_body *x)
{
    bw_box box;
    if (x->body.tree == NULL && x->body.kinetic == NULL) {
        const bw_placed_shape shape = play_shape(x);
        assert_int_equal(bw_shape_bounds(&shape, &box, NULL), BW_OK);
        return box;
    }
    const bw_body body = play_mesh_body(p, x);
    box = bw_tree_bounds(body.tree);
    return bw_box_transformed(&box, &x->pose);
}

static void plan(playground *p, trip *t)
{
    t->count = 0;
    for (int i = 0; i < PLAY_BODIES; i++) {
        play_body *x = &p->bodies[i];
        if (x->id == 0 || bws_random_below(&p->random, 4) == 0)
            continue;
        const bw_transform turn =
            bw_transform_compose((bw_vec3){0, 0, 0}, bws_random_direction(&p->random),
                                 bws_random_double(&p->random, -1.5, 1.5), (bw_vec3){1, 1, 1});
        bw_transform to = bw_transform_multiply(&turn, &x->pose);
        for (int k = 0; k < 3; k++)
            to.m[k][3] = x->pose.m[k][3] + bws_random_double(&p->random, -1, 1);
        /* about the middle of its box, as the world turns it */
        const bw_box box = bounds(p, x);
        const bw_vec3 middle = {0.5 * ((double)box.min[0] + (double)box.max[0]),
                                0.5 * ((double)box.min[1] + (double)box.max[1]),
                                0.5 * ((double)box.min[2] + (double)box.max[2])};
        assert_int_equal(bw_rigid_motion_between(&x->pose, &to, middle, &t->motions[t->count]), BW_OK);
        t->ids[t->count] = x->id;
        t->bodies[t->count] = x;
        t->poses[t->count++] = to;
    }
}

/* The pairs that meet in the poses of the playground. */
static uint32_t meeting(const playground *p)
{
    uint32_t count = 0;
    for (int i = 0; i < PLAY_BODIES; i++)
        for (int k = i + 1; k < PLAY_BODIES; k++)
            count += p->bodies[i].id != 0 && p->bodies[k].id != 0 &&
                     !play_filtered(p, &p->bodies[i], &p->bodies[k]) &&
                     play_meet(p, &p->bodies[i], &p->bodies[k]);
    return count;
}

/* Nobody meets anybody on the way to the time; the bodies are then where the world has them. */
static void sample(playground *p, const trip *t, double time)
{
    for (int s = 1; s <= 10; s++) {
        for (uint32_t i = 0; i < t->count; i++)
            assert_int_equal(bw_rigid_motion_pose(&t->motions[i], time * s / 10, &t->bodies[i]->pose), BW_OK);
        assert_int_equal(meeting(p), 0);
    }
}

static void travel(bws_random *random, void *user)
{
    (void)user;
    static playground p;
    static trip t;
    const bw_world_desc desc = {0};
    play_begin(&p, bws_random_u64(random), &desc, 7);
    for (int i = 0; i < 6; i++)
        play_change(&p);
    for (int turn = 0; turn < 12; turn++) {
        plan(&p, &t);
        const bool free = meeting(&p) == 0;
        const bw_world_advance_desc how = {.tolerance = TOLERANCE};
        bw_world_advance_report report = {0};
        assert_int_equal(bw_world_advance(p.world, t.ids, t.poses, t.count, &how, &report, NULL), BW_OK);
        assert_true(report.status != BW_DONE || report.first.time == 1);
        if (free)
            sample(&p, &t, report.first.time);
        else
            assert_true(report.status == BW_FOUND && report.first.time == 0);
        for (uint32_t i = 0; i < t.count; i++) {
            bw_world_body now = {0};
            assert_int_equal(bw_world_get(p.world, t.ids[i], &now, NULL), BW_OK);
            for (int k = 0; k < 3; k++)
                assert_true(!free || fabs(now.pose->m[k][3] - t.bodies[i]->pose.m[k][3]) < 1e-9);
            t.bodies[i]->pose = *now.pose;
        }
        if (bws_random_below(&p.random, 2) == 0 || !free)
            play_change(&p);
    }
    play_end(&p);
}

/* Two balls that fly at each other through a wall of nothing: the time is known. */
static void test_known(void **state)
{
    (void)state;
    bw_world *world;
    assert_int_equal(bw_world_create(NULL, &world, NULL), BW_OK);
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 0.5};
    bw_transform pose[2] = {bw_transform_identity(), bw_transform_identity()};
    bw_id ids[2];
    for (int i = 0; i < 2; i++) {
        pose[i].m[0][3] = i == 0 ? -100 : 100;
        const bw_world_body body = {.shape = &ball, .pose = &pose[i]};
        assert_int_equal(bw_world_insert(world, &body, &ids[i], NULL), BW_OK);
    }
    bw_transform to[2] = {pose[1], pose[0]};
    const bw_world_advance_desc desc = {.tolerance = 1e-6, .stay = true};
    bw_world_advance_report report = {0};
    assert_int_equal(bw_world_advance(world, ids, to, 2, &desc, &report, NULL), BW_OK);
    /* 200 - 400 t = 1 */
    assert_true(report.status == BW_FOUND && report.first.a == ids[0] && report.first.b == ids[1]);
    assert_true(report.first.time <= 199.0 / 400 && report.first.time > 199.0 / 400 - 1e-8);
    assert_true(report.first.normal.x > 1 - 1e-9 && fabs(report.first.point.x) < 1e-6);
    /* of one group they do not see each other */
    assert_int_equal(bw_world_set_filter(world, ids[0], 0, 0, 7, NULL), BW_OK);
    assert_int_equal(bw_world_set_filter(world, ids[1], 0, 0, 7, NULL), BW_OK);
    bw_world_advance_desc go = {0};
    assert_int_equal(bw_world_advance(world, ids, to, 2, &go, &report, NULL), BW_OK);
    assert_true(report.status == BW_DONE && report.first.time == 1 && report.first.a == 0);
    bw_world_body now = {0};
    assert_int_equal(bw_world_get(world, ids[0], &now, NULL), BW_OK);
    assert_true(now.pose->m[0][3] == 100);
    /* an id twice, a pose that is not rigid */
    const bw_id twice[2] = {ids[0], ids[0]};
    bw_fault fault;
    assert_int_equal(bw_world_advance(world, twice, to, 2, NULL, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.element, 1);
    to[1].m[0][0] = 2;
    assert_int_equal(bw_world_advance(world, ids, to, 2, NULL, NULL, &fault), BW_ERROR_ARGUMENT);
    bw_world_destroy(world);
}

static void test_travel(void **state)
{
    (void)state;
    BW_EACH_SEED(6, travel, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_travel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
