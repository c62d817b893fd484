/* Primitives that come and go, rebuilt parts, and the policy: the tree is sound after every step and holds
 * exactly what it should. */
#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include "tree/edit/wide_edit.h"
#include "tree/refit/refit.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"
#include "wide_testing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const wide_test_form forms[] = {WIDE_TEST_BARE, WIDE_TEST_RIGID, WIDE_TEST_COMPACT};

static bool contains(const bw_wide *wide, uint32_t primitive)
{
    if (wide->slot_of != NULL)
        return primitive < wide->slot_of_count && wide->slot_of[primitive] != BW_NONE;
    for (size_t slot = 0; slot < (size_t)wide->leaf_count * BW_WIDTH; slot++)
        if (wide->primitives[slot] == primitive && primitive != BW_NONE)
            return true;
    return false;
}

static void assert_holds(const bw_wide *wide, const bool *in, uint32_t count)
{
    uint32_t held = 0;
    for (uint32_t p = 0; p < count; p++) {
        assert_int_equal(contains(wide, p), in[p]);
        held += in[p];
    }
    assert_int_equal(wide->primitive_count, held);
}

static bws_mesh some_scene(bws_random *random, uint32_t most)
{
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    bws_mesh mesh;
    bw_scalar scalar = bws_random_bool(random) ? BW_F64 : BW_F32;
    assert_int_equal(scenes[bws_random_below(random, count)].make((uint32_t)bws_random_int(random, 20, most),
                                                                  scalar, &mesh),
                     BW_OK);
    return mesh;
}

/* A list of primitives that are in the tree, or are not. */
static uint32_t pick(const bool *in, bool wanted, uint32_t count, uint32_t most, bws_random *random,
                     uint32_t *out)
{
    uint32_t picked = 0, start = (uint32_t)bws_random_below(random, count);
    for (uint32_t i = 0; i < count && picked < most; i++) {
        uint32_t p = (start + i) % count;
        if (in[p] == wanted && bws_random_below(random, 3) != 0)
            out[picked++] = p;
    }
    return picked;
}

static void come_and_go(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = some_scene(random, 900);
    bw_mesh view = bws_view(&mesh);
    const uint32_t count = bw_mesh_primitive_count(&view);
    bool *in = malloc(count * sizeof *in);
    uint32_t *list = malloc(count * sizeof *list);
    assert_non_null(in);
    assert_non_null(list);
    for (uint32_t p = 0; p < count; p++)
        in[p] = true;
    bw_wide wide;
    bw_wide_desc desc = {.builder = bws_random_bool(random) ? BW_WIDE_FAST : BW_WIDE_QUALITY};
    wide_test_build(&desc, &view, forms[bws_random_below(random, 3)], &wide);
    for (int step = 0; step < 40; step++) {
        bool insert = bws_random_bool(random);
        uint32_t most = step % 10 == 9 ? count : (uint32_t)bws_random_int(random, 1, 12);
        uint32_t picked = pick(in, !insert, count, most, random, list);
        if (insert)
            assert_int_equal(bw_wide_insert(&wide, &view, list, picked, &desc), BW_OK);
        else
            assert_int_equal(bw_wide_remove(&wide, &view, list, picked, &desc), BW_OK);
        for (uint32_t i = 0; i < picked; i++)
            in[list[i]] = insert;
        wide_test_sound(&wide, &view);
        assert_holds(&wide, in, count);
        if (step % 7 == 3 && mesh.vertex_count > 0) {
            bw_vertex_range range = {(uint32_t)bws_random_below(random, mesh.vertex_count), 1};
            bws_mesh_set_vertex(&mesh, range.first, (bw_vec3){0.5, bws_random_unit(random), 0});
            if (bws_random_bool(random))
                assert_int_equal(bw_wide_refit(&wide, &view, NULL, NULL), BW_OK);
            else
                assert_int_equal(bw_wide_refit_ranges(&wide, &view, &range, 1, NULL, NULL), BW_OK);
            wide_test_sound(&wide, &view);
        }
    }
    /* All away, one by one, and back again. */
    for (uint32_t p = 0; p < count; p++)
        if (in[p]) {
            assert_int_equal(bw_wide_remove(&wide, &view, &p, 1, &desc), BW_OK);
            in[p] = false;
            if (p % 16 == 0)
                wide_test_sound(&wide, &view);
        }
    assert_int_equal(wide.node_count, 0);
    assert_holds(&wide, in, count);
    assert_int_equal(bw_wide_refit(&wide, &view, NULL, NULL), BW_OK);
    for (uint32_t p = 0; p < count; p++) {
        assert_int_equal(bw_wide_insert(&wide, &view, &p, 1, &desc), BW_OK);
        in[p] = true;
        if (p % 16 == 0)
            wide_test_sound(&wide, &view);
    }
    wide_test_sound(&wide, &view);
    assert_holds(&wide, in, count);
    bw_wide_release(&wide);
    free(in);
    free(list);
    bws_mesh_free(&mesh);
}

