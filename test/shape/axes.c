/* The facets of the difference of two solids: bounds of the depth against all directions of faces and pairs of edges, for hulls that
 * are round, flat, long, of a lattice, prisms, all but parallel, and of very different sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/vec.h"
#include "oracle/random.h"
#include "scenes/random.h"
#include "shape/axes/axes.h"
#include "shape/pair.h"

#include <boxwood/mesh.h>

enum { MOST = BW_MAP_POINTS, MOST_TRIANGLES = 2 * MOST, MOST_SIDES = 3 * MOST_TRIANGLES };

/* ---- solids ---- */

typedef enum family {
    ROUND,   /* corners on a sphere */
    LATTICE, /* many in a plane, several in one place */
    PRISM,   /* parallel faces and edges */
    NEEDLE,  /* thousands of times longer than wide */
    SHEET,   /* the other way round */
    SLIVERS, /* all but in a plane */
    FAMILIES
} family;

static double any(bws_random *r, double least, double most)
{
    return bws_random_double(r, least, most);
}

static bw_vec3 on_sphere(bws_random *r)
{
    for (;;) {
        const bw_vec3 v = {any(r, -1, 1), any(r, -1, 1), any(r, -1, 1)};
        const double length = sqrt(bw_vec3_dot(v, v));
        if (length > 0.1 && length < 1)
            return bw_vec3_scale(v, 1 / length);
    }
}

static bw_vec3 point_of(bws_random *r, family f, uint32_t i, uint32_t count)
{
    const uint32_t side = i / 2, sides = count / 2;
    const double turn = 6.283185307179586 * side / sides;
    const bw_vec3 p = on_sphere(r);
    switch (f) {
    case LATTICE:
        return (bw_vec3){(double)bws_random_below(r, 3) - 1, (double)bws_random_below(r, 3) - 1,
                         (double)bws_random_below(r, 3) - 1};
    case PRISM:
        return (bw_vec3){cos(turn), sin(turn), i % 2 == 0 ? -0.5 : 0.5};
    case NEEDLE:
        return (bw_vec3){p.x, 1e-4 * p.y, 1e-4 * p.z};
    case SHEET:
        return (bw_vec3){p.x, p.y, 1e-4 * p.z};
    case SLIVERS:
        return (bw_vec3){p.x, p.y, (p.z > 0 ? 0.5 : -0.5) + 1e-9 * p.z};
    default:
        return p;
    }
}

typedef struct solid {
    bw_hull *hull; /* NULL: a box */
    bw_shape shape;
    bw_transform pose;
    bw_placed_shape placed;
    double away; /* of the origin from the middle, along x */
} solid;

static void make_hull(bws_random *r, family f, uint32_t count, solid *out)
{
    bw_vec3 points[MOST];
    *out = (solid){.shape = {.kind = BW_SHAPE_BOX}, .pose = bw_transform_identity()};
    out->placed = (bw_placed_shape){&out->shape, &out->pose};
    out->away = bws_random_below(r, 8) == 0 ? ldexp(1, (int)bws_random_below(r, 30)) : 0;
    for (uint32_t i = 0; i < count; i++) {
        points[i] = point_of(r, f, i, count);
        points[i].x += out->away;
    }
    assert_int_equal(bw_hull_create(NULL, points, count, &out->hull, NULL), BW_OK);
    assert_null(bw_hull_check(out->hull));
    out->shape = (bw_shape){.kind = BW_SHAPE_HULL, .hull = out->hull};
}

static void make_solid(bws_random *r, family f, solid *out)
{
    const uint32_t most = bws_random_below(r, 3) == 0 ? BW_MAP_FEW : bws_random_below(r, 2) == 0 ? 12 : 32;
    if (bws_random_below(r, 5) != 0) {
        make_hull(r, f, 6 + (uint32_t)bws_random_below(r, most - 5), out);
        return;
    }
    *out = (solid){.shape = {.kind = BW_SHAPE_BOX}, .pose = bw_transform_identity()};
    out->placed = (bw_placed_shape){&out->shape, &out->pose};
    out->shape.half = (bw_vec3){any(r, 0.1, 1), any(r, 0.1, 1), any(r, 0.1, 1)};
}

