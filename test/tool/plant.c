/* A plant of 2,000 parts whose clashes are known by its making: all are found, no others, in the order of their
 * depths; a tolerance takes away what is mated and nothing deeper; the same for any number of threads. Depths are
 * computed again by separating axes, which are exact for convex solids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/clash.h"
#include "scenes/plant.h"
#include <boxwood/pool.h>

static bws_plant plant;

/* ---- the oracle ---- */

static bw_vec3 minus(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* How far b must move along d, or against it, to be out of a; d need not be unit. */
static double way_out(const bws_plant_part *a, const bws_plant_part *b, bw_vec3 d)
{
    double length = sqrt(dot(d, d)), low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    const bws_plant_part *parts[2] = {a, b};
    if (!(length > 1e-9))
        return INFINITY;
    for (int k = 0; k < 2; k++)
        for (uint32_t v = 0; v < parts[k]->vertex_count; v++) {
            double x = dot(bws_mesh_vertex(&plant.mesh, parts[k]->first_vertex + v), d) / length;
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    return fmin(high[0] - low[1], high[1] - low[0]);
}

/* Edges and normals of a part; those of triangles that share a plane come several times. */
static uint32_t edges_of(const bws_plant_part *p, bw_vec3 *edges, bw_vec3 *normals)
{
    for (uint32_t t = 0; t < p->triangle_count; t++) {
        bw_vec3 c[3];
        for (uint32_t k = 0; k < 3; k++)
            c[k] = bws_mesh_vertex(&plant.mesh, plant.mesh.indices[3 * ((size_t)p->first_triangle + t) + k]);
        for (uint32_t k = 0; k < 3; k++)
            edges[3 * t + k] = minus(c[(k + 1) % 3], c[k]);
        normals[t] = cross(edges[3 * t], edges[3 * t + 1]);
    }
    return p->triangle_count;
}

static double depth_of(uint32_t a, uint32_t b)
{
    enum { MOST = 128 };
    static bw_vec3 edges[2][3 * MOST], normals[2][MOST];
    const bws_plant_part *p = &plant.parts[a], *q = &plant.parts[b];
    uint32_t n[2] = {edges_of(p, edges[0], normals[0]), edges_of(q, edges[1], normals[1])};
    double least = INFINITY;
    for (int k = 0; k < 2; k++)
        for (uint32_t t = 0; t < n[k]; t++)
            least = fmin(least, way_out(p, q, normals[k][t]));
    for (uint32_t i = 0; i < 3 * n[0]; i++)
        for (uint32_t j = 0; j < 3 * n[1]; j++)
            least = fmin(least, way_out(p, q, cross(edges[0][i], edges[1][j])));
    return least;
}

static void test_depths(void **state)
{
    (void)state;
    uint32_t deep = 0;
    for (uint32_t i = 0; i < plant.clash_count; i++) {
        const bws_plant_clash *c = &plant.clashes[i];
        if (c->depth == 0 && i % 50 != 0)
            continue; /* a sample of the mated ones */
        deep += c->depth > 0;
        double depth = depth_of(c->a, c->b);
        if (!(fabs(depth - c->depth) < 1e-6))
            fail_msg("%s and %s: %g by its making, %g by separating axes", plant.parts[c->a].name,
                     plant.parts[c->b].name, c->depth, depth);
    }
    assert_int_equal(deep, 44);
}

/* ---- what clash finds ---- */

static void find(uint32_t threads, double tolerance, assembly *a, clash_result *found, report *r)
{
    fault why = {"?"};
    bw_pool *pool;
    const clash_wish wish = {
        .clearance = -1, .tolerance = tolerance, .contain = true, .limit = 1, .measure = true};
    const char *file = "scene:plant";
    *found = (clash_result){.list = NULL};
    if (!assembly_read(a, &file, 1, &(assembly_desc){.quarantine = false}, &why))
        fail_msg("%s", why.text);
    assert_int_equal(bw_pool_create(threads, &pool, NULL), BW_OK);
    bool fine = assembly_build(a, &(assembly_desc){.quarantine = false}, bw_pool_tasks(pool), &why);
    assembly_close(a, bw_pool_tasks(pool));
    fine = fine && clash_search(a, &wish, bw_pool_tasks(pool), NULL, found, &why);
    bw_pool_destroy(pool);
    if (!fine)
        fail_msg("%s", why.text);
    *r = clash_report(a, &wish, found, NULL);
}

/* Every known clash deeper than a tolerance, in the order of depth, and nothing else. */
static void check(const report *r, double tolerance)
{
    uint32_t expected = 0;
    while (expected < plant.clash_count && plant.clashes[expected].depth > tolerance)
        expected++;
    if (tolerance == 0)
        expected = plant.clash_count;
    assert_int_equal(r->finding_count, expected);
    for (uint32_t i = 0; i < expected; i++) {
        const bws_plant_clash *c = &plant.clashes[i];
        const report_finding *f = &r->findings[i];
        if (f->a != c->a || f->b != c->b)
            fail_msg("rank %u: %s and %s instead of %s and %s", i + 1, r->parts[f->a].name,
                     r->parts[f->b].name, plant.parts[c->a].name, plant.parts[c->b].name);
        assert_int_equal(f->kind, c->contained   ? REPORT_CONTAINED
                                  : c->depth > 0 ? REPORT_HARD
                                                 : REPORT_TOUCHING);
        assert_string_equal(r->parts[f->a].name, plant.parts[c->a].name);
        assert_true(f->depth_lower <= c->depth + 1e-9 && f->depth_upper >= c->depth - 1e-9);
        assert_true(f->depth_lower >= 0.98 * c->depth); /* how deep points are, by which they are ranked */
        if (!(f->depth_upper <= 1.001 * c->depth + 1e-9))
            fail_msg("rank %u: %g deep instead of %g", i + 1, f->depth_upper, c->depth);
    }
}

static void test_found(void **state)
{
    (void)state;
    assembly a[2];
    clash_result found[2];
    report r[2];
    find(1, 0, &a[0], &found[0], &r[0]);
    check(&r[0], 0);
    find(3, 0, &a[1], &found[1], &r[1]);
    assert_int_equal(r[0].finding_count, r[1].finding_count);
    for (size_t i = 0; i < r[0].finding_count; i++) {
        const report_finding *f = &r[0].findings[i], *g = &r[1].findings[i];
        assert_true(f->a == g->a && f->b == g->b && f->depth_upper == g->depth_upper &&
                    f->volume == g->volume && memcmp(&f->place, &g->place, sizeof f->place) == 0 &&
                    f->pair_count == g->pair_count);
    }
    for (int i = 0; i < 2; i++) {
        report_free(&r[i]);
        clash_result_free(&found[i]);
        assembly_free(&a[i]);
    }
}

static void test_tolerance(void **state)
{
    (void)state;
    for (double tolerance = 0.01; tolerance < 200; tolerance *= 7) {
        assembly a;
        clash_result found;
        report r;
        find(2, tolerance, &a, &found, &r);
        check(&r, tolerance);
        assert_int_equal(r.left_by_tolerance, plant.clash_count - r.finding_count);
        report_free(&r);
        clash_result_free(&found);
        assembly_free(&a);
    }
}

static int make(void **state)
{
    (void)state;
    return bws_plant_make(0, &plant) == BW_OK ? 0 : 1;
}

static int give_back(void **state)
{
    (void)state;
    bws_plant_free(&plant);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_depths), cmocka_unit_test(test_found),
                                       cmocka_unit_test(test_tolerance)};
    return cmocka_run_group_tests(tests, make, give_back);
}