static void test_come_and_go(void **state)
{
    (void)state;
    BW_EACH_SEED(40, come_and_go, NULL);
}

/* A tree grown by insertions alone against one built at once: mending keeps it within a factor. */
static void test_grown_tree_is_good(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 30}, BW_F32, &mesh), BW_OK);
    bws_shuffle_triangles(&mesh, 3);
    bw_mesh view = bws_view(&mesh);
    const uint32_t count = view.triangle_count;
    bw_wide built, grown;
    wide_test_build(&(bw_wide_desc){0}, &view, WIDE_TEST_COMPACT, &built);
    wide_test_build(&(bw_wide_desc){0}, &view, WIDE_TEST_COMPACT, &grown);
    for (uint32_t p = 1; p < count; p++)
        assert_int_equal(bw_wide_remove(&grown, &view, &p, 1, NULL), BW_OK);
    wide_test_sound(&grown, &view);
    for (uint32_t p = 1; p < count; p++)
        assert_int_equal(bw_wide_insert(&grown, &view, &p, 1, NULL), BW_OK);
    wide_test_sound(&grown, &view);
    assert_true(bw_wide_cost(&grown) < 1.6 * bw_wide_cost(&built));
    assert_true(bw_wide_bytes(&grown) < 3 * bw_wide_bytes(&built));
    bw_wide_release(&grown);
    bw_wide_release(&built);
    bws_mesh_free(&mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 12, .sides = 6}, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    wide_test_build(&(bw_wide_desc){0}, &view, WIDE_TEST_RIGID, &wide);
    const uint32_t here[] = {3}, beyond[] = {view.triangle_count}, twice[] = {5, 6, 5};
    assert_int_equal(bw_wide_insert(&wide, &view, here, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_wide_insert(&wide, &view, beyond, 1, NULL), BW_ERROR_INDEX);
    assert_int_equal(bw_wide_remove(&wide, &view, beyond, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_wide_remove(&wide, &view, twice, 3, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_wide_remove(&wide, &view, twice, 2, NULL), BW_OK);
    assert_int_equal(bw_wide_insert(&wide, &view, twice, 3, NULL), BW_ERROR_ARGUMENT);
    bw_vec3 good = bws_mesh_vertex(&mesh, mesh.indices[15]);
    bws_mesh_set_vertex(&mesh, mesh.indices[15], (bw_vec3){NAN, 0, 0});
    assert_int_equal(bw_wide_insert(&wide, &view, twice, 2, NULL), BW_ERROR_NOT_FINITE);
    bws_mesh_set_vertex(&mesh, mesh.indices[15], good);
    assert_int_equal(bw_wide_insert(&wide, &view, twice, 2, NULL), BW_OK);
    assert_int_equal(bw_wide_insert(&wide, &view, NULL, 0, NULL), BW_OK);
    assert_int_equal(bw_wide_remove(&wide, &view, NULL, 0, NULL), BW_OK);
    wide_test_sound(&wide, &view);
    bw_mesh smaller = view;
    smaller.triangle_count = 10;
    bw_wide_drop_slots(&wide);
    assert_int_equal(bw_wide_remove(&wide, &smaller, here, 1, NULL), BW_ERROR_MISMATCH);
    wide_test_sound(&wide, &view);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

static void rebuild_parts(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh = some_scene(random, 4000);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    bw_wide_desc desc = {.builder = bws_random_bool(random) ? BW_WIDE_FAST : BW_WIDE_QUALITY};
    wide_test_build(&desc, &view, forms[bws_random_below(random, 3)], &wide);
    for (int round = 0; round < 4; round++) {
        for (uint32_t v = 0; v < mesh.vertex_count; v++)
            if (bws_random_below(random, 4) == 0)
                bws_mesh_set_vertex(&mesh, v, (bw_vec3){bws_random_unit(random), bws_random_unit(random), 0});
        assert_int_equal(bw_wide_refit(&wide, &view, NULL, NULL), BW_OK);
        if (round == 2) { /* holes, and nodes out of order */
            uint32_t some[5] = {0, 3, 5, 9, 11};
            assert_int_equal(bw_wide_remove(&wide, &view, some, 5, &desc), BW_OK);
            assert_int_equal(bw_wide_insert(&wide, &view, some, 5, &desc), BW_OK);
        }
        uint32_t nodes[64], count = 0, end = 0;
        for (uint32_t i = 1; i < wide.node_count && count < 64 && wide.preorder; i++)
            if (i >= end && bws_random_below(random, 5) == 0) {
                nodes[count++] = i;
                end = wide.nodes[i].end;
            }
        const uint32_t before = wide.primitive_count;
        assert_int_equal(bw_wide_rebuild_parts(&wide, &view, nodes, count, NULL, &desc), BW_OK);
        if (round == 3)
            assert_int_equal(bw_wide_relayout(&wide, NULL, 0), BW_OK);
        wide_test_sound(&wide, &view);
        assert_int_equal(wide.primitive_count, before);
    }
    assert_int_equal(bw_wide_rebuild(&wide, &view, &desc), BW_OK);
    assert_true(wide.preorder);
    wide_test_sound(&wide, &view);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
}

static void test_rebuild_parts(void **state)
{
    (void)state;
    BW_EACH_SEED(40, rebuild_parts, NULL);
}

/* Small triangles that swim about in a cube: those of a part of it change places with one another. */
static bw_update_action worst_action(double part, double *before, double *after)
{
    bws_mesh mesh;
    assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = 20000, .size = 0.01, .seed = 2}, BW_F32, &mesh),
                     BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_wide wide;
    bw_wide_desc desc = {0};
    wide_test_build(&desc, &view, WIDE_TEST_COMPACT, &wide);
    bws_random random = bws_random_seeded(1);
    uint32_t last = BW_NONE;
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        if (bws_mesh_vertex(&mesh, mesh.indices[3 * t]).x > part - 0.5)
            continue;
        if (last != BW_NONE &&
            bws_random_bool(&random)) /* exchange the places of two triangles, corner by corner */
            for (uint32_t k = 0; k < 3; k++) {
                bw_vec3 p = bws_mesh_vertex(&mesh, mesh.indices[3 * t + k]);
                bws_mesh_set_vertex(&mesh, mesh.indices[3 * t + k],
                                    bws_mesh_vertex(&mesh, mesh.indices[3 * last + k]));
                bws_mesh_set_vertex(&mesh, mesh.indices[3 * last + k], p);
            }
        last = t;
    }
    bw_update_action worst = BW_UPDATE_DID_REFIT;
    *before = 0;
    for (int frame = 0; frame < 60; frame++) {
        bw_update_report report = {0};
        assert_int_equal(bw_wide_refit(&wide, &view, NULL, &report), BW_OK);
        if (frame == 0)
            *before = bw_wide_cost(&wide);
        bw_wide_maintain(&wide, &view, NULL, &desc, &report);
        wide_test_sound(&wide, &view);
        assert_non_null(report.reason);
        assert_true(report.quality > 0);
        worst = report.action > worst ? report.action : worst;
    }
    *after = bw_wide_cost(&wide);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
    return worst;
}

