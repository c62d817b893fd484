/* Large polygons of many shapes: every triangle turns as the polygon does, by exact rationals, and their
 * edges are those of the polygon, so that they tile it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/triangulate.h"
#include "oracle/random.h"
#include "oracle/rational.h"
#include "oracle/rational_number.h"

typedef struct outline {
    bw_vec3 *at;
    uint32_t count, capacity;
} outline;

static void put(outline *o, double x, double y)
{
    if (o->count == o->capacity)
        o->at = realloc(o->at, (o->capacity = 2 * o->capacity + 64) * sizeof *o->at);
    o->at[o->count++] = (bw_vec3){x, y, 0};
}

/* Around a centre, at any distance. */
static void star(outline *o, uint32_t corners, bws_random *random)
{
    for (uint32_t i = 0; i < corners; i++) {
        double angle = 6.283185307179586 * i / corners, r = bws_random_double(random, 0.1, 1);
        put(o, r * cos(angle), r * sin(angle));
    }
}

/* Out on one side and back on the other, ten times around. */
static void spiral(outline *o, uint32_t corners, bws_random *random)
{
    (void)random;
    uint32_t half = corners / 2;
    for (uint32_t i = 0; i < half; i++) {
        double turn = 62.83185307179586 * i / half;
        put(o, (1.5 + turn) * cos(turn), (1.5 + turn) * sin(turn));
    }
    for (uint32_t i = half; i-- > 0;) {
        double turn = 62.83185307179586 * i / half;
        put(o, (1 + turn) * cos(turn), (1 + turn) * sin(turn));
    }
}

/* Teeth of any length over a back: long thin parts beside each other. */
static void comb(outline *o, uint32_t corners, bws_random *random)
{
    put(o, 0, 0);
    put(o, corners, 0);
    for (uint32_t i = corners - 2; i > 0; i--)
        put(o, i, i % 2 ? 1 : bws_random_double(random, 2, 1e6));
}

/* A staircase of long straight runs: most corners have no turn, and many stand above each other. */
static void runs(outline *o, uint32_t corners, bws_random *random)
{
    uint32_t steps = corners / 200, base = 50 * steps;
    for (uint32_t i = 0; i <= base; i++)
        put(o, i, 0);
    for (uint32_t s = steps; s-- > 0;) {
        double high = (double)bws_random_int(random, 30, 60);
        double low = (double)bws_random_int(random, 1, 20);
        for (uint32_t i = 50 * (s + 1); i > 50 * s + 25; i--)
            put(o, i, high);
        for (uint32_t i = 50 * s + 25; i > 50 * s; i--)
            put(o, i, low);
    }
    put(o, 0, 61);
}

/* A plate with rows of square holes, each joined to the edge below it, or to the hole below, by a bridge:
 * every bridge is run twice, and its corners stand twice. */
static void column(outline *o, uint32_t x, uint32_t y, uint32_t rows)
{
    put(o, 3.0 * x + 1, 3.0 * y + 1);
    put(o, 3.0 * x + 1, 3.0 * y + 2);
    if (y + 1 < rows) {
        column(o, x, y + 1, rows);
        put(o, 3.0 * x + 1, 3.0 * y + 2);
    }
    put(o, 3.0 * x + 2, 3.0 * y + 2);
    put(o, 3.0 * x + 2, 3.0 * y + 1);
    put(o, 3.0 * x + 1, 3.0 * y + 1);
}

static void holes(outline *o, uint32_t corners, bws_random *random)
{
    (void)random;
    uint32_t rows = 20, columns = corners / (6 * rows) + 1;
    put(o, 0, 0);
    for (uint32_t x = 0; x < columns; x++) {
        put(o, 3.0 * x + 1, 0);
        column(o, x, 0, rows);
        put(o, 3.0 * x + 1, 0);
    }
    put(o, 3.0 * columns, 0);
    put(o, 3.0 * columns, 3.0 * rows);
    put(o, 0, 3.0 * rows);
}

/* The outline of a random tree drawn thick on a grid: everything begins, ends, parts and joins, at equal x.
 */
static void maze(outline *o, uint32_t corners, bws_random *random)
{
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    uint32_t side = (uint32_t)sqrt(corners / 2.0) + 2, cells = side * side, top = 0;
    uint8_t *ways = calloc(cells, 1);
    uint32_t *stack = malloc(cells * sizeof *stack);
    bool *seen = calloc(cells, sizeof *seen);
    stack[top++] = 0;
    seen[0] = true;
    while (top > 0) {
        uint32_t at = stack[top - 1], free_ways = 0, found[4];
        for (uint32_t d = 0; d < 4; d++) {
            int64_t x = (int64_t)(at % side) + dx[d], y = (int64_t)(at / side) + dy[d];
            if (x >= 0 && y >= 0 && x < side && y < side && !seen[(uint64_t)y * side + (uint64_t)x])
                found[free_ways++] = d;
        }
        if (free_ways == 0) {
            top--;
            continue;
        }
        uint32_t d = found[bws_random_below(random, free_ways)];
        uint32_t next = (uint32_t)((int64_t)at + dx[d] + dy[d] * (int64_t)side);
        ways[at] |= (uint8_t)(1u << d);
        ways[next] |= (uint8_t)(1u << (d + 2) % 4);
        seen[next] = true;
        stack[top++] = next;
    }
    /* Around it with the tree on the left: right where there is a way, else on, else left. */
    uint32_t at = 0, heading = 0;
    while (!(ways[0] >> heading & 1))
        heading++;
    uint32_t first = heading;
    do {
        at = (uint32_t)((int64_t)at + dx[heading] + dy[heading] * (int64_t)side);
        double x = at % side, y = at / side;
        uint32_t right = (heading + 3) % 4;
        if (ways[at] >> right & 1) {
            put(o, x + 0.25 * (dx[right] - dx[heading]), y + 0.25 * (dy[right] - dy[heading]));
            heading = right;
        } else {
            while (!(ways[at] >> heading & 1)) {
                right = (heading + 3) % 4;
                put(o, x + 0.25 * (dx[right] + dx[heading]), y + 0.25 * (dy[right] + dy[heading]));
                heading = (heading + 1) % 4;
            }
        }
    } while (at != 0 || heading != first);
    free(ways);
    free(stack);
    free(seen);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Edges of the triangles and the sides of the polygon turned back, with those that run one way and the other
 * taken together: nothing is left. */
static void assert_edges(uint32_t count, uint32_t (*triangles)[3])
{
    size_t edges = 3 * (size_t)(count - 2) + count, half = 0;
    uint64_t *forth = malloc(edges * sizeof *forth), *back = malloc(edges * sizeof *back);
    for (uint32_t t = 0; t + 2 < count; t++)
        for (int k = 0; k < 3; k++) {
            uint64_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            assert_true(a < count && b < count);
            forth[half] = a << 32 | b;
            back[half++] = b << 32 | a;
        }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t j = (i + 1) % count;
        forth[half] = j << 32 | i;
        back[half++] = i << 32 | j;
    }
    qsort(forth, edges, sizeof *forth, by_value);
    qsort(back, edges, sizeof *back, by_value);
    assert_memory_equal(forth, back, edges * sizeof *forth);
    free(forth);
    free(back);
}

