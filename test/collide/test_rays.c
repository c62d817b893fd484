/* Rays one by one and many at once, at every SIMD level and any number of threads: the hits of brute force,
 * in every bit. */
#include "collide/near_query.h"
#include "collide/ray_plain.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "scenes/scenes.h"
#include "tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_simd levels[] = {BW_SIMD_SCALAR, BW_SIMD_SSE, BW_SIMD_AVX2};

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
    assert_int_equal(bw_tree_create(&desc, &s->mesh, NULL, &s->tree), BW_OK);
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

static bw_ray make_ray(bws_random *random, const solid *s, uint32_t kind)
{
    bw_vec3 a = vertex(s, bws_random_below(random, 3 * TRIANGLES)),
            b = vertex(s, bws_random_below(random, 3 * TRIANGLES));
    const size_t triangle = bws_random_below(random, TRIANGLES);
    bw_ray ray = {.origin = a, .through = b};
    if (kind % 10 == 1) /* to a point within a triangle */
        ray.through = between(between(vertex(s, 3 * triangle), vertex(s, 3 * triangle + 1), 0.3),
                              vertex(s, 3 * triangle + 2), 0.4);
    if (kind % 10 == 2) /* from there */
        ray.origin = between(between(vertex(s, 3 * triangle), vertex(s, 3 * triangle + 1), 0.3),
                             vertex(s, 3 * triangle + 2), 0.4);
    if (kind % 10 == 3) /* along an axis */
        ray.through = (bw_vec3){a.x, a.y, b.z};
    if (kind % 10 == 4) /* from far away */
        ray.origin = between(a, b, -1e5);
    if (kind % 10 == 5) /* slowly */
        ray.through = between(a, b, 0x1p-40);
    if (kind % 10 == 6) /* not at all */
        ray.through = ray.origin;
    if (kind % 10 == 7) /* very nearly along an axis */
        ray.through = (bw_vec3){a.x + 0x1p-70, a.y, a.z + (b.x - a.x)};
    if (kind % 10 == 8) /* through the middle of an edge, from outside */
        ray = (bw_ray){.origin = between(a, b, 40), .through = between(a, b, 0.5)};
    if (kind % 10 == 9) /* from very far away, and passing by */
        ray.origin = (bw_vec3){a.x * 0x1p40 + 1, b.y, a.z};
    if (bws_random_below(random, 3) == 0)
        ray.limit = bws_random_double(random, 0.01, 3);
    return ray;
}

