/* Reading vertices through every kind of view, and refusing the views that cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "mesh/view.h"
#include "oracle/random.h"

enum { VERTICES = 40 };

static void reads_every_layout(bws_random *random, void *user)
{
    (void)user;
    static double room[VERTICES * 12 + 4];
    unsigned char *bytes = (unsigned char *)room;
    bw_mesh mesh = {.vertex_count = VERTICES, .scalar = bws_random_bool(random) ? BW_F64 : BW_F32};
    size_t size = mesh.scalar == BW_F64 ? 8 : 4;
    mesh.stride = (uint32_t)(size * bws_random_below(random, 8));
    if (mesh.stride < 3 * size)
        mesh.stride = 0;
    size_t stride = mesh.stride == 0 ? 3 * size : mesh.stride;
    size_t offset = size * bws_random_below(random, 3);
    memset(room, 0xff, sizeof room); /* NaN wherever no coordinate stands */
    mesh.positions = bytes + offset;

    double expected[VERTICES][3];
    for (uint32_t v = 0; v < VERTICES; v++) {
        for (uint32_t k = 0; k < 3; k++) {
            float f = bws_random_float(random, -5, 5);
            double d = bws_random_double(random, -5, 5);
            void *to = bytes + offset + v * stride + k * size;
            if (size == 4)
                memcpy(to, &f, 4);
            else
                memcpy(to, &d, 8);
            expected[v][k] = size == 4 ? (double)f : d;
        }
    }
    uint32_t indices[3 * 50];
    for (int i = 0; i < 3 * 50; i++)
        indices[i] = (uint32_t)bws_random_below(random, VERTICES);

    assert_int_equal(bw_mesh_view_check(&mesh), BW_OK);
    assert_int_equal(bw_mesh_primitive_count(&mesh), VERTICES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        bw_vec3 p = bw_mesh_vertex(&mesh, v), corner[3];
        bw_mesh_corners(&mesh, v, corner);
        assert_memory_equal(&p, expected[v], sizeof p);
        for (int c = 0; c < 3; c++)
            assert_memory_equal(&corner[c], expected[v], sizeof p);
        assert_int_equal(bw_mesh_view_index(&mesh, v, 1), v);
    }
    mesh.indices = indices;
    mesh.triangle_count = 50;
    assert_int_equal(bw_mesh_primitive_count(&mesh), 50);
    for (uint32_t t = 0; t < 50; t++) {
        bw_vec3 corner[3];
        bw_mesh_corners(&mesh, t, corner);
        for (uint32_t c = 0; c < 3; c++) {
            assert_memory_equal(&corner[c], expected[indices[3 * t + c]], sizeof corner[c]);
            assert_int_equal(bw_mesh_view_index(&mesh, t, c), indices[3 * t + c]);
        }
    }
}

static void test_reads_every_layout(void **state)
{
    (void)state;
    BW_EACH_SEED(200, reads_every_layout, NULL);
}

static void test_refuses(void **state)
{
    (void)state;
    double room[12] = {0};
    uint32_t indices[6] = {0};
    const bw_mesh good = {.positions = room, .scalar = BW_F64, .vertex_count = 4};
    assert_int_equal(bw_mesh_view_check(&good), BW_OK);
    assert_int_equal(bw_mesh_view_check(NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_mesh_primitive_count(NULL), 0);

    bw_mesh bad = good;
    bad.positions = NULL;
    assert_int_equal(bw_mesh_view_check(&bad), BW_ERROR_ARGUMENT);
    bad.vertex_count = 0; /* nothing to read: an empty mesh is a view */
    assert_int_equal(bw_mesh_view_check(&bad), BW_OK);

    bad = good;
    bad.scalar = (bw_scalar)2;
    assert_int_equal(bw_mesh_view_check(&bad), BW_ERROR_ARGUMENT);

    bad = good;
    bad.positions = (const char *)room + 4;
    assert_int_equal(bw_mesh_view_check(&bad), BW_ERROR_ARGUMENT);
    bad.scalar = BW_F32;
    assert_int_equal(bw_mesh_view_check(&bad), BW_OK);
    bad.positions = (const char *)room + 2;
    assert_int_equal(bw_mesh_view_check(&bad), BW_ERROR_ARGUMENT);

    static const uint32_t strides[] = {1, 4, 12, 16, 20, 23, 25, 28};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        bad = good;
        bad.stride = strides[i];
        assert_int_equal(bw_mesh_view_check(&bad), BW_ERROR_ARGUMENT);
        bad.scalar = BW_F32;
        bool fits = strides[i] >= 12 && strides[i] % 4 == 0;
        assert_int_equal(bw_mesh_view_check(&bad), fits ? BW_OK : BW_ERROR_ARGUMENT);
    }

    bad = good;
    bad.indices = (const uint32_t *)(const void *)((const char *)indices + 2);
    bad.triangle_count = 1;
    assert_int_equal(bw_mesh_view_check(&bad), BW_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_every_layout),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
