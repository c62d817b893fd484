/* Distances, nearest points, rays and containment against brute force over all primitives. */
#include "oracle/random.h"
#include "oracle/tree_forms.h"
#include "scenes/scenes.h"

#include <boxwood/nearest.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct solid {
    bws_mesh owned;
    bw_mesh mesh;
    bw_tree *tree;
} solid;

static solid make(const char *name, uint32_t size, bw_scalar scalar, bool compact)
{
    solid s = {0};
    const bws_scene *scene = bws_scene_find(name);
    assert_non_null(scene);
    assert_int_equal(scene->make(size, scalar, &s.owned), BW_OK);
    s.mesh = bws_view(&s.owned);
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.compact = compact}, &s.mesh, &s.tree, NULL), BW_OK);
    return s;
}

static void unmake(solid *s)
{
    bw_tree_destroy(s->tree);
    bws_mesh_free(&s->owned);
}

static void corners_of(const bw_body *body, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_corners(body->mesh, primitive, out);
    if (body->pose != NULL)
        for (int i = 0; i < 3; i++)
            out[i] = bw_transform_point(body->pose, out[i]);
}

static double length(bw_vec3 a, bw_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static int by_pair(const void *x, const void *y)
{
    const bw_near *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* The least distance, and all pairs within a reach, of two bodies. */
static void assert_distances(const bw_body *a, const bw_body *b, double reach)
{
    uint32_t na = bw_mesh_primitive_count(a->mesh), nb = bw_mesh_primitive_count(b->mesh);
    double least2 = INFINITY;
    bw_near *truth = malloc((size_t)na * nb * sizeof *truth),
            *found = malloc((size_t)na * nb * sizeof *found);
    assert_true(truth != NULL && found != NULL);
    size_t count = 0;
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t j = 0; j < nb; j++) {
            bw_vec3 ca[3], cb[3];
            corners_of(a, i, ca);
            corners_of(b, j, cb);
            double d2 = bw_triangle_distance2(ca, cb, NULL, NULL);
            least2 = d2 < least2 ? d2 : least2;
            if (d2 <= reach * reach)
                truth[count++] = (bw_near){i, j, sqrt(d2)};
        }
    bw_distance_report report = {0};
    assert_int_equal(bw_distance(a, b, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    assert_true(report.distance == sqrt(least2));
    bw_vec3 ca[3], cb[3];
    corners_of(a, report.a, ca);
    corners_of(b, report.b, cb);
    assert_true(bw_triangle_distance2(ca, cb, NULL, NULL) == least2);
    assert_true(fabs(length(report.point_a, report.point_b) - report.distance) <= 1e-9);
    assert_true(report.primitive_tests > 0);
    bw_within_report within = {0};
    bw_within_desc desc = {.distance = reach, .pairs = found, .pair_capacity = (uint64_t)na * nb};
    assert_int_equal(bw_within(a, b, &desc, &within, NULL), BW_OK);
    assert_int_equal(within.status, BW_DONE);
    assert_int_equal(within.pair_count, count);
    qsort(found, count, sizeof *found, by_pair);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(found[i].a, truth[i].a);
        assert_int_equal(found[i].b, truth[i].b);
        assert_true(found[i].distance == truth[i].distance);
    }
    /* Bounds: just too small finds nothing, just large enough finds it, and a generous stop ends early. */
    bw_distance_desc bounds = {.max_distance = report.distance * 0.999};
    if (report.distance > 0) {
        assert_int_equal(bw_distance(a, b, &bounds, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_LIMIT);
        assert_true(isinf(report.distance) && report.a == BW_NONE && report.b == BW_NONE);
        bounds.max_distance = sqrt(least2) * 1.001;
        assert_int_equal(bw_distance(a, b, &bounds, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_DONE);
        assert_true(report.distance == sqrt(least2));
        bounds = (bw_distance_desc){.stop_below = sqrt(least2) * 3 + 1};
        assert_int_equal(bw_distance(a, b, &bounds, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_FOUND);
        assert_true(report.distance >= sqrt(least2) && report.distance < bounds.stop_below);
    }
    free(truth);
    free(found);
}

static const char *pick(bws_random *random)
{
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    return scenes[bws_random_below(random, count)].name;
}

static void distances_equal_brute_force(bws_random *random, void *user)
{
    (void)user;
    solid a = make(pick(random), 150, bws_random_bool(random) ? BW_F32 : BW_F64, bws_random_bool(random));
    solid b = make(pick(random), 200, bws_random_bool(random) ? BW_F32 : BW_F64, bws_random_bool(random));
    bw_transform pose_a = bws_random_rigid(random, 1.0);
    bw_transform pose_b =
        bws_random_pose(random, &(bws_pose_desc){.reach = 3.0, .low = 0.3, .high = 1.5, .mirror = true});
    bw_body body_a = {a.tree, &a.mesh, NULL}, body_b = {b.tree, &b.mesh, &pose_b};
    assert_distances(&body_a, &body_b, 0.3);
    body_a.pose = &pose_a;
    assert_distances(&body_a, &body_b, 0.1);
    body_a.pose = body_b.pose = NULL;
    assert_distances(&body_a, &body_b, 0.0);
    unmake(&a);
    unmake(&b);
}

static void measures_distances(void **state)
{
    (void)state;
    BW_EACH_SEED(8, distances_equal_brute_force, NULL);
}

static void nearest_equals_brute_force(bws_random *random, void *user)
{
    (void)user;
    solid s = make(pick(random), 300, bws_random_bool(random) ? BW_F32 : BW_F64, bws_random_bool(random));
    bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 1.0});
    bw_body body = {s.tree, &s.mesh, bws_random_bool(random) ? &pose : NULL};
    for (int i = 0; i < 30; i++) {
        bw_vec3 p = {bws_random_double(random, -2, 2), bws_random_double(random, -2, 2),
                     bws_random_double(random, -2, 2)};
        double least2 = INFINITY;
        for (uint32_t k = 0; k < bw_mesh_primitive_count(&s.mesh); k++) {
            bw_vec3 c[3];
            corners_of(&body, k, c);
            least2 = fmin(least2, bw_point_triangle_distance2(&p, c, NULL));
        }
        bw_nearest_hit nearest;
        assert_int_equal(bw_nearest(&body, &p, NULL, &nearest, NULL, NULL), BW_OK);
        assert_true((nearest.primitive != BW_NONE) && nearest.distance == sqrt(least2));
        bw_vec3 c[3];
        corners_of(&body, nearest.primitive, c);
        assert_true(bw_point_triangle_distance2(&p, c, NULL) == least2);
        assert_true(fabs(length(p, nearest.point) - nearest.distance) < 1e-9);
        if (least2 > 0) {
            assert_int_equal(bw_nearest(&body, &p, &(bw_nearest_desc){.max_distance = sqrt(least2) * 0.999},
                                        &nearest, NULL, NULL),
                             BW_OK);
            assert_false((nearest.primitive != BW_NONE));
            assert_true(nearest.primitive == BW_NONE && isinf(nearest.distance));
        }
    }
    unmake(&s);
}

static void finds_nearest_points(void **state)
{
    (void)state;
    BW_EACH_SEED(20, nearest_equals_brute_force, NULL);
}

static bool count_hit(void *user, const bw_ray_hit *hit)
{
    assert_true(hit->kind != BW_CONTACT_NONE);
    ++*(uint64_t *)user;
    return true;
}

static bool stop_at_once(void *user, const bw_ray_hit *hit)
{
    (void)hit;
    ++*(uint64_t *)user;
    return false;
}

/* Rays anywhere, through corners and edges, along axes, and from corners. */
static void make_ray(bws_random *random, const bw_body *body, int kind, bw_ray *ray)
{
    bw_vec3 c[3];
    corners_of(body, (uint32_t)bws_random_below(random, bw_mesh_primitive_count(body->mesh)), c);
    ray->origin = (bw_vec3){bws_random_double(random, -2, 2), bws_random_double(random, -2, 2),
                            bws_random_double(random, -2, 2)};
    ray->direction = (bw_vec3){bws_random_double(random, -2, 2), bws_random_double(random, -2, 2),
                               bws_random_double(random, -2, 2)};
    if (kind == 1)
        ray->direction = c[0];
    if (kind == 2)
        ray->direction = (bw_vec3){0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y), 0.5 * (c[0].z + c[1].z)};
    if (kind == 3) {
        ray->origin = c[2];
        ray->origin.x += 1.0;
        ray->direction = c[2];
    }
    if (kind == 4)
        ray->origin = c[1];
}

static void rays_equal_brute_force(bws_random *random, void *user)
{
    (void)user;
    solid s = make(pick(random), 300, bws_random_bool(random) ? BW_F32 : BW_F64, bws_random_bool(random));
    bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 0.5});
    bw_body body = {s.tree, &s.mesh, bws_random_bool(random) ? &pose : NULL};
    for (int i = 0; i < 60; i++) {
        bw_ray ray_ray = {.between = true};
        bw_raycast_desc ray = {.mode = BW_RAY_NEAREST};
        make_ray(random, &body, i % 5, &ray_ray);
        uint64_t hits = 0, all = 0, once = 0;
        bw_ray_hit first = {BW_NONE, BW_CONTACT_NONE, INFINITY};
        for (uint32_t k = 0; k < bw_mesh_primitive_count(&s.mesh); k++) {
            bw_vec3 c[3];
            double t = 0;
            corners_of(&body, k, c);
            bw_contact_kind kind = bw_ray_triangle(&ray_ray.origin, &ray_ray.direction, c, &t);
            if (kind == BW_CONTACT_NONE)
                continue;
            hits++;
            if (t < first.t)
                first = (bw_ray_hit){k, kind, t};
        }
        bw_raycast_report report = {0};
        bw_ray_hit report_hit;
        assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &report_hit, &report, NULL), BW_OK);
        assert_int_equal(report.hit_count, hits > 0);
        assert_int_equal(report_hit.primitive, first.primitive);
        assert_int_equal(report_hit.kind, first.kind);
        assert_true(report_hit.t == first.t);
        ray.mode = BW_RAY_ANY;
        assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &report_hit, &report, NULL), BW_OK);
        assert_int_equal(report.hit_count, hits > 0);
        assert_true(isinf(report_hit.t) == (hits == 0) && (report_hit.primitive == BW_NONE) == (hits == 0));
        ray = (bw_raycast_desc){.mode = BW_RAY_ALL, .on_hit = count_hit, .user = &all};
        assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &report_hit, &report, NULL), BW_OK);
        assert_true(all == hits && report.hit_count == hits);
        ray.on_hit = stop_at_once;
        ray.user = &once;
        assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &report_hit, &report, NULL), BW_OK);
        assert_int_equal(once, hits > 0);
        if (hits > 0 && first.t > 0) {
            ray = (bw_raycast_desc){.mode = BW_RAY_NEAREST};
            ray_ray.t_max = first.t * 0.999;
            assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &report_hit, &report, NULL), BW_OK);
            assert_int_equal(report.hit_count, 0);
        }
    }
    unmake(&s);
}

