/* The builders of wide trees: sound on every scene and on degenerate boxes, the same bits for any number of
 * threads and any SIMD level, and nothing lost when memory runs out. */
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/build/hilbert.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"
#include "wide_testing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_wide_builder builders[] = {BW_WIDE_FAST, BW_WIDE_QUALITY};
enum { BUILDERS = 2 };

/* Neighbours along the curve are neighbours in space, and every cell is met once. */
static void test_hilbert_curve(void **state)
{
    (void)state;
    enum { BITS = 5, SIDE = 1 << BITS, CELLS = SIDE * SIDE * SIDE };
    static int cells[CELLS][3];
    static bool met[CELLS];
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int z = 0; z < SIDE; z++) {
                const uint32_t at[3][8] = {{(uint32_t)x}, {(uint32_t)y}, {(uint32_t)z}};
                uint32_t codes[8];
                bw_hilbert_code_eight(at, BITS, codes);
                const uint32_t code = codes[0];
                assert_true(code < CELLS);
                assert_false(met[code]);
                met[code] = true;
                cells[code][0] = x;
                cells[code][1] = y;
                cells[code][2] = z;
            }
    for (int i = 1; i < CELLS; i++) {
        int steps = 0;
        for (int axis = 0; axis < 3; axis++)
            steps += abs(cells[i][axis] - cells[i - 1][axis]);
        assert_int_equal(steps, 1);
    }
}

static void each_scene(void (*body)(const bw_mesh *mesh))
{
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++)
        for (int scalar = 0; scalar < 2; scalar++) {
            bws_mesh mesh;
            assert_int_equal(scenes[i].make(i % 2 == 0 ? 3000 : 700, (bw_scalar)scalar, &mesh), BW_OK);
            bw_mesh view = bws_view(&mesh);
            body(&view);
            bws_mesh_free(&mesh);
        }
}

static void build_sound(const bw_mesh *mesh)
{
    for (int b = 0; b < BUILDERS; b++)
        for (int form = WIDE_TEST_BARE; form <= WIDE_TEST_COMPACT; form++) {
            bw_wide wide;
            bw_wide_desc desc = {.builder = builders[b]};
            wide_test_build(&desc, mesh, (wide_test_form)form, &wide);
            assert_int_equal(wide.primitive_count, bw_mesh_primitive_count(mesh));
            bw_wide_release(&wide);
        }
}

static void test_scenes(void **state)
{
    (void)state;
    each_scene(build_sound);
}

static void same_bits_everywhere(const bw_mesh *mesh)
{
    static const uint32_t workers[] = {1, 2, 3, 7};
    static const bw_simd levels[] = {BW_SIMD_AVX2, BW_SIMD_128};
    for (int b = 0; b < BUILDERS; b++)
        for (int form = WIDE_TEST_RIGID; form <= WIDE_TEST_COMPACT; form++) {
            bw_wide wide;
            bw_wide_desc desc = {.builder = builders[b]};
            wide_test_build(&desc, mesh, (wide_test_form)form, &wide);
            for (int w = 0; w < 4; w++) {
                bw_pool *pool = test_pool_create(workers[w]);
                bw_wide other;
                bw_wide_desc again = {
                    .builder = builders[b], .simd = levels[w % 2], .tasks = bw_pool_tasks(pool)};
                wide_test_build(&again, mesh, (wide_test_form)form, &other);
                wide_test_same(&wide, &other);
                bw_wide_release(&other);
                bw_pool_destroy(pool);
            }
            bw_wide_release(&wide);
        }
}

static void test_same_bits(void **state)
{
    (void)state;
    each_scene(same_bits_everywhere);
    bws_mesh mesh; /* large enough that every loop is divided */
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 90}, BW_F32, &mesh), BW_OK);
    bws_shuffle_triangles(&mesh, 5);
    bw_mesh view = bws_view(&mesh);
    same_bits_everywhere(&view);
    bws_mesh_free(&mesh);
}

/* Boxes of a shape that builders stumble over. */
typedef enum degenerate {
    EQUAL,      /* all the same */
    EQUAL_ZERO, /* all the origin, with either sign of zero */
    LINE,       /* collinear points */
    HUGE_SPAN,  /* to the ends of the range */
    TINY,       /* far below the normal floats */
    GEOMETRIC,  /* each twice as far as the one before */
    NESTED,     /* one inside the other */
    OUTLIER,    /* one far away from the rest */
    PLANE,      /* flat boxes of a grid */
    DEGENERATES
} degenerate;

