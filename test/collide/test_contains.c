/* Points inside and outside: of closed meshes against exact tests of tetrahedra, of open ones against the
 * solid angles of all triangles, added up in long double. Corners on a lattice put points, rays and planes
 * where they are hardest: on faces, edges and corners, several at once. */
#include "oracle/failing_allocator.h"
#include "oracle/hard_poses.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "oracle/rational.h"
#include "oracle/solid_angle.h"
#include "oracle/triangle_oracle.h"
#include "scenes/scenes.h"

#include <boxwood/nearest.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SOLIDS = 12, POINTS = 60, MOST = 4 * SOLIDS + 40 };

typedef struct body_input {
    bw_vec3 corners[SOLIDS][4]; /* of the tetrahedra */
    int solids;
    double xyz[9 * MOST];
    uint32_t indices[3 * MOST];
    bw_mesh mesh;
    bw_tree *tree;
} body_input;

static const double units[] = {1, 1, 1, 0x1p-20, 0x1p-200, 0x1p80};

/* Any, or on a lattice. */
static bw_vec3 any_point(bws_random *random, bool lattice, double unit)
{
    double c[3];
    for (int k = 0; k < 3; k++)
        c[k] = unit * (lattice ? (double)bws_random_int(random, -3, 3) : bws_random_double(random, -3, 3));
    return (bw_vec3){c[0], c[1], c[2]};
}

static void add_triangle(body_input *in, bw_vec3 a, bw_vec3 b, bw_vec3 c)
{
    assert_true(in->mesh.triangle_count < MOST);
    const bw_vec3 corners[3] = {a, b, c};
    memcpy(&in->xyz[9 * in->mesh.triangle_count++], corners, sizeof corners);
}

static bool same(const bw_location *a, const bw_location *b)
{
    return a->side == b->side && a->certain == b->certain && a->winding == b->winding;
}

/* Tetrahedra, which may be flat, share corners and overlap; triangles twice, and ones without area whose
 * edges come in pairs: all of it closed, and turned any way. */
static void make_closed(bws_random *random, bool lattice, double unit, body_input *in)
{
    static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    *in = (body_input){.solids = 1 + (int)bws_random_below(random, SOLIDS)};
    for (int s = 0; s < in->solids; s++) {
        for (int k = 0; k < 4; k++)
            in->corners[s][k] = any_point(random, lattice, unit);
        if (bws_random_below(random, 4) == 0) /* a sliver, or nearly nothing */
            for (int k = 1; k < 4; k += 1 + (int)bws_random_below(random, 3))
                in->corners[s][k].x = in->corners[s][0].x * (1 + 0x1p-50 * k);
        for (int f = 0; f < 4; f++) {
            const bool turn = bws_random_bool(random);
            add_triangle(in, in->corners[s][faces[f][0]], in->corners[s][faces[f][turn ? 2 : 1]],
                         in->corners[s][faces[f][turn ? 1 : 2]]);
        }
    }
    for (int i = (int)bws_random_below(random, 5); i > 0; i--) {
        const bw_vec3 a = any_point(random, lattice, unit), b = any_point(random, lattice, unit),
                      c = any_point(random, lattice, unit);
        add_triangle(in, a, b, c);
        add_triangle(in, c, a, b);
        add_triangle(in, a, b, b);
        add_triangle(in, b, b, b);
    }
    for (uint32_t i = 0; i < 3 * MOST; i++)
        in->indices[i] = i;
}

static void build(body_input *in)
{
    in->mesh.positions = in->xyz;
    in->mesh.scalar = BW_F64;
    in->mesh.vertex_count = 3 * in->mesh.triangle_count;
    in->mesh.indices = in->indices;
    assert_int_equal(bw_tree_create(NULL, &in->mesh, &in->tree, NULL), BW_OK);
}

static bw_vec3 mapped(const bw_body *body, bw_vec3 p)
{
    return body->pose != NULL ? bw_transform_point(body->pose, p) : p;
}

static void corners_of(const bw_body *body, uint32_t i, bw_vec3 out[3])
{
    bw_mesh_corners(body->mesh, i, out);
    for (int k = 0; k < 3; k++)
        out[k] = mapped(body, out[k]);
}

/* On a corner, an edge, a face, or anywhere. */
static bw_vec3 take_point(bws_random *random, const bw_body *body, bool lattice, double unit)
{
    bw_vec3 c[3];
    corners_of(body, (uint32_t)bws_random_below(random, body->mesh->triangle_count), c);
    switch (bws_random_below(random, 6)) {
    case 0:
        return c[0];
    case 1:
        return (bw_vec3){0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y), 0.5 * (c[0].z + c[1].z)};
    case 2:
        return (bw_vec3){0.5 * c[0].x + 0.25 * (c[1].x + c[2].x), 0.5 * c[0].y + 0.25 * (c[1].y + c[2].y),
                         0.5 * c[0].z + 0.25 * (c[1].z + c[2].z)};
    case 3:
        return mapped(body, any_point(random, false, unit));
    default:
        return mapped(body, any_point(random, lattice, unit));
    }
}

