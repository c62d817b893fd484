/* Refits of wide trees: tight after every move, the same bits for any threads and SIMD level, only what moved
 * where only that is named, and nothing changed where a coordinate is bad. */
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/refit/refit.h"
#include "wide_testing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const wide_test_form forms[] = {WIDE_TEST_BARE, WIDE_TEST_RIGID, WIDE_TEST_COMPACT};

/* Moves some vertices by up to `reach`, or all where every is 1. */
static void shake(bws_mesh *mesh, bws_random *random, uint32_t every, double reach)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (bws_random_below(random, every) != 0)
            continue;
        bw_vec3 p = bws_mesh_vertex(mesh, v);
        p.x += bws_random_double(random, -reach, reach);
        p.y += bws_random_double(random, -reach, reach);
        p.z = bws_random_below(random, 8) == 0 ? -0.0 : p.z + bws_random_double(random, -reach, reach);
        bws_mesh_set_vertex(mesh, v, p);
    }
}

static bws_mesh scene_for(bws_random *random)
{
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    bws_mesh mesh;
    uint32_t size = (uint32_t)bws_random_int(random, 1, 3000);
    bw_scalar scalar = bws_random_bool(random) ? BW_F64 : BW_F32;
    assert_int_equal(scenes[bws_random_below(random, count)].make(size, scalar, &mesh), BW_OK);
    return mesh;
}

/* The same mesh with a stride: every vertex followed by bytes that are no coordinates. */
typedef struct strided {
    bw_mesh view;
    void *memory;
} strided;

static strided strided_of(const bws_mesh *mesh, uint32_t extra)
{
    size_t size = mesh->scalar == BW_F64 ? sizeof(double) : sizeof(float);
    strided s = {.view = bws_view(mesh)};
    s.view.stride = (uint32_t)((3 + extra) * size);
    s.memory = malloc((size_t)mesh->vertex_count * s.view.stride);
    assert_non_null(s.memory);
    memset(s.memory, 0xff, (size_t)mesh->vertex_count * s.view.stride); /* NaNs between the vertices */
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        memcpy((char *)s.memory + (size_t)v * s.view.stride, (const char *)mesh->positions + v * 3 * size,
               3 * size);
    s.view.positions = s.memory;
    return s;
}

static void refit_is_tight(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = scene_for(random);
    bw_mesh view = bws_view(&mesh);
    for (int f = 0; f < 3; f++) {
        bw_wide wide;
        bw_wide_desc desc = {.builder = bws_random_bool(random) ? BW_WIDE_FAST : BW_WIDE_QUALITY};
        wide_test_build(&desc, &view, forms[f], &wide);
        for (int frame = 0; frame < 3; frame++) {
            shake(&mesh, random, frame == 0 ? 1 : 5, 0.3);
            bw_update_report report = {0};
            assert_int_equal(bw_wide_refit(&wide, &view, NULL, &report), BW_OK);
            assert_int_equal(report.boxes, wide.node_count + wide.leaf_count);
            wide_test_sound(&wide, &view);
        }
        strided s = strided_of(&mesh, (uint32_t)bws_random_int(random, 1, 3));
        shake(&mesh, random, 1, 0.1);
        assert_int_equal(bw_wide_refit(&wide, &view, NULL, NULL), BW_OK);
        assert_int_equal(bw_wide_refit(&wide, &s.view, NULL, NULL), BW_OK);
        wide_test_sound(&wide, &s.view);
        free(s.memory);
        bw_wide_release(&wide);
    }
    bws_mesh_free(&mesh);
}

static void test_tight(void **state)
{
    (void)state;
    BW_EACH_SEED(40, refit_is_tight, NULL);
}

static void same_bits(bws_mesh *mesh, bws_random *random)
{
    static const bw_simd levels[] = {BW_SIMD_128, BW_SIMD_AVX2};
    static const uint32_t workers[] = {1, 2, 3, 7};
    bw_mesh view = bws_view(mesh);
    for (int f = 0; f < 3; f++) {
        bw_wide wide;
        wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_QUALITY}, &view, forms[f], &wide);
        shake(mesh, random, 1, 0.2);
        bw_wide first = wide_test_copy(&wide);
        bw_update_report serial = {0};
        assert_int_equal(bw_wide_refit(&first, &view, &(bw_wide_refit_desc){.count_changed = true}, &serial),
                         BW_OK);
        for (int i = 0; i < 12; i++) {
            bw_pool *pool = test_pool_create(workers[i / 3]);
            bw_wide_refit_desc desc = {
                .tasks = bw_pool_tasks(pool), .simd = levels[i % 2], .count_changed = true};
            bw_wide other = wide_test_copy(&wide);
            bw_update_report report = {0};
            assert_int_equal(bw_wide_refit(&other, &view, &desc, &report), BW_OK);
            wide_test_same(&first, &other);
            assert_int_equal(report.changed, serial.changed);
            bw_wide_release(&other);
            bw_pool_destroy(pool);
        }
        bw_wide_release(&first);
        bw_wide_release(&wide);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(bw_random_seed_from_env(9));
    for (int scalar = 0; scalar < 2; scalar++) {
        bws_mesh mesh; /* many chunks */
        assert_int_equal(
            bws_sheet(&(bws_sheet_desc){.columns = 230, .rows = 250}, 0, (bw_scalar)scalar, &mesh), BW_OK);
        same_bits(&mesh, &random);
        bws_mesh_free(&mesh);
    }
}

