/* Rays one by one and many at once, at every SIMD level and any number of threads: the hits of brute force,
 * in every bit. */
#include "collide/distance/distance.h"
#include "collide/ray/cast.h"
#include "collide/ray/target.h"
#include "geom/ray.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "scenes/scenes.h"
#include "tree/kind.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LEVELS = 3 };
static const bw_simd levels[LEVELS] = {BW_SIMD_128, BW_SIMD_AVX2, BW_SIMD_AVX512};

enum { TRIANGLES = 300, RAYS = 90 };

typedef struct solid {
    float floats[9 * TRIANGLES];
    double doubles[9 * TRIANGLES];
    uint32_t indices[3 * TRIANGLES];
    bw_mesh mesh;
    bw_tree *tree;
    bw_body body;
} solid;

/* A lattice, where rays meet corners and edges; small triangles near zero planes, whose corners a leaf does
 * not keep exactly; slivers; any. */
static double coordinate(bws_random *random, int shape, double middle, double size)
{
    if (shape == 0)
        return (double)bws_random_int(random, -3, 3);
    return middle + size * bws_random_double(random, -1, 1);
}

static void make(bws_random *random, solid *s)
{
    static const double offsets[] = {0, 0, 0, 1000, 3e6}, units[] = {1, 1, 0x1p-12, 0x1p-35, 0x1p12};
    const int shape = (int)bws_random_below(random, 4);
    const double offset = offsets[bws_random_below(random, 5)], unit = units[bws_random_below(random, 5)];
    for (size_t i = 0; i < TRIANGLES; i++) {
        double middle[3], size = exp2(bws_random_double(random, -7, 0));
        for (size_t k = 0; k < 3; k++)
            middle[k] = bws_random_double(random, -3, 3) * (shape == 1 ? 0.1 : 1);
        for (size_t k = 0; k < 9; k++)
            s->doubles[9 * i + k] = coordinate(random, shape, middle[k % 3], size);
        for (size_t k = 0; shape == 2 && k < 3; k++) /* all but on a line */
            s->doubles[9 * i + 6 + k] = 0.5 * (s->doubles[9 * i + k] + s->doubles[9 * i + 3 + k]) +
                                        exp2(bws_random_double(random, -45, -8));
    }
    for (size_t i = 0; i < 9 * TRIANGLES; i++) {
        s->floats[i] = (float)((s->doubles[i] + offset) * unit);
        s->doubles[i] = (s->doubles[i] + offset) * unit;
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        s->indices[i] = i;
    const bool floats = bws_random_bool(random);
    s->mesh = (bw_mesh){.positions = floats ? (const void *)s->floats : s->doubles,
                        .scalar = floats ? BW_F32 : BW_F64,
                        .vertex_count = 3 * TRIANGLES,
                        .indices = s->indices,
                        .triangle_count = TRIANGLES};
    const bw_tree_desc desc = {.builder = bws_random_bool(random) ? BW_BUILDER_FAST : BW_BUILDER_QUALITY,
                               .compact = bws_random_below(random, 8) == 0};
    assert_int_equal(bw_tree_create(&desc, &s->mesh, &s->tree, NULL), BW_OK);
    if (bws_random_below(random, 3) > 0)
        assert_int_equal(bw_tree_prepare_rays(s->tree, &s->mesh, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(s->tree, &s->mesh));
    s->body = (bw_body){.tree = s->tree, .mesh = &s->mesh};
}

static bw_vec3 vertex(const solid *s, size_t i)
{
    if (s->mesh.scalar == BW_F64)
        return (bw_vec3){s->doubles[3 * i], s->doubles[3 * i + 1], s->doubles[3 * i + 2]};
    return (bw_vec3){(double)s->floats[3 * i], (double)s->floats[3 * i + 1], (double)s->floats[3 * i + 2]};
}

static bw_vec3 between(bw_vec3 a, bw_vec3 b, double at)
{
    return (bw_vec3){a.x + at * (b.x - a.x), a.y + at * (b.y - a.y), a.z + at * (b.z - a.z)};
}

/* The ray, or another where its two points are one, which is an error. */
static bw_ray with_length(bw_ray ray)
{
    if (!bw_ray_has_length(&ray))
        ray.direction.x += 1;
    return ray;
}

static bw_ray make_ray(bws_random *random, const solid *s, uint32_t kind)
{
    bw_vec3 a = vertex(s, bws_random_below(random, 3 * TRIANGLES)),
            b = vertex(s, bws_random_below(random, 3 * TRIANGLES));
    const size_t triangle = bws_random_below(random, TRIANGLES);
    bw_ray ray = {.origin = a, .between = true, .direction = b};
    if (kind % 10 == 1) /* to a point within a triangle */
        ray.direction = between(between(vertex(s, 3 * triangle), vertex(s, 3 * triangle + 1), 0.3),
                                vertex(s, 3 * triangle + 2), 0.4);
    if (kind % 10 == 2) /* from there */
        ray.origin = between(between(vertex(s, 3 * triangle), vertex(s, 3 * triangle + 1), 0.3),
                             vertex(s, 3 * triangle + 2), 0.4);
    if (kind % 10 == 3) /* along an axis */
        ray.direction = (bw_vec3){a.x, a.y, b.z};
    if (kind % 10 == 4) /* from far away */
        ray.origin = between(a, b, -1e5);
    if (kind % 10 == 5) /* slowly */
        ray.direction = between(a, b, 0x1p-40);
    if (kind % 10 == 6) /* hardly at all */
        ray.direction = between(a, b, 0x1p-52);
    if (kind % 10 == 7) /* very nearly along an axis */
        ray.direction = (bw_vec3){a.x + 0x1p-70, a.y, a.z + (b.x - a.x)};
    if (kind % 10 == 8) /* through the middle of an edge, from outside */
        ray = (bw_ray){.origin = between(a, b, 40), .between = true, .direction = between(a, b, 0.5)};
    if (kind % 10 == 9) /* from very far away, and passing by */
        ray.origin = (bw_vec3){a.x * 0x1p40 + 1, b.y, a.z};
    if (bws_random_below(random, 3) == 0)
        ray.t_max = bws_random_double(random, 0.01, 3);
    return with_length(ray);
}

static void corners_of(const solid *s, size_t p, bw_vec3 out[3])
{
    for (size_t i = 0; i < 3; i++) {
        out[i] = vertex(s, 3 * p + i);
        if (s->body.pose != NULL)
            out[i] = bw_transform_point(s->body.pose, out[i]);
    }
}

static bw_ray_hit truth_of(const solid *s, const bw_ray *ray, uint32_t *count)
{
    bw_ray_hit best = {BW_NONE, BW_CONTACT_NONE, (double)INFINITY};
    *count = 0;
    for (uint32_t p = 0; p < TRIANGLES; p++) {
        bw_vec3 c[3];
        double t;
        corners_of(s, p, c);
        const bw_contact_kind kind = bw_ray_triangle(&ray->origin, &ray->direction, c, &t);
        if (kind == BW_CONTACT_NONE || (ray->t_max > 0 && t > ray->t_max))
            continue;
        ++*count;
        if (t < best.t)
            best = (bw_ray_hit){p, kind, t};
    }
    return best;
}

static void assert_same_hit(const bw_ray_hit *a, const bw_ray_hit *b)
{
    assert_int_equal(a->primitive, b->primitive);
    assert_int_equal(a->kind, b->kind);
    assert_true(a->t == b->t);
}

static void assert_contact(const solid *s, const bw_ray *ray, const bw_ray_hit *hit)
{
    const size_t p = hit->primitive;
    bw_vec3 c[3];
    double t = -1;
    corners_of(s, p, c);
    assert_int_equal(bw_ray_triangle(&ray->origin, &ray->direction, c, &t), hit->kind);
    assert_true(t == hit->t && (ray->t_max == 0 || t <= ray->t_max));
}

static bool count_hits(void *user, const bw_ray_hit *hit)
{
    (void)hit;
    ++*(uint32_t *)user;
    return true;
}

/* Rigid, sheared, flattened to nearly nothing or to nothing. */
static bw_transform make_pose(bws_random *random)
{
    bw_transform pose = bws_random_rigid(random, 2.0);
    const uint32_t kind = (uint32_t)bws_random_below(random, 4);
    for (int i = 0; i < 3 && kind > 0; i++)
        for (int j = 0; j < 3; j++)
            pose.m[i][j] = bws_random_double(random, -1, 1) * (i == 2 && kind > 1 ? kind == 2 ? 1e-9 : 0 : 1);
    return pose;
}

static void one_equals_many(bws_random *random, void *user)
{
    static solid s;
    bw_ray rays[RAYS];
    bw_ray_hit truth[RAYS];
    uint32_t counts[RAYS];
    uint64_t meet = 0;
    bw_transform pose;
    make(random, &s);
    if (user != NULL) {
        pose = make_pose(random);
        s.body.pose = &pose;
    }
    for (uint32_t i = 0; i < RAYS; i++) {
        rays[i] = make_ray(random, &s, i);
        if (user != NULL) {
            rays[i].origin = bw_transform_point(&pose, rays[i].origin);
            rays[i].direction = bw_transform_point(&pose, rays[i].direction);
            rays[i] = with_length(rays[i]);
        }
        truth[i] = truth_of(&s, &rays[i], &counts[i]);
        meet += counts[i] > 0;
    }
    for (uint32_t i = 0; i < RAYS; i++)
        for (int level = 0; level < LEVELS; level++) {
            uint32_t count = 0;
            const bw_ray all_ray = {.origin = rays[i].origin,
                                    .direction = rays[i].direction,
                                    .between = true,
                                    .t_max = rays[i].t_max};
            const bw_raycast_desc all = {.mode = BW_RAY_ALL, .on_hit = count_hits, .user = &count};
            bw_raycast_report answer = {0};
            bw_ray_hit answer_hit;
            assert_int_equal(bw_raycast_at(levels[level], &s.body, &all_ray, &all, &answer_hit, &answer),
                             BW_OK);
            assert_int_equal(count, counts[i]);
            assert_int_equal(answer.hit_count, counts[i]);
        }
    for (int mode = 0; mode < 2; mode++) {
        bw_ray_hit first[RAYS];
        for (int level = 0; level < LEVELS; level++) {
            bw_ray_hit hits[RAYS];
            const bw_raycast_desc desc = {.mode = mode == 0 ? BW_RAY_NEAREST : BW_RAY_ANY};
            bw_raycast_report report = {0};
            uint32_t bad;
            assert_int_equal(
                bw_raycast_many_at(levels[level], &s.body, rays, RAYS, &desc, hits, &report, &bad), BW_OK);
            assert_int_equal(report.hit_count, meet);
            for (uint32_t i = 0; i < RAYS; i++) {
                const bw_ray one_ray = {.origin = rays[i].origin,
                                        .direction = rays[i].direction,
                                        .between = true,
                                        .t_max = rays[i].t_max};
                const bw_raycast_desc one = {.mode = desc.mode};
                bw_raycast_report answer = {0};
                bw_ray_hit answer_hit;
                assert_int_equal(bw_raycast_at(levels[level], &s.body, &one_ray, &one, &answer_hit, &answer),
                                 BW_OK);
                assert_int_equal(answer.hit_count, hits[i].primitive != BW_NONE);
                assert_int_equal(answer.hit_count, truth[i].primitive != BW_NONE);
                if (answer.hit_count > 0) {
                    assert_contact(&s, &rays[i], &answer_hit);
                    assert_contact(&s, &rays[i], &hits[i]);
                } else {
                    assert_true(hits[i].t == (double)INFINITY && hits[i].kind == BW_CONTACT_NONE);
                }
                if (mode == 0)
                    assert_same_hit(&hits[i], &truth[i]);
                assert_same_hit(&answer_hit, &hits[i]);
                if (level > 0)
                    assert_same_hit(&hits[i], &first[i]);
                first[i] = hits[i];
            }
        }
    }
    bw_tree_destroy(s.tree);
}

static void test_truth(void **state)
{
    (void)state;
    BW_EACH_SEED(60, one_equals_many, NULL);
}

static void test_posed(void **state)
{
    static int with_pose;
    (void)state;
    BW_EACH_SEED(40, one_equals_many, &with_pose);
}

/* A sphere, as a user has it: more rays than are in flight, and threads. */
static void threads(uint32_t frequency, bool prepared)
{
    enum { MANY = 5000 };
    bws_mesh mesh;
    bw_tree *tree;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency, .seed = 3}, BW_F32, &mesh),
                     BW_OK);
    const bw_mesh view = bws_view(&mesh);
    assert_int_equal(bw_tree_create(NULL, &view, &tree, NULL), BW_OK);
    if (prepared)
        assert_int_equal(bw_tree_prepare_rays(tree, &view, NULL, NULL), BW_OK);
    const bw_body body = {.tree = tree, .mesh = &view};
    bw_ray *rays = malloc(MANY * sizeof *rays);
    bw_ray_hit *hits = malloc(2 * MANY * sizeof *hits);
    assert_true(rays != NULL && hits != NULL);
    bws_random random = bws_random_seeded(11);
    for (int i = 0; i < MANY; i++) {
        const bw_vec3 from = bws_random_direction(&random), to = bws_random_direction(&random);
        const double near = bws_random_double(&random, 0, 1.3), far = i % 9 == 0 ? 300 : i % 2 == 0 ? 3 : 0.5;
        rays[i] = (bw_ray){.origin = {far * from.x, far * from.y, far * from.z},
                           .between = true,
                           .direction = {near * to.x, near * to.y, near * to.z}};
    }
    for (int mode = 0; mode < 2; mode++) {
        bw_raycast_report serial = {0}, report = {0};
        bw_raycast_desc desc = {.mode = mode == 0 ? BW_RAY_NEAREST : BW_RAY_ANY};
        assert_int_equal(bw_raycast_many(&body, rays, MANY, &desc, hits, &serial, NULL), BW_OK);
        assert_true(serial.hit_count > MANY / 4 && serial.nodes_visited > 0 && serial.primitive_tests > 0);
        for (uint32_t workers = 1; workers <= 4; workers++) {
            bw_pool *pool = test_pool_create(workers);
            desc.tasks = bw_pool_tasks(pool);
            assert_int_equal(bw_raycast_many(&body, rays, MANY, &desc, hits + MANY, &report, NULL), BW_OK);
            bw_pool_destroy(pool);
            assert_int_equal(report.hit_count, serial.hit_count);
            for (int i = 0; i < MANY; i++)
                assert_same_hit(&hits[i], &hits[MANY + i]);
        }
        for (int i = 0; i < MANY; i++) {
            const bw_ray one_ray = {
                .origin = rays[i].origin, .direction = rays[i].direction, .between = true};
            const bw_raycast_desc one = {.mode = desc.mode};
            bw_raycast_report answer = {0};
            bw_ray_hit answer_hit;
            assert_int_equal(bw_raycast(&body, &one_ray, &one, &answer_hit, &answer, NULL), BW_OK);
            assert_int_equal(answer.hit_count, hits[i].primitive != BW_NONE);
            if (answer.hit_count > 0)
                assert_same_hit(&answer_hit, &hits[i]);
            /* Without a report there is a shorter way. */
            bw_ray_hit alone;
            bw_fault fault = {.result = BW_ERROR_RANGE};
            assert_int_equal(bw_raycast(&body, &one_ray, &one, &alone, NULL, &fault), BW_OK);
            assert_int_equal(fault.result, BW_OK);
            assert_same_hit(&alone, &answer_hit);
        }
    }
    free(rays);
    free(hits);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

