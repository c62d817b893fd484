/* Building right over a mesh, where the fast builder fills leaves on the way: sound in every form, the same
 * bits for any number of threads and any SIMD level, within the memory that is promised, and nothing lost
 * when memory runs out. */
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"
#include "wide_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_wide_builder builders[] = {BW_WIDE_FAST, BW_WIDE_QUALITY};
static const bw_wide_form forms[] = {BW_WIDE_BARE, BW_WIDE_CORNERS, BW_WIDE_VERTICES};
enum { BUILDERS = 2, FORMS = 3 };

static void build(const bw_wide_desc *desc, const bw_mesh *mesh, bw_wide_form form, bw_wide *out)
{
    const uint32_t count = bw_mesh_primitive_count(mesh);
    assert_int_equal(bw_wide_build_mesh(desc, mesh, NULL, count, form, out), BW_OK);
    wide_test_sound(out, mesh);
    assert_int_equal(out->primitive_count, count);
    assert_true((out->corners != NULL) == (form == BW_WIDE_CORNERS));
    assert_true((out->vertices != NULL) == (form == BW_WIDE_VERTICES));
}

/* Leaves that were filled on the way hold what they would if they were filled afterwards. */
static void fill_again(bw_wide *wide, const bw_mesh *mesh)
{
    if (wide->corners != NULL) {
        memset(wide->corners, 0, wide->leaf_count * sizeof *wide->corners);
        assert_int_equal(bw_wide_fill_corners(wide, mesh, NULL, BW_SIMD_AUTO), BW_OK);
    }
    if (wide->vertices != NULL) {
        bw_release(&wide->allocator, wide->vertex_first, wide->leaf_capacity, sizeof *wide->vertex_first);
        bw_release(&wide->allocator, wide->vertices, wide->vertex_capacity, sizeof *wide->vertices);
        wide->vertex_first = wide->vertices = NULL;
        assert_int_equal(bw_wide_fill_vertices(wide, mesh, NULL), BW_OK);
    }
}

/* One after the other, by several threads, and with the leaves filled afterwards. */
static void same_in_every_way(const bw_mesh *mesh)
{
    static const uint32_t workers[] = {2, 5};
    static const bw_simd levels[] = {BW_SIMD_128, BW_SIMD_AVX2};
    for (int b = 0; b < BUILDERS; b++)
        for (int f = 0; f < FORMS; f++) {
            bw_wide wide, other;
            build(&(bw_wide_desc){.builder = builders[b]}, mesh, forms[f], &wide);
            for (int w = 0; w < 2; w++) {
                bw_pool *pool = test_pool_create(workers[w]);
                const bw_wide_desc again = {
                    .builder = builders[b], .simd = levels[w], .tasks = bw_pool_tasks(pool)};
                build(&again, mesh, forms[f], &other);
                wide_test_same(&wide, &other);
                bw_wide_release(&other);
                bw_pool_destroy(pool);
            }
            build(&(bw_wide_desc){.builder = builders[b]}, mesh, forms[f], &other);
            fill_again(&other, mesh);
            wide_test_same(&wide, &other);
            bw_wide_release(&other);
            bw_wide_release(&wide);
        }
}

static void test_scenes(void **state)
{
    (void)state;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        bws_mesh mesh;
        const bw_scalar scalar = i % 3 == 0 ? BW_F64 : BW_F32;
        assert_int_equal(scenes[i].make(i % 2 == 0 ? 3000 : 9000, scalar, &mesh), BW_OK);
        const bw_mesh view = bws_view(&mesh);
        same_in_every_way(&view);
        bws_mesh_free(&mesh);
    }
}

/* Large enough that every loop is divided; shuffled, so that no order of the input helps. */
static void test_large(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 80}, BW_F32, &mesh), BW_OK);
    bws_shuffle_triangles(&mesh, 5);
    bw_mesh view = bws_view(&mesh);
    same_in_every_way(&view);
    bws_mesh_free(&mesh);
}