static bool on_surface(const bw_body *body, const bw_vec3 *p)
{
    for (uint32_t i = 0; i < body->mesh->triangle_count; i++) {
        bw_vec3 c[3];
        corners_of(body, i, c);
        if (bw_oracle_segment_triangle(p, p, c) != BW_CONTACT_NONE)
            return true;
    }
    return false;
}

/* Of a point that is on no face. */
static bool in_solid(const bw_body *body, const bw_vec3 corners[4], const bw_vec3 *p)
{
    bw_vec3 c[4];
    for (int k = 0; k < 4; k++)
        c[k] = mapped(body, corners[k]);
    const int whole = bw_rational_orient3d(&c[0], &c[1], &c[2], &c[3]);
    if (whole == 0)
        return false;
    for (int k = 0; k < 4; k++) {
        bw_vec3 d[4] = {c[0], c[1], c[2], c[3]};
        d[k] = *p;
        if (bw_rational_orient3d(&d[0], &d[1], &d[2], &d[3]) != whole)
            return false;
    }
    return true;
}

static bw_side closed_truth(const bw_body *body, const body_input *in, const bw_vec3 *p)
{
    if (on_surface(body, p))
        return BW_SIDE_ON;
    bool inside = false;
    for (int s = 0; s < in->solids; s++)
        inside ^= in_solid(body, in->corners[s], p);
    return inside ? BW_SIDE_INSIDE : BW_SIDE_OUTSIDE;
}

/* A pose and points that stay in the range. */
static bool make_points(bws_random *random, const bw_body *body, bool lattice, double unit, bw_vec3 *points)
{
    for (uint32_t i = 0; i < body->mesh->triangle_count; i++) {
        bw_vec3 c[3];
        corners_of(body, i, c);
        if (!bw_exact_range(c, 3))
            return false;
    }
    for (int i = 0; i < POINTS; i++) {
        points[i] = take_point(random, body, lattice, unit);
        if (!bw_exact_range(&points[i], 1))
            points[i] = (bw_vec3){0, 0, 0};
    }
    return true;
}

static bw_transform any_pose(bws_random *random, double unit)
{
    bw_transform pose = bw_hard_pose(random, (int)bws_random_below(random, BW_HARD_POSES));
    for (int i = 0; i < 3; i++)
        pose.m[i][3] *= unit;
    return pose;
}

static void closed_is_exact(bws_random *random, void *user)
{
    (void)user;
    static body_input in;
    const bool lattice = bws_random_below(random, 3) > 0, posed = bws_random_below(random, 3) == 0;
    const double unit = units[bws_random_below(random, sizeof units / sizeof *units)];
    const bw_transform pose = any_pose(random, unit);
    bw_vec3 points[POINTS];
    bw_location many[POINTS], one;
    make_closed(random, lattice, unit, &in);
    build(&in);
    const bw_body body = {in.tree, &in.mesh, posed ? &pose : NULL};
    if (make_points(random, &body, lattice, unit, points)) {
        bw_contains_report report = {0};
        uint64_t inside = 0, on = 0;
        assert_int_equal(bw_contains_many(&body, points, POINTS, NULL, many, &report, NULL), BW_OK);
        assert_true(report.closed && report.boundary_count == 0);
        for (int i = 0; i < POINTS; i++) {
            assert_int_equal(many[i].side, closed_truth(&body, &in, &points[i]));
            assert_true(many[i].certain && many[i].winding == 0);
            assert_int_equal(bw_contains(&body, &points[i], NULL, &one, NULL, NULL), BW_OK);
            assert_true(same(&one, &many[i]));
            inside += many[i].side == BW_SIDE_INSIDE;
            on += many[i].side == BW_SIDE_ON;
        }
        assert_true(report.inside_count == inside && report.on_count == on);
    }
    bw_tree_destroy(in.tree);
}

/* ---- open meshes ---- */

static long double winding_truth(const bw_body *body, const bw_vec3 *p)
{
    long double sum = 0;
    for (uint32_t i = 0; i < body->mesh->triangle_count; i++) {
        bw_vec3 c[3];
        corners_of(body, i, c);
        sum += bw_oracle_solid_angle(c, p);
    }
    return sum / (4 * acosl(-1));
}