static void casts_rays(void **state)
{
    (void)state;
    BW_EACH_SEED(25, rays_equal_brute_force, NULL);
}

/* A sphere of known size about a known middle: what is inside is known without any mesh. */
static void tells_inside_from_outside(bws_random *random, void *user)
{
    (void)user;
    bws_mesh owned[2];
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 5, .amplitude = -1}, BW_F64, &owned[0]),
                     BW_OK);
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 12, .sides = 6, .major = 0.1, .minor = 0.03},
                               BW_F32, &owned[1]),
                     BW_OK);
    bw_mesh mesh[2];
    bw_tree *tree[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        mesh[i] = bws_view(&owned[i]);
        assert_int_equal(bw_tree_create(NULL, &mesh[i], &tree[i], NULL), BW_OK);
    }
    for (int i = 0; i < 20; i++) {
        bw_transform turn = bws_random_rigid(random, 0), where = bws_random_rigid(random, 2.0);
        bw_body ball = {tree[0], &mesh[0], i % 2 ? &turn : NULL}, ring = {tree[1], &mesh[1], &where};
        double distance = sqrt(where.m[0][3] * where.m[0][3] + where.m[1][3] * where.m[1][3] +
                               where.m[2][3] * where.m[2][3]);
        bw_collide_desc desc = {.containment = true};
        bw_collide_report report = {0}, swapped = {0};
        assert_int_equal(bw_collide(&ball, &ring, &desc, &report, NULL), BW_OK);
        assert_int_equal(bw_collide(&ring, &ball, &desc, &swapped, NULL), BW_OK);
        assert_int_equal(report.hit_count, swapped.hit_count);
        /* The mesh lies between radius 0.9 and 1, the ring within 0.13 of its middle. */
        if (distance < 0.7) {
            assert_int_equal(report.containment, BW_CONTAINMENT_B_IN_A);
            assert_int_equal(swapped.containment, BW_CONTAINMENT_A_IN_B);
        }
        if (distance > 1.2 || report.hit_count > 0) {
            assert_int_equal(report.containment, BW_CONTAINMENT_NONE);
            assert_int_equal(swapped.containment, BW_CONTAINMENT_NONE);
        }
        desc.containment = false;
        assert_int_equal(bw_collide(&ball, &ring, &desc, &report, NULL), BW_OK);
        assert_int_equal(report.containment, BW_CONTAINMENT_NONE);
    }
    /* One piece inside, another outside: not contained. Rays along the axes of a cube meet edges and corners
     * only. */
    bw_transform away = bw_transform_compose((bw_vec3){3, 0, 0}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){1, 1, 1});
    bws_mesh moved, both;
    assert_int_equal(bws_mesh_convert(&owned[1], BW_F32, &moved), BW_OK);
    bws_mesh_transform(&moved, &away);
    assert_int_equal(bws_mesh_join(&owned[1], &moved, &both), BW_OK);
    bw_mesh both_mesh = bws_view(&both);
    bw_tree *both_tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &both_mesh, &both_tree, NULL), BW_OK);
    bw_body ball = {tree[0], &mesh[0], NULL}, two = {both_tree, &both_mesh, NULL},
            one = {tree[1], &mesh[1], NULL};
    bw_collide_desc desc = {.containment = true};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(&ball, &two, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.containment, BW_CONTAINMENT_NONE);
    assert_int_equal(bw_collide(&ball, &one, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.containment, BW_CONTAINMENT_B_IN_A);
    bw_tree_destroy(both_tree);
    bws_mesh_free(&moved);
    bws_mesh_free(&both);
    for (int i = 0; i < 2; i++) {
        bw_tree_destroy(tree[i]);
        bws_mesh_free(&owned[i]);
    }
}

