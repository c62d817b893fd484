#include "shape/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static double any(bws_random *r, double low, double high)
{
    return bws_random_double(r, low, high);
}

static double lattice(bws_random *r, int most)
{
    return (double)bws_random_below(r, (uint64_t)(2 * most) + 1) / 2;
}

static bw_vec3 any_vec(bws_random *r, double size)
{
    return (bw_vec3){any(r, -size, size), any(r, -size, size), any(r, -size, size)};
}

static bw_transform any_turn(bws_random *r)
{
    bw_vec3 axis;
    do
        axis = any_vec(r, 1);
    while (axis.x * axis.x + axis.y * axis.y + axis.z * axis.z < 0.01);
    return bw_transform_compose((bw_vec3){0, 0, 0}, axis, any(r, -4, 4), (bw_vec3){1, 1, 1});
}

static bw_transform right_angles(bws_random *r)
{
    const uint64_t first = bws_random_below(r, 3), signs = bws_random_below(r, 4);
    const double s = (signs & 1) != 0 ? -1 : 1, t = (signs & 2) != 0 ? -1 : 1;
    bw_transform pose = {{{0}}};
    pose.m[first][0] = s;
    pose.m[(first + 1) % 3][1] = t;
    pose.m[(first + 2) % 3][2] = s * t;
    return pose;
}

static void place(test_shape *s, bw_vec3 at)
{
    s->pose.m[0][3] = at.x;
    s->pose.m[1][3] = at.y;
    s->pose.m[2][3] = at.z;
}

static void make_hull(bws_random *r, test_shape *s, bool on_lattice)
{
    bw_vec3 points[10];
    const uint32_t count = 1 + (uint32_t)bws_random_below(r, 10);
    const uint64_t flat = bws_random_below(r, 6);
    for (uint32_t i = 0; i < count; i++) {
        points[i] =
            on_lattice ? (bw_vec3){lattice(r, 2) - 1, lattice(r, 2) - 1, lattice(r, 2) - 1} : any_vec(r, 1);
        if (flat == 0)
            points[i].z = 0.5;
        if (flat == 1 && i > 1)
            points[i] = points[i & 1];
    }
    assert_int_equal(bw_hull_create(NULL, points, count, &s->hull, NULL), BW_OK);
    assert_null(bw_hull_check(s->hull));
}

static void make(bws_random *r, int kind, bool on_lattice, test_shape *s)
{
    memset(s, 0, sizeof *s);
    s->shape.kind = (bw_shape_kind)kind;
    const bool round = kind == BW_SHAPE_SPHERE || kind == BW_SHAPE_CAPSULE;
    if (round || bws_random_below(r, 4) == 0)
        s->shape.radius = on_lattice ? lattice(r, 2) : any(r, 0, 1);
    s->shape.half = on_lattice ? (bw_vec3){lattice(r, 2), lattice(r, 2), lattice(r, 2)}
                               : (bw_vec3){any(r, 0, 1), any(r, 0, 1), any(r, 0, 1)};
    if (kind == BW_SHAPE_HULL)
        make_hull(r, s, on_lattice);
    s->shape.hull = s->hull;
    s->pose = on_lattice ? right_angles(r) : any_turn(r);
    s->placed = (bw_placed_shape){&s->shape, &s->pose};
    place(s,
          on_lattice ? (bw_vec3){lattice(r, 4) - 2, lattice(r, 4) - 2, lattice(r, 4) - 2} : any_vec(r, 1.5));
}

static double last_bits(bws_random *r, double x)
{
    const int steps = (int)bws_random_below(r, 5) - 2;
    for (int i = 0; i < (steps < 0 ? -steps : steps); i++)
        x = nextafter(x, steps < 0 ? -10 : 10);
    return fabs(x) < 1e-60 ? 0 : x;
}

static void scale(test_shape *s, double factor)
{
    s->shape.radius *= factor;
    s->shape.half = (bw_vec3){s->shape.half.x * factor, s->shape.half.y * factor, s->shape.half.z * factor};
    for (int i = 0; i < 3; i++)
        s->pose.m[i][3] *= factor;
}

static void make_tangent(bws_random *r, test_shape pair[2])
{
    static const double triples[5][4] = {
        {3, 4, 0, 5}, {2, 3, 6, 7}, {1, 4, 8, 9}, {2, 6, 9, 11}, {6, 6, 7, 11}};
    const double *t = triples[bws_random_below(r, 5)], unit = ldexp(1, (int)bws_random_below(r, 40) - 20);
    const double split = (double)bws_random_below(r, 8) / 8;
    const uint64_t turn = bws_random_below(r, 3), flip = bws_random_below(r, 8);
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = t[(k + (int)turn) % 3] * unit * ((flip >> k & 1) != 0 ? -1 : 1);
    pair[0].shape.radius = t[3] * unit * split;
    pair[1].shape.radius = t[3] * unit * (1 - split);
    pair[0].shape.half.z = pair[1].shape.half.z = 0;
    place(&pair[0], (bw_vec3){unit, -unit, 2 * unit});
    place(&pair[1], (bw_vec3){unit + at[0], -unit + at[1], 2 * unit + at[2]});
    if (bws_random_below(r, 3) == 0) /* or not quite */
        pair[1].shape.radius = nextafter(pair[1].shape.radius, bws_random_below(r, 2) == 0 ? 0 : 1e30);
}

