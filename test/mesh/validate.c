/* Validation and the scan behind it against a second opinion, on sound and damaged meshes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "mesh/damaged.h"
#include "mesh/defect.h"
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

static void assert_same_report(const bw_mesh_report *got, const bw_mesh_report *expected)
{
    assert_int_equal(got->primitives, expected->primitives);
    assert_int_equal(got->defective, expected->defective);
    for (int i = 0; i < BW_DEFECT_COUNT; i++)
        assert_int_equal(got->counts[i], expected->counts[i]);
    assert_int_equal(got->first, expected->first);
    assert_int_equal(got->first_primitive, expected->first_primitive);
    assert_int_equal(got->first_vertex, expected->first_vertex);
    assert_int_equal(got->first_axis, expected->first_axis);
    bool both_nan = isnan(got->first_value) && isnan(expected->first_value);
    assert_true(both_nan || got->first_value == expected->first_value);
    assert_int_equal(got->unused_vertices, expected->unused_vertices);
}

static void validates(bws_random *random, void *user)
{
    (void)user;
    damaged d;
    damaged_make(&d, random);
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_mesh_report got = {0}, expected = {0};
    assert_int_equal(bw_mesh_validate(&d.mesh, &memory.hook, &got, NULL), BW_OK);
    damaged_expect(&d.mesh, true, &expected);
    assert_same_report(&got, &expected);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(bw_mesh_validate(&d.mesh, NULL, &got, NULL), BW_OK);
    assert_same_report(&got, &expected);
}

static void test_validates(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, validates, NULL);
}

/* The report of a scan that must fail names the first fatal primitive outside the set. */
static bw_defect first_outside(const bw_mesh *mesh, uint32_t set, uint32_t *primitive)
{
    bool areas = (set & BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA)) != 0;
    for (*primitive = 0; *primitive < bw_mesh_primitive_count(mesh); ++*primitive) {
        bw_defect defect = damaged_defect(mesh, *primitive, areas);
        if (bw_defect_result(defect) != BW_OK && (set & BW_DEFECT_BIT(defect)) == 0)
            return defect;
    }
    return BW_DEFECT_NONE;
}

static void scans(bws_random *random, void *user)
{
    (void)user;
    damaged d;
    damaged_make(&d, random);
    uint32_t set = (uint32_t)bws_random_below(random, 64) & ~1u;
    if (bws_random_bool(random))
        set |= BW_DEFECTS_FATAL;
    bool areas = (set & BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA)) != 0;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_mesh_scan_result scan;
    bw_mesh_report expected = {0};
    damaged_expect(&d.mesh, areas, &expected);
    expected.unused_vertices = 0;
    bw_result result = bw_mesh_scan(&d.mesh, set, &memory.hook, NULL, &scan);
    uint32_t primitive;
    bw_defect outside = first_outside(&d.mesh, set, &primitive);
    assert_int_equal(result, bw_defect_result(outside));
    if (result != BW_OK) {
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(scan.report.first, outside);
        assert_int_equal(scan.report.first_primitive, primitive);
        assert_int_equal(scan.report.defective, expected.defective);
        return;
    }
    assert_same_report(&scan.report, &expected);
    assert_int_equal(scan.quarantined, expected.defective);
    assert_true((scan.quarantine == NULL) == (scan.quarantined == 0));
    uint32_t at = 0;
    for (uint32_t i = 0; i < expected.primitives; i++)
        if (damaged_defect(&d.mesh, i, areas) != BW_DEFECT_NONE)
            assert_int_equal(scan.quarantine[at++], i);
    assert_int_equal(at, scan.quarantined);
    if (scan.quarantine != NULL)
        memory.hook.free(memory.hook.user, scan.quarantine, scan.quarantined * sizeof(uint32_t));
    assert_int_equal(memory.live_blocks, 0);
}

static void test_scans(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, scans, NULL);
}

