/* Random small polygons, simple, touching and crossing ones, against looking at every pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "io/triangulate.h"
#include "oracle/random.h"
#include "plain_ears.h"

typedef struct counts {
    uint64_t kinds[PLAIN_KINDS], cut[PLAIN_KINDS], tiled[PLAIN_KINDS], plain_tiled[PLAIN_KINDS];
} counts;

/* Every side belongs to one triangle that runs along it, every other edge to as many one way as the other. */
static void assert_edges(const plain_polygon *p, uint32_t (*triangles)[3])
{
    int edges[PLAIN_MOST][PLAIN_MOST] = {{0}};
    for (uint32_t t = 0; t + 2 < p->count; t++)
        for (int k = 0; k < 3; k++) {
            assert_true(triangles[t][k] < p->count);
            edges[triangles[t][k]][triangles[t][(k + 1) % 3]]++;
        }
    for (uint32_t a = 0; a < p->count; a++)
        for (uint32_t b = 0; b < p->count; b++) {
            bool side = b == (a + 1) % p->count, back = a == (b + 1) % p->count;
            assert_int_equal(edges[a][b] - edges[b][a], side - back);
        }
}

/* Whether two triangles share no area: a side of one has all of the other outside. */
static bool apart(const plain_polygon *p, const uint32_t *s, const uint32_t *t)
{
    for (int k = 0; k < 3; k++) {
        uint32_t a = s[k], b = s[(k + 1) % 3], c = t[k], d = t[(k + 1) % 3];
        if ((plain_area(p, a, b, t[0]) <= 0 && plain_area(p, a, b, t[1]) <= 0 &&
             plain_area(p, a, b, t[2]) <= 0) ||
            (plain_area(p, c, d, s[0]) <= 0 && plain_area(p, c, d, s[1]) <= 0 &&
             plain_area(p, c, d, s[2]) <= 0))
            return true;
    }
    return false;
}

/* No triangle is turned over and no two share area. As the edges of all of them are those of the polygon (see
 * above), the polygon runs around every point as often as triangles cover it: they tile it. */
static bool tiles(const plain_polygon *p, uint32_t (*triangles)[3])
{
    int64_t sum = 0;
    for (uint32_t t = 0; t + 2 < p->count; t++) {
        int64_t area = plain_area(p, triangles[t][0], triangles[t][1], triangles[t][2]);
        if (area < 0)
            return false;
        sum += area;
        for (uint32_t u = 0; u < t && area > 0; u++)
            if (plain_area(p, triangles[u][0], triangles[u][1], triangles[u][2]) > 0 &&
                !apart(p, triangles[t], triangles[u]))
                return false;
    }
    assert_int_equal(sum, plain_whole_area(p));
    return true;
}

static void reverse(plain_polygon *p)
{
    for (uint32_t i = 0, j = p->count - 1; i < j; i++, j--) {
        int64_t x = p->x[i], y = p->y[i];
        p->x[i] = p->x[j];
        p->y[i] = p->y[j];
        p->x[j] = x;
        p->y[j] = y;
    }
}

/* bridged: it is known to touch itself without crossing. */
static void try_polygon(plain_polygon *p, bool bridged, bws_random *random, counts *seen)
{
    if (plain_whole_area(p) < 0)
        reverse(p);
    plain_kind kind = plain_kind_of(p);
    uint32_t triangles[PLAIN_MOST][3], plain[PLAIN_MOST][3];
    bw_vec3 points[PLAIN_MOST];
    int plane = (int)bws_random_below(random, 6);
    double scale = bws_random_bool(random) ? 1 : bws_random_bool(random) ? 0x1p-280 : 0x1p270;
    for (uint32_t i = 0; i < p->count; i++) {
        double x = scale * (double)p->x[i], y = scale * (double)p->y[i], z = 0.25 * x - 0.5 * y;
        points[i] = plane % 3 == 0   ? (bw_vec3){x, y, z}
                    : plane % 3 == 1 ? (bw_vec3){y, z, x}
                                     : (bw_vec3){z, x, y};
        if (plane > 2) /* runs clockwise */
            points[i] = (bw_vec3){-points[i].x, -points[i].y, -points[i].z};
    }
    bool whole = triangulate(points, p->count, triangles);
    bool plainly = plain_whole_area(p) > 0 && plain_ears(p, plain);
    bool whole_tiles = whole && tiles(p, triangles), plain_tiles = plainly && tiles(p, plain);
    seen->kinds[kind]++;
    seen->cut[kind] += whole;
    seen->tiled[kind] += whole_tiles;
    seen->plain_tiled[kind] += plain_tiles;
    assert_edges(p, triangles);
    for (uint32_t t = 0; t + 2 < p->count && whole; t++)
        assert_true(plain_area(p, triangles[t][0], triangles[t][1], triangles[t][2]) >=
                    (kind == PLAIN_SIMPLE));
    if (kind == PLAIN_SIMPLE || bridged || (kind == PLAIN_TOUCHES && plain_tiles))
        assert_true(whole_tiles);
}

