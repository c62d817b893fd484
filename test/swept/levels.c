/* The broad phase of a step: every level gives the bits that comparing boxes one by one gives, and the same
 * pairs in the same order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"
#include "swept/swept.h"

/* On a lattice, so that boxes often only touch; unused lanes are empty, and some children are leaves. */
static bw_wide_node some_node(bws_random *random)
{
    bw_wide_node n = {.count = BW_WIDTH};
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        bool empty = bws_random_below(random, 6) == 0;
        n.child[lane] = lane | (bws_random_bool(random) ? BW_WIDE_LEAF : 0);
        for (int k = 0; k < 3; k++) {
            float low = 0.25f * (float)bws_random_int(random, -8, 8);
            n.min[k][lane] = empty ? BW_WIDE_EMPTY : low;
            n.max[k][lane] = empty ? -BW_WIDE_EMPTY : low + 0.25f * (float)bws_random_int(random, 0, 8);
        }
    }
    return n;
}

static bool meets(const bw_wide_node *a, uint32_t j, float grow, const bw_wide_node *b, uint32_t i)
{
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart |= a->min[k][j] - b->max[k][i] > 2 * grow || b->min[k][i] - a->max[k][j] > 2 * grow;
    return !apart;
}

static void nodes_meet(bws_random *random, void *user)
{
    const bw_swept_kernels *kernels = user;
    for (int n = 0; n < 200; n++) {
        const bw_wide_node a = some_node(random), b = some_node(random);
        const uint32_t lanes = (uint32_t)bws_random_below(random, 256),
                       rows = (uint32_t)bws_random_below(random, 256);
        const float grow = bws_random_bool(random) ? 0 : 0.25f;
        uint64_t leaves = 0, others = 0;
        for (uint32_t pair = 0; pair < BW_WIDTH * BW_WIDTH; pair++) {
            const uint32_t i = pair >> 3, j = pair & 7;
            if ((lanes >> j & 1) == 0 || (rows >> i & 1) == 0 || !meets(&a, j, grow, &b, i))
                continue;
            if ((a.child[j] & b.child[i] & BW_WIDE_LEAF) != 0)
                leaves |= (uint64_t)1 << pair;
            else
                others |= (uint64_t)1 << pair;
        }
        const bw_wide_meeting meeting = kernels->nodes(&a, lanes, &b, rows, grow);
        assert_true(meeting.leaves == leaves && meeting.others == others);
    }
}

/* The bounds of paths are those of each number rounded outward, at every level. */
static void bounds_hold(bws_random *random, void *user)
{
    const bw_swept_kernels *kernels = user;
    enum { COUNT = 50 };
    bw_ccd_path paths[COUNT];
    bw_swept_bounds bounds[COUNT];
    for (int v = 0; v < COUNT; v++)
        for (int i = 0; i < 8; i++) {
            double x = bws_random_double(random, -1, 1) * ldexp(1, (int)bws_random_int(random, -300, 99));
            paths[v].at[i] = i % 4 == 3 || bws_random_below(random, 8) == 0 ? 0 : x;
            if (bws_random_below(random, 4) == 0) /* a float already */
                paths[v].at[i] = (double)(float)paths[v].at[i];
        }
    bw_swept_floats floats[COUNT];
    kernels->bound(paths, COUNT, bounds, floats);
    for (int v = 0; v < COUNT; v++)
        for (int k = 0; k < 3; k++) {
            double least = fmin(paths[v].at[k], paths[v].at[4 + k]),
                   most = fmax(paths[v].at[k], paths[v].at[4 + k]);
            float low = bounds[v].at[k], high = -bounds[v].at[4 + k];
            assert_true((double)low <= least && (double)nextafterf(low, INFINITY) > least);
            assert_true((double)high >= most && (double)nextafterf(high, -INFINITY) < most);
            assert_true(floats[v].at[k] == (float)paths[v].at[k]);
            assert_true(floats[v].at[4 + k] == (float)paths[v].at[4 + k]);
            assert_true(low != 0 || !signbit(low));
            assert_true(high != 0 || signbit(high));
        }
}

/* ---- Whole walks ---- */

typedef struct found {
    bw_ccd_feature feature;
    uint32_t a, b;
} found;

typedef struct recorder {
    bw_swept_traversal walk; /* first */
    found *pairs;
    size_t count, capacity;
} recorder;

static void record(bw_swept_traversal *walk, bw_ccd_feature feature)
{
    recorder *r = (recorder *)walk;
    bw_swept_pairs *pairs = bw_swept_batch(walk, feature);
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (r->count == r->capacity)
            r->pairs = realloc(r->pairs, (r->capacity = 2 * r->capacity + 256) * sizeof *r->pairs);
        r->pairs[r->count++] = (found){feature, pairs->a[i], pairs->b[i]};
    }
    pairs->count = 0;
}