static bw_ray_hit truth_of(const solid *s, const bw_ray *ray, uint32_t *count)
{
    bw_ray_hit best = {BW_NONE, BW_CONTACT_NONE, (double)INFINITY};
    *count = 0;
    for (uint32_t p = 0; p < TRIANGLES; p++) {
        const bw_vec3 c[3] = {vertex(s, 3 * p), vertex(s, 3 * p + 1), vertex(s, 3 * p + 2)};
        double t;
        const bw_contact kind = bw_ray_triangle(&ray->origin, &ray->through, c, &t);
        if (kind == BW_CONTACT_NONE || (ray->limit > 0 && t > ray->limit))
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
    const bw_vec3 c[3] = {vertex(s, 3 * p), vertex(s, 3 * p + 1), vertex(s, 3 * p + 2)};
    double t = -1;
    assert_int_equal(bw_ray_triangle(&ray->origin, &ray->through, c, &t), hit->kind);
    assert_true(t == hit->t && (ray->limit == 0 || t <= ray->limit));
}

/* For rays that are not plain. */
static const bw_body *other_body;
static bool cast_one(bw_plain_job *job, uint32_t index)
{
    const bw_ray *ray = &job->rays[index];
    const bw_ray_desc desc = {.origin = ray->origin,
                              .through = ray->through,
                              .limit = ray->limit,
                              .mode = job->common->any ? BW_RAY_ANY : BW_RAY_NEAREST};
    bw_ray_report report;
    assert_int_equal(bw_ray_cast(other_body, &desc, &report), BW_OK);
    job->hits[index] =
        report.hits > 0 ? report.hit : (bw_ray_hit){BW_NONE, BW_CONTACT_NONE, (double)INFINITY};
    job->found += report.hits;
    return true;
}

/* Which way many rays go depends on the size of the tree: here both, whatever it is. False where no ray may
 * be plain. */
static bool both_ways(const bw_body *body, const bw_ray *rays, bool any, const bw_ray_hit *expected,
                      uint64_t meet)
{
    for (int level = 0; level < 3; level++)
        for (int near = 0; near < 2; near++) {
            bw_ray_hit hits[RAYS];
            bw_plain common;
            if (!bw_plain_begin(body, any, &common))
                return false;
            common.near = near == 1;
            other_body = body;
            bw_plain_job job = {&common, rays, hits, 0, RAYS, 0, cast_one};
            bw_plain_kernels_for(bw_simd_level(levels[level]))->stream(&job);
            assert_int_equal(job.found, meet);
            for (uint32_t i = 0; i < RAYS; i++)
                assert_same_hit(&hits[i], &expected[i]);
        }
    return true;
}

static uint32_t plain_trees; /* that were cast at both ways */

static void one_equals_many(bws_random *random, void *user)
{
    (void)user;
    static solid s;
    bw_ray rays[RAYS];
    bw_ray_hit truth[RAYS];
    uint64_t meet = 0;
    make(random, &s);
    for (uint32_t i = 0; i < RAYS; i++) {
        uint32_t count;
        rays[i] = make_ray(random, &s, i);
        truth[i] = truth_of(&s, &rays[i], &count);
        meet += count > 0;
    }
    for (int mode = 0; mode < 2; mode++) {
        bw_ray_hit first[RAYS];
        for (int level = 0; level < 3; level++) {
            bw_ray_hit hits[RAYS];
            const bw_rays_desc desc = {
                .rays = rays, .count = RAYS, .mode = mode == 0 ? BW_RAY_NEAREST : BW_RAY_ANY, .hits = hits};
            bw_rays_report report;
            assert_int_equal(bw_ray_cast_many_at(levels[level], &s.body, &desc, &report), BW_OK);
            assert_int_equal(report.hits, meet);
            for (uint32_t i = 0; i < RAYS; i++) {
                const bw_ray_desc one = {.origin = rays[i].origin,
                                         .through = rays[i].through,
                                         .limit = rays[i].limit,
                                         .mode = desc.mode};
                bw_ray_report answer;
                assert_int_equal(bw_ray_cast_at(levels[level], &s.body, &one, &answer), BW_OK);
                assert_int_equal(answer.hits, hits[i].primitive != BW_NONE);
                assert_int_equal(answer.hits, truth[i].primitive != BW_NONE);
                if (answer.hits > 0) {
                    assert_same_hit(&answer.hit, &hits[i]);
                    assert_contact(&s, &rays[i], &hits[i]);
                } else {
                    assert_true(hits[i].t == (double)INFINITY && hits[i].kind == BW_CONTACT_NONE);
                }
                if (mode == 0)
                    assert_same_hit(&hits[i], &truth[i]);
                if (level > 0)
                    assert_same_hit(&hits[i], &first[i]);
                first[i] = hits[i];
            }
        }
        plain_trees += both_ways(&s.body, rays, mode == 1, mode == 0 ? truth : first, meet);
    }
    bw_tree_destroy(s.tree);
}

static void test_one_equals_many(void **state)
{
    (void)state;
    plain_trees = 0;
    BW_EACH_SEED(60, one_equals_many, NULL);
    assert_true(plain_trees > 60);
}

/* Poses, lazily or not, go through the same call. */
static void posed(bws_random *random, void *user)
{
    (void)user;
    static solid s;
    bw_ray rays[RAYS];
    bw_ray_hit hits[RAYS];
    bw_rays_report report;
    make(random, &s);
    const bw_transform pose = bws_random_rigid(random, 2.0);
    s.body.pose = &pose;
    for (uint32_t i = 0; i < RAYS; i++) {
        rays[i] = make_ray(random, &s, i % 4);
        rays[i].origin = bw_transform_point(&pose, rays[i].origin);
        rays[i].through = bw_transform_point(&pose, rays[i].through);
    }
    assert_int_equal(
        bw_ray_cast_many(&s.body, &(bw_rays_desc){.rays = rays, .count = RAYS, .hits = hits}, &report),
        BW_OK);
    for (uint32_t i = 0; i < RAYS; i++) {
        const bw_ray_desc one = {
            .origin = rays[i].origin, .through = rays[i].through, .limit = rays[i].limit};
        bw_ray_report answer;
        assert_int_equal(bw_ray_cast(&s.body, &one, &answer), BW_OK);
        assert_int_equal(answer.hits, hits[i].primitive != BW_NONE);
        if (answer.hits > 0)
            assert_same_hit(&answer.hit, &hits[i]);
    }
    bw_tree_destroy(s.tree);
}

static void test_posed(void **state)
{
    (void)state;
    BW_EACH_SEED(5, posed, NULL);
}

/* A sphere, as a user has it: more rays than are in flight, and threads. */
static void threads(uint32_t frequency, bool large)
{
    enum { MANY = 5000 };
    bws_mesh mesh;
    bw_tree *tree;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency, .seed = 3}, BW_F32, &mesh),
                     BW_OK);
    const bw_mesh view = bws_view(&mesh);
    assert_int_equal(bw_tree_create(NULL, &view, NULL, &tree), BW_OK);
    assert_int_equal(tree->wide.leaf_count >= 8192, large); /* the nearest of many rays in flight together */
    const bw_body body = {.tree = tree, .mesh = &view};
    bw_ray *rays = malloc(MANY * sizeof *rays);
    bw_ray_hit *hits = malloc(2 * MANY * sizeof *hits);
    assert_true(rays != NULL && hits != NULL);
    bws_random random = bws_random_seeded(11);
    for (int i = 0; i < MANY; i++) {
        const bw_vec3 from = bws_random_direction(&random), to = bws_random_direction(&random);
        const double near = bws_random_double(&random, 0, 1.3), far = i % 9 == 0 ? 300 : i % 2 == 0 ? 3 : 0.5;
        rays[i] = (bw_ray){.origin = {far * from.x, far * from.y, far * from.z},
                           .through = {near * to.x, near * to.y, near * to.z}};
    }
    for (int mode = 0; mode < 2; mode++) {
        bw_rays_report serial, report;
        bw_rays_desc desc = {
            .rays = rays, .count = MANY, .mode = mode == 0 ? BW_RAY_NEAREST : BW_RAY_ANY, .hits = hits};
        assert_int_equal(bw_ray_cast_many(&body, &desc, &serial), BW_OK);
        assert_true(serial.hits > MANY / 4 && serial.nodes_visited > 0 && serial.primitive_tests > 0);
        for (uint32_t workers = 1; workers <= 4; workers++) {
            bw_pool *pool = bw_pool_create(workers);
            desc.tasks = bw_pool_tasks(pool);
            desc.hits = hits + MANY;
            assert_int_equal(bw_ray_cast_many(&body, &desc, &report), BW_OK);
            bw_pool_destroy(pool);
            assert_int_equal(report.hits, serial.hits);
            for (int i = 0; i < MANY; i++)
                assert_same_hit(&hits[i], &hits[MANY + i]);
        }
        for (int i = 0; i < MANY; i++) {
            const bw_ray_desc one = {.origin = rays[i].origin, .through = rays[i].through, .mode = desc.mode};
            bw_ray_report answer;
            assert_int_equal(bw_ray_cast(&body, &one, &answer), BW_OK);
            assert_int_equal(answer.hits, hits[i].primitive != BW_NONE);
            if (answer.hits > 0)
                assert_same_hit(&answer.hit, &hits[i]);
        }
    }
    free(rays);
    free(hits);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