static double handedness(const bw_transform *t)
{
    const double(*m)[4] = t->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Some of the triangles of a closed mesh, and any others. */
static void make_open(bws_random *random, bool lattice, body_input *in)
{
    make_closed(random, lattice, 1, in);
    in->mesh.triangle_count -= 1 + (uint32_t)bws_random_below(random, 3);
    for (int i = (int)bws_random_below(random, 4); i > 0; i--)
        add_triangle(in, any_point(random, lattice, 1), any_point(random, lattice, 1),
                     any_point(random, lattice, 1));
}

static void open_is_wound(bws_random *random, void *user)
{
    double *worst = user;
    static body_input in;
    const bool lattice = bws_random_bool(random), posed = bws_random_bool(random);
    const bw_transform pose = bw_hard_pose(random, (int)bws_random_below(random, 3));
    bw_vec3 points[POINTS];
    bw_location many[POINTS], one;
    make_open(random, lattice, &in);
    build(&in);
    const bw_body body = {in.tree, &in.mesh, posed ? &pose : NULL};
    bw_contains_report report = {0};
    make_points(random, &body, lattice, 1, points);
    assert_int_equal(bw_contains_many(&body, points, POINTS, NULL, many, &report, NULL), BW_OK);
    for (int i = 0; i < POINTS && !report.closed; i++) {
        const bw_location *at = &many[i];
        assert_int_equal(at->side == BW_SIDE_ON, on_surface(&body, &points[i]));
        assert_int_equal(at->certain, at->side == BW_SIDE_ON);
        assert_int_equal(bw_contains(&body, &points[i], NULL, &one, NULL, NULL), BW_OK);
        assert_true(same(&one, at));
        if (at->certain)
            continue;
        const double truth =
            (double)winding_truth(&body, &points[i]) * (posed && handedness(&pose) < 0 ? -1 : 1);
        bw_nearest_hit nearest;
        assert_int_equal(bw_nearest(&body, &points[i], NULL, &nearest, NULL, NULL), BW_OK);
        if (nearest.distance < 1e-6) /* what sees a triangle edge on sees nothing of it in either sum */
            continue;
        assert_true(fabs(at->winding - truth) < 1e-9);
        *worst = fmax(*worst, fabs(at->winding - truth));
        assert_int_equal(at->side, at->winding > 0.5 ? BW_SIDE_INSIDE : BW_SIDE_OUTSIDE);
    }
    bw_tree_destroy(in.tree);
}

/* ---- a large mesh: threads, caches, orientation ---- */

typedef struct large_body {
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *tree;
} large_body;

static large_body make_large(uint32_t without)
{
    large_body b;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 16}, BW_F32, &b.mesh), BW_OK);
    b.mesh.triangle_count -= without;
    b.view = bws_view(&b.mesh);
    assert_int_equal(bw_tree_create(NULL, &b.view, &b.tree, NULL), BW_OK);
    return b;
}

static void free_large(large_body *b)
{
    bw_tree_destroy(b->tree);
    bws_mesh_free(&b->mesh);
}

static void threads_and_caches_change_nothing(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static bw_vec3 points[MANY];
    static bw_location serial[MANY], other[MANY];
    bws_random random = bws_random_seeded(bw_random_seed_from_env(7));
    for (int i = 0; i < MANY; i++)
        points[i] = (bw_vec3){bws_random_double(&random, -1.2, 1.2), bws_random_double(&random, -1.2, 1.2),
                              bws_random_double(&random, -1.2, 1.2)};
    for (uint32_t without = 0; without <= 9; without += 9) {
        large_body b = make_large(without);
        const bw_body body = {b.tree, &b.view, NULL};
        bw_contains_report first = {0}, report = {0};
        bw_pair_cache *cache = NULL;
        assert_int_equal(bw_contains_many(&body, points, MANY, NULL, serial, &first, NULL), BW_OK);
        assert_int_equal(first.closed, without == 0);
        assert_true(first.inside_count > 100 && first.inside_count < MANY - 100);
        assert_int_equal(bw_pair_cache_create(NULL, &cache, NULL), BW_OK);
        for (uint32_t workers = 1; workers <= 7; workers += workers == 1 ? 1 : 5) {
            bw_pool *pool = test_pool_create(workers);
            const bw_contains_desc desc = {.tasks = bw_pool_tasks(pool), .cache = workers > 1 ? cache : NULL};
            assert_int_equal(bw_contains_many(&body, points, MANY, &desc, other, &report, NULL), BW_OK);
            for (int i = 0; i < MANY; i++)
                assert_true(same(&serial[i], &other[i]));
            assert_true(report.inside_count == first.inside_count &&
                        report.boundary_count == first.boundary_count && report.closed == first.closed);
            bw_pool_destroy(pool);
        }
        /* The cache sees that the tree has changed. */
        const bw_contains_desc desc = {.cache = cache};
        const uint32_t gone = 3;
        assert_int_equal(bw_tree_remove(b.tree, &b.view, &gone, 1, NULL), BW_OK);
        assert_int_equal(bw_contains_many(&body, points, 1, &desc, other, &report, NULL), BW_OK);
        assert_false(report.closed);
        assert_true(report.boundary_count > first.boundary_count);
        bw_pair_cache_destroy(cache);
        free_large(&b);
    }
}

