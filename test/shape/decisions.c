/* Every pair of kinds in random and adversarial poses: the kind of contact against exact rationals, distances
 * against all pairs of features, depths against what directions prove, and both orders of the shapes.
 *
 * The ordinary run is of some thousands of pairs; BOXWOOD_SEED_FACTOR=k runs k times as many
 * (BOXWOOD_SEED_FACTOR=200: beyond a million). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "oracle/random.h"
#include "shape/shapes.h"

enum { KINDS = 5 };

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* How far b must move along d, of length 1, to be clear of a. */
static double depth_along(const bw_oracle_convex *a, const bw_oracle_convex *b, bw_vec3 d)
{
    double most = -INFINITY, least = INFINITY;
    for (int i = 0; i < a->count; i++)
        most = fmax(most, dot(d, a->points[i]));
    for (int i = 0; i < b->count; i++)
        least = fmin(least, dot(d, b->points[i]));
    return most - least + a->radius + b->radius;
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bw_vec3 from_to(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){b.x - a.x, b.y - a.y, b.z - a.z};
}

static double least_along(const bw_oracle_convex *a, const bw_oracle_convex *b, bw_vec3 d, double size)
{
    const double length = sqrt(dot(d, d));
    if (!(length > 1e-6 * size * size)) /* of products of two edges */
        return INFINITY;
    const bw_vec3 n = {d.x / length, d.y / length, d.z / length}, m = {-n.x, -n.y, -n.z};
    return fmin(depth_along(a, b, n), depth_along(a, b, m));
}

/* The least depth over the normals of all triangles of corners and of all pairs of edges: the faces of the differences of
 * both are among them. */
static double least_depth(const bw_oracle_convex *a, const bw_oracle_convex *b, double size)
{
    const bw_oracle_convex *sides[2] = {a, b};
    double least = INFINITY;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < sides[s]->count; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++) {
                    const bw_vec3 *p = sides[s]->points;
                    least =
                        fmin(least, least_along(a, b, cross(from_to(p[i], p[j]), from_to(p[i], p[k])), size));
                }
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < b->count; k++)
                for (int l = 0; l < k; l++)
                    least = fmin(least, least_along(a, b,
                                                    cross(from_to(a->points[i], a->points[j]),
                                                          from_to(b->points[k], b->points[l])),
                                                    size));
    return least;
}

static bw_vec3 direction(bws_random *random)
{
    for (;;) {
        const bw_vec3 v = {bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                           bws_random_double(random, -1, 1)};
        const double length = sqrt(dot(v, v));
        if (length > 0.1 && length < 1)
            return (bw_vec3){v.x / length, v.y / length, v.z / length};
    }
}

static void check_contact(bws_random *random, const bw_shape_contact *c, bw_contact_kind kind,
                          const bw_oracle_convex *a, const bw_oracle_convex *b, double size)
{
    assert_int_equal(c->kind, kind);
    assert_int_equal(c->point_count > 0, kind != BW_CONTACT_NONE);
    if (kind == BW_CONTACT_NONE)
        return;
    assert_true(fabs(dot(c->normal, c->normal) - 1) < 1e-8);
    assert_true(c->depth >= 0 && c->depth_lower >= 0 && c->depth_lower <= c->depth);
    if (a->count == 0 || b->count == 0)
        return;
    assert_true(depth_along(a, b, c->normal) <= c->depth + 1e-12 * size);
    for (int i = 0; i < 20; i++)
        assert_true(depth_along(a, b, direction(random)) >= c->depth_lower - 1e-12 * size);
    for (uint32_t i = 0; i < c->point_count; i++) {
        const bw_shape_point *p = &c->points[i];
        const bw_vec3 d = {p->point_a.x - p->point_b.x, p->point_a.y - p->point_b.y,
                           p->point_a.z - p->point_b.z};
        assert_true(fabs(dot(d, c->normal) - p->depth) <= 1e-7 * size);
        assert_true(p->depth <= c->depth + 1e-7 * size);
    }
}

/* Cores that cross: both bounds are the least depth. */
static void check_least(const bw_shape_contact *c, const bw_oracle_convex *a, const bw_oracle_convex *b,
                        double size)
{
    if (c->kind != BW_CONTACT_CROSSING || a->count < 2 || b->count < 2 || a->count * b->count > 100)
        return;
    const double least = least_depth(a, b, size);
    if (!(least > a->radius + b->radius + 1e-6 * size) || least == INFINITY)
        return;
    assert_true(fabs(c->depth - least) <= 1e-9 * size);
    assert_true(fabs(c->depth_lower - least) <= 1e-9 * size);
}

static void check_mirrored(const bw_shape_contact *c, const bw_shape_contact *m, bool same)
{
    assert_int_equal(c->kind, m->kind);
    assert_true(c->depth == m->depth && c->depth_lower == m->depth_lower);
    assert_int_equal(c->point_count, m->point_count);
    if (same)
        return;
    assert_true(c->normal.x == -m->normal.x && c->normal.y == -m->normal.y && c->normal.z == -m->normal.z);
    for (uint32_t i = 0; i < c->point_count; i++) {
        assert_true(c->points[i].point_a.x == m->points[i].point_b.x);
        assert_true(c->points[i].point_b.y == m->points[i].point_a.y);
        assert_true(c->points[i].depth == m->points[i].depth);
    }
}