static void test_threads(void **state)
{
    (void)state;
    threads(45, false);
    threads(85, true);
}

/* A chain of nodes with seven leaves each, all of which the ray meets: more than its stack takes. */
static uint32_t others;
static bool count_other(bw_plain_job *job, uint32_t index)
{
    (void)job;
    others += index + 1;
    return index != 20;
}

static void test_deep(void **state)
{
    (void)state;
    enum { NODES = 12 };
    static bw_wide_node nodes[NODES];
    static bw_wide_corners corners;
    uint32_t primitives[BW_WIDTH] = {0, BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_NONE};
    for (uint32_t i = 0; i < NODES; i++) {
        bw_wide_init_node(&nodes[i], BW_WIDTH, i == 0 ? BW_NONE : i - 1, 7);
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
            /* The node is the nearest of them. */
            const float low = lane == 7 ? 0.0f : 1.0f;
            bw_wide_set_lane(&nodes[i], lane, &(bw_box){{low, -1, -1}, {9, 1, 1}});
            nodes[i].child[lane] = lane == 7 && i + 1 < NODES ? i + 1 : BW_WIDE_LEAF;
        }
    }
    bw_wide wide = {.nodes = nodes,
                    .node_count = NODES,
                    .corners = &corners,
                    .primitives = primitives,
                    .leaf_count = 1,
                    .bounds = {{0, -1, -1}, {9, 1, 1}}};
    bw_ray some[30];
    bw_ray_hit hits[30];
    for (int i = 0; i < 30; i++)
        some[i] = (bw_ray){.origin = {-2, 0, 0}, .through = {-1, 0, 0}};
    for (int level = 0; level < 3; level++) {
        bw_plain common = {.tree = &wide};
        const bw_plain_kernels *kernels = bw_plain_kernels_for(bw_simd_level(levels[level]));
        assert_false(kernels->cast(&common, &some[0].origin, &some[0].through, (double)INFINITY, &hits[0]));
        bw_plain_job job = {&common, some, hits, 0, 20, 0, count_other};
        others = 0;
        kernels->stream(&job);
        assert_int_equal(others, 20 * 21 / 2);
        assert_int_equal(job.found, 0);
        job.last = 30; /* ends soon after the 21st; the ones in flight are let down */
        others = 0;
        kernels->stream(&job);
        assert_true(others >= 21);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static solid s;
    bws_random random = bws_random_seeded(1);
    make(&random, &s);
    bw_ray rays[3] = {{.through = {0, 0, 1}}, {.through = {0, 1, 0}}, {.through = {1, 0, 0}}};
    bw_ray_hit hits[3], untouched[3];
    memset(hits, 0x5A, sizeof hits);
    memcpy(untouched, hits, sizeof hits);
    bw_rays_desc desc = {.rays = rays, .count = 3, .hits = hits};
    bw_rays_report report = {.hits = 77};
    const bw_body none = {.tree = s.tree};
    assert_int_equal(bw_ray_cast_many(NULL, &desc, &report), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_ray_cast_many(&none, &desc, &report), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_ray_cast_many(&s.body, NULL, &report), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, NULL), BW_ERROR_ARGUMENT);
    desc.mode = BW_RAY_ALL;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_ARGUMENT);
    desc.mode = BW_RAY_NEAREST;
    desc.hits = NULL;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_ARGUMENT);
    desc.hits = hits;
    const bw_tasks bad = {.worker_count = 1};
    desc.tasks = &bad;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_ARGUMENT);
    desc.tasks = NULL;
    rays[2].limit = (double)NAN;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_ARGUMENT);
    rays[2].limit = 0;
    rays[2].origin.x = (double)INFINITY;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_NOT_FINITE);
    rays[2].origin.x = 0x1p-301;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_RANGE);
    rays[2].origin.x = -0x1p301;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_ERROR_RANGE);
    const bw_mesh other = {
        .positions = s.floats, .vertex_count = 9, .indices = s.indices, .triangle_count = 3};
    assert_int_equal(bw_ray_cast_many(&(bw_body){.tree = s.tree, .mesh = &other}, &desc, &report),
                     BW_ERROR_MISMATCH);
    assert_memory_equal(hits, untouched, sizeof hits);
    assert_int_equal(report.hits, 77);
    assert_int_equal(bw_ray_cast_many(&s.body, &(bw_rays_desc){0}, &report), BW_OK);
    assert_int_equal(report.hits, 0);
    rays[2].origin.x = BW_EXACT_MAX; /* the ends of the range belong to it */
    rays[1].origin.x = BW_EXACT_MIN;
    assert_int_equal(bw_ray_cast_many(&s.body, &desc, &report), BW_OK);
    bw_tree_destroy(s.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_equals_many), cmocka_unit_test(test_posed),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_deep),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
