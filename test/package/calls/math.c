/* math.h and ccd.h. */
#include "calls.h"

static void call_transforms(void)
{
    bw_transform identity = bw_transform_identity(), inverse,
                 pose =
                     bw_transform_compose(calls_vec3(1, 2, 3), calls_vec3(0, 0, 1), 0, calls_vec3(2, 2, 2)),
                 product = bw_transform_multiply(&identity, &pose);
    bw_vec3 p = bw_transform_point(&product, calls_vec3(1, 0, 0)), corners[2];
    CHECK(p.x == 3 && p.y == 2 && p.z == 3);
    CHECK(bw_transform_invert(&pose, &inverse) == BW_OK);
    CHECK(bw_transform_point(&inverse, p).x == 1);
    CHECK(bw_transform_rigid(&identity, &inverse) == BW_OK && inverse.m[0][0] == 1);
    corners[0] = calls_vec3(0, 0, 0);
    corners[1] = calls_vec3(1, 2, 3);
    bw_box box = bw_box_of_points(corners, 2), moved = bw_box_transformed(&box, &pose);
    CHECK(box.max[2] == 3 && moved.max[0] >= 3);
    CHECK(bw_box_overlaps(&box, &moved));
    CHECK(bw_exact_range(corners, 2));
}

static void call_predicates(void)
{
    const bw_vec3 o = calls_vec3(0, 0, 0), x = calls_vec3(1, 0, 0), y = calls_vec3(0, 1, 0),
                  z = calls_vec3(0, 0, 1), far_x = calls_vec3(2, 0, 0), below = calls_vec3(0.25, 0.25, -1),
                  above = calls_vec3(0.25, 0.25, 1);
    const bw_vec3 flat[3] = {o, x, y}, upright[3] = {below, above, calls_vec3(5, 5, 0)};
    CHECK(bw_orient3d(&o, &x, &y, &z) != 0);
    CHECK(bw_orient2d(&o, &x, &y, 2) != 0);
    CHECK(bw_collinear(&o, &x, &far_x));
    CHECK(bw_triangle_triangle(flat, upright) == BW_CONTACT_CROSSING);
    bw_triangle_contact contact;
    bw_triangle_triangle_contact(flat, upright, &contact);
    CHECK(contact.kind == BW_CONTACT_CROSSING && contact.point_count == 2);
    CHECK(bw_segment_triangle(&below, &above, flat) == BW_CONTACT_CROSSING);
    double t = 0;
    CHECK(bw_ray_triangle(&below, &above, flat, &t) == BW_CONTACT_CROSSING && t == 0.5);
    bw_vec3 on_a, on_b;
    const bw_vec3 higher[3] = {calls_vec3(0, 0, 2), calls_vec3(1, 0, 2), calls_vec3(0, 1, 2)};
    CHECK(bw_triangle_distance2(flat, higher, &on_a, &on_b) == 4);
    CHECK(bw_point_triangle_distance2(&above, flat, &on_a) == 1 && on_a.z == 0);
    bw_ray ray = bw_ray_between(below, above);
    int power = 0;
    CHECK(ray.between && bw_ray_second_point(&ray, &power).z == 1);
}

static void call_ccd(void)
{
    /* A point falls through a triangle; an edge through an edge. */
    const bw_vec3 start[4] = {calls_vec3(0.25, 0.25, 1), calls_vec3(0, 0, 0), calls_vec3(1, 0, 0),
                              calls_vec3(0, 1, 0)},
                  end[4] = {calls_vec3(0.25, 0.25, -1), calls_vec3(0, 0, 0), calls_vec3(1, 0, 0),
                            calls_vec3(0, 1, 0)};
    const bw_vec3 edges[4] = {calls_vec3(0.5, -1, 1), calls_vec3(0.5, 1, 1), calls_vec3(0, 0, 0),
                              calls_vec3(1, 0, 0)},
                  edges_end[4] = {calls_vec3(0.5, -1, -1), calls_vec3(0.5, 1, -1), calls_vec3(0, 0, 0),
                                  calls_vec3(1, 0, 0)};
    const bw_vec3 falling[3] = {calls_vec3(0.2, 0.2, 1), calls_vec3(0.4, 0.2, 1), calls_vec3(0.2, 0.4, 1)},
                  fallen[3] = {calls_vec3(0.2, 0.2, -1), calls_vec3(0.4, 0.2, -1), calls_vec3(0.2, 0.4, -1)};
    bw_ccd_desc desc = BW_SIZED(bw_ccd_desc);
    bw_ccd_result result;
    bw_ccd_triangle_result pair;
    CHECK(bw_ccd_vertex_face(start, end, &desc, &result) == BW_OK && result.answer == BW_CCD_CONTACT);
    CHECK(bw_ccd_edge_edge(edges, edges_end, &desc, &result) == BW_OK && result.answer == BW_CCD_CONTACT);
    CHECK(bw_ccd_triangle_triangle(falling, fallen, &start[1], &end[1], &desc, &pair) == BW_OK);
    CHECK(pair.first.answer == BW_CCD_CONTACT && pair.first.time <= 0.5);
}

void call_math(void)
{
    call_transforms();
    call_predicates();
    call_ccd();
}
