/* Rays made to be hard: through vertices and edges, in planes of triangles, along axes and edges, from on the
 * surface and from far away, at lattices, coplanar triangles, slivers and triangles without area, of any
 * size: the contacts of brute force with the exact test, in every bit. BOXWOOD_SEED_FACTOR=500 makes ten
 * million. */
#include "collide/distance/distance.h"
#include "collide/ray/cast.h"
#include "geom/ray.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { VERTICES = 40, TRIANGLES = 48, RAYS = 1000 };

typedef struct crowd {
    float floats[3 * VERTICES];
    double doubles[3 * VERTICES];
    uint32_t indices[3 * TRIANGLES];
    bw_mesh mesh;
    bw_tree *tree;
    bw_transform pose;
    bw_body body;
    bw_vec3 corners[TRIANGLES][3]; /* where the pose puts them */
} crowd;

static uint32_t below(bws_random *random, uint32_t n)
{
    return (uint32_t)bws_random_below(random, n);
}

static double coordinate(bws_random *random, uint32_t kind)
{
    if (kind == 0 || kind == 1) /* a lattice, coarse or fine */
        return kind == 0 ? (double)bws_random_int(random, -2, 2)
                         : (double)bws_random_int(random, -40, 40) * 0.0625;
    return bws_random_double(random, -1, 1);
}

/* Some vertices are made from others: on the line between two, or all but. */
static void align(bws_random *random, crowd *c)
{
    for (uint32_t i = VERTICES / 2; i < VERTICES; i++) {
        const uint32_t a = below(random, VERTICES / 2), b = below(random, VERTICES / 2);
        const double at = (double)bws_random_int(random, -4, 8) * 0.25,
                     off = below(random, 2) == 0 ? 0.0 : ldexp(1.0, -(int)below(random, 50));
        for (uint32_t k = 0; k < 3; k++)
            c->doubles[3 * i + k] = c->doubles[3 * a + k] +
                                    at * (c->doubles[3 * b + k] - c->doubles[3 * a + k]) +
                                    (k == 1 ? off : 0.0);
    }
}

static bw_transform make_pose(bws_random *random)
{
    bw_transform pose = bws_random_rigid(random, 2.0);
    switch (below(random, 4)) {
    case 0: /* exact: turned by a quarter, and moved by a whole number */
        pose = (bw_transform){{{0, -1, 0, 3}, {1, 0, 0, -1}, {0, 0, 1, 0.5}}};
        break;
    case 1: /* flat */
        for (int j = 0; j < 3; j++)
            pose.m[2][j] = 0.0;
        break;
    case 2:
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                pose.m[i][j] = bws_random_double(random, -1, 1);
        break;
    default:
        break;
    }
    return pose;
}

static void make(bws_random *random, crowd *c)
{
    static const double units[] = {1, 1, 1, 0x1p-12, 0x1p-28, 0x1p-60, 0x1p18, 0x1p40};
    static const double offsets[] = {0, 0, 0, 1, 1000, 0x1p20};
    const uint32_t kind = below(random, 5);
    const double unit = units[below(random, 8)], offset = offsets[below(random, 6)];
    for (uint32_t i = 0; i < 3 * VERTICES; i++)
        c->doubles[i] = coordinate(random, kind);
    if (below(random, 2) == 0)
        align(random, c);
    if (kind == 3) { /* in one plane, across an axis or not */
        const double slope = below(random, 2) == 0 ? 0.0 : 0.25;
        for (uint32_t i = 0; i < VERTICES; i++)
            c->doubles[3 * i + 2] = 0.5 + slope * c->doubles[3 * i];
    }
    for (uint32_t i = 0; i < 3 * VERTICES; i++) {
        c->doubles[i] = (c->doubles[i] + offset) * unit;
        c->floats[i] = (float)c->doubles[i];
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        c->indices[i] = below(random, VERTICES); /* some have no area */
    const bool floats = below(random, 2) == 0;
    c->mesh = (bw_mesh){.positions = floats ? (const void *)c->floats : c->doubles,
                        .scalar = floats ? BW_F32 : BW_F64,
                        .vertex_count = VERTICES,
                        .indices = c->indices,
                        .triangle_count = TRIANGLES};
    const bw_tree_desc desc = {.compact = below(random, 6) == 0};
    assert_int_equal(bw_tree_create(&desc, &c->mesh, &c->tree, NULL), BW_OK);
    if (below(random, 4) > 0)
        assert_int_equal(bw_tree_prepare_rays(c->tree, &c->mesh, NULL, NULL), BW_OK);
    const bool posed = below(random, 4) == 0;
    if (posed)
        c->pose = make_pose(random);
    c->body = (bw_body){.tree = c->tree, .mesh = &c->mesh, .pose = posed ? &c->pose : NULL};
    for (uint32_t p = 0; p < TRIANGLES; p++)
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t v = 3 * c->indices[3 * p + i];
            bw_vec3 at = {c->doubles[v], c->doubles[v + 1], c->doubles[v + 2]};
            if (floats)
                at = (bw_vec3){(double)c->floats[v], (double)c->floats[v + 1], (double)c->floats[v + 2]};
            c->corners[p][i] = posed ? bw_transform_point(&c->pose, at) : at;
        }
}