/* The shorter way, which is for calls without a report, fails as the other one does. */
static void assert_fails_alike(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                               bw_ray_hit *hit, bw_result expected)
{
    bw_raycast_report report = {0};
    bw_fault fault = {0};
    assert_int_equal(bw_raycast(body, ray, desc, hit, &report, NULL), expected);
    assert_int_equal(bw_raycast(body, ray, desc, hit, NULL, &fault), expected);
    assert_int_equal(fault.result, expected);
}

static void test_alone(void **state)
{
    (void)state;
    bws_mesh mesh;
    bw_tree *tree;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 5, .seed = 3}, BW_F32, &mesh), BW_OK);
    const bw_mesh view = bws_view(&mesh);
    assert_int_equal(bw_tree_create(NULL, &view, &tree, NULL), BW_OK);
    assert_int_equal(bw_tree_prepare_rays(tree, &view, NULL, NULL), BW_OK);
    const bw_body body = {.tree = tree, .mesh = &view};
    const bw_ray good = {.origin = {3, 0, 0}, .direction = {-1, 0.01, 0.02}};
    bw_ray_hit hit;
    assert_fails_alike(&body, &good, NULL, &hit, BW_OK);
    assert_true(hit.primitive != BW_NONE);
    assert_fails_alike(NULL, &good, NULL, &hit, BW_ERROR_ARGUMENT);
    assert_fails_alike(&(bw_body){.tree = tree}, &good, NULL, &hit, BW_ERROR_ARGUMENT);
    assert_fails_alike(&(bw_body){.mesh = &view}, &good, NULL, &hit, BW_ERROR_ARGUMENT);
    assert_fails_alike(&body, NULL, NULL, &hit, BW_ERROR_ARGUMENT);
    assert_fails_alike(&body, &good, NULL, NULL, BW_ERROR_ARGUMENT);
    assert_fails_alike(&body, &good, &(bw_raycast_desc){.mode = (bw_ray_mode)3}, &hit, BW_ERROR_ARGUMENT);
    assert_fails_alike(&body, &good, &(bw_raycast_desc){.size = 7}, &hit, BW_ERROR_LAYOUT);
    bw_mesh others[9];
    for (int i = 0; i < 9; i++)
        others[i] = view;
    others[0].vertex_count++;
    others[1].triangle_count--;
    others[2].indices = NULL;
    others[3].positions = NULL;
    others[4].positions = (const char *)view.positions + 1;
    others[5].stride = 8;
    others[6].stride = 13;
    others[7].scalar = (bw_scalar)7;
    others[8].scalar = BW_F64;
    others[8].stride = 12;
    for (int i = 0; i < 9; i++)
        assert_fails_alike(&(bw_body){.tree = tree, .mesh = &others[i]}, &good, NULL, &hit,
                           i < 3 ? BW_ERROR_MISMATCH : BW_ERROR_ARGUMENT);
    bw_ray bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].t_max = -1;
    bad[1].t_max = (double)NAN;
    bad[2].direction = (bw_vec3){0, -0.0, 0};
    bad[3].direction = bad[3].origin;
    bad[3].between = true;
    bad[4].origin.y = (double)NAN;
    bad[5].direction.z = (double)INFINITY;
    bad[6].origin.z = 0x1p-301;
    for (int i = 0; i < 7; i++)
        assert_fails_alike(&body, &bad[i], NULL, &hit,
                           i < 4   ? BW_ERROR_ARGUMENT
                           : i < 6 ? BW_ERROR_NOT_FINITE
                                   : BW_ERROR_RANGE);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

