/* Hulls, rays, sweeps, shapes against trees, bounds, and what is refused: against brute force and closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "oracle/random.h"
#include "oracle/rational.h"
#include "scenes/scenes.h"
#include "shape/hull/hull.h"
#include "shape/shapes.h"

static bw_vec3 any_vec(bws_random *r, double size)
{
    return (bw_vec3){bws_random_double(r, -size, size), bws_random_double(r, -size, size),
                     bws_random_double(r, -size, size)};
}

/* ---- hulls ---- */

/* The first of the vertices that are farthest in a direction, one after the other. */
static uint32_t farthest(const double *xyz, uint32_t padded, bw_vec3 d)
{
    double best = -INFINITY;
    uint32_t number = 0;
    for (uint32_t i = 0; i < padded; i++) {
        const double value = (xyz[i] * d.x + xyz[padded + i] * d.y) + xyz[2 * padded + i] * d.z;
        number = value > best ? i : number;
        best = value > best ? value : best;
    }
    return number;
}

static void check_hull(bws_random *random, void *user)
{
    enum { MOST = 200 };
    bw_vec3 points[MOST];
    (void)user;
    const uint32_t count =
        1 + (uint32_t)bws_random_below(random, bws_random_below(random, 4) == 0 ? MOST : 20);
    const uint64_t how = bws_random_below(random, 6);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = any_vec(random, 1);
        if (how == 1 || how == 2) /* of a lattice, perhaps in a plane: many on faces and edges */
            points[i] = (bw_vec3){(double)bws_random_below(random, 4), (double)bws_random_below(random, 4),
                                  how == 2 ? 0.5 : (double)bws_random_below(random, 4)};
        if (how == 3) /* on a line */
            points[i] = (bw_vec3){(double)i, 2.0 * i, -1.0 * i};
        if (how == 4) /* a sheet that is flat but for the last bits */
            points[i].z = 0.1 * points[i].x + 0.3 * points[i].y;
    }
    bw_hull *hull = NULL;
    assert_int_equal(bw_hull_create(NULL, points, count, &hull, NULL), BW_OK);
    const char *problem = bw_hull_check(hull);
    if (problem != NULL)
        fail_msg("%s", problem);
    const bw_mesh mesh = bw_hull_mesh(hull);
    bw_oracle_convex others = {0}, one = {.count = 1};
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        bw_vec3 v[3];
        bw_mesh_corners(&mesh, t, v);
        for (uint32_t i = 0; i < count; i++)
            assert_true(bw_rational_orient3d(&v[0], &v[1], &v[2], &points[i]) >= 0);
    }
    /* Every vertex is one of the points, and outside of the hull of the other vertices. */
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        one.points[0] = bw_mesh_vertex(&mesh, i);
        bool given = false;
        for (uint32_t k = 0; k < count; k++)
            given |= memcmp(&points[k], &one.points[0], sizeof points[k]) == 0 ||
                     (points[k].x == one.points[0].x && points[k].y == one.points[0].y &&
                      points[k].z == one.points[0].z);
        assert_true(given);
        if (mesh.vertex_count > 12 || mesh.vertex_count == 1)
            continue;
        others.count = 0;
        for (uint32_t k = 0; k < mesh.vertex_count; k++)
            if (k != i)
                others.points[others.count++] = bw_mesh_vertex(&mesh, k);
        assert_int_equal(bw_oracle_convex_contact(&one, &others, true), BW_CONTACT_NONE);
    }
    /* The farthest vertex at every level. */
    for (int level = BW_SIMD_128; level <= (int)bw_simd_level(BW_SIMD_AUTO); level++) {
        const bw_vec3 d = any_vec(random, 1);
        assert_int_equal(bw_hull_scan_of((bw_simd)level)(&hull->rows, d),
                         farthest(hull->rows.xyz, hull->rows.padded, d));
    }
    bw_hull_destroy(hull);
}

static void hulls(void **state)
{
    (void)state;
    BW_EACH_SEED(300, check_hull, NULL);
}

/* ---- rays ---- */

