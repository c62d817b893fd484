/* Distances with a sign, and places on surfaces: beside bw_nearest and bw_contains asked alone, a box whose
 * distances have a formula, normals in long double, and points put on corners, edges and faces. */
#include "oracle/hard_poses.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <boxwood/nearest.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const float cube_xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const uint32_t cube_indices[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const bw_mesh cube = {cube_xyz, BW_F32, 8, 0, cube_indices, 12};

static bw_tree *tree_of(const bw_mesh *mesh)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, mesh, &tree, NULL), BW_OK);
    return tree;
}

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bw_vec3 minus(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static void corners_of(const bw_body *body, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_corners(body->mesh, primitive, out);
    for (int k = 0; body->pose != NULL && k < 3; k++)
        out[k] = bw_transform_point(body->pose, out[k]);
}

/* The cube grown or shrunk along its axes, and reflected. */
static void a_box_has_a_formula(bws_random *random, void *user)
{
    const bw_tree *tree = user;
    const double side[3] = {bws_random_double(random, 0.5, 4), bws_random_double(random, 0.5, 4),
                            bws_random_double(random, 0.5, 4)};
    bw_transform pose = {
        {{side[0], 0, 0, -0.5 * side[0]}, {0, side[1], 0, -0.5 * side[1]}, {0, 0, side[2], -0.5 * side[2]}}};
    for (int k = 0; k < 3; k++)
        if (bws_random_bool(random))
            for (int j = 0; j < 4; j++)
                pose.m[k][j] = -pose.m[k][j];
    const bw_body body = {tree, &cube, &pose};
    for (int i = 0; i < 20; i++) {
        const double at[3] = {bws_random_double(random, -3, 3), bws_random_double(random, -3, 3),
                              bws_random_double(random, -3, 3)};
        double outside = 0, inside = -INFINITY;
        for (int k = 0; k < 3; k++) {
            const double gap = fabs(at[k]) - 0.5 * side[k];
            outside += gap > 0 ? gap * gap : 0;
            inside = fmax(inside, gap);
        }
        const double truth = inside < 0 ? inside : sqrt(outside);
        const bw_vec3 point = {at[0], at[1], at[2]};
        bw_signed_hit hit;
        bw_contains_report report = {0};
        assert_int_equal(bw_signed_distance(&body, &point, NULL, &hit, &report, NULL), BW_OK);
        assert_true(report.closed && hit.location.certain);
        assert_true(fabs(hit.distance - truth) < 1e-12);
        assert_int_equal(hit.location.side, truth < 0 ? BW_SIDE_INSIDE : BW_SIDE_OUTSIDE);
        /* Out is away from the middle, whatever the pose reflects. */
        assert_true(dot(hit.nearest.normal, hit.nearest.point) > 0);
        assert_true(dot(hit.nearest.normal, minus(point, hit.nearest.point)) * truth >= -1e-12);
    }
}

static void check_surface_point(const bw_body *body, const bw_surface_point *at, double size)
{
    bw_vec3 c[3], sum = {0, 0, 0};
    double all = 0;
    corners_of(body, at->primitive, c);
    for (int k = 0; k < 3; k++) {
        assert_true(at->weights[k] >= 0 && at->weights[k] <= 1);
        all += at->weights[k];
        sum = (bw_vec3){sum.x + at->weights[k] * c[k].x, sum.y + at->weights[k] * c[k].y,
                        sum.z + at->weights[k] * c[k].z};
    }
    const bw_vec3 off = minus(sum, at->point);
    assert_true(fabs(all - 1) < 1e-15 * 8);
    assert_true(sqrt(dot(off, off)) < 1e-12 * size);
    int zeros = 0;
    for (uint32_t k = 0; k < 3; k++)
        zeros += at->weights[k] == 0;
    assert_int_equal(zeros, at->feature == BW_FEATURE_FACE ? 0 : at->feature == BW_FEATURE_EDGE ? 1 : 2);
    if (at->feature == BW_FEATURE_EDGE)
        assert_true(at->weights[(at->corner + 2) % 3] == 0);
    if (at->feature == BW_FEATURE_VERTEX)
        assert_true(at->weights[at->corner] == 1);
}

/* The normal by the inverse transpose of the pose, in long double. */
static void check_normal(const bw_body *body, const bw_surface_point *at)
{
    bw_vec3 c[3];
    bw_mesh_corners(body->mesh, at->primitive, c);
    const long double u[3] = {(long double)c[1].x - c[0].x, (long double)c[1].y - c[0].y,
                              (long double)c[1].z - c[0].z};
    const long double v[3] = {(long double)c[2].x - c[0].x, (long double)c[2].y - c[0].y,
                              (long double)c[2].z - c[0].z};
    long double n[3], out[3] = {0, 0, 0}, length = 0;
    bw_transform pose = body->pose != NULL ? *body->pose : bw_transform_identity();
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    /* Cofactors over the determinant, of which only the sign matters. */
    long double cofactor[3][3], det = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, e = (j + 1) % 3, f = (j + 2) % 3;
            cofactor[i][j] =
                (long double)pose.m[a][e] * pose.m[b][f] - (long double)pose.m[a][f] * pose.m[b][e];
        }
    for (int j = 0; j < 3; j++)
        det += pose.m[0][j] * cofactor[0][j];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out[i] += cofactor[i][j] * n[j] * (det < 0 ? -1 : 1);
        length += out[i] * out[i];
    }
    length = sqrtl(length);
    assert_true(fabs(dot(at->normal, at->normal) - 1) < 1e-14);
    assert_true(fabsl(out[0] / length - at->normal.x) < 1e-7L);
    assert_true(fabsl(out[1] / length - at->normal.y) < 1e-7L);
    assert_true(fabsl(out[2] / length - at->normal.z) < 1e-7L);
}