static void test_threads(void **state)
{
    (void)state;
    threads(45, false);
    threads(85, true);
}

/* Rays by directions, from near and from far: exactly what the ray through the second point gets, t in
 * directions, one by one and many; and a unit direction from a million away does not turn by more than
 * rounding.
 */
static void directions(bws_random *random, void *user)
{
    (void)user;
    static solid s;
    enum { COUNT = 100 };
    bw_ray rays[COUNT];
    bw_ray_hit many[COUNT];
    make(random, &s);
    for (uint32_t i = 0; i < COUNT; i++) {
        const bw_ray by_points = make_ray(random, &s, i);
        const bw_vec3 o = by_points.origin, p = by_points.direction;
        const double length = ldexp(1.0, (int)bws_random_below(random, 40) - 30);
        rays[i] = (bw_ray){.origin = o,
                           .direction = {(p.x - o.x) * length, (p.y - o.y) * length, (p.z - o.z) * length},
                           .t_max = by_points.t_max / length};
    }
    assert_int_equal(bw_raycast_many(&s.body, rays, COUNT, NULL, many, NULL, NULL), BW_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        int k;
        bw_ray same = bw_ray_between(rays[i].origin, bw_ray_second_point(&rays[i], &k));
        same.t_max = ldexp(rays[i].t_max, -k);
        uint32_t count;
        bw_ray_hit truth = truth_of(&s, &same, &count), one;
        truth.t = ldexp(truth.t, k);
        for (int level = 0; level < LEVELS; level++) {
            assert_int_equal(bw_raycast_at(levels[level], &s.body, &rays[i], NULL, &one, NULL), BW_OK);
            assert_same_hit(&one, &truth);
        }
        assert_same_hit(&many[i], &truth);
    }
    const bw_vec3 far = {bws_random_double(random, 1e5, 1e6), bws_random_double(random, -1e6, 1e6), 1e6};
    const bw_vec3 d = bws_random_direction(random);
    int k;
    const bw_vec3 q = bw_ray_second_point(&(bw_ray){.origin = far, .direction = d}, &k);
    const double scale = ldexp(1.0, -k);
    assert_true(fabs((q.x - far.x) * scale - d.x) < 0x1p-48 && fabs((q.y - far.y) * scale - d.y) < 0x1p-48 &&
                fabs((q.z - far.z) * scale - d.z) < 0x1p-48);
    bw_tree_destroy(s.tree);
}

