/* Distances, nearest points and rays at every SIMD level, on input that is hard for floats: the same bits
 * everywhere, the truth of brute force, and margins that hold pair by pair. */
#include "collide/distance/distance.h"
#include "collide/distance/hull.h"
#include "collide/distance/kernels.h"
#include "collide/ray/cast.h"
#include "hard_solid.h"
#include "oracle/random.h"
#include "scenes/scenes.h"
#include "tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_simd levels[] = {BW_SIMD_128, BW_SIMD_AVX2};

static int by_pair(const void *x, const void *y)
{
    const bw_near *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* The distance at each level is the least of all pairs, the first by number, and the pairs within a reach are
 * those of brute force. */
static void assert_distances(const bw_body *a, const bw_body *b, double reach)
{
    uint32_t na = bw_mesh_primitive_count(a->mesh), nb = bw_mesh_primitive_count(b->mesh), best[2] = {0, 0};
    size_t room = (size_t)na * nb;
    bw_near *truth = malloc(room * sizeof *truth), *found = malloc(room * sizeof *found);
    assert_true(truth != NULL && found != NULL);
    size_t count = 0;
    double least2 = INFINITY;
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t j = 0; j < nb; j++) {
            bw_vec3 ca[3], cb[3];
            hard_corners(a, i, ca);
            hard_corners(b, j, cb);
            double d2 = bw_triangle_distance2(ca, cb, NULL, NULL);
            if (d2 < least2) {
                least2 = d2;
                best[0] = i;
                best[1] = j;
            }
            if (d2 <= reach * reach)
                truth[count++] = (bw_near){i, j, sqrt(d2)};
        }
    bw_distance_report first = {0};
    bw_within_report first_within = {0};
    bw_near *order = malloc(room * sizeof *order);
    assert_non_null(order);
    for (int level = 0; level < 2; level++) {
        bw_distance_report report = {0};
        memset(&report, 0, sizeof report);
        assert_int_equal(bw_distance_at(levels[level], a, b, NULL, &report), BW_OK);
        assert_int_equal(report.status, BW_DONE);
        assert_true(report.distance == sqrt(least2));
        if (least2 > 0)
            assert_true(report.a == best[0] && report.b == best[1]);
        bw_within_report within = {0};
        bw_within_desc desc = {.distance = reach, .pairs = found, .pair_capacity = room};
        assert_int_equal(bw_within_at(levels[level], a, b, &desc, &within), BW_OK);
        assert_int_equal(within.pair_count, count);
        if (level == 0) {
            first = report;
            first_within = within;
            memcpy(order, found, count * sizeof *order);
        }
        assert_true(report.a == first.a && report.b == first.b &&
                    report.nodes_visited == first.nodes_visited && report.box_tests == first.box_tests &&
                    report.primitive_tests == first.primitive_tests);
        assert_memory_equal(&report.point_a, &first.point_a, sizeof first.point_a);
        assert_memory_equal(&report.point_b, &first.point_b, sizeof first.point_b);
        assert_memory_equal(&within, &first_within, sizeof within);
        for (size_t i = 0; i < count; i++)
            assert_true(found[i].a == order[i].a && found[i].b == order[i].b);
        qsort(found, count, sizeof *found, by_pair);
        for (size_t i = 0; i < count; i++)
            assert_true(found[i].a == truth[i].a && found[i].b == truth[i].b &&
                        found[i].distance == truth[i].distance);
    }
    free(truth);
    free(found);
    free(order);
}

static void hard_distances(bws_random *random, void *user)
{
    (void)user;
    for (int i = 0; i < HARD_PLACES; i++) {
        hard_place where = hard_places[i];
        hard_solid a = hard_make(random, 90, (int)bws_random_below(random, HARD_SHAPES + 1), where,
                                 bws_random_bool(random));
        hard_solid b = hard_make(random, 60, (int)bws_random_below(random, HARD_SHAPES + 1), where,
                                 bws_random_bool(random));
        bw_transform pose_a = hard_pose(random, where), pose_b = hard_pose(random, where);
        bw_body body_a = {a.tree, &a.mesh, NULL}, body_b = {b.tree, &b.mesh, NULL};
        assert_distances(&body_a, &body_b, 0);
        body_b.pose = &pose_b;
        assert_distances(&body_a, &body_b, 0.5 * where.unit);
        body_a.pose = &pose_a;
        pose_b.m[0][3] += 9 * where.unit; /* apart */
        assert_distances(&body_a, &body_b, 5 * where.unit);
        hard_unmake(&a);
        hard_unmake(&b);
    }
}