static void test_policy(void **state)
{
    (void)state;
    double before, after;
    assert_int_equal(worst_action(-1, &before, &after), BW_UPDATE_DID_REFIT);
    assert_true(after == before);
    assert_int_equal(worst_action(0.2, &before, &after), BW_UPDATE_DID_RESTRUCTURE);
    assert_true(after < 0.8 * before);
    assert_int_equal(worst_action(2, &before, &after), BW_UPDATE_DID_REBUILD);
    assert_true(after < 0.2 * before);
}

/* n-th failure: inserts, removals (single and in bulk), parts. */
static bw_result edit_under_fault(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const int what = *(const int *)user;
    bws_mesh mesh;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 40, .sides = 20}, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_box *boxes = wide_test_boxes(&view);
    uint32_t ids[1600];
    for (uint32_t i = 0; i < 1600; i++)
        ids[i] = i;
    bw_wide wide;
    bw_wide_desc desc = {.allocator = &memory->hook};
    const bool insert = what == 0 || what == 2;
    assert_int_equal(bw_wide_build(&desc, boxes, ids, insert ? 800 : 1600, &wide), BW_OK);
    free(boxes);
    assert_int_equal(bw_wide_fill_vertices(&wide, &view, NULL), BW_OK);
    bw_wide before = wide_test_copy(&wide);
    bw_failing_allocator_fail(memory, n);
    bw_result result = BW_OK;
    const uint32_t part = 1;
    if (what == 0)
        result = bw_wide_insert(&wide, &view, ids + 800, 20, &desc);
    else if (what == 1)
        result = bw_wide_remove(&wide, &view, ids, 20, &desc);
    else if (what == 2)
        result = bw_wide_insert(&wide, &view, ids + 800, 800, &desc);
    else if (what == 3)
        result = bw_wide_remove(&wide, &view, ids, 800, &desc);
    else
        result = bw_wide_rebuild_parts(&wide, &view, &part, 1, NULL, &desc);
    bw_failing_allocator_fail_none(memory);
    wide_test_sound(&wide, &view);
    if (result != BW_OK)
        wide_test_same(&before, &wide);
    bw_wide_release(&before);
    bw_wide_release(&wide);
    bws_mesh_free(&mesh);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    for (int what = 0; what < 5; what++)
        bw_each_allocation_failure(edit_under_fault, &what, 2);
}

/* Mending is never needed: if memory is short the tree stays as it is, and sound. */
static void test_mending_without_memory(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 30, .rows = 30}, 0, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    for (uint64_t n = 1; n < 40; n++) {
        bw_box *boxes = wide_test_boxes(&view);
        bw_wide wide;
        bw_wide_desc desc = {.allocator = &memory.hook};
        assert_int_equal(bw_wide_build(&desc, boxes, NULL, view.triangle_count, &wide), BW_OK);
        free(boxes);
        wide.excess = 1e6;
        wide.built_cost *= 0.4;
        bw_update_report report = {0};
        bw_failing_allocator_fail(&memory, n);
        bw_wide_maintain(&wide, &view, NULL, &desc, &report);
        bw_failing_allocator_fail_none(&memory);
        assert_non_null(report.reason);
        wide_test_sound(&wide, &view);
        bw_wide_release(&wide);
        assert_int_equal(memory.live_blocks, 0);
    }
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_come_and_go),
        cmocka_unit_test(test_grown_tree_is_good),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_rebuild_parts),
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_mending_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