/* ---- every direction that may be that of a facet ---- */

typedef struct corners {
    int count, sides, triangles;
    bw_vec3 p[MOST], side[MOST_SIDES], normal[MOST_TRIANGLES];
    double size;
} corners;

static void corners_of_box(const bw_convex *c, corners *out)
{
    for (int k = 0; k < 3; k++)
        out->side[out->sides++] = c->edge[k];
    for (int k = 0; k < 3; k++)
        out->normal[out->triangles++] = bw_vec3_cross(c->edge[k], c->edge[(k + 1) % 3]);
}

static void corners_of(const bw_convex *c, bw_vec3 origin, corners *out)
{
    out->count = out->sides = out->triangles = 0;
    for (uint32_t i = 0; i < c->count; i++)
        out->p[out->count++] = bw_vec3_sub(bw_convex_point(c, i), origin);
    if (c->core == BW_CORE_BOX) {
        corners_of_box(c, out);
        return;
    }
    for (uint32_t t = 0; t < c->hull->triangle_count; t++) {
        const uint32_t *v = &c->hull->indices[3 * t];
        const bw_vec3 e[3] = {bw_vec3_sub(out->p[v[1]], out->p[v[0]]),
                              bw_vec3_sub(out->p[v[2]], out->p[v[1]]),
                              bw_vec3_sub(out->p[v[0]], out->p[v[2]])};
        for (int k = 0; k < 3; k++)
            if (v[k] < v[(k + 1) % 3])
                out->side[out->sides++] = e[k];
        out->normal[out->triangles++] = bw_vec3_cross(e[0], e[1]);
    }
}

/* How deep they are along a direction of length 1. */
static double depth_along(const corners *a, const corners *b, bw_vec3 n)
{
    double most = -INFINITY, least = INFINITY;
    for (int i = 0; i < a->count; i++)
        most = fmax(most, bw_vec3_dot(n, a->p[i]));
    for (int i = 0; i < b->count; i++)
        least = fmin(least, bw_vec3_dot(n, b->p[i]));
    return most - least;
}

static double least_of(const corners *a, const corners *b, bw_vec3 d, double scale, double least)
{
    const double length = sqrt(bw_vec3_dot(d, d));
    if (!(length > 1e-7 * scale))
        return least;
    const bw_vec3 n = bw_vec3_scale(d, 1 / length);
    return fmin(least, fmin(depth_along(a, b, n), depth_along(a, b, bw_vec3_minus(n))));
}

static double least_depth(const corners *a, const corners *b)
{
    double least = INFINITY;
    for (int i = 0; i < a->triangles; i++)
        least = least_of(a, b, a->normal[i], 0, least);
    for (int i = 0; i < b->triangles; i++)
        least = least_of(a, b, b->normal[i], 0, least);
    for (int i = 0; i < a->sides; i++)
        for (int j = 0; j < b->sides; j++) {
            const bw_vec3 u = a->side[i], v = b->side[j];
            least = least_of(a, b, bw_vec3_cross(u, v), sqrt(bw_vec3_dot(u, u) * bw_vec3_dot(v, v)), least);
        }
    return least;
}

/* ---- what is found ---- */

typedef bool contact_fn(bw_gjk *g, double limit, bw_gap *out);

static bool run(contact_fn *fn, const bw_convex *a, const bw_convex *b, bw_gap *out)
{
    bw_gjk g;
    bw_gjk_begin(&g, a, b, NULL);
    memset(out, 0, sizeof *out);
    return fn(&g, 0, out);
}

static void same_vec(bw_vec3 a, bw_vec3 b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

/* Bit by bit, but for what is between the numbers. */
static void same_gap(const bw_gap *a, const bw_gap *b)
{
    assert_memory_equal(&a->lower, &b->lower, sizeof a->lower);
    assert_memory_equal(&a->upper, &b->upper, sizeof a->upper);
    same_vec(a->normal, b->normal);
    same_vec(a->on_a, b->on_a);
    same_vec(a->on_b, b->on_b);
    assert_true(a->face_a == b->face_a && a->face_b == b->face_b && a->rough == b->rough);
}

static bool at_all_levels(const bw_convex *a, const bw_convex *b, bw_gap *out)
{
    const bool found = run(bw_axes_contact_128, a, b, out);
#if BW_SIMD_X86
    bw_gap other;
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2) {
        assert_int_equal(run(bw_axes_contact_avx2, a, b, &other), found);
        if (found)
            same_gap(&other, out);
    }
#endif
    return found;
}

