/* Nearest points, one by one and many at once, with and without lenses: against distances in rationals, the
 * first of all primitives by number, every SIMD level and number of threads; and lenses over the life of a
 * tree. */
#include "collide/distance/distance.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"
#include "scenes/scenes.h"
#include "tree/tree.h"

#include <boxwood/nearest.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_simd levels[] = {BW_SIMD_128, BW_SIMD_AVX2};

typedef struct solid {
    void *xyz;
    uint32_t *indices;
    bw_mesh mesh;
    bw_tree *tree;
} solid;

/* Triangles that are points or segments, slivers, several in one place, all in one plane, on a lattice (many
 * at the same distance), on a sphere (all about as far from its middle), and any. */
enum { DEGENERATE, SLIVERS, DOUBLED, FLAT, LATTICE, ROUND, ANY, FAMILIES };

static bw_vec3 any_point(bws_random *random, double reach)
{
    return (bw_vec3){bws_random_double(random, -reach, reach), bws_random_double(random, -reach, reach),
                     bws_random_double(random, -reach, reach)};
}

static bw_vec3 mix(bw_vec3 a, double s, bw_vec3 b)
{
    return (bw_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static void make_triangle(bws_random *random, int family, bw_vec3 c[3])
{
    const double size = exp2(bws_random_double(random, -7, 0));
    const bw_vec3 middle = any_point(random, 2.0);
    for (int i = 0; i < 3; i++)
        c[i] = mix(middle, size, any_point(random, 1.0));
    if (family == DEGENERATE) {
        c[1] = bws_random_bool(random) ? c[0] : c[1];
        c[2] = bws_random_bool(random) ? c[1] : mix(c[0], 0.5, mix(c[1], -1, c[0]));
    } else if (family == SLIVERS) {
        const double thin = exp2(bws_random_double(random, -45, -4));
        c[2] = mix(mix(c[0], bws_random_double(random, 0, 1), mix(c[1], -1, c[0])), thin,
                   any_point(random, 1.0));
    } else if (family == FLAT) {
        c[0].z = c[1].z = c[2].z = 0.25;
    } else if (family == LATTICE) {
        for (int i = 0; i < 3; i++)
            c[i] = (bw_vec3){(double)bws_random_int(random, -2, 2), (double)bws_random_int(random, -2, 2),
                             (double)bws_random_int(random, -2, 2)};
    } else if (family == ROUND) {
        const bw_vec3 out = bws_random_direction(random);
        for (int i = 0; i < 3; i++)
            c[i] = mix(out, 0.05, any_point(random, 1.0));
    }
}

/* Where everything stands, and in which unit. */
typedef struct place {
    double offset, unit;
} place;
static const place places[] = {{0, 1},    {1e5, 1},   {-3e8, 1},  {0, 1e-18},
                               {0, 1e18}, {40, 1e-4}, {0, 1e-30}, {2, 1e22}};
enum { PLACES = sizeof places / sizeof *places };

static solid make(bws_random *random, uint32_t count, int family, place where, bool floats,
                  const bw_tree_desc *desc)
{
    solid s = {malloc(count * 9 * sizeof(double)), malloc(count * 3 * sizeof *s.indices), {0}, NULL};
    assert_true(s.xyz != NULL && s.indices != NULL);
    double *to = s.xyz;
    float *to_float = s.xyz;
    bw_vec3 c[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < count; i++) {
        const int of = family == FAMILIES ? (int)(i % FAMILIES) : family;
        if (of != DOUBLED || i % 3 == 0)
            make_triangle(random, of, c);
        for (uint32_t k = 0; k < 9; k++) {
            const bw_vec3 *p = &c[k / 3];
            const double x = ((k % 3 == 0 ? p->x : k % 3 == 1 ? p->y : p->z) + where.offset) * where.unit;
            if (floats)
                to_float[9 * i + k] = (float)x;
            else
                to[9 * i + k] = x;
        }
        for (uint32_t k = 0; k < 3; k++)
            s.indices[3 * i + k] = 3 * i + k;
    }
    s.mesh = (bw_mesh){s.xyz, floats ? BW_F32 : BW_F64, 3 * count, 0, s.indices, count};
    assert_int_equal(bw_tree_create(desc, &s.mesh, &s.tree, NULL), BW_OK);
    return s;
}

static void unmake(solid *s)
{
    bw_tree_destroy(s->tree);
    free(s->xyz);
    free(s->indices);
}

static void corners_of(const bw_body *body, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_corners(body->mesh, primitive, out);
    for (int i = 0; body->pose != NULL && i < 3; i++)
        out[i] = bw_transform_point(body->pose, out[i]);
}

/* On a corner, on an edge, within a triangle, beside one by a little, anywhere, and far away. */
static bw_vec3 make_point(bws_random *random, const bw_body *body, int kind, double unit)
{
    bw_vec3 c[3];
    corners_of(body, (uint32_t)bws_random_below(random, bw_mesh_primitive_count(body->mesh)), c);
    bw_vec3 p = c[0];
    if (kind >= 1)
        p = mix(p, 0.5, mix(c[1], -1, c[0]));
    if (kind >= 2)
        p = mix(p, 0.25, mix(c[2], -1, c[0]));
    if (kind == 3)
        p = mix(p, unit * exp2(bws_random_double(random, -50, -5)), any_point(random, 1.0));
    if (kind == 4)
        p = mix(p, 3.0 * unit, any_point(random, 1.0));
    if (kind == 5)
        p = mix(p, 1e4 * unit, any_point(random, 1.0));
    return p;
}

/* Rigid, with one scale or several, sheared, onto a plane; about the place. */
static bw_transform make_pose(bws_random *random, place where)
{
    const int kind = (int)bws_random_below(random, 5);
    bw_transform t = bws_random_rigid(random, 3.0);
    if (kind == 1) {
        const double scale = exp2(bws_random_double(random, -20, 20)) * (bws_random_bool(random) ? -1 : 1);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                t.m[i][j] *= scale;
    }
    if (kind == 2)
        t = bws_random_pose(random, &(bws_pose_desc){.reach = 3.0, .low = 0.2, .high = 3.0, .mirror = true});
    for (int i = 0; kind >= 3 && i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] += bws_random_double(random, -0.5, 0.5);
    for (int j = 0; kind == 4 && j < 4; j++)
        t.m[2][j] = 0.5 * t.m[0][j] - t.m[1][j];
    for (int i = 0; i < 3; i++)
        t.m[i][3] =
            (t.m[i][3] + where.offset - (t.m[i][0] + t.m[i][1] + t.m[i][2]) * where.offset) * where.unit;
    return t;
}

/* What the library's own measure says of all primitives, one by one, and what rationals say. */
static void assert_nearest(const bw_body *body, const bw_vec3 *p, const bw_nearest_hit *found)
{
    uint32_t first = BW_NONE;
    double least2 = INFINITY, size = fmax(fabs(p->x), fmax(fabs(p->y), fabs(p->z)));
    for (uint32_t i = 0; i < bw_mesh_primitive_count(body->mesh); i++) {
        bw_vec3 c[3];
        corners_of(body, i, c);
        const double d2 = bw_point_triangle_distance2(p, c, NULL);
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(c[k].x), fmax(fabs(c[k].y), fabs(c[k].z))));
        if (d2 < least2) {
            least2 = d2;
            first = i;
        }
    }
    assert_int_equal(found->primitive, first);
    assert_true(found->distance == sqrt(least2));
    const bw_vec3 point[3] = {*p, *p, *p};
    bw_vec3 c[3];
    corners_of(body, first, c);
    const double exact = sqrt(bw_oracle_distance2(point, c));
    assert_true(fabs(found->distance - exact) <= 1e-12 * size);
    assert_true((found->distance == 0) == (exact == 0));
}