static bw_box degenerate_box(degenerate kind, uint32_t i, bws_random *random)
{
    float u[3], f = (float)i;
    for (int axis = 0; axis < 3; axis++)
        u[axis] = (float)bws_random_double(random, -1, 1);
    switch (kind) {
    case EQUAL:
        return (bw_box){{-1, 2, 3}, {4, 5, 6}};
    case EQUAL_ZERO:
        return (bw_box){{copysignf(0, u[0]), 0, copysignf(0, u[1])}, {0, copysignf(0, u[2]), 0}};
    case LINE:
        return (bw_box){{f, 2 * f, -f}, {f, 2 * f, -f}};
    case HUGE_SPAN:
        for (int axis = 0; axis < 3; axis++)
            u[axis] = copysignf((float)BW_COORDINATE_MAX, u[axis]);
        return (bw_box){{u[0], u[1], -0x1p100f}, {u[0], u[1], u[2]}};
    case TINY:
        return (bw_box){{u[0] * 0x1p-140f, u[1] * 0x1p-140f, 0},
                        {u[0] * 0x1p-140f, u[1] * 0x1p-140f, 0x1p-149f}};
    case GEOMETRIC:
        return (bw_box){{0, 0, ldexpf(1, (int)(i % 180) - 90)}, {1, 1, ldexpf(1.5f, (int)(i % 180) - 90)}};
    case NESTED:
        return (bw_box){{-f, -f, -f}, {f, f, f}};
    case OUTLIER:
        return i == 7 ? (bw_box){{0x1p60f, 0x1p60f, 0x1p60f}, {0x1p60f, 0x1p60f, 0x1p60f}}
                      : (bw_box){{u[0], u[1], u[2]}, {u[0] + 1, u[1] + 1, u[2] + 1}};
    default:
        return (bw_box){{f, u[1], 5}, {f + 1, u[1], 5}};
    }
}

static void check_boxes(const bw_box *boxes, uint32_t count)
{
    for (int b = 0; b < BUILDERS; b++) {
        bw_wide wide, other;
        bw_wide_desc desc = {.builder = builders[b]}, narrow = {.builder = builders[b], .simd = BW_SIMD_128};
        assert_int_equal(bw_wide_build(&desc, boxes, NULL, count, &wide), BW_OK);
        const char *wrong = bw_wide_check(&wide, NULL, count);
        if (wrong != NULL)
            fail_msg("%s", wrong);
        assert_int_equal(wide.primitive_count, count);
        for (uint32_t leaf = 0; leaf < wide.leaf_count; leaf++) {
            bw_box want = boxes[wide.primitives[leaf * BW_WIDTH]];
            for (uint32_t i = 1; i < wide.leaves[leaf].count; i++)
                for (int axis = 0; axis < 3; axis++) {
                    const bw_box *box = &boxes[wide.primitives[leaf * BW_WIDTH + i]];
                    want.min[axis] = fminf(want.min[axis], box->min[axis]);
                    want.max[axis] = fmaxf(want.max[axis], box->max[axis]);
                }
            bw_box have = bw_wide_lane_box(&wide.nodes[wide.leaves[leaf].parent], wide.leaves[leaf].lane);
            for (int axis = 0; axis < 3; axis++) {
                assert_true(have.min[axis] == want.min[axis]);
                assert_true(have.max[axis] == want.max[axis]);
            }
        }
        assert_int_equal(bw_wide_build(&narrow, boxes, NULL, count, &other), BW_OK);
        wide_test_same(&wide, &other);
        bw_wide_release(&other);
        bw_wide_release(&wide);
    }
}

static void test_degenerate_boxes(void **state)
{
    (void)state;
    static const uint32_t counts[] = {100, 513, 5000, 40000};
    bws_random random = bws_random_seeded(bw_random_seed_from_env(3));
    for (int kind = 0; kind < DEGENERATES; kind++)
        for (int c = 0; c < 4; c++) {
            bw_box *boxes = malloc(counts[c] * sizeof *boxes);
            assert_non_null(boxes);
            for (uint32_t i = 0; i < counts[c]; i++)
                boxes[i] = degenerate_box((degenerate)kind, i, &random);
            check_boxes(boxes, counts[c]);
            free(boxes);
        }
}