static void check_pair(bws_random *random, test_family family, int kind_a, int kind_b)
{
    test_shape s[2];
    bw_contact_kind kind;
    bw_shape_contact contact, mirrored;
    bw_shape_nearest nearest;
    bw_shape_cache cache = {0};
    const bw_shape_desc warm = {.cache = &cache};
    test_shapes_make(random, family, kind_a, kind_b, s);
    const bw_oracle_convex a = test_shape_oracle(&s[0]), b = test_shape_oracle(&s[1]);
    const double size = test_shapes_size(&a, &b);
    const bw_contact_kind truth = bw_oracle_convex_contact(&a, &b, family == TEST_NEEDLES);
    assert_int_equal(bw_shape_overlap(&s[0].placed, &s[1].placed, &kind, NULL), BW_OK);
    assert_int_equal(kind, truth);
    assert_int_equal(bw_shape_contact_pair(&s[0].placed, &s[1].placed, NULL, &contact, NULL), BW_OK);
    check_contact(random, &contact, truth, &a, &b, size);
    if (family == TEST_RANDOM || family == TEST_ALIGNED || family == TEST_LATTICE ||
        family == TEST_COINCIDENT)
        check_least(&contact, &a, &b, size);
    assert_int_equal(bw_shape_contact_pair(&s[1].placed, &s[0].placed, NULL, &mirrored, NULL), BW_OK);
    check_mirrored(&contact, &mirrored, family == TEST_COINCIDENT);
    assert_int_equal(bw_shape_distance(&s[0].placed, &s[1].placed, &warm, &nearest, NULL), BW_OK);
    assert_int_equal(nearest.distance == 0, truth != BW_CONTACT_NONE);
    if (truth != BW_CONTACT_NONE && family != TEST_NEEDLES) { /* a point of both */
        const bw_shape dot_shape = {.kind = BW_SHAPE_SPHERE, .radius = 1e-11 * size};
        bw_transform there = bw_transform_identity();
        there.m[0][3] = nearest.point_a.x;
        there.m[1][3] = nearest.point_a.y;
        there.m[2][3] = nearest.point_a.z;
        const bw_placed_shape point = {&dot_shape, &there};
        for (int k = 0; k < 2 && a.count > 0 && b.count > 0 && bw_shape_check(&point, NULL) == BW_OK; k++) {
            assert_int_equal(bw_shape_overlap(&s[k].placed, &point, &kind, NULL), BW_OK);
            assert_int_not_equal(kind, BW_CONTACT_NONE);
        }
    }
    if (truth == BW_CONTACT_NONE && a.count > 0 && b.count > 0) {
        const double distance = bw_oracle_convex_distance(&a, &b) - (a.radius + b.radius);
        assert_true(fabs(distance - nearest.distance) <= 1e-12 * size);
    }
    for (int round = 0; round < 2; round++) { /* with what the last query left */
        assert_int_equal(bw_shape_contact_pair(&s[0].placed, &s[1].placed, &warm, &contact, NULL), BW_OK);
        check_contact(random, &contact, truth, &a, &b, size);
    }
    for (uint32_t most = 1; most <= 4; most++) {
        const bw_shape_desc few = {.max_points = most};
        assert_int_equal(bw_shape_contact_pair(&s[0].placed, &s[1].placed, &few, &contact, NULL), BW_OK);
        check_contact(random, &contact, truth, &a, &b, size);
        assert_true(contact.point_count <= most);
    }
    test_shapes_free(s);
}

static void every_kind(bws_random *random, void *user)
{
    const test_family family = *(const test_family *)user;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++)
            check_pair(random, family, a, b);
}

#define FAMILY(name, which)                                                                                  \
    static void name(void **state)                                                                           \
    {                                                                                                        \
        test_family family = which;                                                                          \
        (void)state;                                                                                         \
        bw_each_seed(#name, 25, every_kind, &family);                                                        \
    }

/* clang-format off */
FAMILY(random_poses, TEST_RANDOM)
FAMILY(lattice_poses, TEST_LATTICE)
FAMILY(aligned_poses, TEST_ALIGNED)
FAMILY(nearly_lattice, TEST_NEARLY)
FAMILY(unequal_scales, TEST_SCALES)
FAMILY(needles, TEST_NEEDLES)
FAMILY(coincident, TEST_COINCIDENT)
FAMILY(tangent, TEST_TANGENT)
FAMILY(closed_in, TEST_CLOSED_IN)
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_poses),   cmocka_unit_test(lattice_poses),  cmocka_unit_test(aligned_poses),
        cmocka_unit_test(nearly_lattice), cmocka_unit_test(unequal_scales), cmocka_unit_test(needles),
        cmocka_unit_test(coincident),     cmocka_unit_test(tangent),        cmocka_unit_test(closed_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