/* No primitive is nearer than the answer, in rationals. */
static void assert_none_nearer(const bw_body *body, const bw_vec3 *p, double distance, double rounding)
{
    const bw_vec3 point[3] = {*p, *p, *p};
    for (uint32_t i = 0; i < bw_mesh_primitive_count(body->mesh); i++) {
        bw_vec3 c[3];
        corners_of(body, i, c);
        assert_true(sqrt(bw_oracle_distance2(point, c)) >= distance - rounding);
    }
}

static void hard_points(bws_random *random, void *user)
{
    (void)user;
    enum { COUNT = 150, POINTS = 36 };
    const place where = places[bws_random_below(random, PLACES)];
    const bw_tree_desc desc = {.compact = bws_random_bool(random),
                               .builder = bws_random_bool(random) ? BW_BUILDER_FAST : BW_BUILDER_QUALITY};
    solid s = make(random, COUNT, (int)bws_random_below(random, FAMILIES + 1), where, bws_random_bool(random),
                   &desc);
    bw_transform pose = make_pose(random, where);
    const bw_body body = {s.tree, &s.mesh, bws_random_bool(random) ? &pose : NULL};
    bw_vec3 points[POINTS];
    bw_nearest_hit one[POINTS], many[POINTS];
    bw_nearest_report first[POINTS] = {{0}};
    for (int i = 0; i < POINTS; i++)
        points[i] = make_point(random, &body, i % 6, where.unit);
    for (int lenses = 0; lenses < 2; lenses++) {
        if (lenses == 1)
            assert_int_equal(bw_tree_prepare_distances(s.tree, &s.mesh, NULL, NULL), BW_OK);
        assert_null(bw_tree_check(s.tree, &s.mesh));
        for (int level = 0; level < 2; level++)
            for (int i = 0; i < POINTS; i++) {
                bw_nearest_hit found;
                bw_nearest_report counts = {0};
                assert_int_equal(bw_nearest_at(levels[level], &body, &points[i], NULL, &found, &counts),
                                 BW_OK);
                if (level == 0) {
                    one[i] = found;
                    first[i] = counts;
                }
                if (level == 0)
                    assert_nearest(&body, &points[i], &found);
                assert_true(found.primitive == one[i].primitive && found.distance == one[i].distance &&
                            counts.nodes_visited == first[i].nodes_visited &&
                            counts.box_tests == first[i].box_tests &&
                            counts.primitive_tests == first[i].primitive_tests);
                assert_memory_equal(&found.point, &one[i].point, sizeof found.point);
            }
        for (int level = 0; level < 2; level++) {
            const bw_nearest_desc all = {0};
            bw_nearest_report report = {0};
            uint32_t bad;
            assert_int_equal(
                bw_nearest_many_at(levels[level], &body, points, POINTS, &all, many, &report, &bad), BW_OK);
            assert_int_equal(report.hit_count, POINTS);
            for (int i = 0; i < POINTS; i++) {
                assert_true(many[i].primitive == one[i].primitive && many[i].distance == one[i].distance);
                assert_memory_equal(&many[i].point, &one[i].point, sizeof many[i].point);
            }
        }
    }
    const double size = fmax(fabs(points[0].x), fmax(fabs(points[0].y), fabs(points[0].z))) + 10 * where.unit;
    assert_none_nearer(&body, &points[0], one[0].distance, 1e-10 * size);
    unmake(&s);
}