static bool holds(const bw_convex *c, bw_vec3 at, double noise)
{
    const bw_shape point = {.kind = BW_SHAPE_SPHERE};
    bw_transform pose = bw_transform_identity();
    bw_convex other;
    bw_shape_nearest nearest;
    pose.m[0][3] = at.x;
    pose.m[1][3] = at.y;
    pose.m[2][3] = at.z;
    assert_int_equal(bw_convex_place(&point, &pose, &other), BW_OK);
    bw_pair_distance(c, &other, NULL, &nearest);
    return nearest.distance <= noise;
}

/* As deep as the contact, and points of the two. */
static void check_points(const bw_convex *a, const bw_convex *b, const bw_gap *gap)
{
    const bw_vec3 d = bw_vec3_sub(gap->on_a, gap->on_b);
    const double margin = bw_convex_margin(a, b), noise = 1e-6 * (a->size + b->size);
    assert_true(fabs(bw_vec3_dot(d, gap->normal) + gap->lower) <= 40 * margin);
    if (gap->rough)
        return;
    assert_true(holds(a, bw_vec3_add(a->at, gap->on_a), noise));
    assert_true(holds(b, bw_vec3_add(a->at, gap->on_b), noise));
}

/* Points are on both, however they were found: up to four, or the only one that is asked for. */
static void check_contact(const bw_convex *a, const bw_convex *b)
{
    const double noise = 1e-6 * (a->size + b->size), margin = bw_convex_margin(a, b);
    bw_shape_contact all, one;
    bw_pair_contact(a, b, 0, BW_PAIR_POINTS, NULL, &all);
    bw_pair_contact(a, b, 0, 1, NULL, &one);
    assert_int_equal(all.kind, one.kind);
    assert_int_equal(one.point_count, all.point_count > 0);
    for (uint32_t i = 0; i < all.point_count; i++) {
        assert_true(holds(a, all.points[i].point_a, noise));
        assert_true(holds(b, all.points[i].point_b, noise));
    }
    if (one.point_count == 0)
        return;
    assert_true(fabs(one.depth - all.depth) <= 64 * margin);
    for (uint32_t i = 0; i < all.point_count; i++)
        assert_true(all.points[i].depth <= one.points[0].depth + noise);
    assert_true(holds(a, one.points[0].point_a, noise));
    assert_true(holds(b, one.points[0].point_b, noise));
}

typedef struct counts {
    uint64_t crossing, found;
} counts;

static void check(const bw_convex *a, const bw_convex *b, counts *n)
{
    static corners ca, cb; /* of one thread */
    bw_gap gap;
    const double margin = bw_convex_margin(a, b), rounding = 64 * margin;
    const bool found = at_all_levels(a, b, &gap);
    corners_of(a, a->at, &ca);
    corners_of(b, a->at, &cb);
    const double least = least_depth(&ca, &cb);
    n->crossing += least > 1e-6 * (a->reach + b->reach);
    if (!found)
        return;
    assert_true(fabs(bw_vec3_dot(gap.normal, gap.normal) - 1) <= 1e-12);
    assert_true(depth_along(&ca, &cb, gap.normal) <= -gap.lower + margin);
    if (gap.upper == INFINITY) {
        assert_true(gap.lower > 0 && least < 0);
        return;
    }
    n->found += least > 1e-6 * (a->reach + b->reach);
    assert_true(-gap.upper <= least + margin && -gap.lower >= least - margin);
    assert_true(gap.upper - gap.lower <= rounding);
    check_points(a, b, &gap);
    check_contact(a, b);
}

static void turn(bws_random *r, bw_transform *pose, double angle)
{
    const bw_transform t = bw_transform_compose((bw_vec3){0, 0, 0}, on_sphere(r), angle, (bw_vec3){1, 1, 1});
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            pose->m[i][j] = t.m[i][j];
}

