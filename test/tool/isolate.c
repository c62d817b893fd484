/* A reader in a process of its own: what it answers arrives, and if it crashes, ends or breaks off, that is a
 * fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "io/build.h"
#include "io/isolate.h"

static bool two_squares(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish;
    build b = build_start(file, "test", false);
    for (uint32_t part = 0; part < 2; part++) {
        build_part(&b, part == 0 ? "first" : "");
        for (uint32_t k = 0; k < 4; k++) {
            build_vertex(&b, (bw_vec3){part + (k == 1 || k == 2), k > 1, 0.1}, 0);
            build_corner(&b, 4 * part + k);
        }
        build_face(&b, 0);
    }
    b.model.losses.animations = 7;
    return build_finish(&b, out, why);
}

static bool three_points(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish;
    build b = build_start(file, "test", false);
    for (int k = 0; k < 3; k++)
        build_vertex(&b, (bw_vec3){k, 0, 0}, 0);
    return build_finish(&b, out, why);
}

static bool refuses(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish, (void)out;
    return fault_set(why, "%s: not today", file);
}

static bool crashes(const char *file, const void *wish, model *out, fault *why)
{
    (void)file, (void)wish, (void)out, (void)why;
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would report it as a bug of this test */
    raise(SIGSEGV);
    return true;
}

static bool ends(const char *file, const void *wish, model *out, fault *why)
{
    (void)file, (void)wish, (void)out, (void)why;
    _Exit(0);
}

static void test_model(void **state)
{
    (void)state;
    model here, there;
    fault why;
    assert_true(two_squares("name", NULL, &here, &why));
    assert_true(isolate_read(two_squares, "name", NULL, &there, &why));
    assert_string_equal(there.file, "name");
    assert_string_equal(there.format, "test");
    assert_int_equal(there.vertex_count, 8);
    assert_int_equal(there.triangle_count, 4);
    assert_memory_equal(there.positions, here.positions, 24 * sizeof(double));
    assert_memory_equal(there.indices, here.indices, 12 * sizeof(uint32_t));
    assert_memory_equal(there.faces, here.faces, 4 * sizeof(uint32_t));
    assert_int_equal(there.part_count, 2);
    assert_string_equal(there.parts[0].name, "first");
    assert_string_equal(there.parts[1].name, "");
    assert_int_equal(there.parts[1].first_triangle, 2);
    assert_int_equal(there.losses.animations, 7);
    assert_null(there.triangle_lines);
    model_free(&here);
    model_free(&there);
}

static void test_points(void **state)
{
    (void)state;
    model m;
    fault why;
    assert_true(isolate_read(three_points, "name", NULL, &m, &why));
    assert_int_equal(m.vertex_count, 3);
    assert_null(m.indices);
    assert_int_equal(m.part_count, 0);
    model_free(&m);
}

static void test_failures(void **state)
{
    (void)state;
    model m;
    fault why;
    assert_false(isolate_read(refuses, "name", NULL, &m, &why));
    assert_string_equal(why.text, "name: not today");
    assert_false(isolate_read(crashes, "name", NULL, &m, &why));
    assert_non_null(strstr(why.text, "name: the importer crashed on this file"));
    assert_false(isolate_read(ends, "name", NULL, &m, &why));
    assert_string_equal(why.text, "name: the importer ended without an answer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_model), cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