static void test_hard_points(void **state)
{
    (void)state;
    BW_EACH_SEED(60, hard_points, NULL);
}

/* Smooth and large: lenses drop most of it, and lists of candidates fill where everything is as far as
 * everything. */
static void large_bodies(bws_random *random, void *user)
{
    (void)user;
    bws_mesh owned;
    assert_int_equal(
        bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 12, .amplitude = bws_random_bool(random) ? 0.1 : -1},
                         BW_F32, &owned),
        BW_OK);
    const bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
    bw_transform pose = bws_random_rigid(random, 1.0);
    for (int posed = 0; posed < 2; posed++) {
        const bw_body body = {tree, &mesh, posed ? &pose : NULL};
        for (int i = 0; i < 12; i++) {
            bw_vec3 p = any_point(random, i % 3 == 0 ? 0.05 : 2.0);
            if (i == 0)
                p = posed ? (bw_vec3){pose.m[0][3], pose.m[1][3], pose.m[2][3]} : (bw_vec3){0, 0, 0};
            bw_nearest_hit found;
            assert_int_equal(bw_nearest(&body, &p, NULL, &found, NULL, NULL), BW_OK);
            assert_nearest(&body, &p, &found);
            bw_nearest_hit within;
            assert_int_equal(bw_nearest(&body, &p, &(bw_nearest_desc){.max_distance = found.distance * 0.999},
                                        &within, NULL, NULL),
                             BW_OK);
            assert_true(within.primitive == BW_NONE && isinf(within.distance));
            assert_int_equal(bw_nearest(&body, &p, &(bw_nearest_desc){.max_distance = found.distance * 1.001},
                                        &within, NULL, NULL),
                             BW_OK);
            assert_true(within.primitive == found.primitive && within.distance == found.distance);
        }
    }
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