/* A cache without memory keeps nothing, and changes no answer. */
static void caches_may_fail(void **state)
{
    (void)state;
    large_body b = make_large(9);
    const bw_body body = {b.tree, &b.view, NULL};
    const bw_vec3 point = {0.1, 0.2, 0.3};
    bw_location without, with;
    bw_failing_allocator memory;
    bw_pair_cache *cache = NULL;
    bw_failing_allocator_init(&memory);
    assert_int_equal(bw_contains(&body, &point, NULL, &without, NULL, NULL), BW_OK);
    assert_int_equal(bw_pair_cache_create(&memory.hook, &cache, NULL), BW_OK);
    const bw_contains_desc desc = {.cache = cache};
    for (uint64_t n = 1; n <= 4; n++) {
        bw_failing_allocator_fail(&memory, n);
        assert_int_equal(bw_contains(&body, &point, &desc, &with, NULL, NULL), BW_OK);
        bw_failing_allocator_fail_none(&memory);
        assert_true(same(&without, &with));
        bw_pair_cache_reset(cache);
    }
    bw_pair_cache_destroy(cache);
    free_large(&b);
}

/* A hole changes the winding number by what is seen through it, a reflection by nothing. */
static void reflections_keep_the_inside(void **state)
{
    (void)state;
    large_body b = make_large(4);
    bw_transform mirror = bw_transform_identity();
    mirror.m[0][0] = -2;
    const bw_vec3 middle = {0, 0, 0}, away = {9, 1, 0};
    bw_location at;
    for (int i = 0; i < 2; i++) {
        const bw_body body = {b.tree, &b.view, i == 0 ? NULL : &mirror};
        assert_int_equal(bw_contains(&body, &middle, NULL, &at, NULL, NULL), BW_OK);
        assert_true(at.side == BW_SIDE_INSIDE && !at.certain && at.winding > 0.99 && at.winding < 1);
        assert_int_equal(bw_contains(&body, &away, NULL, &at, NULL, NULL), BW_OK);
        assert_true(at.side == BW_SIDE_OUTSIDE && !at.certain && fabs(at.winding) < 0.01);
    }
    free_large(&b);
}

static void refuses(void **state)
{
    (void)state;
    large_body b = make_large(0);
    const bw_body body = {b.tree, &b.view, NULL};
    const bw_vec3 points[3] = {{0, 0, 0}, {0, NAN, 0}, {1e40, 0, 0}};
    bw_location at[3];
    bw_fault fault;
    assert_int_equal(bw_contains(&body, &points[1], NULL, at, NULL, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_contains(&body, &points[2], NULL, at, NULL, &fault), BW_ERROR_RANGE);
    assert_int_equal(bw_contains_many(&body, points, 3, NULL, at, NULL, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(fault.element, 1);
    assert_int_equal(bw_contains(&body, NULL, NULL, at, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_contains(NULL, points, NULL, at, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_contains_many(&body, NULL, 0, NULL, NULL, NULL, &fault), BW_OK);
    assert_int_equal(bw_contains(&body, points, &(bw_contains_desc){.size = 1}, at, NULL, &fault),
                     BW_ERROR_LAYOUT);
    free_large(&b);
    /* A cloud of points has no inside, but can be hit. */
    static const double cloud[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const bw_mesh mesh = {cloud, BW_F64, 4, 0, NULL, 0};
    bw_tree *tree;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    const bw_body dust = {tree, &mesh, NULL};
    const bw_vec3 near = {0.125, 0.125, 0.125};
    assert_int_equal(bw_contains(&dust, points, NULL, at, NULL, NULL), BW_OK);
    assert_true(at->side == BW_SIDE_ON && at->certain);
    assert_int_equal(bw_contains(&dust, &near, NULL, at, NULL, NULL), BW_OK);
    assert_true(at->side == BW_SIDE_OUTSIDE && !at->certain && at->winding == 0);
    bw_tree_destroy(tree);
}

static void decides_closed(void **state)
{
    (void)state;
    BW_EACH_SEED(400, closed_is_exact, NULL);
}

static void decides_open(void **state)
{
    (void)state;
    double worst = 0;
    BW_EACH_SEED(400, open_is_wound, &worst);
    print_message("largest error of a winding number: %g\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decides_closed),
                                       cmocka_unit_test(decides_open),
                                       cmocka_unit_test(threads_and_caches_change_nothing),
                                       cmocka_unit_test(reflections_keep_the_inside),
                                       cmocka_unit_test(caches_may_fail),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