static void small_counts(bws_random *random, void *user)
{
    (void)user;
    for (uint32_t count = 1; count <= 150; count += 1 + (uint32_t)bws_random_below(random, 4)) {
        bws_mesh mesh;
        const bws_soup_desc desc = {.triangles = count, .seed = bws_random_below(random, 1 << 20)};
        assert_int_equal(bws_soup(&desc, BW_F32, &mesh), BW_OK);
        const bw_mesh view = bws_view(&mesh);
        for (int f = 0; f < FORMS; f++) {
            bw_wide wide;
            build(&(bw_wide_desc){.builder = BW_WIDE_FAST}, &view, forms[f], &wide);
            bw_wide_release(&wide);
        }
        bws_mesh_free(&mesh);
    }
}

static void test_small_counts(void **state)
{
    (void)state;
    BW_EACH_SEED(5, small_counts, NULL);
}

/* What is promised: 64 bytes per triangle with corners, 24 in the compact form, whatever the triangles share.
 */
static void within_memory(const char *name, bws_mesh *mesh)
{
    const bw_mesh view = bws_view(mesh);
    for (int b = 0; b < BUILDERS; b++)
        for (int f = 1; f < FORMS; f++) {
            bw_wide wide;
            const bw_wide_desc desc = {.builder = builders[b]};
            assert_int_equal(bw_wide_build_mesh(&desc, &view, NULL, view.triangle_count, forms[f], &wide),
                             BW_OK);
            const double bytes = (double)bw_wide_bytes(&wide) / (double)view.triangle_count;
            if (bytes > (forms[f] == BW_WIDE_CORNERS ? 64 : 24))
                fail_msg("%s of %u, builder %d, form %d: %.2f bytes per triangle", name, view.triangle_count,
                         b, (int)forms[f], bytes);
            bw_wide_release(&wide);
        }
    bws_mesh_free(mesh);
}

static void test_memory(void **state)
{
    (void)state;
    /* Sizes at which the cubes of the curve hold few and many, from one doubling to the next. */
    static const uint32_t sizes[] = {2000, 2600, 3200, 4000, 20000, 26000, 33000, 120000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 5; kind++) {
            static const char *const names[] = {"soup", "slivers", "needles", "sphere", "shuffled sphere"};
            const uint32_t size = sizes[i], frequency = bws_sphere_frequency(size);
            if (size > 100000 && kind > 1)
                continue;
            bws_mesh mesh;
            bw_result made =
                kind < 2 ? bws_soup(&(bws_soup_desc){.triangles = size, .aspect = 50 * kind, .seed = 4 + i},
                                    BW_F32, &mesh)
                : kind == 2 ? bws_needle_sphere(&(bws_needle_desc){.triangles = size}, BW_F32, &mesh)
                            : bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency}, BW_F32, &mesh);
            assert_int_equal(made, BW_OK);
            if (kind == 4)
                bws_shuffle_triangles(&mesh, 5);
            within_memory(names[kind], &mesh);
        }
}

typedef struct fault_case {
    const bw_mesh *mesh;
    bw_wide_builder builder;
    bw_wide_form form;
} fault_case;

static bw_result build_under_fault(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const fault_case *c = user;
    bw_wide wide;
    bw_failing_allocator_fail(memory, n);
    const bw_wide_desc desc = {.builder = c->builder, .allocator = &memory->hook};
    bw_result result =
        bw_wide_build_mesh(&desc, c->mesh, NULL, bw_mesh_primitive_count(c->mesh), c->form, &wide);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK)
        return result;
    wide_test_sound(&wide, c->mesh);
    bw_wide_release(&wide);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    for (int soup = 0; soup < 2; soup++) {
        bws_mesh mesh;
        bw_result made = soup ? bws_soup(&(bws_soup_desc){.triangles = 17000, .seed = 3}, BW_F32, &mesh)
                              : bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 30}, BW_F32, &mesh);
        assert_int_equal(made, BW_OK);
        const bw_mesh view = bws_view(&mesh);
        for (int b = 0; b < BUILDERS; b++)
            for (int f = 0; f < FORMS; f++) {
                fault_case c = {&view, builders[b], forms[f]};
                bw_each_allocation_failure(build_under_fault, &c, 5);
            }
        bws_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes), cmocka_unit_test(test_large),  cmocka_unit_test(test_small_counts),
        cmocka_unit_test(test_memory), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