static void small_counts(bws_random *random, void *user)
{
    (void)user;
    bw_box boxes[70];
    for (uint32_t count = 1; count <= 70; count++) {
        for (uint32_t i = 0; i < count; i++)
            boxes[i] = degenerate_box(bws_random_below(random, 2) == 0 ? OUTLIER : PLANE, i, random);
        check_boxes(boxes, count);
    }
}

static void test_small_counts(void **state)
{
    (void)state;
    BW_EACH_SEED(5, small_counts, NULL);
}

/* Primitives left out: ids name those that stay. */
static void test_ids(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = 2000, .seed = 4}, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    uint32_t ids[1000];
    bw_box boxes[1000];
    for (uint32_t i = 0; i < 1000; i++)
        ids[i] = 2 * i + 1;
    bw_wide_boxes(&view, ids, 1000, boxes, NULL);
    for (int b = 0; b < BUILDERS; b++) {
        bw_wide wide;
        assert_int_equal(bw_wide_build(&(bw_wide_desc){.builder = builders[b]}, boxes, ids, 1000, &wide),
                         BW_OK);
        wide_test_sound(&wide, &view);
        assert_int_equal(wide.primitive_count, 1000);
        for (uint32_t slot = 0; slot < wide.leaf_count * BW_WIDTH; slot++)
            assert_true(wide.primitives[slot] == BW_NONE || wide.primitives[slot] % 2 == 1);
        bw_wide_release(&wide);
    }
    bws_mesh_free(&mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    bw_box box = {{0, 0, 0}, {1, 1, 1}};
    bw_wide wide = {.primitive_count = 77};
    assert_int_equal(bw_wide_build(NULL, &box, NULL, 0, &wide), BW_ERROR_EMPTY);
    assert_int_equal(bw_wide_build(NULL, &box, NULL, (1u << 30) + 1, &wide), BW_ERROR_SIZE);
    assert_int_equal(wide.primitive_count, 77);
}

typedef struct fault_case {
    const bw_mesh *mesh;
    bw_wide_builder builder;
    wide_test_form form;
} fault_case;

static bw_result build_under_fault(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const fault_case *c = user;
    bw_box *boxes = wide_test_boxes(c->mesh);
    bw_wide wide;
    bw_failing_allocator_fail(memory, n);
    bw_wide_desc desc = {.builder = c->builder, .allocator = &memory->hook};
    bw_result result = bw_wide_build(&desc, boxes, NULL, bw_mesh_primitive_count(c->mesh), &wide);
    free(boxes);
    if (result != BW_OK)
        return result;
    result = c->form == WIDE_TEST_RIGID ? bw_wide_fill_corners(&wide, c->mesh, NULL, BW_SIMD_AUTO)
                                        : bw_wide_fill_vertices(&wide, c->mesh, NULL);
    bw_failing_allocator_fail_none(memory);
    wide_test_sound(&wide, c->mesh);
    bw_wide_release(&wide);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bws_mesh mesh; /* clustered, so that the finer curves are needed */
    assert_int_equal(
        bws_points(&(bws_points_desc){.count = 40000, .shape = BWS_CLOUD_CLUSTERS}, BW_F32, &mesh), BW_OK);
    for (uint32_t i = 0; i < 20000; i++)
        bws_mesh_set_vertex(&mesh, i, (bw_vec3){0x1p-12 * (double)i / 20000, 0, 0});
    bw_mesh view = bws_view(&mesh);
    for (int b = 0; b < BUILDERS; b++)
        for (int form = WIDE_TEST_RIGID; form <= WIDE_TEST_COMPACT; form++) {
            fault_case c = {&view, builders[b], (wide_test_form)form};
            bw_each_allocation_failure(build_under_fault, &c, 5);
        }
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hilbert_curve), cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_same_bits),     cmocka_unit_test(test_degenerate_boxes),
        cmocka_unit_test(test_small_counts),  cmocka_unit_test(test_ids),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