static void test_directions(void **state)
{
    (void)state;
    BW_EACH_SEED(100, directions, NULL);
}

/* A chain of nodes with a leaf each, deeper than the stack of a ray. */
static void test_deep(void **state)
{
    (void)state;
    enum { NODES = BW_RAY_DEPTH + 20 };
    static bw_wide_node nodes[NODES];
    static bw_wide_leaf leaves[NODES];
    static bw_wide_corners corners[NODES];
    static uint32_t primitives[NODES * BW_WIDTH], indices[3 * NODES];
    static float positions[9 * NODES];
    for (uint32_t i = 0; i < NODES; i++) {
        const float triangle[9] = {(float)(i + 1), -1, -1, (float)(i + 1), 3, -1, (float)(i + 1), -1, 3};
        const bool last = i + 1 == NODES;
        memcpy(positions + 9 * i, triangle, sizeof triangle);
        bw_wide_init_node(&nodes[i], last ? 1 : 2, i == 0 ? BW_NONE : i - 1, 1);
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
            bw_wide_clear_lane(&nodes[i], lane);
        bw_wide_set_lane(&nodes[i], 0, &(bw_box){{triangle[0], -1, -1}, {triangle[0], 3, 3}});
        nodes[i].child[0] = BW_WIDE_LEAF | i;
        if (!last) {
            bw_wide_set_lane(&nodes[i], 1, &(bw_box){{triangle[0] + 1, -1, -1}, {NODES, 3, 3}});
            nodes[i].child[1] = i + 1;
        }
        leaves[i] = (bw_wide_leaf){.parent = i, .lane = 0, .count = 1};
        for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
            primitives[i * BW_WIDTH + slot] = slot == 0 ? i : BW_NONE;
            for (int c = 0; c < 9; c++)
                corners[i].coordinate[c / 3][c % 3][slot] = triangle[c];
        }
        corners[i].magnitude = NODES;
        for (uint32_t c = 0; c < 3; c++)
            indices[3 * i + c] = 3 * i + c;
    }
    bw_tree tree = {.allocator = bw_allocator_or_heap(NULL),
                    .mesh_primitives = NODES,
                    .mesh_vertices = 3 * NODES,
                    .primitives = NODES,
                    .kind = &bw_kind_wide,
                    .wide = {.nodes = nodes,
                             .node_count = NODES,
                             .leaves = leaves,
                             .leaf_count = NODES,
                             .corners = corners,
                             .primitives = primitives,
                             .bounds = {{1, -1, -1}, {NODES, 3, 3}},
                             .allocator = bw_allocator_or_heap(NULL)}};
    const bw_mesh mesh = {
        .positions = positions, .vertex_count = 3 * NODES, .indices = indices, .triangle_count = NODES};
    const bw_body body = {.tree = &tree, .mesh = &mesh};
    bw_ray some[30];
    bw_ray_hit hits[30];
    for (int i = 0; i < 30; i++) /* from behind: the nodes are the nearest, and every leaf waits */
        some[i] = (bw_ray){.origin = {NODES + 2, 0, 0}, .between = true, .direction = {NODES + 1, 0, 0}};
    for (int prepared = 0; prepared < 2; prepared++) {
        if (prepared == 1)
            assert_int_equal(bw_tree_prepare_rays(&tree, &mesh, NULL, NULL), BW_OK);
        for (int level = 0; level < LEVELS; level++) {
            uint32_t count = 0;
            bw_raycast_report report = {0};
            bw_raycast_report one = {0};
            bw_ray_hit one_hit;
            const bw_raycast_desc desc = {0};
            const bw_ray all_ray = {
                .origin = some[0].origin, .direction = some[0].direction, .between = true};
            const bw_raycast_desc all = {.mode = BW_RAY_ALL, .on_hit = count_hits, .user = &count};
            uint32_t bad;
            assert_int_equal(bw_raycast_many_at(levels[level], &body, some, 30, &desc, hits, &report, &bad),
                             BW_OK);
            assert_int_equal(report.hit_count, 30);
            for (int i = 0; i < 30; i++)
                assert_true(hits[i].primitive == NODES - 1 && hits[i].t == 2.0);
            assert_int_equal(bw_raycast_at(levels[level], &body, &all_ray, &all, &one_hit, &one), BW_OK);
            assert_int_equal(count, NODES);
        }
    }
    bw_wide_changed(&tree.wide);
}