/* a + s (b - a) */
static bw_vec3 along(bw_vec3 a, bw_vec3 b, double s)
{
    return (bw_vec3){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z)};
}

/* A point of interest of a triangle: a corner, on an edge or its line, inside, in the plane; perhaps a hair
 * off. */
static bw_vec3 point_at(bws_random *random, const bw_vec3 v[3])
{
    bw_vec3 p = v[below(random, 3)];
    switch (below(random, 6)) {
    case 0:
        p = along(v[0], v[1], 0.5);
        break;
    case 1:
        p = along(v[1], v[2], (double)bws_random_int(random, -2, 6) * 0.25);
        break;
    case 2:
        p = along(along(v[0], v[1], 0.5), v[2], 0.25);
        break;
    case 3:
        p = along(along(v[0], v[1], (double)bws_random_int(random, -3, 5)), v[2], 0.5);
        break;
    default:
        break;
    }
    if (below(random, 4) == 0)
        p.y = nextafter(p.y, below(random, 2) == 0 ? INFINITY : -INFINITY);
    return p;
}

static bw_ray make_ray(bws_random *random, const crowd *c)
{
    static const double steps[] = {1, 1, 1, 0.25, 3, 0x1p-30, 0x1p20};
    static const double fars[] = {1, 3, 1000, 0x1p20, 0x1p45};
    const bw_vec3 *v = c->corners[below(random, TRIANGLES)], *w = c->corners[below(random, TRIANGLES)];
    bw_vec3 to = point_at(random, v), from = point_at(random, below(random, 2) == 0 ? v : w);
    const double size = fabs(v[0].x - w[1].x) + fabs(v[0].y - w[1].y) + fabs(v[0].z - w[1].z);
    const bw_vec3 d = bws_random_direction(random);
    const double far = size * fars[below(random, 5)];
    switch (below(random, 6)) {
    case 0: /* along an axis */
        from = to;
        *(below(random, 3) == 0 ? &from.x : below(random, 2) == 0 ? &from.y : &from.z) += far;
        break;
    case 1: /* across one */
        from = (bw_vec3){to.x + far * d.x, to.y, to.z + far * d.z};
        break;
    case 2: /* from anywhere */
    case 3:
        from = (bw_vec3){to.x + far * d.x, to.y + far * d.y, to.z + far * d.z};
        break;
    default: /* from another such point: along edges and in planes, too */
        break;
    }
    bw_ray ray = {.origin = from, .between = true, .direction = along(from, to, steps[below(random, 7)])};
    if (below(random, 8) == 0)
        ray.t_max = bws_random_double(random, 0.01, 2);
    else if (below(random, 8) == 0) /* of a contact, if there is any */
        (void)bw_ray_triangle(&ray.origin, &ray.direction, v, &ray.t_max);
    double *coordinates[6] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z,
                              &ray.direction.x, &ray.direction.y, &ray.direction.z};
    for (int i = 0; i < 6; i++) /* what rounding left of a zero would be an error */
        if (fabs(*coordinates[i]) < 0x1p-290)
            *coordinates[i] = 0.0;
    ray.t_max = ray.t_max >= 0.0 ? ray.t_max : 0.0;
    if (below(random, 3) == 0) { /* by a direction of some length */
        static const double lengths[] = {1, 1, 0.5, 0.3, 7, 0x1p-19, 0x1p-25, 0x1p25};
        const double length = lengths[below(random, 8)];
        const bw_vec3 *o = &ray.origin, p = ray.direction;
        ray.direction = (bw_vec3){length * (p.x - o->x), length * (p.y - o->y), length * (p.z - o->z)};
        ray.t_max /= length;
        ray.between = false;
    }
    if (!bw_ray_has_length(&ray)) /* would be an error */
        ray.direction.y += 1 + fabs(ray.origin.y);
    return ray;
}

/* The two points that answers are exact for, and 2^k of the direction between them. */
typedef struct line {
    bw_vec3 from, through;
    int k;
} line;