/* Boxes of leaves set by hand, as for primitives of the caller's own; then the nodes above. */
static void pull_is_tight(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = scene_for(random);
    bw_mesh view = bws_view(&mesh);
    const uint32_t count = bw_mesh_primitive_count(&view);
    bw_wide wide;
    wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_FAST}, &view, WIDE_TEST_BARE, &wide);
    for (uint32_t leaf = 0; leaf < wide.leaf_count; leaf++) {
        float x = (float)bws_random_double(random, -5, 5);
        bw_wide_set_lane(&wide.nodes[wide.leaves[leaf].parent], wide.leaves[leaf].lane,
                         &(bw_box){{x, -x * x, 0}, {x + 1, 2, 3}});
    }
    bw_wide scalar = wide_test_copy(&wide);
    bw_wide_bounds_up(&wide, NULL);
    const char *wrong = bw_wide_check(&wide, NULL, count);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    scalar.preorder = false; /* one loop from the end */
    bw_wide_bounds_up(&scalar, NULL);
    scalar.preorder = true;
    wide_test_same(&wide, &scalar);
    bw_wide_release(&scalar);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

static void test_pull(void **state)
{
    (void)state;
    BW_EACH_SEED(20, pull_is_tight, NULL);
    bws_mesh mesh; /* many chunks */
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 230, .rows = 250}, 0, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_QUALITY}, &view, WIDE_TEST_BARE, &wide);
    bw_wide copy = wide_test_copy(&wide);
    for (uint32_t i = 0; i < copy.node_count; i++)
        for (uint32_t lane = 0; lane < copy.nodes[i].count; lane++)
            if ((copy.nodes[i].child[lane] & BW_WIDE_LEAF) == 0)
                bw_wide_set_lane(&copy.nodes[i], lane, &(bw_box){{9, 9, 9}, {9, 9, 9}});
    bw_pool *pool = test_pool_create(3);
    bw_wide_bounds_up(&copy, bw_pool_tasks(pool));
    wide_test_same(&wide, &copy);
    bw_pool_destroy(pool);
    bw_wide_release(&copy);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

/* report->changed against a comparison of all boxes. */
static uint32_t differing_lanes(const bw_wide *a, const bw_wide *b)
{
    uint32_t count = memcmp(&a->bounds, &b->bounds, sizeof a->bounds) != 0;
    for (uint32_t i = 0; i < a->node_count; i++)
        for (uint32_t lane = 0; lane < a->nodes[i].count; lane++) {
            bw_box x = bw_wide_lane_box(&a->nodes[i], lane), y = bw_wide_lane_box(&b->nodes[i], lane);
            count += memcmp(&x, &y, sizeof x) != 0;
        }
    return count;
}

static void count_changes(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = scene_for(random);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_FAST}, &view, forms[bws_random_below(random, 3)],
                    &wide);
    bw_wide before = wide_test_copy(&wide);
    shake(&mesh, random, 50, 0.5);
    bw_update_report report = {0};
    assert_int_equal(bw_wide_refit(&wide, &view, &(bw_wide_refit_desc){.count_changed = true}, &report),
                     BW_OK);
    assert_int_equal(report.changed, differing_lanes(&before, &wide));
    bw_wide_release(&before);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

static void test_changed(void **state)
{
    (void)state;
    BW_EACH_SEED(40, count_changes, NULL);
}