static bw_placed_shape as_point(bw_shape *shape, bw_transform *pose, bw_vec3 at)
{
    *shape = (bw_shape){.kind = BW_SHAPE_SPHERE};
    *pose = bw_transform_identity();
    pose->m[0][3] = at.x;
    pose->m[1][3] = at.y;
    pose->m[2][3] = at.z;
    return (bw_placed_shape){shape, pose};
}

static double distance_of_point(const bw_placed_shape *shape, bw_vec3 at)
{
    bw_shape point;
    bw_transform pose;
    bw_shape_nearest nearest;
    const bw_placed_shape placed = as_point(&point, &pose, at);
    assert_int_equal(bw_shape_distance(shape, &placed, NULL, &nearest, NULL), BW_OK);
    return nearest.distance;
}

static void check_ray(bws_random *random, void *user)
{
    test_shape s[2];
    (void)user;
    test_shapes_make(random, TEST_RANDOM, (int)bws_random_below(random, 5), 0, s);
    const bw_ray ray = {.origin = any_vec(random, 3), .direction = any_vec(random, 1)};
    bw_shape_ray_hit hit;
    assert_int_equal(bw_shape_raycast(&s[0].placed, &ray, &hit, NULL), BW_OK);
    const double last = hit.hit ? hit.t : 20;
    for (int i = 0; i < 50; i++) { /* nothing before, */
        const double t = last * i / 50;
        const bw_vec3 p = {ray.origin.x + t * ray.direction.x, ray.origin.y + t * ray.direction.y,
                           ray.origin.z + t * ray.direction.z};
        if (!hit.hit || t < hit.t - 1e-6)
            assert_true(distance_of_point(&s[0].placed, p) > 0);
    }
    if (hit.hit) { /* and there it is */
        assert_true(distance_of_point(&s[0].placed, hit.point) <= 1e-11);
        const bw_ray shorter = {ray.origin, ray.direction, hit.t * 0.999, false};
        bw_shape_ray_hit again;
        if (hit.t > 1e-6) {
            assert_int_equal(bw_shape_raycast(&s[0].placed, &shorter, &again, NULL), BW_OK);
            assert_false(again.hit);
        }
    }
    test_shapes_free(s);
}

static void rays(void **state)
{
    (void)state;
    BW_EACH_SEED(300, check_ray, NULL);
    /* A closed form. */
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1},
                   box = {.kind = BW_SHAPE_BOX, .half = {1, 2, 3}};
    const bw_placed_shape a = {&ball, NULL}, b = {&box, NULL};
    bw_shape_ray_hit hit;
    assert_int_equal(
        bw_shape_raycast(&a, &(bw_ray){.origin = {-3, 0.6, 0}, .direction = {2, 0, 0}}, &hit, NULL), BW_OK);
    assert_true(hit.hit && fabs(hit.t - 1.1) < 1e-12 && fabs(hit.normal.x + 0.8) < 1e-6);
    assert_int_equal(
        bw_shape_raycast(&b, &(bw_ray){.origin = {0, 5, 1}, .direction = {0, -1, 0}}, &hit, NULL), BW_OK);
    assert_true(hit.hit && fabs(hit.t - 3) < 1e-12 && fabs(hit.normal.y - 1) < 1e-12);
    assert_int_equal(
        bw_shape_raycast(&b, &(bw_ray){.origin = {0, 0, 1}, .direction = {0, -1, 0}}, &hit, NULL), BW_OK);
    assert_true(hit.hit && hit.t == 0);
}

/* ---- sweeps ---- */

