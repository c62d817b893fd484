/* Bodies and poses that floats find hard: far away, in odd units, degenerate, flattened. */
#include "hard_solid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static bw_vec3 corner(bws_random *random, int shape, bw_vec3 middle, double size)
{
    bw_vec3 d = {bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                 bws_random_double(random, -1, 1)};
    if (shape == HARD_LATTICE)
        return (bw_vec3){(double)bws_random_int(random, -3, 3), (double)bws_random_int(random, -3, 3),
                         (double)bws_random_int(random, -3, 3)};
    if (shape == HARD_FLAT)
        d.z = middle.z = 0;
    return (bw_vec3){middle.x + size * d.x, middle.y + size * d.y, middle.z + size * d.z};
}

static void make_triangle(bws_random *random, int shape, double out[9])
{
    bw_vec3 middle = {bws_random_double(random, -3, 3), bws_random_double(random, -3, 3),
                      bws_random_double(random, -3, 3)};
    double size = exp2(bws_random_double(random, -6, 1));
    bw_vec3 c[3];
    for (int i = 0; i < 3; i++)
        c[i] = corner(random, shape, middle, size);
    if (shape == HARD_DEGENERATE && bws_random_bool(random))
        c[1] = c[0];
    if (shape == HARD_DEGENERATE && bws_random_bool(random))
        c[2] = c[1];
    if (shape == HARD_SLIVERS) {
        double at = bws_random_double(random, 0, 1), thin = size * exp2(bws_random_double(random, -40, -5));
        c[2] = (bw_vec3){c[0].x + at * (c[1].x - c[0].x) + thin, c[0].y + at * (c[1].y - c[0].y),
                         c[0].z + at * (c[1].z - c[0].z) - thin};
    }
    for (int i = 0; i < 3; i++) {
        out[3 * i] = c[i].x;
        out[3 * i + 1] = c[i].y;
        out[3 * i + 2] = c[i].z;
    }
}

const hard_place hard_places[HARD_PLACES] = {{0, 1}, {1e6, 1}, {1e9, 1}, {0, 1e-20}, {0, 1e20}, {-3e4, 1e-3}};

hard_solid hard_make(bws_random *random, uint32_t count, int shape, hard_place where, bool compact)
{
    hard_solid s = {malloc(count * 9 * sizeof *s.xyz), malloc(count * 3 * sizeof *s.indices), {0}, NULL};
    assert_true(s.xyz != NULL && s.indices != NULL);
    for (uint32_t i = 0; i < count; i++)
        make_triangle(random, shape == HARD_SHAPES ? (int)(i % HARD_SHAPES) : shape, s.xyz + 9 * (size_t)i);
    for (uint32_t i = 0; i < 9 * count; i++)
        s.xyz[i] = (s.xyz[i] + where.offset) * where.unit;
    for (uint32_t i = 0; i < 3 * count; i++)
        s.indices[i] = i;
    s.mesh = (bw_mesh){s.xyz, BW_F64, 3 * count, 0, s.indices, count};
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.compact = compact}, &s.mesh, &s.tree, NULL), BW_OK);
    if (bws_random_bool(random)) {
        assert_int_equal(bw_tree_prepare_distances(s.tree, &s.mesh, NULL, NULL), BW_OK);
        assert_null(bw_tree_check(s.tree, &s.mesh));
    }
    return s;
}

void hard_unmake(hard_solid *s)
{
    bw_tree_destroy(s->tree);
    free(s->xyz);
    free(s->indices);
}

bw_transform hard_pose(bws_random *random, hard_place where)
{
    int kind = (int)bws_random_below(random, 4);
    bw_transform t = bws_random_rigid(random, 4.0);
    if (kind == 1)
        t = bws_random_pose(random, &(bws_pose_desc){.reach = 4.0, .low = 0.2, .high = 3.0, .mirror = true});
    for (int i = 0; kind >= 2 && i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] += bws_random_double(random, -0.5, 0.5);
    for (int j = 0; kind == 3 && j < 4; j++)
        t.m[2][j] = 0.5 * t.m[0][j] - t.m[1][j];
    for (int i = 0; i < 3; i++) { /* about the place, not about the origin */
        double offset = where.offset;
        t.m[i][3] = (t.m[i][3] + offset - (t.m[i][0] + t.m[i][1] + t.m[i][2]) * offset) * where.unit;
    }
    return t;
}

void hard_corners(const bw_body *body, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_corners(body->mesh, primitive, out);
    for (int i = 0; body->pose != NULL && i < 3; i++)
        out[i] = bw_transform_point(body->pose, out[i]);
}