static void test_hard_distances(void **state)
{
    (void)state;
    BW_EACH_SEED(6, hard_distances, NULL);
}

/* Larger bodies, so that whole groups descend, and are given up: facing sheets, a chain of two rings, spheres
 * in each other. */
static void assert_scene(bws_mesh *owned_a, bws_mesh *owned_b, const bw_transform *pose, bw_witness *witness)
{
    bw_mesh mesh_a = bws_view(owned_a), mesh_b = bws_view(owned_b);
    bw_tree *tree_a = NULL, *tree_b = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh_a, &tree_a, NULL), BW_OK);
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_FAST}, &mesh_b, &tree_b, NULL),
                     BW_OK);
    bw_body a = {tree_a, &mesh_a, NULL}, b = {tree_b, &mesh_b, pose};
    assert_distances(&a, &b, 0);
    assert_int_equal(bw_tree_prepare_distances(tree_a, &mesh_a, NULL, NULL), BW_OK);
    assert_int_equal(bw_tree_prepare_distances(tree_b, &mesh_b, NULL, NULL), BW_OK);
    assert_distances(&a, &b, 0);
    bw_distance_report cold = {0}, warm = {0};
    bw_distance_desc desc = {.witness = witness};
    assert_int_equal(bw_distance(&a, &b, NULL, &cold, NULL), BW_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bw_distance(&a, &b, &desc, &warm, NULL), BW_OK);
        assert_true(warm.distance == cold.distance &&
                    (cold.distance == 0 || (warm.a == cold.a && warm.b == cold.b)));
        assert_true(witness->valid);
    }
    bw_tree_destroy(tree_a);
    bw_tree_destroy(tree_b);
    bws_mesh_free(owned_a);
    bws_mesh_free(owned_b);
}

static void large_bodies(bws_random *random, void *user)
{
    (void)user;
    bws_mesh a, b;
    bw_witness witness = {true, 1000000, 7}; /* of no use, and told so */
    bw_transform up =
        bw_transform_compose((bw_vec3){0.1, 0, bws_random_double(random, 0.2, 0.5)}, (bw_vec3){0, 0, 1},
                             bws_random_double(random, 0, 3), (bw_vec3){1, 1, 1});
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 20, .rows = 20}, 0, BW_F32, &a), BW_OK);
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 20, .rows = 18, .phase = 0.3}, 0, BW_F32, &b),
                     BW_OK);
    assert_scene(&a, &b, &up, &witness);
    bw_transform link =
        bw_transform_compose((bw_vec3){1, 0.1, 0}, (bw_vec3){1, 0, 0}, 1.5, (bw_vec3){1, 1, 1});
    bws_torus_desc ring = {.segments = 40, .sides = 9, .minor = 0.3};
    assert_int_equal(bws_torus(&ring, BW_F64, &a), BW_OK);
    assert_int_equal(bws_torus(&ring, BW_F32, &b), BW_OK);
    assert_scene(&a, &b, &link, &witness);
    bw_transform inside = bws_random_rigid(random, 0.05);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 8}, BW_F32, &a), BW_OK);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 7, .radius = 0.6}, BW_F32, &b), BW_OK);
    assert_scene(&a, &b, &inside, &witness);
    bw_transform beside = bws_random_rigid(random, 0.5);
    beside.m[1][3] += 2.6;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 9}, BW_F32, &a), BW_OK);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 9, .seed = 3}, BW_F32, &b), BW_OK);
    assert_scene(&a, &b, &beside, &witness);
}

static void test_large_bodies(void **state)
{
    (void)state;
    BW_EACH_SEED(1, large_bodies, NULL);
}