static line line_of(const bw_ray *ray)
{
    line out = {.from = ray->origin};
    out.through = bw_ray_second_point(ray, &out.k);
    return out;
}

typedef struct truth {
    bw_ray_hit first;
    uint64_t hits;
} truth;

static truth truth_of(const crowd *c, const bw_ray *ray)
{
    truth out = {{BW_NONE, BW_CONTACT_NONE, (double)INFINITY}, 0};
    const line l = line_of(ray);
    for (uint32_t p = 0; p < TRIANGLES; p++) {
        double t;
        const bw_contact_kind kind = bw_ray_triangle(&l.from, &l.through, c->corners[p], &t);
        if (kind == BW_CONTACT_NONE || (ray->t_max > 0 && t > ldexp(ray->t_max, -l.k)))
            continue;
        t = ldexp(t, l.k);
        out.hits++;
        if (t < out.first.t)
            out.first = (bw_ray_hit){p, kind, t};
    }
    return out;
}

static void assert_same(const bw_ray_hit *a, const bw_ray_hit *b)
{
    assert_int_equal(a->primitive, b->primitive);
    assert_int_equal(a->kind, b->kind);
    assert_true(a->t == b->t);
}

/* Without a report there is a shorter way. */
static void assert_same_alone(bw_simd level, const crowd *c, const bw_ray *ray, bw_ray_mode mode,
                              const bw_ray_hit *expected)
{
    const bw_raycast_desc desc = {.mode = mode};
    bw_ray_hit hit;
    assert_int_equal(bw_raycast_at(level, &c->body, ray, &desc, &hit, NULL), BW_OK);
    assert_same(&hit, expected);
}

/* Some contact, as the exact test finds it. */
static void assert_contact(const crowd *c, const bw_ray *ray, const bw_ray_hit *hit, bool expected)
{
    double t = -1;
    assert_int_equal(hit->primitive != BW_NONE, expected);
    if (!expected)
        return;
    const line l = line_of(ray);
    assert_int_equal(bw_ray_triangle(&l.from, &l.through, c->corners[hit->primitive], &t), hit->kind);
    t = ldexp(t, l.k);
    assert_true(t == hit->t && (ray->t_max == 0 || t <= ray->t_max));
}

static void hard(bws_random *random, void *user)
{
    (void)user;
    static crowd c;
    static bw_ray rays[RAYS];
    static bw_ray_hit near[RAYS], any[RAYS];
    make(random, &c);
    for (uint32_t i = 0; i < RAYS; i++)
        rays[i] = make_ray(random, &c);
    /* The best level three times in four. */
    const bw_simd level = below(random, 4) > 0 ? BW_SIMD_AUTO : (bw_simd)(1 + below(random, 3));
    bw_raycast_desc desc = {0};
    uint32_t bad;
    assert_int_equal(bw_raycast_many_at(level, &c.body, rays, RAYS, &desc, near, NULL, &bad), BW_OK);
    desc.mode = BW_RAY_ANY;
    assert_int_equal(bw_raycast_many_at(level, &c.body, rays, RAYS, &desc, any, NULL, &bad), BW_OK);
    for (uint32_t i = 0; i < RAYS; i++) {
        const truth expected = truth_of(&c, &rays[i]);
        const bw_ray one_ray = rays[i];
        bw_raycast_desc one = {0};
        bw_raycast_report answer = {0};
        bw_ray_hit answer_hit;
        assert_same(&near[i], &expected.first);
        assert_int_equal(bw_raycast_at(level, &c.body, &one_ray, &one, &answer_hit, &answer), BW_OK);
        assert_same(&answer_hit, &expected.first);
        assert_same_alone(level, &c, &one_ray, BW_RAY_NEAREST, &expected.first);
        one.mode = BW_RAY_ANY;
        assert_int_equal(bw_raycast_at(level, &c.body, &one_ray, &one, &answer_hit, &answer), BW_OK);
        assert_int_equal(answer.hit_count, expected.hits > 0);
        assert_contact(&c, &rays[i], &answer_hit, expected.hits > 0);
        assert_same_alone(level, &c, &one_ray, BW_RAY_ANY, &answer_hit);
        assert_contact(&c, &rays[i], &any[i], expected.hits > 0);
        one.mode = BW_RAY_ALL;
        assert_int_equal(bw_raycast_at(level, &c.body, &one_ray, &one, &answer_hit, &answer), BW_OK);
        assert_int_equal(answer.hit_count, expected.hits);
    }
    bw_tree_destroy(c.tree);
}

static void test_hard(void **state)
{
    (void)state;
    BW_EACH_SEED(20, hard, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