static void check_sweep(bws_random *random, void *user)
{
    test_shape s[2];
    (void)user;
    test_shapes_make(random, TEST_RANDOM, (int)bws_random_below(random, 5), (int)bws_random_below(random, 3),
                     s);
    bw_rigid_motion motions[2];
    for (int k = 0; k < 2; k++) {
        motions[k] =
            (bw_rigid_motion){.start = s[k].pose, .translation = any_vec(random, 3), .axis = {1, 2, 3}};
        motions[k].start.m[0][3] += k == 0 ? -3 : 3;
        motions[k].centre = any_vec(random, 1);
        motions[k].angle = bws_random_below(random, 2) == 0 ? 0 : bws_random_double(random, -3, 3);
    }
    bw_shape_sweep_report report = {0};
    assert_int_equal(bw_shape_sweep(&s[0].shape, &motions[0], &s[1].shape, &motions[1], NULL, &report, NULL),
                     BW_OK);
    for (int i = 0; i <= 60; i++) {
        const double time = i / 60.0;
        bw_transform poses[2];
        bw_contact_kind kind;
        for (int k = 0; k < 2; k++)
            assert_int_equal(bw_rigid_motion_pose(&motions[k], time, &poses[k]), BW_OK);
        const bw_placed_shape a = {&s[0].shape, &poses[0]}, b = {&s[1].shape, &poses[1]};
        assert_int_equal(bw_shape_overlap(&a, &b, &kind, NULL), BW_OK);
        if (kind != BW_CONTACT_NONE) {
            assert_true(report.status != BW_DONE && report.time <= time);
            break;
        }
    }
    if (report.status == BW_FOUND)
        assert_true(report.distance <= 1e-5 * (1 + fabs(report.point_a.x) + fabs(report.point_a.y)));
    test_shapes_free(s);
}

static void sweeps(void **state)
{
    (void)state;
    BW_EACH_SEED(200, check_sweep, NULL);
    /* Two spheres of radius 1, 6 apart, meet after 4 of 8. */
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1};
    bw_rigid_motion motion = {.start = bw_transform_identity(), .translation = {8, 0, 0}};
    motion.start.m[0][3] = -6;
    bw_shape_sweep_report report = {0};
    assert_int_equal(bw_shape_sweep(&ball, &motion, &ball, NULL, NULL, &report, NULL), BW_OK);
    assert_true(report.status == BW_FOUND && report.time <= 0.5 && report.time > 0.5 - 1e-5);
    /* A half-space that turns into a sphere; two of them cannot. */
    const bw_shape half = {.kind = BW_SHAPE_HALF_SPACE};
    bw_rigid_motion turn = {.start = bw_transform_identity(), .axis = {0, 1, 0}, .angle = 1};
    turn.start.m[2][3] = -2;
    assert_int_equal(bw_shape_sweep(&half, &turn, &ball, &motion, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_FOUND);
    assert_int_equal(bw_shape_sweep(&half, &turn, &half, NULL, NULL, &report, NULL), BW_ERROR_UNSUPPORTED);
}

/* ---- against trees ---- */

static void check_body(bws_random *random, void *user)
{
    const bw_body *body = user;
    test_shape s[2];
    test_shapes_make(random, TEST_RANDOM, (int)bws_random_below(random, 5), 0, s);
    bw_transform pose = bws_random_rigid(random, 1);
    pose.m[0][0] *= 1.5; /* any affine map */
    const bw_body posed = {body->tree, body->mesh, &pose};
    const double separation = bws_random_below(random, 2) == 0 ? 0 : 0.1;
    bw_shape_hit hits[2000];
    const bw_shape_collide_desc desc = {
        .mode = BW_COLLIDE_ALL, .separation = separation, .hits = hits, .hit_capacity = 2000};
    bw_shape_collide_report report = {0}, any = {0};
    bw_shape_distance_report distance = {0};
    assert_int_equal(bw_shape_collide_body(&s[0].placed, &posed, &desc, &report, NULL), BW_OK);
    assert_int_equal(bw_shape_collide_body(&s[0].placed, &posed, NULL, &any, NULL), BW_OK);
    assert_int_equal(bw_shape_distance_body(&s[0].placed, &posed, NULL, &distance, NULL), BW_OK);
    bool found[2000] = {false};
    for (uint64_t i = 0; i < report.hit_count; i++) {
        assert_false(found[hits[i].primitive]);
        found[hits[i].primitive] = true;
    }
    const bw_oracle_convex a = test_shape_oracle(&s[0]);
    uint64_t touching = 0, meeting = 0;
    for (uint32_t t = 0; t < body->mesh->triangle_count; t++) {
        bw_oracle_convex b = {.count = 3};
        bw_mesh_corners(body->mesh, t, b.points);
        for (int k = 0; k < 3; k++)
            b.points[k] = bw_transform_point(&pose, b.points[k]);
        const bw_contact_kind kind = bw_oracle_convex_contact(&a, &b, false);
        meeting += kind != BW_CONTACT_NONE;
        touching += kind == BW_CONTACT_TOUCHING;
        if (kind != BW_CONTACT_NONE)
            assert_true(found[t]);
        if (kind != BW_CONTACT_NONE || a.count == 0)
            continue;
        const double apart = bw_oracle_convex_distance(&a, &b) - a.radius;
        assert_true(distance.nearest.distance <= apart + 1e-11);
        if (fabs(apart - separation) > 1e-11)
            assert_int_equal(found[t], apart < separation);
        if (t == distance.primitive)
            assert_true(fabs(apart - distance.nearest.distance) <= 1e-11);
    }
    assert_int_equal(report.hit_count - report.near_count, meeting);
    assert_int_equal(report.touching_count, touching);
    assert_int_equal(any.hit_count, meeting > 0);
    assert_int_equal(distance.nearest.distance == 0, meeting > 0);
    test_shapes_free(s);
}