/* Places two solids in one of many ways, looks at them and destroys them. */
static void check_pair(bws_random *r, solid s[2], counts *n)
{
    bw_convex a, b;
    const uint64_t how = bws_random_below(r, 6);
    if (how > 1) /* else side by side, with parallel faces and edges */
        turn(r, &s[0].pose, any(r, -3, 3));
    if (how == 2)
        memcpy(&s[1].pose, &s[0].pose, sizeof s[1].pose);
    if (how == 3) { /* all but parallel */
        memcpy(&s[1].pose, &s[0].pose, sizeof s[1].pose);
        turn(r, &s[1].pose, ldexp(1, -(int)bws_random_below(r, 55)));
        s[1].pose = bw_transform_multiply(&s[0].pose, &s[1].pose);
    }
    if (how > 3)
        turn(r, &s[1].pose, any(r, -3, 3));
    for (int i = 0; i < 9 && bws_random_below(r, 4) == 0; i++) /* a rotation only to 1e-9 */
        s[i & 1].pose.m[i / 3][i % 3] += any(r, -1e-10, 1e-10);
    const double far = how == 5 ? 1000 : 0, reach = bws_random_below(r, 8) == 0 ? 0 : any(r, 0, 1);
    for (int i = 0; i < 3; i++) {
        const double at = far * any(r, -1, 1);
        s[0].pose.m[i][3] = at;
        s[1].pose.m[i][3] = at + (how == 0 ? (double)bws_random_below(r, 3) / 2 : any(r, -reach, reach));
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            s[k].pose.m[i][3] -= s[k].pose.m[i][0] * s[k].away;
    if (bw_pair_place(&s[0].placed, &s[1].placed, &a, &b, NULL) == BW_OK)
        check(&a, &b, n);
    bw_hull_destroy(s[0].hull);
    bw_hull_destroy(s[1].hull);
}

static family any_family(bws_random *r)
{
    return (family)bws_random_below(r, FAMILIES);
}

static void check_solids(bws_random *r, void *user)
{
    solid s[2];
    make_solid(r, any_family(r), &s[0]);
    make_solid(r, any_family(r), &s[1]);
    check_pair(r, s, user);
}

static void solids(void **state)
{
    (void)state;
    counts n = {0, 0};
    BW_EACH_SEED(1200, check_solids, &n);
    print_message("%llu of %llu\n", (unsigned long long)n.found, (unsigned long long)n.crossing);
    assert_true(n.found * 10 >= n.crossing * 7);
}

/* Of which at least one has so many corners that only a part of it is looked at. */
static void check_large(bws_random *r, void *user)
{
    solid s[2];
    const int large = (int)bws_random_below(r, 2);
    make_hull(r, bws_random_below(r, 3) == 0 ? any_family(r) : ROUND,
              BW_MAP_FEW + 1 + (uint32_t)bws_random_below(r, MOST - BW_MAP_FEW), &s[large]);
    if (bws_random_below(r, 4) == 0)
        make_hull(r, ROUND, 70, &s[1 - large]);
    else
        make_solid(r, any_family(r), &s[1 - large]);
    check_pair(r, s, user);
}

static void large_solids(void **state)
{
    (void)state;
    counts n = {0, 0};
    BW_EACH_SEED(80, check_large, &n);
    print_message("%llu of %llu\n", (unsigned long long)n.found, (unsigned long long)n.crossing);
    assert_true(n.found * 3 >= n.crossing);
}

/* Corners on spheres, most of one pair, without anything parallel: always found. */
static void check_round(bws_random *r, void *user)
{
    counts *n = user;
    solid s[2];
    bw_convex a, b;
    for (int k = 0; k < 2; k++) {
        make_solid(r, ROUND, &s[k]);
        turn(r, &s[k].pose, any(r, -3, 3));
        for (int i = 0; i < 3; i++)
            s[k].pose.m[i][3] = any(r, -0.7, 0.7) - s[k].pose.m[i][0] * s[k].away;
    }
    assert_int_equal(bw_pair_place(&s[0].placed, &s[1].placed, &a, &b, NULL), BW_OK);
    check(&a, &b, n);
    bw_hull_destroy(s[0].hull);
    bw_hull_destroy(s[1].hull);
}

static void round_solids(void **state)
{
    (void)state;
    counts n = {0, 0};
    BW_EACH_SEED(400, check_round, &n);
    print_message("%llu of %llu\n", (unsigned long long)n.found, (unsigned long long)n.crossing);
    assert_true(n.found * 100 >= n.crossing * 99);
}

/* A tiny one inside of, and across the surface of, one up to ten thousand times as large. */
static void check_sizes(bws_random *r, void *user)
{
    bw_vec3 points[2][20];
    solid s[2];
    bw_convex a, b;
    const double scale = ldexp(1, (int)bws_random_below(r, 14));
    for (int k = 0; k < 2; k++) {
        s[k] = (solid){.shape = {.kind = BW_SHAPE_HULL}, .pose = bw_transform_identity()};
        s[k].placed = (bw_placed_shape){&s[k].shape, &s[k].pose};
        for (int i = 0; i < 20; i++)
            points[k][i] = bw_vec3_scale(on_sphere(r), k == 0 ? scale : 1);
        assert_int_equal(bw_hull_create(NULL, points[k], 20, &s[k].hull, NULL), BW_OK);
        s[k].shape.hull = s[k].hull;
        turn(r, &s[k].pose, any(r, -3, 3));
    }
    const bw_vec3 at = bw_vec3_scale(on_sphere(r), scale * any(r, 0, 1.1));
    s[1].pose.m[0][3] = at.x;
    s[1].pose.m[1][3] = at.y;
    s[1].pose.m[2][3] = at.z;
    assert_int_equal(bw_pair_place(&s[0].placed, &s[1].placed, &a, &b, NULL), BW_OK);
    check(&a, &b, user);
    check(&b, &a, user);
    bw_hull_destroy(s[0].hull);
    bw_hull_destroy(s[1].hull);
}

static void sizes(void **state)
{
    (void)state;
    counts n = {0, 0};
    BW_EACH_SEED(200, check_sizes, &n);
    print_message("%llu of %llu\n", (unsigned long long)n.found, (unsigned long long)n.crossing);
    assert_true(n.found * 2 >= n.crossing);
}

/* Boxes without thickness or width, or next to none, among others, flat beside each other or anyhow. */
static void check_flat(bws_random *r, void *user)
{
    bw_shape shape[2];
    bw_transform pose[2];
    bw_convex c[2];
    const uint64_t turned = bws_random_below(r, 3);
    (void)user;
    for (int k = 0; k < 2; k++) {
        double half[3];
        for (int i = 0; i < 3; i++)
            half[i] = bws_random_below(r, 4) == 0
                          ? (bws_random_below(r, 3) == 0 ? ldexp(1, -(int)bws_random_below(r, 70)) : 0)
                          : any(r, 0.1, 1);
        shape[k] = (bw_shape){.kind = BW_SHAPE_BOX, .half = {half[0], half[1], half[2]}};
        pose[k] = bw_transform_identity();
        if (turned == 2)
            turn(r, &pose[k], any(r, -3, 3));
        else if (turned == 1)
            pose[k] = bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, any(r, -3, 3),
                                           (bw_vec3){1, 1, 1});
        for (int i = 0; i < 3; i++)
            pose[k].m[i][3] = bws_random_below(r, 5) == 0 ? 0 : any(r, -0.6, 0.6);
    }
    const bw_placed_shape a = {&shape[0], &pose[0]}, b = {&shape[1], &pose[1]};
    assert_int_equal(bw_pair_place(&a, &b, &c[0], &c[1], NULL), BW_OK);
    check_contact(&c[0], &c[1]);
    check_contact(&c[1], &c[0]);
}

static void flat_boxes(void **state)
{
    (void)state;
    BW_EACH_SEED(4000, check_flat, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solids), cmocka_unit_test(large_solids),
                                       cmocka_unit_test(round_solids), cmocka_unit_test(sizes),
                                       cmocka_unit_test(flat_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
