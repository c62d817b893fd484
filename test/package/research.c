/* Whoever asks for a structure of the papers gets it, or where the build left it out (BOXWOOD_RESEARCH=OFF)
 * the result that says so; combinations that no build has are BW_ERROR_UNSUPPORTED in both. */
#include "scenes/scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <boxwood/boxwood.h>

enum { THERE = BW_RESEARCH ? BW_OK : BW_ERROR_NOT_BUILT };

static void test_trees(void **state)
{
    const bw_mesh *mesh = *state;
    static const bw_tree_desc kept[] = {{0}, {.builder = BW_BUILDER_FAST}, {.builder = BW_BUILDER_QUALITY}},
                              paper[] = {{.builder = BW_BUILDER_MIDPOINT},
                                         {.volume = BW_VOLUME_OBB},
                                         {.volume = BW_VOLUME_KDOP14},
                                         {.volume = BW_VOLUME_KDOP18, .builder = BW_BUILDER_MIDPOINT},
                                         {.volume = BW_VOLUME_KDOP26}},
                              never[] = {{.volume = BW_VOLUME_OBB, .builder = BW_BUILDER_MIDPOINT},
                                         {.volume = BW_VOLUME_KDOP14, .builder = BW_BUILDER_FAST}};
    for (size_t i = 0; i < 3; i++) {
        bw_tree *tree = NULL;
        assert_int_equal(bw_tree_create(&kept[i], mesh, &tree, NULL), BW_OK);
        bw_tree_destroy(tree);
    }
    for (size_t i = 0; i < 5; i++) {
        bw_tree *tree = NULL;
        assert_int_equal(bw_tree_create(&paper[i], mesh, &tree, NULL), THERE);
        assert_true((tree != NULL) == BW_RESEARCH);
        bw_tree_destroy(tree);
    }
    for (size_t i = 0; i < 2; i++) {
        bw_tree *tree = NULL;
        assert_int_equal(bw_tree_create(&never[i], mesh, &tree, NULL), BW_ERROR_UNSUPPORTED);
    }
}

static void test_anytime(void **state)
{
    const bw_mesh *mesh = *state;
    bw_tree *tree = NULL;
    bw_anytime *adb = NULL;
    assert_int_equal(bw_tree_create(NULL, mesh, &tree, NULL), BW_OK);
    assert_int_equal(
        bw_anytime_create(&(bw_anytime_desc){.estimator = BW_ESTIMATOR_PAPER}, tree, mesh, &adb, NULL),
        THERE);
    assert_true((adb != NULL) == BW_RESEARCH);
    bw_anytime_destroy(adb);
    adb = NULL;
    assert_int_equal(bw_anytime_create(&(bw_anytime_desc){.tries = 8}, tree, mesh, &adb, NULL), BW_OK);
    assert_null(bw_anytime_check(adb, mesh));
    bw_anytime_destroy(adb);
    bw_tree_destroy(tree);
}

static void test_scenes(void **state)
{
    (void)state;
    for (int nesting = BW_NESTING_AUTO; nesting <= BW_NESTING_PER_NODE; nesting++) {
        bw_scene *scene = NULL;
        bw_result result = bw_scene_create(&(bw_scene_desc){.nesting = (bw_nesting)nesting}, &scene, NULL);
        assert_int_equal(result, nesting < BW_NESTING_KD ? BW_OK : THERE);
        assert_true((scene != NULL) == (result == BW_OK));
        bw_scene_destroy(scene);
    }
    bw_scene *scene = NULL;
    assert_int_equal(
        bw_scene_create(&(bw_scene_desc){.nesting = (bw_nesting)(BW_NESTING_PER_NODE + 1)}, &scene, NULL),
        BW_ERROR_ARGUMENT);
}

static void test_kinetic(void **state)
{
    const bw_mesh *mesh = *state;
    const bw_motion growing = {.kind = BW_MOTION_VELOCITY,
                               .vertex_count = mesh->vertex_count,
                               .positions = mesh->positions,
                               .velocities = mesh->positions, /* it grows */
                               .end = 1};
    for (int method = BW_KINETIC_DEFAULT; method <= BW_KINETIC_AUTO; method++) {
        bw_kinetic *kinetic = NULL;
        const bw_kinetic_desc desc = {.method = (bw_kinetic_method)method};
        assert_int_equal(bw_kinetic_create(&desc, mesh, &growing, &kinetic, NULL),
                         method == BW_KINETIC_BOXTREE    ? THERE
                         : method == BW_KINETIC_COMPILED ? BW_ERROR_UNSUPPORTED
                                                         : BW_OK);
        bw_kinetic_destroy(kinetic);
    }
}

static void test_text(void **state)
{
    (void)state;
    assert_non_null(strstr(bw_result_string(BW_ERROR_NOT_BUILT), "BOXWOOD_RESEARCH=OFF"));
}

int main(void)
{
    bws_mesh mesh;
    if (bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 4}, BW_F32, &mesh) != BW_OK)
        return 1;
    bw_mesh view = bws_view(&mesh);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_trees, &view),
        cmocka_unit_test_prestate(test_anytime, &view),
        cmocka_unit_test(test_scenes),
        cmocka_unit_test_prestate(test_kinetic, &view),
        cmocka_unit_test(test_text),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    bws_mesh_free(&mesh);
    return failed;
}