static void bodies(void **state)
{
    bws_mesh mesh;
    bw_tree *tree = NULL;
    (void)state;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 5, .amplitude = 0.3}, BW_F64, &mesh),
                     BW_OK);
    const bw_mesh view = bws_view(&mesh);
    assert_true(view.triangle_count <= 2000);
    assert_int_equal(bw_tree_create(NULL, &view, &tree, NULL), BW_OK);
    bw_body body = {tree, &view, NULL};
    BW_EACH_SEED(30, check_body, &body);
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 0.5};
    bw_rigid_motion motion = {.start = bw_transform_identity(), .translation = {8, 0, 0}};
    motion.start.m[0][3] = -4;
    bw_shape_sweep_report report = {0};
    assert_int_equal(bw_shape_sweep_body(&ball, &motion, &body, NULL, NULL, &report, NULL), BW_OK);
    assert_true(report.status == BW_FOUND && report.time > 0.2 && report.time < 0.45 &&
                report.primitive != BW_NONE);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

/* ---- bounds, and what is refused ---- */

static void check_bounds(bws_random *random, void *user)
{
    test_shape s[2];
    (void)user;
    test_shapes_make(random, TEST_RANDOM, (int)bws_random_below(random, 5), 0, s);
    const bw_oracle_convex o = test_shape_oracle(&s[0]);
    bw_box box;
    assert_int_equal(bw_shape_bounds(&s[0].placed, &box, NULL), BW_OK);
    for (int i = 0; i < o.count; i++) {
        const double p[3] = {o.points[i].x, o.points[i].y, o.points[i].z};
        for (int k = 0; k < 3; k++)
            assert_true((double)box.min[k] <= p[k] - o.radius && (double)box.max[k] >= p[k] + o.radius);
    }
    test_shapes_free(s);
}

static void bounds(void **state)
{
    (void)state;
    BW_EACH_SEED(100, check_bounds, NULL);
    const bw_shape half = {.kind = BW_SHAPE_HALF_SPACE, .radius = 0.5};
    const bw_placed_shape placed = {&half, NULL};
    bw_box box;
    assert_int_equal(bw_shape_bounds(&placed, &box, NULL), BW_OK);
    assert_true(box.max[2] >= 0.5f && box.max[2] < 0.51f && box.min[2] == -(float)BW_COORDINATE_MAX);
}

static void expect(const bw_shape *shape, const bw_transform *pose, bw_result result)
{
    const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1};
    const bw_placed_shape a = {&ball, NULL}, b = {shape, pose};
    bw_contact_kind kind;
    bw_fault fault;
    assert_int_equal(bw_shape_overlap(&a, &b, &kind, &fault), result);
    assert_int_equal(fault.result, result);
    assert_int_equal(fault.element, result == BW_OK ? BW_NONE : 1);
    assert_true(result == BW_OK || strstr(fault.text, "shape") != NULL); /* says more than the result does */
    assert_int_equal(bw_shape_check(&b, NULL), result);
}

