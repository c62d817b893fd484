/* How good the trees of the builders are, against full sweeps on all axes at every node. */
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"
#include "wide_reference.h"
#include "wide_testing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_quality(void **state)
{
    (void)state;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        bws_mesh mesh;
        assert_int_equal(scenes[i].make(10000, BW_F32, &mesh), BW_OK);
        bw_mesh view = bws_view(&mesh);
        bw_box *boxes = wide_test_boxes(&view);
        bw_wide quality, fast, by_count, by_leaves;
        wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_QUALITY}, &view, WIDE_TEST_BARE, &quality);
        wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_FAST}, &view, WIDE_TEST_BARE, &fast);
        wide_reference_build(boxes, bw_mesh_primitive_count(&view), WIDE_REFERENCE_COUNT, &by_count);
        wide_reference_build(boxes, bw_mesh_primitive_count(&view), WIDE_REFERENCE_LEAVES, &by_leaves);
        wide_test_sound(&by_count, &view);
        double best = fmin(bw_wide_cost(&by_count), bw_wide_cost(&by_leaves));
        /* Points have no size: there leaves that are not full, of which the first reference has many, pay
         * most. */
        bool rods = strcmp(scenes[i].name, "spikes") == 0; /* that cross: no split parts them well */
        assert_true(bw_wide_cost(&quality) <= (rods ? 1.08 : view.indices == NULL ? 1.07 : 1.05) * best);
        assert_true(bw_wide_cost(&fast) <= (rods ? 1.45 : 1.4) * best);
        /* Full leaves: the rigid form within 64 bytes a primitive, the compact one within 24 where vertices
         * are shared. */
        bw_tree_stats stats = {0};
        bw_wide_stats(&quality, &stats);
        double primitives = (double)stats.primitives, leaf = sizeof(bw_wide_corners);
        assert_true(((double)stats.bytes + leaf * (double)stats.leaves) / primitives <= 64);
        if (view.indices != NULL)
            assert_int_equal(bw_wide_fill_vertices(&quality, &view, NULL), BW_OK);
        bw_wide_stats(&quality, &stats);
        assert_true((double)stats.bytes / primitives <= 24);
        bw_wide_release(&quality);
        bw_wide_release(&fast);
        bw_wide_release(&by_count);
        bw_wide_release(&by_leaves);
        free(boxes);
        bws_mesh_free(&mesh);
    }
}

/* Large trees, whose top is divided by clusters. */
static void test_large(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double most;
    } cases[] = {{"bumpy-sphere", 1.05}, {"torus", 1.06}, {"clusters", 1.03}, {"car", 1.07}, {"spikes", 1.1}};
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            if (strcmp(scenes[i].name, cases[c].name) != 0)
                continue;
            bws_mesh mesh;
            assert_int_equal(scenes[i].make(20000, BW_F32, &mesh), BW_OK);
            bw_mesh view = bws_view(&mesh);
            bw_box *boxes = wide_test_boxes(&view);
            bw_wide quality, reference;
            wide_test_build(&(bw_wide_desc){.builder = BW_WIDE_QUALITY}, &view, WIDE_TEST_RIGID, &quality);
            wide_reference_build(boxes, bw_mesh_primitive_count(&view), WIDE_REFERENCE_LEAVES, &reference);
            const double ratio = bw_wide_cost(&quality) / bw_wide_cost(&reference);
            if (!(ratio <= cases[c].most))
                fail_msg("%s: %.3f times the cost of full sweeps", cases[c].name, ratio);
            assert_true((double)bw_wide_bytes(&quality) / quality.primitive_count <= 64);
            bw_wide_release(&quality);
            bw_wide_release(&reference);
            free(boxes);
            bws_mesh_free(&mesh);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quality),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