/* Moves b towards a by what the library says is left: wherever that ends, it is hard to decide. */
static void close_in(test_shape pair[2])
{
    for (int round = 0; round < 2; round++) {
        bw_shape_nearest nearest;
        assert_int_equal(bw_shape_distance(&pair[0].placed, &pair[1].placed, NULL, &nearest, NULL), BW_OK);
        const bw_vec3 n = nearest.normal;
        const double move[3] = {n.x, n.y, n.z};
        for (int i = 0; i < 3; i++)
            pair[1].pose.m[i][3] -= move[i] * nearest.distance;
    }
}

static void thin(bws_random *r, test_shape *s)
{
    double *half[3] = {&s->shape.half.x, &s->shape.half.y, &s->shape.half.z};
    *half[bws_random_below(r, 3)] *= bws_random_below(r, 3) == 0 ? 0 : 1e-6;
    *half[bws_random_below(r, 3)] *= bws_random_below(r, 2) == 0 ? 1e3 : 1;
}

void test_shapes_make(bws_random *r, test_family family, int kind_a, int kind_b, test_shape out[2])
{
    const bool on_lattice = family == TEST_LATTICE || family == TEST_NEARLY || family == TEST_TANGENT ||
                            (family == TEST_COINCIDENT && bws_random_below(r, 2) == 0);
    make(r, kind_a, on_lattice, &out[0]);
    make(r, kind_b, on_lattice, &out[1]);
    const bw_vec3 at = {out[0].pose.m[0][3], out[0].pose.m[1][3], out[0].pose.m[2][3]},
                  at_b = {out[1].pose.m[0][3], out[1].pose.m[1][3], out[1].pose.m[2][3]};
    switch (family) {
    case TEST_ALIGNED:
        out[1].pose = out[0].pose;
        place(&out[1], at_b);
        break;
    case TEST_NEARLY:
        for (int i = 0; i < 3; i++)
            out[1].pose.m[i][3] = last_bits(r, out[1].pose.m[i][3]);
        break;
    case TEST_SCALES: {
        const double both = ldexp(1, (int)bws_random_below(r, 100) - 50);
        const bool hulls = kind_a == BW_SHAPE_HULL || kind_b == BW_SHAPE_HULL;
        scale(&out[0], hulls ? 1 : both);
        scale(&out[1], hulls ? ldexp(1, (int)bws_random_below(r, 30) - 15) : both);
        if (!hulls && bws_random_below(r, 2) == 0)
            scale(&out[1], 0x1p-10);
        break;
    }
    case TEST_NEEDLES:
        thin(r, &out[0]);
        thin(r, &out[1]);
        break;
    case TEST_COINCIDENT:
        place(&out[1], at);
        if (bws_random_below(r, 2) == 0) {
            out[1].pose = out[0].pose;
            out[1].shape.half = out[0].shape.half;
        }
        break;
    case TEST_TANGENT:
        make_tangent(r, out);
        break;
    case TEST_CLOSED_IN:
        place(&out[1], (bw_vec3){at_b.x * 3, at_b.y * 3, at_b.z * 3});
        close_in(out);
        break;
    default:
        break;
    }
}

void test_shapes_free(test_shape pair[2])
{
    bw_hull_destroy(pair[0].hull);
    bw_hull_destroy(pair[1].hull);
}

bw_oracle_convex test_shape_oracle(const test_shape *s)
{
    bw_oracle_convex out = {.radius = s->shape.radius};
    const bw_vec3 h = s->shape.half;
    out.at = bw_transform_point(&s->pose, (bw_vec3){0, 0, 0});
    out.normal = (bw_vec3){s->pose.m[0][2], s->pose.m[1][2], s->pose.m[2][2]};
    switch (s->shape.kind) {
    case BW_SHAPE_SPHERE:
        out.points[out.count++] = out.at;
        break;
    case BW_SHAPE_CAPSULE:
        out.points[out.count++] = bw_transform_point(&s->pose, (bw_vec3){0, 0, -h.z});
        out.points[out.count++] = bw_transform_point(&s->pose, (bw_vec3){0, 0, h.z});
        break;
    case BW_SHAPE_BOX:
        for (int i = 0; i < 8; i++)
            out.points[out.count++] =
                bw_transform_point(&s->pose, (bw_vec3){(i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y,
                                                       (i & 4) != 0 ? h.z : -h.z});
        break;
    case BW_SHAPE_HULL: {
        const bw_mesh mesh = bw_hull_mesh(s->hull);
        for (uint32_t i = 0; i < mesh.vertex_count; i++)
            out.points[out.count++] = bw_transform_point(&s->pose, bw_mesh_vertex(&mesh, i));
        break;
    }
    default:
        break;
    }
    return out;
}

double test_shapes_size(const bw_oracle_convex *a, const bw_oracle_convex *b)
{
    double size = fmax(a->radius, b->radius);
    const bw_oracle_convex *s[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        size = fmax(size, fmax(fabs(s[k]->at.x), fmax(fabs(s[k]->at.y), fabs(s[k]->at.z))));
        for (int i = 0; i < s[k]->count; i++)
            size = fmax(
                size, fmax(fabs(s[k]->points[i].x), fmax(fabs(s[k]->points[i].y), fabs(s[k]->points[i].z))));
    }
    return size;
}