static void refit_ranges(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = scene_for(random);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    bw_wide_desc build = {.builder = bws_random_bool(random) ? BW_WIDE_FAST : BW_WIDE_QUALITY};
    wide_test_build(&build, &view, forms[bws_random_below(random, 3)], &wide);
    for (int frame = 0; frame < 6; frame++) {
        bw_vertex_range ranges[12];
        uint32_t count = (uint32_t)bws_random_below(random, 13);
        for (uint32_t i = 0; i < count; i++) {
            ranges[i].count = (uint32_t)bws_random_below(random, frame == 5 ? mesh.vertex_count + 1
                                                                            : 1 + mesh.vertex_count / 30);
            ranges[i].first = (uint32_t)bws_random_below(random, mesh.vertex_count - ranges[i].count + 1);
            for (uint32_t v = ranges[i].first; v < ranges[i].first + ranges[i].count; v++)
                bws_mesh_set_vertex(&mesh, v, (bw_vec3){bws_random_double(random, -2, 2), 0, 1});
        }
        bw_wide before = wide_test_copy(&wide), whole = wide_test_copy(&wide);
        bw_update_report report = {0};
        bw_wide_refit_desc desc = {.count_changed = true};
        assert_int_equal(bw_wide_refit_ranges(&wide, &view, ranges, count, &desc, &report), BW_OK);
        wide_test_sound(&wide, &view);
        assert_int_equal(report.changed, differing_lanes(&before, &wide));
        assert_int_equal(bw_wide_refit(&whole, &view, NULL, NULL), BW_OK);
        wide_test_same(&whole, &wide);
        bw_wide_release(&whole);
        bw_wide_release(&before);
    }
    bw_vertex_range beyond = {mesh.vertex_count, 1}, huge = {1, UINT32_MAX};
    assert_int_equal(bw_wide_refit_ranges(&wide, &view, &beyond, 1, NULL, NULL), BW_ERROR_INDEX);
    assert_int_equal(bw_wide_refit_ranges(&wide, &view, &huge, 1, NULL, NULL), BW_ERROR_INDEX);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

static void test_ranges(void **state)
{
    (void)state;
    BW_EACH_SEED(60, refit_ranges, NULL);
}

/* The first primitive with a bad corner, looked for the plain way. */
static uint32_t first_with_vertex(const bw_mesh *mesh, uint32_t vertex)
{
    for (uint32_t p = 0; p < bw_mesh_primitive_count(mesh); p++)
        for (uint32_t k = 0; k < 3; k++)
            if ((mesh->indices == NULL ? p : mesh->indices[3 * p + k]) == vertex)
                return p;
    return BW_NONE;
}

static void bad_coordinates(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = scene_for(random);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_FAST}, &view, forms[bws_random_below(random, 3)],
                    &wide);
    const double bad[] = {NAN, INFINITY, -INFINITY, 0x1.000002p100, -0x1p120, 0x1p-301};
    const bw_defect defects[] = {BW_DEFECT_NAN,   BW_DEFECT_INFINITE, BW_DEFECT_INFINITE,
                                 BW_DEFECT_RANGE, BW_DEFECT_RANGE,    BW_DEFECT_RANGE};
    for (int i = 0; i < (mesh.scalar == BW_F64 ? 6 : 5); i++)
        for (int simd = BW_SIMD_128; simd <= BW_SIMD_AVX2; simd++) {
            uint32_t vertex = (uint32_t)bws_random_below(random, mesh.vertex_count);
            bw_vec3 good = bws_mesh_vertex(&mesh, vertex), p = good;
            *(i % 3 == 0 ? &p.x : i % 3 == 1 ? &p.y : &p.z) = bad[i];
            bws_mesh_set_vertex(&mesh, vertex, p);
            bw_wide before = wide_test_copy(&wide);
            bw_update_report report = {0};
            bw_fault where = {0};
            bw_wide_refit_desc desc = {.simd = (bw_simd)simd, .where = &where};
            bw_vertex_range range = {vertex, 1};
            uint32_t first = first_with_vertex(&view, vertex);
            bw_result want = first == BW_NONE ? BW_OK : bw_defect_result(defects[i]);
            if (bws_random_bool(random))
                assert_int_equal(bw_wide_refit(&wide, &view, &desc, &report), want);
            else
                assert_int_equal(bw_wide_refit_ranges(&wide, &view, &range, 1, &desc, &report), want);
            if (first != BW_NONE) {
                assert_int_equal(where.defect, defects[i]);
                assert_int_equal(where.element, first);
                assert_int_equal(where.vertex, vertex);
                assert_true(where.value == bad[i] || (isnan(bad[i]) && isnan(where.value)));
            }
            wide_test_same(&before, &wide);
            bw_wide_release(&before);
            bws_mesh_set_vertex(&mesh, vertex, good);
        }
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

static void test_bad_coordinates(void **state)
{
    (void)state;
    BW_EACH_SEED(40, bad_coordinates, NULL);
}

/* A vertex that no triangle names may be anything. */
static void test_unused_vertex(void **state)
{
    (void)state;
    float positions[] = {0, 0, 0, 1, 0, 0, NAN, NAN, NAN, 0, 1, 0};
    const uint32_t indices[] = {0, 1, 3};
    bw_mesh mesh = {.positions = positions, .vertex_count = 4, .indices = indices, .triangle_count = 1};
    for (int f = 0; f < 3; f++) {
        bw_wide wide;
        wide_test_build(&(bw_wide_desc){0}, &mesh, forms[f], &wide);
        positions[3] += 0.5f;
        assert_int_equal(bw_wide_refit(&wide, &mesh, NULL, NULL), BW_OK);
        wide_test_sound(&wide, &mesh);
        bw_wide_release(&wide);
    }
}

static bw_result ranges_under_fault(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_mesh *mesh = user;
    bw_box *boxes = wide_test_boxes(mesh);
    bw_wide wide;
    bw_wide_desc desc = {.allocator = &memory->hook};
    assert_int_equal(bw_wide_build(&desc, boxes, NULL, bw_mesh_primitive_count(mesh), &wide), BW_OK);
    free(boxes);
    bw_vertex_range range = {3, 2};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_wide_refit_ranges(&wide, mesh, &range, 1, NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    wide_test_sound(&wide, mesh);
    bw_wide_release(&wide);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_torus(NULL, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_each_allocation_failure(ranges_under_fault, &view, 3);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tight),         cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_changed),       cmocka_unit_test(test_pull),
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_bad_coordinates),
        cmocka_unit_test(test_unused_vertex), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