/* A layout for rays is the tree's, or none. */
static void stale(bws_random *random, void *user)
{
    (void)user;
    static solid s;
    make(random, &s);
    uint32_t live = TRIANGLES;
    for (int step = 0; step < 12; step++) {
        assert_int_equal(bw_tree_prepare_rays(s.tree, &s.mesh, NULL, NULL), BW_OK);
        assert_non_null(s.tree->wide.rays);
        assert_null(bw_tree_check(s.tree, &s.mesh));
        for (size_t i = 0; i < 9 * TRIANGLES; i++) { /* as if it moved: the tree learns of it below */
            s.doubles[i] *= 0.9;
            s.floats[i] *= 0.9f;
        }
        const bw_vertex_range range = {0, 3 * TRIANGLES};
        bw_result result;
        switch (bws_random_below(random, 5)) {
        case 0:
            result = bw_tree_update(s.tree, &s.mesh, NULL, NULL, NULL);
            break;
        case 1:
            result = bw_tree_update(s.tree, &s.mesh, &(bw_update_desc){.policy = BW_UPDATE_AUTO}, NULL, NULL);
            break;
        case 2:
            result =
                bw_tree_update(s.tree, &s.mesh, &(bw_update_desc){.policy = BW_UPDATE_REBUILD}, NULL, NULL);
            break;
        case 3:
            result = bw_tree_update(s.tree, &s.mesh, &(bw_update_desc){.ranges = &range, .range_count = 1},
                                    NULL, NULL);
            break;
        default:
            result = bw_tree_update(s.tree, &s.mesh, NULL, NULL, NULL);
            assert_int_equal(bw_tree_prepare_rays(s.tree, &s.mesh, NULL, NULL), BW_OK);
            const uint32_t last = --live;
            assert_int_equal(bw_tree_remove(s.tree, &s.mesh, &last, 1, NULL), BW_OK);
            assert_null(s.tree->wide.rays);
            assert_int_equal(bw_tree_prepare_rays(s.tree, &s.mesh, NULL, NULL), BW_OK);
            assert_int_equal(bw_tree_insert(s.tree, &s.mesh, &last, 1, NULL), BW_OK);
            live++;
            break;
        }
        assert_int_equal(result, BW_OK);
        assert_null(s.tree->wide.rays);
        const uint32_t kind = (uint32_t)bws_random_below(random, 4);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t count;
            const bw_ray ray = make_ray(random, &s, kind);
            const bw_ray_hit truth = truth_of(&s, &ray, &count);
            const bw_ray one_ray = {
                .origin = ray.origin, .direction = ray.direction, .between = true, .t_max = ray.t_max};
            const bw_raycast_desc one = {0};
            bw_raycast_report answer = {0};
            bw_ray_hit answer_hit;
            assert_int_equal(bw_raycast(&s.body, &one_ray, &one, &answer_hit, &answer, NULL), BW_OK);
            assert_same_hit(&answer_hit, &truth);
        }
    }
    bw_tree_destroy(s.tree);
}