static void test_large_bodies(void **state)
{
    (void)state;
    BW_EACH_SEED(3, large_bodies, NULL);
}

enum { MANY = 1500 };

static void assert_same(const bw_nearest_hit *a, const bw_nearest_hit *b)
{
    assert_true(a->primitive == b->primitive && a->distance == b->distance);
    if (a->primitive != BW_NONE)
        assert_memory_equal(&a->point, &b->point, sizeof a->point);
}

/* Many points in any order, with limits: what each gets alone, and the same counts for any number of threads.
 */
static void many_points(bws_random *random, void *user)
{
    (void)user;
    bws_mesh owned;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 20, .seed = 5}, BW_F32, &owned), BW_OK);
    const bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
    bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 1.0, .low = 0.5, .high = 1.5});
    bw_vec3 *points = malloc(MANY * sizeof *points);
    double *limits = malloc(MANY * sizeof *limits);
    bw_nearest_hit *out = malloc(2 * MANY * sizeof *out);
    assert_true(points != NULL && limits != NULL && out != NULL);
    for (int i = 0; i < MANY; i++) {
        points[i] = any_point(random, i % 50 == 0 ? 500.0 : 2.0);
        limits[i] = i % 3 == 0 ? 0.0 : bws_random_double(random, 0.01, 1.0);
    }
    for (int posed = 0; posed < 2; posed++) {
        const bw_body body = {tree, &mesh, posed ? &pose : NULL};
        bw_nearest_desc desc = {.max_distances = limits};
        bw_nearest_report serial = {0}, report = {0};
        assert_int_equal(bw_nearest_many(&body, points, MANY, &desc, out, &serial, NULL), BW_OK);
        uint64_t found = 0;
        for (int i = 0; i < MANY; i++) {
            bw_nearest_hit alone;
            assert_int_equal(bw_nearest(&body, &points[i], &(bw_nearest_desc){.max_distance = limits[i]},
                                        &alone, NULL, NULL),
                             BW_OK);
            assert_same(&alone, &out[i]);
            found += alone.primitive != BW_NONE;
        }
        assert_true(serial.hit_count == found && found > MANY / 4 && found < MANY);
        for (uint32_t workers = 1; workers <= 5; workers++) {
            bw_pool *pool = test_pool_create(workers);
            desc.tasks = bw_pool_tasks(pool);
            assert_int_equal(bw_nearest_many(&body, points, MANY, &desc, out + MANY, &report, NULL), BW_OK);
            bw_pool_destroy(pool);
            assert_true(
                report.hit_count == serial.hit_count && report.nodes_visited == serial.nodes_visited &&
                report.box_tests == serial.box_tests && report.primitive_tests == serial.primitive_tests);
            for (int i = 0; i < MANY; i++)
                assert_same(&out[i], &out[MANY + i]);
        }
    }
    free(points);
    free(limits);
    free(out);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

static void test_many_points(void **state)
{
    (void)state;
    BW_EACH_SEED(2, many_points, NULL);
}

static void test_arguments(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 2}, BW_F32, &owned), BW_OK);
    const bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    const bw_body body = {tree, &mesh, NULL}, none = {NULL, &mesh, NULL};
    bw_vec3 points[2] = {{1, 2, 3}, {0, 0, 0}};
    double limits[2] = {0, 1};
    bw_nearest_hit out[2], before[2];
    bw_nearest_report report = {0};
    memset(out, 0x55, sizeof out);
    memcpy(before, out, sizeof out);
    bw_nearest_desc desc = {.max_distances = limits};
    assert_int_equal(bw_nearest_many(NULL, points, 2, &desc, out, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_nearest_many(&none, points, 2, &desc, out, &report, NULL), BW_ERROR_ARGUMENT);
#if BW_RESEARCH
    bw_tree *other = NULL;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.volume = BW_VOLUME_OBB}, &mesh, &other, NULL), BW_OK);
    const bw_body obb = {other, &mesh, NULL};
    assert_int_equal(bw_nearest_many(&obb, points, 2, &desc, out, &report, NULL), BW_ERROR_UNSUPPORTED);
    assert_int_equal(bw_tree_prepare_distances(other, &mesh, NULL, NULL), BW_ERROR_UNSUPPORTED);
    bw_tree_destroy(other);
