/* A world: bodies that move, their contacts from step to step, a ray, and a step without tunnelling.
 *
 * Four balls fall onto a floor, one of them onto a box on the way. The program prints what begins and ends in each step;
 * then it asks what is straight below a point, and throws a ball through the box at great speed, which stops where
 * it touches.
 */
#include "common.h"

enum { BALLS = 4 };

static bw_transform at(double x, double y, double z)
{
    return bw_transform_compose((bw_vec3){x, y, z}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){1, 1, 1});
}

int main(void)
{
    bw_fault fault;
    bw_world *world = NULL;
    must(bw_world_create(NULL, &world, &fault), &fault);

    const bw_shape floor_shape = {.kind = BW_SHAPE_HALF_SPACE}; /* all below z = 0 */
    const bw_shape box_shape = {.kind = BW_SHAPE_BOX, .half = {1, 1, 0.5}};
    const bw_shape ball_shape = {.kind = BW_SHAPE_SPHERE, .radius = 0.5};
    const bw_transform box_pose = at(3, 0, 0.75);
    bw_world_body body = {.shape = &floor_shape, .fixed = true, .user = 100};
    bw_id floor_id, box, balls[BALLS];
    must(bw_world_insert(world, &body, &floor_id, &fault), &fault);
    body = (bw_world_body){.shape = &box_shape, .pose = &box_pose, .fixed = true, .user = 200};
    must(bw_world_insert(world, &body, &box, &fault), &fault);
    for (int i = 0; i < BALLS; i++) {
        const bw_transform pose = at(i, 0, 2);
        body = (bw_world_body){.shape = &ball_shape, .pose = &pose, .user = (uint64_t)i};
        body.group = 1; /* the balls let each other pass */
        must(bw_world_insert(world, &body, &balls[i], &fault), &fault);
    }

    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < BALLS; i++) {
            const bw_transform pose = at(i, 0, 2 - 0.375 * step + 0.125 * i);
            must(bw_world_move(world, balls[i], &pose, &fault), &fault);
        }
        bw_world_step_report report = {0};
        must(bw_world_step(world, NULL, &report, &fault), &fault);
        printf("step %d: %d contacts, %d ended\n", step, (int)report.contact_count, (int)report.ended_count);
        for (uint64_t k = 0; k < report.contact_count; k++) {
            const bw_world_contact *c = &report.contacts[k];
            bw_world_body a = {0}, b = {0};
            must(bw_world_get(world, c->a, &a, &fault), &fault);
            must(bw_world_get(world, c->b, &b, &fault), &fault);
            printf("  %s: ball %d %s the %s, %.3f deep\n", c->event == BW_EVENT_BEGIN ? "begins" : "persists",
                   (int)b.user, c->kind == BW_CONTACT_CROSSING ? "is in" : "touches",
                   a.user == 100 ? "floor" : "box", fabs(c->depth));
        }
    }

    const bw_ray down = {.origin = {3.5, 0.9, 5}, .direction = {0, 0, -1}};
    bw_world_ray_hit hit;
    uint32_t count;
    must(bw_world_raycast(world, &down, NULL, &hit, 1, &count, &fault), &fault);
    printf("below: body %d at height %.2f\n", hit.id == box ? 200 : -1, hit.point.z);

    const bw_transform start = at(-20, 0, 0.75), end = at(20, 0, 0.75);
    must(bw_world_move(world, balls[0], &start, &fault), &fault);
    bw_world_advance_report moved = {0};
    must(bw_world_advance(world, &balls[0], &end, 1, NULL, &moved, &fault), &fault);
    bw_world_body now = {0};
    must(bw_world_get(world, balls[0], &now, &fault), &fault);
    printf("the thrown ball stops at x = %.3f\n", now.pose->m[0][3]);
    bw_world_destroy(world);
    return 0;
}