typedef struct family {
    const char *name;
    void (*make)(outline *o, uint32_t corners, bws_random *random);
    bool touches; /* itself: triangles without area are allowed */
} family;

static void assert_area(const outline *o, uint32_t (*triangles)[3])
{
    mpq_t sum, whole, term, product;
    mpq_inits(sum, whole, term, product, NULL);
    for (uint32_t t = 0; t + 2 < o->count; t++)
        for (int k = 0; k < 3; k++) {
            const bw_vec3 *a = &o->at[triangles[t][k]], *b = &o->at[triangles[t][(k + 1) % 3]];
            mpq_set_d(term, a->x);
            mpq_set_d(product, b->y);
            mpq_mul(term, term, product);
            mpq_add(sum, sum, term);
            mpq_set_d(term, b->x);
            mpq_set_d(product, a->y);
            mpq_mul(term, term, product);
            mpq_sub(sum, sum, term);
        }
    for (uint32_t i = 0; i < o->count; i++) {
        const bw_vec3 *a = &o->at[i], *b = &o->at[(i + 1) % o->count];
        mpq_set_d(term, a->x);
        mpq_set_d(product, b->y);
        mpq_mul(term, term, product);
        mpq_add(whole, whole, term);
        mpq_set_d(term, b->x);
        mpq_set_d(product, a->y);
        mpq_mul(term, term, product);
        mpq_sub(whole, whole, term);
    }
    assert_true(mpq_sgn(whole) != 0 && mpq_equal(sum, whole));
    mpq_clears(sum, whole, term, product, NULL);
}

static void try_outline(const family *f, uint32_t corners, double scale, bool clockwise, bws_random *random)
{
    outline o = {NULL, 0, 0};
    f->make(&o, corners, random);
    for (uint32_t i = 0; i < o.count; i++)
        o.at[i] = (bw_vec3){scale * o.at[i].x, scale * o.at[i].y, 0};
    for (uint32_t i = 0, j = o.count - 1; clockwise && i < j; i++, j--) {
        bw_vec3 swap = o.at[i];
        o.at[i] = o.at[j];
        o.at[j] = swap;
    }
    uint32_t(*triangles)[3] = malloc(o.count * sizeof *triangles);
    clock_t start = clock();
    bool whole = triangulate(o.at, o.count, triangles);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (corners >= 10000)
        printf("%s: %u corners in %.3f s\n", f->name, o.count, seconds);
    assert_true(whole);
    assert_edges(o.count, triangles);
    for (uint32_t t = 0; t + 2 < o.count; t++) {
        int turn =
            bw_rational_orient2d(&o.at[triangles[t][0]], &o.at[triangles[t][1]], &o.at[triangles[t][2]], 2);
        assert_true((clockwise ? -turn : turn) >= !f->touches);
    }
    if (o.count <= 10000)
        assert_area(&o, triangles);
    free(triangles);
    free(o.at);
}

static const family families[] = {{"star", star, false}, {"spiral", spiral, false}, {"comb", comb, false},
                                  {"runs", runs, false}, {"maze", maze, false},     {"holes", holes, true}};
enum { FAMILIES = sizeof families / sizeof *families };

static void all_sizes(bws_random *random, void *user)
{
    (void)user;
    for (int i = 0; i < FAMILIES; i++) {
        uint32_t corners = (uint32_t)bws_random_int(random, 400, 2000);
        double scale = bws_random_bool(random) ? 1 : bws_random_bool(random) ? 0x1p-250 : 0x1p250;
        try_outline(&families[i], corners, scale, bws_random_bool(random), random);
    }
}

static void test_families(void **state)
{
    (void)state;
    BW_EACH_SEED(20, all_sizes, NULL);
}

/* BOXWOOD_CORNERS asks for other sizes: 1000000 takes a minute, most of it for the exact turns. */
static void test_large(void **state)
{
    (void)state;
    const char *asked = getenv("BOXWOOD_CORNERS");
    uint32_t corners = asked ? (uint32_t)strtoul(asked, NULL, 10) : 100000;
    bws_random random = bws_random_seeded(1);
    for (int i = 0; i < FAMILIES; i++)
        try_outline(&families[i], corners, 1, i % 2, &random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_families), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