/* A mesh that several threads look at: what is wrong anywhere is found, and named as one thread names it. */
static void scans_by_many(bws_random *random, void *user)
{
    const bw_tasks *tasks = user;
    bws_mesh made;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 90}, BW_F32, &made), BW_OK);
    const bw_mesh mesh = bws_view(&made);
    bw_mesh_scan_result one, many;
    assert_int_equal(bw_mesh_scan(&mesh, 0, NULL, tasks, &many), BW_OK);
    const uint32_t damages = (uint32_t)bws_random_int(random, 1, 3);
    for (uint32_t i = 0; i < damages; i++) {
        if (bws_random_bool(random))
            made.indices[bws_random_below(random, 3 * made.triangle_count)] = made.vertex_count;
        else
            bws_mesh_set_vertex(&made, (uint32_t)bws_random_below(random, made.vertex_count),
                                (bw_vec3){0, NAN, 0});
    }
    const bw_result result = bw_mesh_scan(&mesh, 0, NULL, NULL, &one);
    assert_true(result == BW_ERROR_INDEX || result == BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_mesh_scan(&mesh, 0, NULL, tasks, &many), result);
    assert_same_report(&many.report, &one.report);
    bws_mesh_free(&made);
}

static void test_scans_by_many(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(3);
    BW_EACH_SEED(10, scans_by_many, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

/* Every place and every bad value in a long tight array: none hides from the vectorised pass. */
static void test_one_bad_coordinate_anywhere(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, -0x1.000002p100, 0x1.8p100};
    for (int scalar = BW_F32; scalar <= BW_F64; scalar++) {
        bws_mesh cloud;
        assert_int_equal(bws_points(&(bws_points_desc){.count = 37}, (bw_scalar)scalar, &cloud), BW_OK);
        bw_mesh mesh = bws_view(&cloud);
        assert_true(bw_mesh_coordinates_sound(&mesh));
        for (uint32_t v = 0; v < cloud.vertex_count; v++) {
            bw_vec3 kept = bws_mesh_vertex(&cloud, v);
            for (size_t b = 0; b < 3 * sizeof bad / sizeof *bad; b++) {
                double p[3] = {kept.x, kept.y, kept.z};
                p[b % 3] = bad[b / 3];
                bws_mesh_set_vertex(&cloud, v, (bw_vec3){p[0], p[1], p[2]});
                assert_false(bw_mesh_coordinates_sound(&mesh));
            }
            bws_mesh_set_vertex(&cloud, v, (bw_vec3){0x1p100, -0x1p100, -0.0});
            assert_true(bw_mesh_coordinates_sound(&mesh));
            bws_mesh_set_vertex(&cloud, v, (bw_vec3){1e-45, -1e-38, 0x1p-300});
            assert_true(bw_mesh_coordinates_sound(&mesh));
            bws_mesh_set_vertex(&cloud, v, kept);
        }
        bws_mesh_free(&cloud);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    bw_mesh_report report = {0}, before = {0};
    memset(&report, 0x33, sizeof report);
    report.size = 0;
    before = report;
    bw_mesh mesh = {.vertex_count = 3};
    assert_int_equal(bw_mesh_validate(NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_mesh_validate(&mesh, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_memory_equal(&report, &before, sizeof report);
    mesh.vertex_count = 0;
    assert_int_equal(bw_mesh_validate(&mesh, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_mesh_validate(&mesh, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.primitives + report.defective, 0);
}

static void test_strings(void **state)
{
    (void)state;
    const char *unknown = bw_defect_string(BW_DEFECT_COUNT);
    assert_string_equal(bw_defect_string((bw_defect)99), unknown);
    for (int i = 0; i < BW_DEFECT_COUNT; i++) {
        assert_string_not_equal(bw_defect_string((bw_defect)i), unknown);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(bw_defect_string((bw_defect)i), bw_defect_string((bw_defect)j));
        bool fatal = (BW_DEFECT_BIT(i) & BW_DEFECTS_FATAL) != 0;
        assert_true((bw_defect_result((bw_defect)i) != BW_OK) == fatal);
    }
    assert_int_equal(bw_defect_result(BW_DEFECT_COUNT), BW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validates),     cmocka_unit_test(test_scans),
        cmocka_unit_test(test_scans_by_many), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_strings),       cmocka_unit_test(test_one_bad_coordinate_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
