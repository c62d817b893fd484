/* Validation and adjacency when memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <boxwood/mesh.h>

#include "oracle/failing_allocator.h"
#include "scenes/scenes.h"

static bw_result validate(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_mesh *mesh = user;
    bw_mesh_report report = {0}, before = {0};
    memset(&report, 0x77, sizeof report);
    report.size = 0;
    before = report;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_mesh_validate(mesh, &memory->hook, &report, NULL);
    if (result != BW_OK)
        assert_memory_equal(&report, &before, sizeof report);
    else
        assert_int_equal(report.primitives, mesh->triangle_count);
    return result;
}

static bw_result adjacency(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_mesh *mesh = user;
    bw_adjacency *untouched = (bw_adjacency *)user, *out = untouched;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_adjacency_create(mesh, &memory->hook, &out, NULL);
    if (result != BW_OK) {
        assert_ptr_equal(out, untouched);
    } else {
        assert_int_equal(out->vertex_first[mesh->vertex_count], 3 * mesh->triangle_count);
        bw_adjacency_destroy(out);
    }
    return result;
}

static void test_mesh(void **state)
{
    (void)state;
    bws_mesh torus;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 20, .sides = 10}, BW_F32, &torus), BW_OK);
    bw_mesh mesh = bws_view(&torus);
    bw_each_allocation_failure(validate, &mesh, 1);
    bw_each_allocation_failure(adjacency, &mesh, 3);
    bws_mesh_free(&torus);
    bws_mesh needles; /* whose poles have many edges */
    assert_int_equal(bws_needle_sphere(&(bws_needle_desc){.triangles = 400}, BW_F32, &needles), BW_OK);
    mesh = bws_view(&needles);
    bw_each_allocation_failure(adjacency, &mesh, 5);
    bws_mesh_free(&needles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