static recorder walk_at(const bw_swept *a, const bw_swept *b, float grow, bw_simd simd)
{
    recorder r = {.walk = {.a = a, .b = b, .grow = grow, .simd = simd, .allocator = &a->allocator}};
    r.walk.flush = record;
    assert_true(bw_swept_traverse_from(&r.walk, &BW_SWEPT_ROOT));
    for (int f = BW_CCD_VERTEX_FACE; f < BW_SWEPT_FEATURES; f++)
        record(&r.walk, (bw_ccd_feature)f);
    return r;
}

static int by_name(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(found)); /* any order will do */
}

/* Adds a pair whose boxes meet and that shares no vertex. */
static void expect(recorder *r, bw_ccd_feature feature, uint32_t a, uint32_t b, const bw_box *x,
                   const bw_box *y, float grow, bool share)
{
    bool apart = share;
    for (int k = 0; k < 3; k++)
        apart |= x->min[k] - y->max[k] > 2 * grow || y->min[k] - x->max[k] > 2 * grow;
    bw_swept_pairs *pairs = bw_swept_batch(&r->walk, feature);
    if (apart)
        return;
    pairs->a[0] = a;
    pairs->b[0] = b;
    pairs->count = 1;
    record(&r->walk, feature);
}

static bool is_point(const bw_swept *s, uint32_t v)
{
    bool is = false;
    for (uint32_t i = 0; i < s->point_count; i++)
        is |= s->points[i] == v;
    return is;
}

/* Points with edges of no triangle, and with each other. */
static void expect_loose(recorder *r, const bw_swept *s, const bw_swept *t, bool swapped, float grow)
{
    for (uint32_t i = 0; i < s->point_count; i++) {
        uint32_t v = s->points[i];
        bw_box point = bw_swept_box(&s->bounds[v]);
        for (uint32_t e = t->face_edge_count; e < t->edge_count; e++) {
            bw_box box = bw_swept_edge_box(t, e);
            expect(r, swapped ? BW_CCD_EDGE_VERTEX : BW_CCD_VERTEX_EDGE, swapped ? e : v, swapped ? v : e,
                   &point, &box, grow, false);
        }
        for (uint32_t j = s == t ? i + 1 : 0; !swapped && j < t->point_count; j++) {
            bw_box other = bw_swept_box(&t->bounds[t->points[j]]);
            expect(r, BW_CCD_VERTEX_VERTEX, v, t->points[j], &point, &other, grow, false);
        }
    }
}

static void expect_faces(recorder *r, const bw_swept *s, const bw_swept *t, bool swapped, float grow)
{
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        bool used = false;
        for (uint32_t i = 0; i < 3 * s->triangle_count; i++)
            used |= s->faces[i / 3][i % 3] == v;
        for (uint32_t e = s->face_edge_count; e < s->edge_count; e++)
            used |= s->edges[e][0] == v || s->edges[e][1] == v;
        used |= is_point(s, v);
        for (uint32_t f = 0; used && f < t->triangle_count; f++) {
            const uint32_t *c = t->faces[f];
            bw_box point = bw_swept_box(&s->bounds[v]), box = bw_swept_face_box(t, f);
            expect(r, swapped ? BW_CCD_FACE_VERTEX : BW_CCD_VERTEX_FACE, swapped ? f : v, swapped ? v : f,
                   &point, &box, grow, s == t && (c[0] == v || c[1] == v || c[2] == v));
        }
    }
}

static recorder every_pair(const bw_swept *s, const bw_swept *t, float grow)
{
    recorder r = {.count = 0};
    expect_faces(&r, s, t, false, grow);
    if (s != t)
        expect_faces(&r, t, s, true, grow);
    expect_loose(&r, s, t, false, grow);
    if (s != t)
        expect_loose(&r, t, s, true, grow);
    for (uint32_t e = 0; e < s->edge_count; e++)
        for (uint32_t f = s == t ? e + 1 : 0; f < t->edge_count; f++) {
            const uint32_t *v = s->edges[e], *w = t->edges[f];
            bw_box x = bw_swept_edge_box(s, e), y = bw_swept_edge_box(t, f);
            expect(&r, BW_CCD_EDGE_EDGE, e, f, &x, &y, grow,
                   s == t && (v[0] == w[0] || v[0] == w[1] || v[1] == w[0] || v[1] == w[1]));
        }
    return r;
}

