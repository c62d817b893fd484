/* Convex shapes: a sphere, a capsule, a box and a hull that fall onto the ground, a wall, and a mesh.
 *
 * The program prints how each shape stands to the ground (exactly decided), where a box on another box touches
 * it, which triangles of a ball a capsule meets, what a ray meets first, and when a thrown sphere hits the box.
 */
#include "common.h"

static bw_transform at(double x, double y, double z)
{
    return bw_transform_compose((bw_vec3){x, y, z}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){1, 1, 1});
}

int main(void)
{
    static const char *const kinds[] = {"apart", "touching", "crossing"};
    static const char *const names[] = {"sphere", "capsule", "box", "hull"};
    const bw_vec3 corners[5] = {{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}, {0, 0, 1}, {0, 0, 0.5}};
    bw_fault fault;
    bw_hull *hull = NULL;
    must(bw_hull_create(NULL, corners, 5, &hull, &fault), &fault);

    /* A half-space is z <= 0 in its own coordinates; every kind may have a radius. */
    const bw_shape ground = {.kind = BW_SHAPE_HALF_SPACE};
    const bw_shape shapes[4] = {{.kind = BW_SHAPE_SPHERE, .radius = 0.5},
                                {.kind = BW_SHAPE_CAPSULE, .radius = 0.25, .half = {0, 0, 0.5}},
                                {.kind = BW_SHAPE_BOX, .half = {0.5, 0.5, 0.5}},
                                {.kind = BW_SHAPE_HULL, .hull = hull}};
    const bw_placed_shape floor = {&ground, NULL};
    for (int i = 0; i < 4; i++) {
        const bw_transform pose = at(0, 0, 0.5);
        const bw_placed_shape placed = {&shapes[i], &pose};
        bw_contact_kind kind;
        bw_shape_nearest nearest;
        must(bw_shape_overlap(&floor, &placed, &kind, &fault), &fault);
        must(bw_shape_distance(&floor, &placed, NULL, &nearest, &fault), &fault);
        printf("%s half a unit above the ground: %s, distance %.2f\n", names[i], kinds[kind],
               nearest.distance);
    }

    /* A contact has up to four points, a normal from the first shape to the second, and how deep they cross. */
    const bw_transform low = at(0, 0, 0.5), high = at(0.25, 0, 1.4);
    const bw_placed_shape lower = {&shapes[2], &low}, upper = {&shapes[2], &high};
    bw_shape_contact contact;
    must(bw_shape_contact_pair(&lower, &upper, NULL, &contact, &fault), &fault);
    printf("box on box: %u points, normal %.0f %.0f %.0f, depth %.2f\n", contact.point_count,
           contact.normal.x + 0.0, contact.normal.y + 0.0, contact.normal.z, contact.depth);

    /* Against the tree of a mesh: every triangle that the shape meets. */
    static shape ball;
    bw_tree *tree = NULL;
    make_ball(&ball, 1);
    must(bw_tree_create(NULL, &ball.mesh, &tree, &fault), &fault);
    const bw_body body = {tree, &ball.mesh, NULL};
    const bw_transform beside = at(1.1, 0, 0);
    const bw_placed_shape probe = {&shapes[1], &beside};
    bw_shape_collide_report report = {0};
    must(bw_shape_collide_body(&probe, &body, &(bw_shape_collide_desc){.mode = BW_COLLIDE_COUNT}, &report,
                               &fault),
         &fault);
    printf("the capsule meets %llu triangles of the ball\n", (unsigned long long)report.hit_count);

    bw_shape_ray_hit hit;
    const bw_ray ray = {.origin = {-5, 0, 0.25}, .direction = {1, 0, 0}};
    must(bw_shape_raycast(&lower, &ray, &hit, &fault), &fault);
    printf("a ray meets the box after %.2f, normal %.0f\n", hit.t, hit.normal.x);

    /* Thrown from x = -4 by 8 during the step: never later than the first contact. */
    const bw_rigid_motion thrown = {.start = at(-4, 0, 0.5), .translation = {8, 0, 0}},
                          still = {.start = low};
    bw_shape_sweep_report sweep = {0};
    must(bw_shape_sweep(&shapes[0], &thrown, &shapes[2], &still, NULL, &sweep, &fault), &fault);
    printf("the sphere hits the box at %.3f of the step\n", sweep.time);

    bw_tree_destroy(tree);
    bw_hull_destroy(hull);
    return 0;
}