static void hard_points_and_rays(bws_random *random, void *user)
{
    (void)user;
    for (int i = 0; i < HARD_PLACES; i++) {
        hard_place where = hard_places[i];
        hard_solid s = hard_make(random, 200, (int)bws_random_below(random, HARD_SHAPES + 1), where,
                                 bws_random_bool(random));
        bw_transform pose = hard_pose(random, where);
        bw_body body = {s.tree, &s.mesh, bws_random_bool(random) ? &pose : NULL};
        for (int k = 0; k < 30; k++) {
            bw_vec3 c[3], on[2];
            for (int e = 0; e < 2; e++) { /* corners, middles of edges, anywhere, far away */
                hard_corners(&body, (uint32_t)bws_random_below(random, 200), c);
                on[e] =
                    k % 3 == 0 ? c[0] : (bw_vec3){0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y), c[0].z};
                double away = k % 5 == 0 ? 1e5 * where.unit : k % 3 == 2 ? where.unit : 0;
                on[e].x += bws_random_double(random, -1, 1) * away;
                on[e].y += bws_random_double(random, -1, 1) * away;
            }
            if (k % 7 == 6)
                on[1] = on[0];
            double least2 = INFINITY;
            bw_ray_hit best = {BW_NONE, BW_CONTACT_NONE, INFINITY};
            uint32_t nearest = 0;
            for (uint32_t p = 0; p < 200; p++) {
                hard_corners(&body, p, c);
                double d2 = bw_point_triangle_distance2(&on[0], c, NULL), t = 0;
                nearest = d2 < least2 ? p : nearest;
                least2 = d2 < least2 ? d2 : least2;
                bw_contact_kind kind = bw_ray_triangle(&on[0], &on[1], c, &t);
                if (kind != BW_CONTACT_NONE && t < best.t)
                    best = (bw_ray_hit){p, kind, t};
            }
            bw_nearest_hit point[2];
            bw_nearest_report counts[2] = {{0}};
            bw_raycast_report ray[2] = {{0}};
            bw_ray_hit ray_hit[2];
            bw_ray desc_ray = {.origin = on[0], .direction = on[1], .between = true};
            bw_raycast_desc desc = {0};
            const bool goes = memcmp(&on[0], &on[1], sizeof *on) != 0;
            memset(point, 0, sizeof point);
            memset(counts, 0, sizeof counts);
            memset(ray, 0, sizeof ray);
            for (int level = 0; level < 2; level++) {
                assert_int_equal(
                    bw_nearest_at(levels[level], &body, &on[0], NULL, &point[level], &counts[level]), BW_OK);
                assert_true(point[level].distance == sqrt(least2) && point[level].primitive == nearest);
                assert_true(counts[level].nodes_visited == counts[0].nodes_visited &&
                            counts[level].primitive_tests == counts[0].primitive_tests);
                assert_int_equal(
                    bw_raycast_at(levels[level], &body, &desc_ray, &desc, &ray_hit[level], &ray[level]),
                    goes ? BW_OK : BW_ERROR_ARGUMENT);
                assert_int_equal(ray[level].hit_count, goes && best.primitive != BW_NONE);
                if (ray[level].hit_count > 0)
                    assert_true(ray_hit[level].primitive == best.primitive &&
                                ray_hit[level].kind == best.kind && ray_hit[level].t == best.t);
            }
        }
        hard_unmake(&s);
    }
}

static void test_hard_points_and_rays(void **state)
{
    (void)state;
    BW_EACH_SEED(10, hard_points_and_rays, NULL);
}