static void same_walks(const bw_swept *a, const bw_swept *b, float grow)
{
    recorder truth = every_pair(a, b, grow), narrow = walk_at(a, b, grow, BW_SIMD_128);
    for (bw_simd level = BW_SIMD_AVX2; level <= bw_simd_level(BW_SIMD_AUTO); level++) {
        recorder other = walk_at(a, b, grow, level);
        assert_int_equal(other.count, narrow.count);
        assert_memory_equal(other.pairs, narrow.pairs, narrow.count * sizeof *narrow.pairs);
        assert_int_equal(other.walk.box_tests, narrow.walk.box_tests);
        free(other.pairs);
    }
    assert_int_equal(narrow.count, truth.count);
    if (truth.count > 0) {
        qsort(narrow.pairs, narrow.count, sizeof *narrow.pairs, by_name);
        qsort(truth.pairs, truth.count, sizeof *truth.pairs, by_name);
        assert_memory_equal(truth.pairs, narrow.pairs, truth.count * sizeof *truth.pairs);
    }
    free(truth.pairs);
    free(narrow.pairs);
}

/* Triangles between random vertices on a lattice of quarters, so that sums with a growth of quarters are
 * exact. */
static bw_swept *some_step(bws_random *random)
{
    enum { MOST = 90 };
    float positions[2][MOST][3];
    double thickness[MOST];
    uint32_t indices[2 * MOST][3], edges[MOST][2], vertices = (uint32_t)bws_random_int(random, 3, MOST),
                                                   triangles = (uint32_t)bws_random_int(random, 1, 2 * MOST);
    bool loose = bws_random_bool(random), thick = bws_random_below(random, 3) == 0;
    if (loose && bws_random_bool(random))
        triangles = (uint32_t)bws_random_below(random, 3);
    for (uint32_t v = 0; v < vertices; v++)
        for (int k = 0; k < 3; k++) {
            positions[0][v][k] = 0.25f * (float)bws_random_int(random, -20, 20);
            positions[1][v][k] = positions[0][v][k] + 0.25f * (float)bws_random_int(random, -2, 2);
        }
    for (uint32_t t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++)
            indices[t][k] = (t + (uint32_t)bws_random_below(random, 6)) % vertices;
    for (uint32_t v = 0; v < MOST; v++) {
        thickness[v] = 0.25 * (double)bws_random_below(random, 3);
        edges[v][0] = (uint32_t)bws_random_below(random, vertices);
        edges[v][1] = (edges[v][0] + 1 + (uint32_t)bws_random_below(random, 3)) % vertices;
    }
    bw_mesh start = {positions[0], BW_F32, vertices, 0, indices[0], triangles}, end = start;
    end.positions = positions[1];
    bw_swept *s = NULL;
    const bw_swept_desc desc = {.edges = edges[0],
                                .edge_count = loose ? (uint32_t)bws_random_int(random, 1, 12) : 0,
                                .points = loose,
                                .thickness = thick ? thickness : NULL};
    assert_int_equal(bw_swept_create(&desc, &start, &end, &s, NULL), BW_OK);
    assert_null(bw_swept_check(s));
    return s;
}

/* The groups of a step, refitted at every level: the same bits. */
static void same_refits(bw_swept *s)
{
    size_t size = s->group_count * sizeof *s->groups;
    bw_swept_group *before = malloc(size);
    memcpy(before, s->groups, size);
    for (bw_simd level = BW_SIMD_128; level <= bw_simd_level(BW_SIMD_AUTO); level++) {
        for (uint32_t i = 0; i < s->group_count; i++)
            for (int lane = 0; lane < BW_WIDTH; lane++)
                s->groups[i].min[lane % 3][lane] = s->groups[i].max[(lane + 1) % 3][lane] = 77;
        bw_swept_kernels_of(level)->refit(s, 0, s->leaf_count);
        assert_memory_equal(s->groups, before, size);
        assert_null(bw_swept_check(s));
    }
    free(before);
}

static void walks_agree(bws_random *random, void *user)
{
    (void)user;
    bw_swept *a = some_step(random), *b = some_step(random);
    float grow = 0.25f * (float)bws_random_below(random, 3);
    same_refits(a);
    same_walks(a, a, grow);
    same_walks(a, b, grow);
    bw_swept_destroy(a);
    bw_swept_destroy(b);
}

static void walks(void **state)
{
    (void)state;
    BW_EACH_SEED(60, walks_agree, NULL);
}

static void levels(void **state)
{
    (void)state;
    for (bw_simd level = BW_SIMD_128; level <= bw_simd_level(BW_SIMD_AUTO); level++) {
        BW_EACH_SEED(20, nodes_meet, (void *)(uintptr_t)bw_swept_kernels_of(level));
        BW_EACH_SEED(100, bounds_hold, (void *)(uintptr_t)bw_swept_kernels_of(level));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels), cmocka_unit_test(walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
