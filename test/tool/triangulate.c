/* Polygons cut into triangles: every edge of the polygon belongs to one triangle, every other edge to two
 * that run through it in opposite directions, and no triangle is turned over. Together these prove that the
 * triangles tile the polygon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/triangulate.h"
#include "oracle/random.h"

enum { MOST = 64 };

typedef struct polygon {
    int64_t x[MOST], y[MOST];
    uint32_t count;
} polygon;

static int64_t twice_area(const polygon *p, uint32_t a, uint32_t b, uint32_t c)
{
    return (p->x[b] - p->x[a]) * (p->y[c] - p->y[a]) - (p->x[c] - p->x[a]) * (p->y[b] - p->y[a]);
}

/* Puts the polygon into space, in one of several planes, so that all axes of projection and both turns occur.
 */
static void place(const polygon *p, int plane, bw_vec3 *out)
{
    for (uint32_t i = 0; i < p->count; i++) {
        double x = (double)p->x[i], y = (double)p->y[i], z = 5 + x / 4 - y / 2;
        out[i] = plane == 0 ? (bw_vec3){x, y, z} : plane == 1 ? (bw_vec3){y, z, x} : (bw_vec3){z, y, x};
    }
}

static void assert_cut(const polygon *p)
{
    bw_vec3 points[MOST];
    uint32_t triangles[MOST][3];
    for (int plane = 0; plane < 3; plane++) {
        int edges[MOST][MOST] = {{0}};
        place(p, plane, points);
        assert_true(triangulate(points, p->count, triangles));
        for (uint32_t t = 0; t + 2 < p->count; t++) {
            for (int k = 0; k < 3; k++) {
                assert_true(triangles[t][k] < p->count);
                edges[triangles[t][k]][triangles[t][(k + 1) % 3]]++;
            }
            assert_true(twice_area(p, triangles[t][0], triangles[t][1], triangles[t][2]) > 0);
        }
        for (uint32_t a = 0; a < p->count; a++)
            for (uint32_t b = 0; b < p->count; b++) {
                bool side = b == (a + 1) % p->count, back = a == (b + 1) % p->count;
                assert_int_equal(edges[a][b] - edges[b][a], side - back);
            }
    }
}

/* Corners around a centre, by rising angle, at any distance: simple, with corners of all kinds. */
static void star(bws_random *random, void *user)
{
    (void)user;
    static const int8_t rays[16][2] = {{4, 0},  {4, 1},  {4, 3},  {3, 4},   {0, 4},   {-1, 4},
                                       {-3, 4}, {-4, 3}, {-4, 0}, {-4, -1}, {-4, -3}, {-3, -4},
                                       {0, -4}, {1, -4}, {3, -4}, {4, -3}};
    polygon p = {.count = 0};
    for (int i = 0; i < 16; i++) {
        /* Never leave out so many that the centre falls outside. */
        if (i % 4 != 0 && bws_random_bool(random))
            continue;
        int64_t distance = bws_random_int(random, 1, 9);
        p.x[p.count] = distance * rays[i][0];
        p.y[p.count++] = distance * rays[i][1];
    }
    assert_cut(&p);
}

/* A skyline over a base line: long collinear runs, and corners that lie on the diagonals of others. */
static void skyline(bws_random *random, void *user)
{
    (void)user;
    polygon p = {.count = 0};
    uint32_t houses = (uint32_t)bws_random_int(random, 2, 20);
    for (uint32_t i = 0; i <= houses; i++) {
        p.x[p.count] = i;
        p.y[p.count++] = 0;
    }
    for (uint32_t i = houses; i-- > 0;) {
        int64_t height = bws_random_int(random, 1, 3);
        p.x[p.count] = i + 1;
        p.y[p.count++] = height;
        p.x[p.count] = i;
        p.y[p.count++] = height;
    }
    /* Neighbours of equal height repeat a corner: drop the repetition. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p.count; i++)
        if (kept == 0 || p.x[i] != p.x[kept - 1] || p.y[i] != p.y[kept - 1]) {
            p.x[kept] = p.x[i];
            p.y[kept++] = p.y[i];
        }
    p.count = kept;
    assert_cut(&p);
}

static void test_stars(void **state)
{
    (void)state;
    BW_EACH_SEED(3000, star, NULL);
}

static void test_skylines(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, skyline, NULL);
}

static void test_convex(void **state)
{
    (void)state;
    assert_cut(&(polygon){{0, 4, 4, 0}, {0, 0, 4, 4}, 4});
    assert_cut(&(polygon){{0, 2, 3, 2, 0, -1}, {0, 0, 1, 3, 3, 1}, 6});
}

/* A corner that lies on a diagonal, where cutting by rounded angles covers what lies outside. */
static void test_corner_on_diagonal(void **state)
{
    (void)state;
    assert_cut(&(polygon){{0, 2, 2, 1, 0}, {0, 0, 2, 1, 2}, 5});
}

/* Not simple: still n - 2 triangles, and it is told. */
static void test_bow_tie(void **state)
{
    (void)state;
    bw_vec3 bow[4] = {{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 3, 0}};
    uint32_t triangles[4][3];
    assert_false(triangulate(bow, 4, triangles));
    bw_vec3 pentagram[5] = {{0, 10, 0}, {-6, -8, 0}, {9, 3, 0}, {-9, 3, 0}, {6, -8, 0}};
    uint32_t triangles5[5][3];
    assert_false(triangulate(pentagram, 5, triangles5));
    assert_int_equal(triangles5[2][2], 4);
}

/* All on a line, or all in one point: triangles without area, but no failure. */
static void test_no_area(void **state)
{
    (void)state;
    bw_vec3 line[5] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}, point[4] = {{0, 0, 0}};
    uint32_t triangles[5][3];
    assert_true(triangulate(line, 5, triangles));
    assert_true(triangulate(point, 4, triangles));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stars),
        cmocka_unit_test(test_skylines),
        cmocka_unit_test(test_convex),
        cmocka_unit_test(test_bow_tie),
        cmocka_unit_test(test_corner_on_diagonal),
        cmocka_unit_test(test_no_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