/* Points put on a feature are found on it. */
static void features_are_found(bws_random *random, void *user)
{
    const bw_body *still = user;
    bw_transform pose = bw_hard_pose(random, (int)bws_random_below(random, 3));
    const bw_body body = {still->tree, still->mesh, bws_random_bool(random) ? &pose : NULL};
    for (int i = 0; i < 30; i++) {
        const uint32_t primitive = (uint32_t)bws_random_below(random, body.mesh->triangle_count);
        const uint32_t corner = (uint32_t)bws_random_below(random, 3);
        const bw_feature feature = (bw_feature)bws_random_below(random, 3);
        double w[3] = {0, 0, 0};
        bw_vec3 c[3];
        w[corner] = 1;
        if (feature != BW_FEATURE_VERTEX) {
            w[corner] = bws_random_double(random, 0.1, 0.9);
            w[(corner + 1) % 3] = 1 - w[corner];
        }
        if (feature == BW_FEATURE_FACE) {
            w[(corner + 1) % 3] *= 0.5;
            w[(corner + 2) % 3] = w[(corner + 1) % 3];
        }
        corners_of(&body, primitive, c);
        const bw_vec3 point = {w[0] * c[0].x + w[1] * c[1].x + w[2] * c[2].x,
                               w[0] * c[0].y + w[1] * c[1].y + w[2] * c[2].y,
                               w[0] * c[0].z + w[1] * c[1].z + w[2] * c[2].z};
        bw_surface_point at;
        assert_int_equal(bw_surface_at(&body, primitive, &point, &at, NULL), BW_OK);
        assert_int_equal(at.feature, feature);
        assert_int_equal(at.corner, feature == BW_FEATURE_FACE ? 0 : corner);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(at.weights[k] - w[k]) < 1e-9);
        check_surface_point(&body, &at, 100);
        check_normal(&body, &at);
    }
}

/* All of it together, one by one and many at once, with threads. */
static void parts_agree(bws_random *random, void *user)
{
    const bw_body *still = user;
    enum { MANY = 300 };
    static bw_vec3 points[MANY];
    static bw_signed_hit many[MANY], again[MANY];
    bw_transform pose = bw_hard_pose(random, (int)bws_random_below(random, 3));
    const bw_body body = {still->tree, still->mesh, bws_random_bool(random) ? &pose : NULL};
    double limits[MANY];
    for (int i = 0; i < MANY; i++) {
        bw_vec3 c[3];
        corners_of(&body, (uint32_t)bws_random_below(random, body.mesh->triangle_count), c);
        points[i] = c[0];
        if (i % 3 > 0) {
            const bw_vec3 d = bws_random_direction(random);
            const double far = i % 3 == 1 ? 0.01 : 1;
            points[i] = (bw_vec3){c[0].x + far * d.x, c[0].y + far * d.y, c[0].z + far * d.z};
        }
        limits[i] = bws_random_below(random, 4) == 0 ? 1e-3 : 0;
    }
    bw_contains_report report = {0}, second = {0};
    const bw_signed_desc desc = {.max_distances = limits};
    assert_int_equal(bw_signed_distance_many(&body, points, MANY, &desc, many, &report, NULL), BW_OK);
    for (int i = 0; i < MANY; i++) {
        bw_nearest_hit nearest;
        bw_location location;
        bw_signed_hit one;
        const bw_nearest_desc limit = {.max_distance = limits[i]};
        assert_int_equal(bw_nearest(&body, &points[i], &limit, &nearest, NULL, NULL), BW_OK);
        assert_int_equal(bw_contains(&body, &points[i], NULL, &location, NULL, NULL), BW_OK);
        assert_int_equal(many[i].nearest.primitive, nearest.primitive);
        assert_true(fabs(many[i].distance) == nearest.distance);
        assert_int_equal(many[i].location.side, location.side);
        assert_true(many[i].location.winding == location.winding);
        assert_int_equal(many[i].distance == 0, location.side == BW_SIDE_ON);
        assert_int_equal(many[i].distance < 0, location.side == BW_SIDE_INSIDE);
        if (nearest.primitive != BW_NONE) {
            assert_memory_equal(&many[i].nearest.point, &nearest.point, sizeof nearest.point);
            check_surface_point(&body, &many[i].nearest, 100);
        }
        if (i % 16 == 0) {
            const bw_signed_desc alone = {.max_distance = limits[i]};
            assert_int_equal(bw_signed_distance(&body, &points[i], &alone, &one, NULL, NULL), BW_OK);
            assert_true(one.distance == many[i].distance);
            assert_memory_equal(&one.nearest.normal, &many[i].nearest.normal, sizeof one.nearest.normal);
        }
    }
    for (uint32_t workers = 2; workers <= 7; workers += 5) {
        bw_pool *pool = test_pool_create(workers);
        const bw_signed_desc with = {.max_distances = limits, .tasks = bw_pool_tasks(pool)};
        assert_int_equal(bw_signed_distance_many(&body, points, MANY, &with, again, &second, NULL), BW_OK);
        assert_true(second.inside_count == report.inside_count && second.on_count == report.on_count);
        for (int i = 0; i < MANY; i++) {
            assert_true(again[i].distance == many[i].distance);
            assert_true(again[i].location.side == many[i].location.side &&
                        again[i].location.winding == many[i].location.winding);
            assert_true(again[i].nearest.primitive == many[i].nearest.primitive &&
                        again[i].nearest.feature == many[i].nearest.feature);
            assert_memory_equal(&again[i].nearest.normal, &many[i].nearest.normal, sizeof(bw_vec3));
            assert_memory_equal(again[i].nearest.weights, many[i].nearest.weights,
                                sizeof again[i].nearest.weights);
        }
        bw_pool_destroy(pool);
    }
}