/* Any corners on a small grid: most polygons cross themselves, many touch. */
static void any_corners(bws_random *random, void *user)
{
    for (int n = 0; n < 100; n++) {
        plain_polygon p = {.count = 4 + (uint32_t)bws_random_below(random, n % 2 ? 4 : 9)};
        uint64_t grid = 2 + bws_random_below(random, 20);
        for (uint32_t i = 0; i < p.count; i++) {
            p.x[i] = (int64_t)bws_random_below(random, grid);
            p.y[i] = (int64_t)bws_random_below(random, grid);
        }
        try_polygon(&p, false, random, user);
    }
}

/* Crossings undone one by one, by running a part the other way: simple, or touching where corners are in one
 * place or on an edge. */
static void uncrossed(bws_random *random, void *user)
{
    for (int n = 0; n < 20; n++) {
        plain_polygon p = {.count = 4 + (uint32_t)bws_random_below(random, PLAIN_MOST - 4)};
        uint64_t grid = 4 + bws_random_below(random, 60);
        for (uint32_t i = 0; i < p.count; i++) {
            p.x[i] = (int64_t)bws_random_below(random, grid);
            p.y[i] = (int64_t)bws_random_below(random, grid);
        }
        bool again = true;
        while (again) { /* ends: the whole way becomes shorter */
            again = false;
            for (uint32_t i = 0; i < p.count && !again; i++)
                for (uint32_t j = i + 2; j < p.count && !again; j++) {
                    uint32_t k = (j + 1) % p.count;
                    if (k == i)
                        continue;
                    plain_polygon two = {
                        {p.x[i], p.x[i + 1], p.x[j], p.x[k]}, {p.y[i], p.y[i + 1], p.y[j], p.y[k]}, 4};
                    int64_t a = plain_area(&two, 0, 1, 2), b = plain_area(&two, 0, 1, 3),
                            c = plain_area(&two, 2, 3, 0), d = plain_area(&two, 2, 3, 1);
                    if (!(((a < 0) != (b < 0)) && ((c < 0) != (d < 0)) && a != 0 && b != 0 && c != 0 &&
                          d != 0))
                        continue;
                    for (uint32_t l = i + 1, r = j; l < r; l++, r--) {
                        int64_t x = p.x[l], y = p.y[l];
                        p.x[l] = p.x[r];
                        p.y[l] = p.y[r];
                        p.x[r] = x;
                        p.y[r] = y;
                    }
                    again = true;
                }
        }
        try_polygon(&p, false, random, user);
    }
}

/* A rectangle with holes, joined to it or to each other by bridges, and spikes: it touches itself but does
 * not cross. Sides have corners without a turn, corners stand twice. */
static void bridged(bws_random *random, void *user)
{
    for (int n = 0; n < 20; n++) {
        plain_polygon p = {.count = 0};
        uint32_t holes = 1 + (uint32_t)bws_random_below(random, 3);
#define PUT(px, py) (p.x[p.count] = (px), p.y[p.count++] = (py))
        PUT(0, 0);
        for (uint32_t h = 0; h < holes; h++) {
            int64_t x = 10 * h + 4, y = bws_random_int(random, 1, 4), w = bws_random_int(random, 1, 4);
            bool spike = bws_random_below(random, 4) == 0;
            bool lean = bws_random_bool(random);
            PUT(x, 0);
            PUT(x + lean, y);
            if (!spike) {
                PUT(x + lean - 1, y + w);
                if (bws_random_bool(random))
                    PUT(x + lean + 1, y + w);
                PUT(x + lean + 2, y + 1);
                PUT(x + lean, y);
            }
            if (!bws_random_bool(random) || spike)
                PUT(x, 0);
            else
                PUT(x + 2 + lean, 0);
        }
        PUT(10 * holes, 0);
        PUT(10 * holes, 12);
        if (bws_random_bool(random))
            PUT(5 * holes, 12);
        if (bws_random_bool(random))
            PUT(5 * holes, 12);
        PUT(0, 12);
#undef PUT
        try_polygon(&p, true, random, user);
    }
}

static void tell(const char *name, const counts *c)
{
    static const char *const kinds[] = {"simple", "touch", "overlap", "cross"};
    for (int k = 0; k < PLAIN_KINDS; k++) {
        printf("%s: %lu %s; cut: %lu, of which %lu tiled; tiled by plain ears: %lu\n", name,
               (unsigned long)c->kinds[k], kinds[k], (unsigned long)c->cut[k], (unsigned long)c->tiled[k],
               (unsigned long)c->plain_tiled[k]);
        /* Which of those that overlap themselves can be cut may depend on the order of ears. */
        assert_true(c->tiled[k] >= c->plain_tiled[k] || k == PLAIN_CROSSES);
    }
}

static void test_any_corners(void **state)
{
    (void)state;
    counts seen = {.cut = {0}};
    BW_EACH_SEED(500, any_corners, &seen);
    tell("any corners", &seen);
}

static void test_uncrossed(void **state)
{
    (void)state;
    counts seen = {.cut = {0}};
    BW_EACH_SEED(2000, uncrossed, &seen);
    tell("uncrossed", &seen);
}

static void test_bridged(void **state)
{
    (void)state;
    counts seen = {.cut = {0}};
    BW_EACH_SEED(1000, bridged, &seen);
    tell("bridged", &seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_corners), cmocka_unit_test(test_uncrossed),
                                       cmocka_unit_test(test_bridged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