static void knows_containment(void **state)
{
    (void)state;
    BW_EACH_SEED(4, tells_inside_from_outside, NULL);
}

/* A tree from which everything was removed meets nothing. */
static void empty_trees_meet_nothing(void **state)
{
    (void)state;
    float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t indices[] = {0, 1, 2}, first = 0;
    bw_mesh mesh = {xyz, BW_F32, 3, 0, indices, 1};
    bw_tree *tree = NULL, *full = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    assert_int_equal(bw_tree_create(NULL, &mesh, &full, NULL), BW_OK);
    assert_int_equal(bw_tree_remove(tree, &mesh, &first, 1, NULL), BW_OK);
    assert_null(bw_tree_check(tree, &mesh));
    bw_body empty = {tree, &mesh, NULL}, body = {full, &mesh, NULL};
    bw_collide_report report = {0};
    bw_distance_report distance = {0};
    bw_within_report within = {0};
    bw_nearest_hit nearest;
    bw_raycast_report ray = {0};
    bw_ray_hit ray_hit;
    bw_vec3 p = {0, 0, 0};
    assert_int_equal(bw_collide(&empty, &body, &(bw_collide_desc){.containment = true}, &report, NULL),
                     BW_OK);
    assert_true(report.hit_count == 0 && report.containment == BW_CONTAINMENT_NONE);
    assert_int_equal(bw_collide(&body, &empty, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 0);
    assert_int_equal(bw_collide_self(&empty, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 0);
    assert_int_equal(bw_distance(&empty, &body, NULL, &distance, NULL), BW_OK);
    assert_int_equal(distance.status, BW_LIMIT);
    assert_int_equal(bw_within(&body, &empty, &(bw_within_desc){.distance = 1}, &within, NULL), BW_OK);
    assert_int_equal(within.pair_count, 0);
    assert_int_equal(bw_nearest(&empty, &p, NULL, &nearest, NULL, NULL), BW_OK);
    assert_true(nearest.primitive == BW_NONE && isinf(nearest.distance));
    assert_int_equal(bw_raycast(&empty, &(bw_ray){.direction = {0, 0, 1}}, NULL, &ray_hit, &ray, NULL),
                     BW_OK);
    assert_int_equal(ray.hit_count, 0);
    assert_int_equal(bw_tree_update(tree, &mesh, NULL, NULL, NULL), BW_OK);
    assert_int_equal(bw_tree_insert(tree, &mesh, &first, 1, NULL), BW_OK);
    assert_int_equal(bw_collide(&empty, &body, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 1);
    bw_tree_destroy(tree);
    bw_tree_destroy(full);
}

static bool stop_pair(void *user, const bw_near *pair)
{
    (void)pair;
    ++*(int *)user;
    return false;
}

static void refuses_bad_arguments(void **state)
{
    (void)state;
    solid s = make("torus", 200, BW_F64, false), other = make("torus", 100, BW_F32, true);
    bw_body body = {s.tree, &s.mesh, NULL}, wrong = {s.tree, &other.mesh, NULL}, none = {NULL, &s.mesh, NULL};
    bw_distance_report distance = {0};
    bw_within_report within = {0};
    bw_nearest_hit nearest;
    bw_raycast_report ray = {0};
    bw_ray_hit ray_hit;
    bw_vec3 zero = {0, 0, 0}, nan = {NAN, 0, 0}, huge = {1e40, 0, 0};
    bw_ray desc_ray = {.direction = {1, 0, 0}, .between = true};
    bw_raycast_desc desc = {0};
    assert_int_equal(bw_distance(&body, &none, NULL, &distance, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_distance(NULL, &body, NULL, &distance, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_distance(&body, &body, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_distance(&body, &wrong, NULL, &distance, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_distance(&body, &body, &(bw_distance_desc){.max_distance = NAN}, &distance, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_distance(&body, &body, &(bw_distance_desc){.stop_below = -1}, &distance, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_within(&body, &body, NULL, &within, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_within(&body, &body, &(bw_within_desc){.pair_capacity = 3}, &within, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_within(&body, &wrong, &(bw_within_desc){0}, &within, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_nearest(&none, &zero, NULL, &nearest, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_nearest(&body, &zero, &(bw_nearest_desc){.max_distance = -1}, &nearest, NULL, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_nearest(&body, &nan, NULL, &nearest, NULL, NULL), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_nearest(&body, &huge, NULL, &nearest, NULL, NULL), BW_ERROR_RANGE);
    assert_int_equal(bw_nearest(&wrong, &zero, NULL, &nearest, NULL, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_raycast(&body, NULL, NULL, &ray_hit, &ray, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_raycast(&none, &desc_ray, &desc, &ray_hit, &ray, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_raycast(&wrong, &desc_ray, &desc, &ray_hit, &ray, NULL), BW_ERROR_MISMATCH);
    desc_ray.origin.y = INFINITY;
    assert_int_equal(bw_raycast(&body, &desc_ray, &desc, &ray_hit, &ray, NULL), BW_ERROR_NOT_FINITE);
    desc_ray.origin.y = 1e200;
    assert_int_equal(bw_raycast(&body, &desc_ray, &desc, &ray_hit, &ray, NULL), BW_ERROR_RANGE);
    desc_ray.origin.y = 0;
    desc = (bw_raycast_desc){.mode = (bw_ray_mode)7};
    assert_int_equal(bw_raycast(&body, &desc_ray, &desc, &ray_hit, &ray, NULL), BW_ERROR_ARGUMENT);
    /* Poses that cannot be. */
    bw_transform pose = bw_transform_identity();
    bw_body posed = {s.tree, &s.mesh, &pose};
    pose.m[0][0] = NAN;
    assert_int_equal(bw_distance(&body, &posed, NULL, &distance, NULL), BW_ERROR_NOT_FINITE);
    pose.m[0][0] = 1e35;
    assert_int_equal(bw_distance(&posed, &body, NULL, &distance, NULL), BW_ERROR_RANGE);
    for (int i = 0; i < 3; i++)
        pose.m[i][i] = 1e-200;
    desc = (bw_raycast_desc){0};
    desc_ray = bw_ray_between((bw_vec3){-1, 0, 0}, (bw_vec3){0, 0, 0});
    assert_int_equal(bw_raycast(&posed, &desc_ray, &desc, &ray_hit, &ray, NULL), BW_ERROR_RANGE);
    /* Trees that do not answer. */
#if BW_RESEARCH
    bw_tree *reference = NULL;
    assert_int_equal(
        bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_MIDPOINT}, &s.mesh, &reference, NULL), BW_OK);
    bw_body plain = {reference, &s.mesh, NULL};
    assert_int_equal(bw_distance(&plain, &body, NULL, &distance, NULL), BW_ERROR_UNSUPPORTED);
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(&plain, &plain, &(bw_collide_desc){.containment = true}, &report, NULL),
                     BW_ERROR_UNSUPPORTED);
    assert_int_equal(bw_collide(&plain, &body, NULL, &report, NULL), BW_ERROR_UNSUPPORTED);
    bw_tree_destroy(reference);
#endif
    /* Buffers and callbacks. */
    bw_near few[2];
    bw_within_desc wd = {.distance = 0.1, .pairs = few, .pair_capacity = 2};
    assert_int_equal(bw_within(&body, &body, &wd, &within, NULL), BW_OK);
    assert_true(within.status == BW_FULL && within.pair_count > 2);
    int calls = 0;
    wd = (bw_within_desc){.distance = 0.1, .on_pair = stop_pair, .user = &calls};
    assert_int_equal(bw_within(&body, &body, &wd, &within, NULL), BW_OK);
    assert_true(within.status == BW_STOPPED && calls == 1);
    unmake(&s);
    unmake(&other);
}

/* A tree over the mesh, and what it says of containing, or being contained in, another body. */
static bw_containment ask(const bw_mesh *outer, const bw_body *inner, bool swapped)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, outer, &tree, NULL), BW_OK);
    const bw_body body = {tree, outer, NULL};
    const bw_collide_desc desc = {.containment = true};
    bw_collide_report report = {0}, again = {0};
    assert_int_equal(bw_collide(swapped ? inner : &body, swapped ? &body : inner, &desc, &report, NULL),
                     BW_OK);
    assert_int_equal(bw_collide(swapped ? inner : &body, swapped ? &body : inner, &desc, &again, NULL),
                     BW_OK);
    assert_int_equal(report.hit_count, 0);
    assert_int_equal(again.containment, report.containment); /* what the tree remembers */
    bw_tree_destroy(tree);
    return report.containment;
}

/* Only a closed mesh contains: one triangle less, and it does not, however rays go. Vertices need not be
 * shared by index. */
static void test_open_meshes(void **state)
{
    (void)state;
    bws_mesh ball, ring;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 6}, BW_F32, &ball), BW_OK);
    assert_int_equal(
        bws_torus(&(bws_torus_desc){.segments = 8, .sides = 6, .major = 0.1, .minor = 0.03}, BW_F32, &ring),
        BW_OK);
    bw_mesh outer = bws_view(&ball), inner = bws_view(&ring);
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &inner, &tree, NULL), BW_OK);
    bw_body body = {tree, &inner, NULL};
    assert_int_equal(ask(&outer, &body, false), BW_CONTAINMENT_B_IN_A);
    assert_int_equal(ask(&outer, &body, true), BW_CONTAINMENT_A_IN_B);

    /* Each triangle with vertices of its own. */
    const uint32_t corners = 3 * outer.triangle_count;
    float *positions = malloc(3 * sizeof *positions * corners);
    uint32_t *indices = malloc(sizeof *indices * corners);
    assert_true(positions != NULL && indices != NULL);
    for (uint32_t i = 0; i < corners; i++) {
        memcpy(&positions[3 * i], (const float *)outer.positions + 3 * (size_t)outer.indices[i], 12);
        indices[i] = i;
    }
    bw_mesh soup = outer;
    soup.positions = positions;
    soup.vertex_count = corners;
    soup.indices = indices;
    assert_int_equal(ask(&soup, &body, false), BW_CONTAINMENT_B_IN_A);

    /* Open: for some of the triangles that may be missing the ray of the first attempt goes through the hole.
     */
    for (uint32_t missing = 0; missing < outer.triangle_count; missing += 7) {
        memcpy(indices, outer.indices, sizeof *indices * corners);
        memmove(indices + 3 * missing, indices + 3 * missing + 3,
                sizeof *indices * (corners - 3 * missing - 3));
        bw_mesh open = outer;
        open.indices = indices;
        open.triangle_count--;
        assert_int_equal(ask(&open, &body, false), BW_CONTAINMENT_NONE);
        assert_int_equal(ask(&open, &body, true), BW_CONTAINMENT_NONE);
    }

    /* A tree forgets when it changes: take a triangle out, put it in again. */
    bw_tree *ball_tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &outer, &ball_tree, NULL), BW_OK);
    const bw_body ball_body = {ball_tree, &outer, NULL};
    const bw_collide_desc desc = {.containment = true};
    const uint32_t which = 5;
    for (int round = 0; round < 3; round++) {
        bw_collide_report report = {0};
        assert_int_equal(bw_collide(&ball_body, &body, &desc, &report, NULL), BW_OK);
        assert_int_equal(report.containment, round == 1 ? BW_CONTAINMENT_NONE : BW_CONTAINMENT_B_IN_A);
        if (round == 0)
            assert_int_equal(bw_tree_remove(ball_tree, &outer, &which, 1, NULL), BW_OK);
        if (round == 1)
            assert_int_equal(bw_tree_insert(ball_tree, &outer, &which, 1, NULL), BW_OK);
    }
    bw_tree_destroy(ball_tree);
    free(positions);
    free(indices);
    bw_tree_destroy(tree);
    bws_mesh_free(&ball);
    bws_mesh_free(&ring);
}

/* An emptied tree has the empty box, and meets nothing in any pose. */
static void test_emptied_tree(void **state)
{
    (void)state;
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t indices[] = {0, 1, 2}, first = 0;
    const bw_mesh mesh = {.positions = positions, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    bw_tree *full = NULL, *empty = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &full, NULL), BW_OK);
    assert_int_equal(bw_tree_create(NULL, &mesh, &empty, NULL), BW_OK);
    assert_int_equal(bw_tree_remove(empty, &mesh, &first, 1, NULL), BW_OK);
    const bw_box bounds = bw_tree_bounds(empty);
    for (int k = 0; k < 3; k++)
        assert_true(bounds.min[k] == INFINITY && bounds.max[k] == -INFINITY);
    assert_false(bw_box_overlaps(&bounds, &bounds));
    const bw_transform far =
        bw_transform_compose((bw_vec3){0x1p90, 0, 0}, (bw_vec3){0, 0, 1}, 1, (bw_vec3){1, 1, 1});
    const bw_body a = {full, &mesh, NULL}, b = {empty, &mesh, &far};
    const bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .containment = true};
    bw_collide_report report = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bw_collide(i == 0 ? &a : &b, i == 0 ? &b : &a, &desc, &report, NULL), BW_OK);
        assert_true(report.hit_count == 0 && report.containment == BW_CONTAINMENT_NONE);
    }
    bw_tree_destroy(full);
    bw_tree_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_meshes),
        cmocka_unit_test(test_emptied_tree),
        cmocka_unit_test(measures_distances),
        cmocka_unit_test(finds_nearest_points),
        cmocka_unit_test(casts_rays),
        cmocka_unit_test(knows_containment),
        cmocka_unit_test(refuses_bad_arguments),
        cmocka_unit_test(empty_trees_meet_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