static void refusals(void **state)
{
    (void)state;
    bw_transform pose = bw_transform_identity();
    const bw_shape box = {.kind = BW_SHAPE_BOX, .half = {1, 1, 1}};
    expect(&(bw_shape){.kind = BW_SHAPE_BOX, .half = {1, -1, 1}}, NULL, BW_ERROR_ARGUMENT);
    expect(&(bw_shape){.kind = BW_SHAPE_HULL}, NULL, BW_ERROR_ARGUMENT);
    expect(&(bw_shape){.radius = (double)NAN}, NULL, BW_ERROR_NOT_FINITE);
    expect(&(bw_shape){.radius = 0x1p200}, NULL, BW_ERROR_RANGE);
    expect(&(bw_shape){.kind = (bw_shape_kind)9}, NULL, BW_ERROR_ARGUMENT);
    expect(NULL, NULL, BW_ERROR_ARGUMENT);
    pose.m[0][0] = 1.0001;
    expect(&box, &pose, BW_ERROR_ARGUMENT);
    pose.m[0][0] = -1; /* a reflection */
    expect(&box, &pose, BW_ERROR_ARGUMENT);
    pose.m[0][0] = (double)INFINITY;
    expect(&box, &pose, BW_ERROR_NOT_FINITE);
    pose = bw_transform_identity();
    pose.m[1][3] = 0x1p-310;
    expect(&box, &pose, BW_OK); /* lost in 1 + 2^-310 */
    expect(&(bw_shape){0}, &pose, BW_ERROR_RANGE);
    bw_hull *hull = NULL;
    bw_fault fault;
    const bw_vec3 bad[2] = {{0, 0, 0}, {0, (double)NAN, 0}};
    assert_int_equal(bw_hull_create(NULL, bad, 2, &hull, &fault), BW_ERROR_NOT_FINITE);
    assert_true(fault.vertex == 1 && fault.axis == 1 && isnan(fault.value) && fault.defect == BW_DEFECT_NAN);
    assert_int_equal(bw_hull_create(NULL, bad, 0, &hull, NULL), BW_ERROR_EMPTY);
    assert_null(hull);
}

/* A box on a box: four points, the faces' normal, and the depth. */
static void manifold(void **state)
{
    (void)state;
    const bw_shape box = {.kind = BW_SHAPE_BOX, .half = {1, 1, 0.5}}, half = {.kind = BW_SHAPE_HALF_SPACE};
    bw_transform pose = bw_transform_identity();
    pose.m[2][3] = 0.9;
    pose.m[0][3] = 0.5;
    const bw_placed_shape a = {&box, NULL}, b = {&box, &pose}, ground = {&half, NULL};
    bw_shape_contact contact;
    assert_int_equal(bw_shape_contact_pair(&a, &b, NULL, &contact, NULL), BW_OK);
    assert_true(contact.point_count == 4 && fabs(contact.normal.z - 1) < 1e-12);
    assert_true(fabs(contact.depth - 0.1) < 1e-12 && fabs(contact.depth_lower - 0.1) < 1e-12);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(contact.points[i].depth - 0.1) < 1e-12 &&
                    contact.points[i].point_a.x >= -0.5 - 1e-12);
    assert_int_equal(bw_shape_contact_pair(&ground, &a, NULL, &contact, NULL), BW_OK);
    assert_true(contact.point_count == 4 && fabs(contact.depth - 0.5) < 1e-12);
    /* Within the separation. */
    pose.m[2][3] = 1.2;
    assert_int_equal(bw_shape_contact_pair(&a, &b, &(bw_shape_desc){.separation = 0.3}, &contact, NULL),
                     BW_OK);
    assert_true(contact.kind == BW_CONTACT_NONE && contact.point_count == 4 &&
                fabs(contact.depth + 0.2) < 1e-12);
    assert_int_equal(bw_shape_contact_pair(&a, &b, &(bw_shape_desc){.separation = 0.1}, &contact, NULL),
                     BW_OK);
    assert_int_equal(contact.point_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls),    cmocka_unit_test(rays),   cmocka_unit_test(sweeps),
        cmocka_unit_test(bodies),   cmocka_unit_test(bounds), cmocka_unit_test(refusals),
        cmocka_unit_test(manifold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
