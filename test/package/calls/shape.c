/* shape.h: a hull, shapes beside each other, a shape on a tetrahedron. */
#include "calls.h"

static void call_pairs(const bw_shape *ball, const bw_shape *box, const bw_transform *aside)
{
    const bw_placed_shape a = {ball, NULL}, b = {box, aside};
    bw_contact_kind kind = BW_CONTACT_NONE;
    static bw_shape_cache cache; /* zero */
    bw_shape_desc desc = BW_SIZED(bw_shape_desc);
    bw_shape_contact contact;
    bw_shape_nearest nearest;
    bw_shape_ray_hit hit;
    bw_box bounds;
    const bw_ray ray = bw_ray_between(calls_vec3(-5, 0, 0), calls_vec3(-4, 0, 0));
    desc.cache = &cache;
    desc.separation = 1;
    CHECK(bw_shape_check(&a, NULL) == BW_OK);
    CHECK(bw_shape_bounds(&b, &bounds, NULL) == BW_OK && bounds.min[0] <= 1.5f);
    CHECK(bw_shape_overlap(&a, &b, &kind, NULL) == BW_OK && kind == BW_CONTACT_NONE);
    CHECK(bw_shape_contact_pair(&a, &b, &desc, &contact, NULL) == BW_OK && contact.point_count == 1);
    CHECK(bw_shape_distance(&a, &b, &desc, &nearest, NULL) == BW_OK && nearest.distance > 0.49);
    CHECK(bw_shape_raycast(&a, &ray, &hit, NULL) == BW_OK && hit.hit && hit.t > 3.9 && hit.t < 4.1);
}

static void call_sweep(const bw_shape *ball, const bw_body *body)
{
    const bw_placed_shape placed = {ball, NULL};
    static bw_rigid_motion motion;
    bw_shape_sweep_report report = BW_SIZED(bw_shape_sweep_report);
    bw_shape_collide_report hits = BW_SIZED(bw_shape_collide_report);
    bw_shape_distance_report distance = BW_SIZED(bw_shape_distance_report);
    motion.start = bw_transform_identity();
    motion.start.m[0][3] = -4;
    motion.translation = calls_vec3(4, 0, 0);
    CHECK(bw_shape_sweep(ball, &motion, ball, NULL, NULL, &report, NULL) == BW_OK);
    CHECK(report.status == BW_FOUND && report.time > 0.45 && report.time <= 0.5);
    CHECK(bw_shape_sweep_body(ball, &motion, body, NULL, NULL, &report, NULL) == BW_OK);
    CHECK(report.status == BW_FOUND && report.time < 1);
    CHECK(bw_shape_collide_body(&placed, body, NULL, &hits, NULL) == BW_OK && hits.hit_count == 1);
    CHECK(bw_shape_distance_body(&placed, body, NULL, &distance, NULL) == BW_OK);
    CHECK(distance.nearest.distance == 0);
}

void call_shape(void)
{
    const bw_vec3 corners[5] = {calls_vec3(0, 0, 0), calls_vec3(1, 0, 0), calls_vec3(0, 1, 0),
                                calls_vec3(0, 0, 1), calls_vec3(0.1, 0.1, 0.1)};
    bw_hull *hull = NULL;
    bw_tree *tree = NULL;
    CHECK(bw_hull_create(NULL, corners, 5, &hull, NULL) == BW_OK);
    CHECK(bw_hull_check(hull) == NULL && bw_hull_mesh(hull).vertex_count == 4);
    static bw_shape ball, box;
    bw_transform aside = bw_transform_identity();
    ball.kind = BW_SHAPE_SPHERE;
    ball.radius = 1;
    box.kind = BW_SHAPE_BOX;
    box.half = calls_vec3(0.5, 0.5, 0.5);
    aside.m[0][3] = 2;
    call_pairs(&ball, &box, &aside);
    CHECK(bw_tree_create(NULL, &calls_mesh, &tree, NULL) == BW_OK);
    const bw_body body = {tree, &calls_mesh, NULL};
    call_sweep(&ball, &body);
    bw_tree_destroy(tree);
    bw_hull_destroy(hull);
}
