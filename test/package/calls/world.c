/* world.h: two balls and a ray. */
#include "calls.h"

#include <string.h>

static void insert(bw_world *world, bw_id ids[3])
{
    bw_shape ball;
    memset(&ball, 0, sizeof ball);
    ball.kind = BW_SHAPE_SPHERE;
    ball.radius = 1;
    bw_transform poses[3];
    bw_world_body bodies[3];
    for (int i = 0; i < 3; i++) {
        poses[i] = bw_transform_identity();
        poses[i].m[0][3] = 1.5 * i;
        bodies[i] = BW_SIZED(bw_world_body);
        bodies[i].shape = &ball;
        bodies[i].pose = &poses[i];
    }
    CHECK(bw_world_insert(world, &bodies[0], &ids[0], NULL) == BW_OK);
    CHECK(bw_world_insert_many(world, &bodies[1], 2, &ids[1], NULL) == BW_OK);
    CHECK(bw_world_move(world, ids[0], &poses[0], NULL) == BW_OK);
    CHECK(bw_world_move_many(world, ids, poses, 3, NULL) == BW_OK);
    CHECK(bw_world_changed(world, ids[0], NULL) == BW_OK);
    CHECK(bw_world_set_filter(world, ids[0], 1, 1, 0, NULL) == BW_OK);
    CHECK(bw_world_allow(world, ids[1], ids[2], true, NULL) == BW_OK);
    bw_world_body got = BW_SIZED(bw_world_body);
    CHECK(bw_world_get(world, ids[1], &got, NULL) == BW_OK && got.shape->radius == 1);
    CHECK(bw_world_body_count(world) == 3);
}

static void ask(const bw_world *world, const bw_id ids[3])
{
    bw_ray ray;
    memset(&ray, 0, sizeof ray);
    ray.origin = calls_vec3(-5, 0, 0);
    ray.direction = calls_vec3(1, 0, 0);
    bw_world_ray_hit hits[2];
    uint32_t count = 0;
    CHECK(bw_world_raycast(world, &ray, NULL, hits, 2, &count, NULL) == BW_OK && count == 2 &&
          hits[0].id == ids[0]);
    CHECK(bw_world_raycast_many(world, &ray, 1, NULL, hits, NULL) == BW_OK && hits[0].t == 4);
    bw_shape point;
    memset(&point, 0, sizeof point);
    const bw_transform identity = bw_transform_identity();
    const bw_placed_shape placed = {&point, &identity};
    bw_id found[3];
    CHECK(bw_world_overlap(world, &placed, NULL, found, 3, &count, NULL) == BW_OK && count == 1 &&
          found[0] == ids[0]);
    bw_world_distance_report nearest = BW_SIZED(bw_world_distance_report);
    CHECK(bw_world_distance(world, &placed, 0, NULL, &nearest, NULL) == BW_OK && nearest.distance == 0);
    bw_rigid_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.start = identity;
    motion.start.m[0][3] = -5;
    motion.translation = calls_vec3(10, 0, 0);
    bw_world_impact impact;
    CHECK(bw_world_sweep(world, &point, &motion, NULL, &impact, NULL) == BW_OK && impact.b == ids[0]);
}

void call_world(void)
{
    bw_world *world = NULL;
    bw_id ids[3];
    bw_world_desc desc = BW_SIZED(bw_world_desc);
    CHECK(bw_world_create(&desc, &world, NULL) == BW_OK);
    insert(world, ids);
    bw_world_step_report report = BW_SIZED(bw_world_step_report);
    CHECK(bw_world_step(world, NULL, &report, NULL) == BW_OK && report.pair_count == 1 &&
          report.contact_count == 1);
    ask(world, ids);
    bw_transform far_away = bw_transform_identity();
    far_away.m[1][3] = 50;
    bw_world_advance_report moved = BW_SIZED(bw_world_advance_report);
    CHECK(bw_world_advance(world, &ids[2], &far_away, 1, NULL, &moved, NULL) == BW_OK);
    CHECK(bw_world_remove(world, ids[2], NULL) == BW_OK);
    CHECK(bw_world_check(world) == NULL);
    bw_world_destroy(world);
}