/* One leaf against another: no pair is called beyond its own distance. */
static void margins_hold(bws_random *random, void *user)
{
    (void)user;
    for (int round = 0; round < 40; round++) {
        hard_place where = hard_places[bws_random_below(random, HARD_PLACES)];
        int shape = (int)bws_random_below(random, HARD_SHAPES);
        hard_solid a = hard_make(random, 8, shape, where, false),
                   b = hard_make(random, 8, shape, where, false);
        bw_transform pose = hard_pose(random, where);
        bw_metric_side sides[2];
        bw_body bodies[2] = {{a.tree, &a.mesh, NULL}, {b.tree, &b.mesh, &pose}};
        for (int i = 0; i < 2; i++)
            assert_int_equal(bw_metric_prepare(&bodies[i], &sides[i]), BW_OK);
        bw_distance_frame frame;
        bw_distance_frame_set(&frame, &sides[0], &sides[1], NULL);
        bw_distance_frame_turn(&frame, bws_random_direction(random));
        for (int level = 0; level < 2; level++) {
            const bw_distance_kernels *kernels = bw_distance_kernels_for(bw_simd_level(levels[level]));
            bw_distance_map map;
            bw_distance_leaf leaf[2];
            bw_distance_box shadow[2];
            bw_distance_boxes tight[2];
            for (int i = 0; i < 2; i++) {
                const bw_wide *tree = sides[i].tree;
                assert_int_equal(tree->leaf_count, 1);
                bw_distance_map_set(&map, &frame, &sides[i]);
                kernels->leaf(&map, &tree->corners[0], tree->primitives, tree->leaves[0].count, &leaf[i]);
                kernels->shadow(&map, &tree->corners[0], &shadow[i]);
                kernels->boxes(&map, &tree->nodes[0], tree->lenses, &tight[i]);
            }
            bw_distance_hull hull; /* the leaf's box among others that are far */
            bw_distance_hull_clear(&hull);
            for (uint32_t part = 0; part < 20; part++)
                bw_distance_hull_add(&hull, part,
                                     part == 13 ? shadow[1] : (bw_distance_box){v4_all(1e9f), v4_all(1e9f)});
            bw_distance_hull_close(&hull);
            for (uint32_t pair = 0; pair < 64; pair++) {
                bw_vec3 ca[3], cb[3];
                uint32_t slot_a = pair & 7, slot_b = pair >> 3;
                hard_corners(&bodies[0], leaf[0].primitives[slot_a], ca);
                hard_corners(&bodies[1], leaf[1].primitives[slot_b], cb);
                for (int i = 0; i < 6; i++) { /* in the shadow */
                    double at[3];
                    const bw_vec3 *p = i < 3 ? &ca[i] : &cb[i - 3];
                    bw_distance_frame_point(&frame, (const double[3]){p->x, p->y, p->z}, at);
                    for (int k = 0; k < 3; k++) {
                        assert_true((double)shadow[i / 3].low[k] <= at[k] &&
                                    at[k] <= (double)shadow[i / 3].high[k]);
                        assert_true((double)tight[i / 3].low[k][0] <= at[k] &&
                                    at[k] <= (double)tight[i / 3].high[k][0]);
                    }
                }
                double limit =
                    bw_distance_frame_limit(&frame, sqrt(bw_triangle_distance2(ca, cb, NULL, NULL)));
                assert_false(kernels->beyond(&leaf[0], &leaf[1], limit));
                const float limit2 = bw_distance_round_up(limit * limit * (1.0 + 0x1p-20));
                assert_true(kernels->near_parts(&shadow[0], &hull, limit2));
                assert_true((kernels->near_hull(&tight[0], 1, &hull, limit2) & 1) != 0);
                bw_distance_gap gap;
                bw_distance_gap_set(&leaf[0], &leaf[1], &gap);
                kernels->leaf_pair(&leaf[0], &leaf[1], limit, &gap);
                assert_true((gap.near >> pair & 1) != 0);
                float d2[8], n[3] = {0.6f, -0.48f, 0.64f};
                kernels->triangles(&leaf[0], &leaf[1], &gap, slot_a, slot_b,
                                   (uint32_t)(gap.apart >> pair & 1), d2);
                assert_false(d2[0] > bw_distance_threshold(limit, gap.size, gap.extent, gap.delta));
                kernels->along(&leaf[0], &leaf[1], n, limit, &gap);
                assert_true((gap.near >> pair & 1) != 0);
            }
        }
        hard_unmake(&a);
        hard_unmake(&b);
    }
}

static void test_margins(void **state)
{
    (void)state;
    BW_EACH_SEED(10, margins_hold, NULL);
}

static bool give_up(void *user)
{
    return ++*(int *)user < 3;
}

static bool never_mind(void *user)
{
    ++*(int *)user;
    return true;
}

static void test_progress(void **state)
{
    (void)state;
    bws_mesh sheet;
    assert_int_equal(
        bws_sheet(&(bws_sheet_desc){.columns = 60, .rows = 60, .amplitude = 1e-9}, 0, BW_F32, &sheet), BW_OK);
    bw_mesh mesh = bws_view(&sheet);
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_transform up =
        bw_transform_compose((bw_vec3){0, 0, 0.01}, (bw_vec3){0, 0, 1}, 0.1, (bw_vec3){1, 1, 1});
    bw_body a = {tree, &mesh, NULL}, b = {tree, &mesh, &up};
    int asked = 0;
    bw_within_desc near = {.distance = 0.011, .progress = {give_up, &asked}};
    bw_within_report within = {0};
    assert_int_equal(bw_within(&a, &b, &near, &within, NULL), BW_OK);
    assert_true(within.status == BW_STOPPED && asked == 3);
    asked = 0;
    near.progress.go_on = never_mind;
    assert_int_equal(bw_within(&a, &b, &near, &within, NULL), BW_OK);
    assert_true(within.status == BW_DONE && asked > 3 && within.pair_count > 3);
    asked = 0;
    bw_distance_desc desc = {.progress = {give_up, &asked}};
    bw_distance_report report = {0}, whole = {0};
    assert_int_equal(bw_distance(&a, &b, NULL, &whole, NULL), BW_OK);
    assert_int_equal(bw_distance(&a, &b, &desc, &report, NULL), BW_OK);
    assert_true(report.status == BW_STOPPED && asked == 3 && report.distance >= whole.distance);
    bw_tree_destroy(tree);
    bws_mesh_free(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margins),      cmocka_unit_test(test_hard_distances),
        cmocka_unit_test(test_progress),     cmocka_unit_test(test_hard_points_and_rays),
        cmocka_unit_test(test_large_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