#endif
    assert_int_equal(bw_nearest_many(&body, points, 1, NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_nearest_many(&body, NULL, 1, NULL, out, &report, NULL), BW_ERROR_ARGUMENT);
    const bw_tasks broken = {0};
    desc.tasks = &broken;
    assert_int_equal(bw_nearest_many(&body, points, 2, &desc, out, &report, NULL), BW_ERROR_ARGUMENT);
    desc.tasks = NULL;
    limits[1] = -1;
    assert_int_equal(bw_nearest_many(&body, points, 2, &desc, out, &report, NULL), BW_ERROR_ARGUMENT);
    limits[1] = (double)NAN;
    assert_int_equal(bw_nearest_many(&body, points, 2, &desc, out, &report, NULL), BW_ERROR_ARGUMENT);
    limits[1] = 0;
    points[1].y = (double)INFINITY;
    bw_fault fault;
    assert_int_equal(bw_nearest_many(&body, points, 2, &desc, out, &report, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(fault.element, 1);
    points[1].y = 2 * BW_COORDINATE_MAX;
    assert_int_equal(bw_nearest_many(&body, points, 2, &desc, out, &report, NULL), BW_ERROR_RANGE);
    assert_memory_equal(out, before, sizeof out);
    assert_int_equal(bw_nearest_many(&body, NULL, 0, &(bw_nearest_desc){0}, NULL, &report, NULL), BW_OK);
    assert_true(report.hit_count == 0 && report.nodes_visited == 0);

    assert_int_equal(bw_tree_prepare_distances(NULL, &mesh, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_prepare_distances(tree, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_prepare_distances(tree, &mesh, &broken, NULL), BW_ERROR_ARGUMENT);
    bw_mesh fewer = mesh;
    fewer.triangle_count--;
    assert_int_equal(bw_tree_prepare_distances(tree, &fewer, NULL, NULL), BW_ERROR_MISMATCH);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

static size_t bytes_of(const bw_tree *tree)
{
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    return stats.bytes;
}

static void assert_answers(const bw_tree *tree, const bw_mesh *mesh, const bool *in)
{
    const bw_body body = {tree, mesh, NULL};
    for (int i = 0; i < 8; i++) {
        const bw_vec3 p = {0.3 * i - 1.0, 0.2 * i, 1.2 - 0.35 * i};
        uint32_t first = BW_NONE;
        double least2 = INFINITY;
        for (uint32_t k = 0; k < bw_mesh_primitive_count(mesh); k++) {
            bw_vec3 c[3];
            if (in != NULL && !in[k])
                continue;
            bw_mesh_corners(mesh, k, c);
            const double d2 = bw_point_triangle_distance2(&p, c, NULL);
            first = d2 < least2 ? k : first;
            least2 = d2 < least2 ? d2 : least2;
        }
        bw_nearest_hit found;
        assert_int_equal(bw_nearest(&body, &p, NULL, &found, NULL, NULL), BW_OK);
        assert_true(found.primitive == first && found.distance == sqrt(least2));
    }
}

/* Every change of a tree drops its lenses; bits are the same for any number of threads; a saved tree has
 * none. */
static void life_of_lenses(bws_random *random, void *user)
{
    (void)user;
    bws_mesh owned;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 9}, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    const uint32_t count = mesh.triangle_count;
    bool *in = malloc(count * sizeof *in);
    assert_non_null(in);
    for (uint32_t i = 0; i < count; i++)
        in[i] = true;
    bw_tree *tree = NULL;
    const bw_tree_desc desc = {.compact = bws_random_bool(random)};
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
    const size_t bare = bytes_of(tree);
    assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
    assert_true(bytes_of(tree) > bare);
    const size_t full = bytes_of(tree) - bare;
    void *copy = malloc(full);
    assert_non_null(copy);
    memcpy(copy, tree->wide.lenses, full);
    for (uint32_t workers = 2; workers <= 4; workers++) {
        bw_pool *pool = test_pool_create(workers);
        assert_int_equal(bw_tree_prepare_distances(tree, &mesh, bw_pool_tasks(pool), NULL), BW_OK);
        bw_pool_destroy(pool);
        assert_memory_equal(copy, tree->wide.lenses, full);
    }
    free(copy);
    assert_answers(tree, &mesh, in);
    /* Saved and loaded. */
    const size_t size = bw_tree_saved_size(tree);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(bw_tree_save(tree, bytes, size, NULL), BW_OK);
    bw_tree *loaded = NULL;
    assert_int_equal(bw_tree_load(bytes, size, NULL, &loaded, NULL), BW_OK);
    assert_null(loaded->wide.lenses);
    assert_answers(loaded, &mesh, in);
    assert_int_equal(bw_tree_prepare_distances(loaded, &mesh, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(loaded, &mesh));
    assert_answers(loaded, &mesh, in);
    bw_tree_destroy(loaded);
    free(bytes);
    /* Moved. */
    float *xyz = owned.positions;
    for (int policy = BW_UPDATE_REFIT; policy <= BW_UPDATE_REBUILD; policy++) {
        for (uint32_t i = 0; i < 3 * mesh.vertex_count; i++)
            xyz[i] = (float)((double)xyz[i] * bws_random_double(random, 0.9, 1.1));
        assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
        assert_int_equal(
            bw_tree_update(tree, &mesh, &(bw_update_desc){.policy = (bw_update_policy)policy}, NULL, NULL),
            BW_OK);
        assert_null(tree->wide.lenses);
        assert_answers(tree, &mesh, in);
        assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
        assert_null(bw_tree_check(tree, &mesh));
        assert_answers(tree, &mesh, in);
    }
    /* Taken out and put back. */
    uint32_t some[40];
    for (uint32_t i = 0; i < 40; i++) {
        some[i] = i * (count / 40);
        in[some[i]] = false;
    }
    assert_int_equal(bw_tree_remove(tree, &mesh, some, 40, NULL), BW_OK);
    assert_null(tree->wide.lenses);
    assert_answers(tree, &mesh, in);
    assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(tree, &mesh));
    assert_answers(tree, &mesh, in);
    for (uint32_t i = 0; i < 40; i++)
        in[some[i]] = true;
    assert_int_equal(bw_tree_insert(tree, &mesh, some, 40, NULL), BW_OK);
    assert_null(tree->wide.lenses);
    assert_answers(tree, &mesh, in);
    assert_int_equal(bw_tree_prepare_distances(tree, &mesh, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(tree, &mesh));
    assert_answers(tree, &mesh, in);
    free(in);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

static void test_life_of_lenses(void **state)
{
    (void)state;
    BW_EACH_SEED(4, life_of_lenses, NULL);
}

/* A body so small that from afar its nearest point is rounded away from it; then a point beside it, in one
 * call. */
static void test_small_from_afar(void **state)
{
    (void)state;
    const double corner[3] = {7.3245181296250257e-26, -1.5536528100674335e-18, -8.4487863947638635e-37};
    const uint32_t indices[3] = {0, 0, 0};
    const bw_mesh mesh = {
        .positions = corner, .vertex_count = 1, .scalar = BW_F64, .indices = indices, .triangle_count = 1};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    const bw_body body = {tree, &mesh, NULL};
    for (int side = -1; side <= 1; side += 2) {
        const bw_vec3 points[2] = {{11.375 * side, 5.5 * side, 6.125 * side}, {0, 0, 0}};
        bw_nearest_hit nearest[2];
        bw_nearest_report report = {0};
        assert_int_equal(bw_nearest_many(&body, points, 2, NULL, nearest, &report, NULL), BW_OK);
        assert_int_equal(report.hit_count, 2);
        assert_true(fabs(nearest[1].distance + corner[1]) < -1e-12 * corner[1]);
    }
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_points),    cmocka_unit_test(test_large_bodies),
        cmocka_unit_test(test_many_points),    cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_life_of_lenses), cmocka_unit_test(test_small_from_afar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