static void refuses(void **state)
{
    (void)state;
    /* The second triangle has no area, the third names a vertex that is not there. */
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 1, 3, 0, 1, 9};
    const bw_mesh mesh = {xyz, BW_F64, 4, 0, indices, 3};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.quarantine = BW_DEFECTS_FATAL}, &mesh, &tree, NULL),
                     BW_OK);
    const bw_body body = {tree, &mesh, NULL};
    const bw_vec3 point = {1.5, 0, 0}, bad = {NAN, 0, 0};
    bw_surface_point at;
    bw_fault fault;
    assert_int_equal(bw_surface_at(&body, 1, &point, &at, NULL), BW_OK);
    assert_true(dot(at.normal, at.normal) == 0 && at.feature == BW_FEATURE_EDGE && at.corner == 2);
    assert_true(at.weights[0] == 0.5 && at.weights[2] == 0.5);
    assert_int_equal(bw_surface_at(&body, 2, &point, &at, &fault), BW_ERROR_INDEX);
    assert_int_equal(bw_surface_at(&body, 3, &point, &at, &fault), BW_ERROR_INDEX);
    assert_int_equal(fault.element, 3);
    assert_int_equal(bw_surface_at(&body, 0, &bad, &at, &fault), BW_ERROR_NOT_FINITE);
    const uint32_t primitives[2] = {BW_NONE, 7};
    const bw_vec3 points[2] = {point, point};
    bw_surface_point two[2];
    assert_int_equal(bw_surface_at_many(&body, primitives, points, 2, two, &fault), BW_ERROR_INDEX);
    assert_int_equal(fault.element, 1);
    assert_int_equal(two[0].primitive, BW_NONE);
    assert_int_equal(bw_surface_at(&body, 0, NULL, &at, NULL), BW_ERROR_ARGUMENT);
    bw_signed_hit hit;
    assert_int_equal(bw_signed_distance(&body, &bad, NULL, &hit, NULL, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_signed_distance(&body, NULL, NULL, &hit, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_signed_distance_many(&body, &bad, 1, NULL, &hit, NULL, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(fault.element, 0);
    assert_int_equal(bw_signed_distance(&body, &point, &(bw_signed_desc){.size = 3}, &hit, NULL, NULL),
                     BW_ERROR_LAYOUT);
    bw_tree_destroy(tree);
}

static void knows_boxes(void **state)
{
    (void)state;
    bw_tree *tree = tree_of(&cube);
    BW_EACH_SEED(200, a_box_has_a_formula, tree);
    bw_tree_destroy(tree);
}

static void knows_features(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 8}, BW_F64, &mesh), BW_OK);
    const bw_mesh view = bws_view(&mesh);
    const bw_body body = {tree_of(&view), &view, NULL};
    BW_EACH_SEED(100, features_are_found, (void *)(uintptr_t)&body);
    bw_tree_destroy((bw_tree *)(uintptr_t)body.tree);
    bws_mesh_free(&mesh);
}

static void knows_all(void **state)
{
    (void)state;
    for (uint32_t without = 0; without <= 20; without += 20) {
        bws_mesh mesh;
        assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 8}, BW_F32, &mesh), BW_OK);
        mesh.triangle_count -= without;
        const bw_mesh view = bws_view(&mesh);
        const bw_body body = {tree_of(&view), &view, NULL};
        BW_EACH_SEED(8, parts_agree, (void *)(uintptr_t)&body);
        bw_tree_destroy((bw_tree *)(uintptr_t)body.tree);
        bws_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knows_boxes), cmocka_unit_test(knows_features),
                                       cmocka_unit_test(knows_all), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