static void test_stale(void **state)
{
    (void)state;
    BW_EACH_SEED(10, stale, NULL);
}

static void test_prepare(void **state)
{
    (void)state;
    static solid s;
    bws_random random = bws_random_seeded(5);
    make(&random, &s);
    bw_tree_stats before = {0}, after = {0};
    bw_tree_get_stats(s.tree, &before);
    const bw_mesh other = {
        .positions = s.floats, .vertex_count = 9, .indices = s.indices, .triangle_count = 3};
    const bw_tasks bad = {.worker_count = 1};
    assert_int_equal(bw_tree_prepare_rays(NULL, &s.mesh, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_prepare_rays(s.tree, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_prepare_rays(s.tree, &s.mesh, &bad, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_prepare_rays(s.tree, &other, NULL, NULL), BW_ERROR_MISMATCH);
    bw_pool *pool = test_pool_create(3);
    assert_int_equal(bw_tree_prepare_rays(s.tree, &s.mesh, bw_pool_tasks(pool), NULL), BW_OK);
    bw_pool_destroy(pool);
    bw_tree_get_stats(s.tree, &after);
    assert_true(after.bytes >= before.bytes && after.bytes > 0);
    assert_null(bw_tree_check(s.tree, &s.mesh));
    ((bw_ray_node *)s.tree->wide.rays->nodes)->min[0][0] -= 1; /* and the check sees it */
    assert_non_null(bw_tree_check(s.tree, &s.mesh));
    bw_tree_destroy(s.tree);
#if BW_RESEARCH
    bw_tree *reference;
    assert_int_equal(
        bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_MIDPOINT}, &s.mesh, &reference, NULL), BW_OK);
    assert_int_equal(bw_tree_prepare_rays(reference, &s.mesh, NULL, NULL), BW_ERROR_UNSUPPORTED);
    bw_tree_destroy(reference);
#endif
}

static void test_errors(void **state)
{
    (void)state;
    static solid s;
    bws_random random = bws_random_seeded(1);
    make(&random, &s);
    bw_ray rays[3] = {{.between = true, .direction = {0, 0, 1}},
                      {.between = true, .direction = {0, 1, 0}},
                      {.between = true, .direction = {1, 0, 0}}};
    bw_ray_hit hits[3], untouched[3];
    memset(hits, 0x5A, sizeof hits);
    memcpy(untouched, hits, sizeof hits);
    bw_raycast_desc desc = {0};
    bw_raycast_report report = {.hit_count = 77};
    const bw_body none = {.tree = s.tree};
    assert_int_equal(bw_raycast_many(NULL, rays, 3, &desc, hits, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_raycast_many(&none, rays, 3, &desc, hits, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_raycast_many(&s.body, NULL, 3, &desc, hits, &report, NULL), BW_ERROR_ARGUMENT);
    desc.mode = BW_RAY_ALL;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, NULL), BW_ERROR_ARGUMENT);
    desc.mode = BW_RAY_NEAREST;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    const bw_tasks bad = {.worker_count = 1};
    desc.tasks = &bad;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, NULL), BW_ERROR_ARGUMENT);
    desc.tasks = NULL;
    rays[2].t_max = (double)NAN;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, NULL), BW_ERROR_ARGUMENT);
    rays[2].t_max = 0;
    bw_fault fault;
    const bw_ray nowhere[3] = {{.origin = {1, 2, 3}},
                               {.origin = {1, 2, 3}, .direction = {-0.0, 0, -0.0}},
                               {.origin = {1, 2, 3}, .direction = {1, 2, 3}, .between = true}};
    for (int i = 0; i < 3; i++) {
        const bw_ray kept = rays[1];
        rays[1] = nowhere[i];
        assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, &fault), BW_ERROR_ARGUMENT);
        assert_int_equal(fault.element, 1);
        assert_int_equal(bw_raycast(&s.body, &nowhere[i], NULL, &hits[0], &report, NULL), BW_ERROR_ARGUMENT);
        rays[1] = kept;
    }
    rays[2].origin.x = (double)INFINITY;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(fault.element, 2);
    rays[2].direction.x = (double)INFINITY; /* no length, and no number either */
    assert_int_equal(bw_raycast(&s.body, &rays[2], NULL, &hits[0], &report, NULL), BW_ERROR_NOT_FINITE);
    rays[2].direction.x = 1;
    rays[2].origin.x = 0x1p-301;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, NULL), BW_ERROR_RANGE);
    rays[2].origin.x = -0x1p301;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, NULL), BW_ERROR_RANGE);
    const bw_mesh other = {
        .positions = s.floats, .vertex_count = 9, .indices = s.indices, .triangle_count = 3};
    assert_int_equal(
        bw_raycast_many(&(bw_body){.tree = s.tree, .mesh = &other}, rays, 3, &desc, hits, &report, NULL),
        BW_ERROR_MISMATCH);
    /* Of two errors that of the ray is told. */
    const bw_transform huge = {{{0x1p120, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const bw_ray endless = {.origin = {(double)INFINITY, 0, 0}, .direction = {1, 0, 0}},
                 good = {.direction = {1, 0, 0}};
    bw_raycast_report one = {0};
    bw_ray_hit one_hit;
    const bw_body far = {.tree = s.tree, .mesh = &s.mesh, .pose = &huge};
    assert_int_equal(bw_raycast(&far, &endless, NULL, &one_hit, &one, NULL), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_raycast(&far, &good, NULL, &one_hit, &one, NULL), BW_ERROR_RANGE);
    assert_memory_equal(hits, untouched, sizeof hits);
    assert_int_equal(report.hit_count, 77);
    assert_int_equal(bw_raycast_many(&s.body, NULL, 0, &(bw_raycast_desc){0}, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 0);
    rays[2].origin.x = BW_EXACT_MAX; /* the ends of the range belong to it */
    rays[1].origin.x = BW_EXACT_MIN;
    assert_int_equal(bw_raycast_many(&s.body, rays, 3, &desc, hits, &report, NULL), BW_OK);
    bw_tree_destroy(s.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth), cmocka_unit_test(test_posed),      cmocka_unit_test(test_threads),
        cmocka_unit_test(test_alone), cmocka_unit_test(test_directions), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_stale), cmocka_unit_test(test_prepare),    cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
