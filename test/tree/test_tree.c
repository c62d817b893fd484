/* The public tree, in every form: built from every scene, refitted, checked, refused where it must be. */
#include "oracle/random.h"
#include "oracle/tree_forms.h"
#include "scenes/scenes.h"

#include <boxwood/tree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_sound(const bw_tree *tree, const bw_mesh *mesh)
{
    const char *fault = bw_tree_check(tree, mesh);
    if (fault != NULL)
        fail_msg("%s", fault);
}

static bw_tree_form current; /* the form that all tests run on now */

static bool is_binary(void)
{
    return current.builder == BW_BUILDER_MIDPOINT || current.volume != BW_VOLUME_AABB;
}

static bw_tree *build(const bw_mesh *mesh)
{
    bw_tree *tree = NULL;
    bw_tree_desc desc = bw_tree_form_desc(current);
    assert_int_equal(bw_tree_create(&desc, mesh, &tree, NULL), BW_OK);
    assert_sound(tree, mesh);
    return tree;
}

/* What visiting the nodes shows, to hold against the statistics. */
typedef struct census {
    uint32_t nodes, leaves, primitives, depth;
    uint64_t depth_sum;
} census;

static bool count_node(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                       uint32_t count)
{
    census *c = user;
    assert_true(box->min[0] <= box->max[0]);
    assert_true((primitives == NULL) == (count == 0));
    c->nodes++;
    c->primitives += count;
    if (count > 0) {
        c->leaves++;
        c->depth = depth > c->depth ? depth : c->depth;
        c->depth_sum += depth;
    }
    return true;
}

static void assert_stats_true(const bw_tree *tree)
{
    bw_tree_stats stats = {0};
    census c = {0};
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(bw_tree_visit(tree, count_node, &c, NULL), BW_OK);
    assert_int_equal(stats.nodes, c.nodes);
    assert_int_equal(stats.leaves, c.leaves);
    assert_int_equal(stats.primitives, c.primitives);
    assert_int_equal(stats.depth, c.depth);
    assert_true(fabs(stats.mean_leaf_depth - (double)c.depth_sum / c.leaves) < 1e-9);
    assert_true(stats.sah_cost >= 1.0 && stats.bytes > 0);
}

static void builds_every_scene(void **state)
{
    (void)state;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        for (int scalar = 0; scalar < 2; scalar++) {
            bws_mesh owned;
            assert_int_equal(scenes[i].make(3000, (bw_scalar)scalar, &owned), BW_OK);
            bw_mesh mesh = bws_view(&owned);
            bw_tree *tree = build(&mesh);
            assert_stats_true(tree);
            bw_tree_stats stats = {0};
            bw_tree_get_stats(tree, &stats);
            assert_int_equal(stats.primitives, bw_mesh_primitive_count(&mesh));
            if (is_binary())
                assert_int_equal(stats.nodes, 2 * stats.primitives - 1);
            bw_tree_destroy(tree);
            bws_mesh_free(&owned);
        }
    }
}

static void refits(void **state)
{
    (void)state;
    bws_sheet_desc desc = {.columns = 30, .rows = 20};
    for (int scalar = 0; scalar < 2; scalar++) {
        bws_mesh sheet;
        assert_int_equal(bws_sheet(&desc, 0.0, (bw_scalar)scalar, &sheet), BW_OK);
        bw_mesh mesh = bws_view(&sheet);
        bw_tree *tree = build(&mesh);
        bw_update_report report = {0};
        assert_int_equal(bw_tree_update(tree, &mesh, &(bw_update_desc){.count_changed = true}, &report, NULL),
                         BW_OK);
        assert_int_equal(report.changed, 0);
        for (int frame = 1; frame < 10; frame++) {
            bws_sheet_move(&desc, 0.05 * frame, &sheet);
            assert_non_null(bw_tree_check(tree, &mesh)); /* not fitted to the new positions yet */
            assert_int_equal(
                bw_tree_update(tree, &mesh, &(bw_update_desc){.count_changed = true}, &report, NULL), BW_OK);
            assert_true(report.boxes > 0 && report.changed <= report.boxes);
            if (is_binary())
                assert_int_equal(report.boxes, 2 * mesh.triangle_count - 1);
            assert_sound(tree, &mesh);
        }
        bw_tree_destroy(tree);
        bws_mesh_free(&sheet);
    }
}

/* A refit that meets a bad coordinate names it and leaves the tree as it was. */
static void refuses_bad_refits(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 8, .sides = 6}, BW_F64, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = build(&mesh);
    double *xyz = owned.positions, kept = xyz[3 * 17 + 1];
    struct {
        double value;
        bw_defect defect;
        bw_result result;
    } cases[] = {{NAN, BW_DEFECT_NAN, BW_ERROR_NOT_FINITE},
                 {-INFINITY, BW_DEFECT_INFINITE, BW_ERROR_NOT_FINITE},
                 {1e31, BW_DEFECT_RANGE, BW_ERROR_RANGE},
                 {1e-100, BW_DEFECT_RANGE, BW_ERROR_RANGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bw_update_report report = {0};
        bw_fault fault;
        xyz[3 * 17 + 1] = cases[i].value;
        assert_int_equal(
            bw_tree_update(tree, &mesh, &(bw_update_desc){.count_changed = true}, &report, &fault),
            cases[i].result);
        assert_int_equal(fault.defect, cases[i].defect);
        assert_true(fault.vertex == 17 && fault.axis == 1);
        assert_true(isnan(cases[i].value) ? isnan(fault.value) : fault.value == cases[i].value);
        bool names_it = false;
        for (int k = 0; k < 3; k++)
            names_it |= mesh.indices[3 * fault.element + (uint32_t)k] == 17;
        assert_true(names_it);
        assert_int_equal(bw_tree_update(tree, &mesh, NULL, NULL, NULL), cases[i].result);
        xyz[3 * 17 + 1] = kept;
        assert_sound(tree, &mesh);
    }
    bw_mesh other = mesh;
    other.triangle_count--;
    assert_int_equal(bw_tree_update(tree, &other, NULL, NULL, NULL), BW_ERROR_MISMATCH);
    other = mesh;
    other.vertex_count--;
    assert_int_equal(bw_tree_update(tree, &other, NULL, NULL, NULL), BW_ERROR_MISMATCH);
    other = mesh;
    other.indices = NULL;
    assert_int_equal(bw_tree_update(tree, &other, NULL, NULL, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_tree_update(NULL, &mesh, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_update(tree, NULL, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    other = mesh;
    other.positions = NULL;
    assert_int_equal(bw_tree_update(tree, &other, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

/* Updates by range, by policy and with the tree rebuilt follow the mesh like a refit. */
static void updates(void **state)
{
    (void)state;
    bws_sheet_desc desc = {.columns = 30, .rows = 20};
    bws_mesh sheet;
    assert_int_equal(bws_sheet(&desc, 0.0, BW_F32, &sheet), BW_OK);
    bw_mesh mesh = bws_view(&sheet);
    bw_tree *tree = build(&mesh);
    float *xyz = sheet.positions;
    bws_random random = bws_random_seeded(7);
    for (int frame = 0; frame < 20; frame++) {
        bw_vertex_range ranges[3];
        for (int i = 0; i < 3; i++) {
            ranges[i].first = (uint32_t)bws_random_below(&random, mesh.vertex_count);
            ranges[i].count = (uint32_t)bws_random_below(&random, mesh.vertex_count - ranges[i].first + 1);
            for (uint32_t v = ranges[i].first; v < ranges[i].first + ranges[i].count; v++)
                xyz[3 * v + 2] += bws_random_float(&random, -0.1f, 0.1f);
        }
        bw_update_desc update = {.ranges = ranges, .range_count = 3};
        bw_update_report report = {0};
        if (is_binary()) {
            assert_int_equal(bw_tree_update(tree, &mesh, &update, &report, NULL), BW_ERROR_UNSUPPORTED);
            update.ranges = NULL;
            update.range_count = 0;
        }
        assert_int_equal(bw_tree_update(tree, &mesh, &update, &report, NULL), BW_OK);
        assert_non_null(report.reason);
        assert_sound(tree, &mesh);
    }
    for (int policy = BW_UPDATE_REFIT; policy <= BW_UPDATE_REBUILD; policy++) {
        for (uint32_t i = 0; i < 3 * mesh.vertex_count; i++)
            xyz[i] += bws_random_float(&random, -0.5f, 0.5f);
        bw_update_report report = {0};
        bw_update_desc update = {.policy = (bw_update_policy)policy};
        assert_int_equal(bw_tree_update(tree, &mesh, &update, &report, NULL), BW_OK);
        if (policy == BW_UPDATE_REBUILD)
            assert_int_equal(report.action, BW_UPDATE_DID_REBUILD);
        assert_sound(tree, &mesh);
        assert_stats_true(tree);
    }
    bw_vertex_range beyond = {mesh.vertex_count, 1};
    bw_update_desc update = {.ranges = &beyond, .range_count = 1};
    assert_int_equal(bw_tree_update(tree, &mesh, &update, NULL, NULL),
                     is_binary() ? BW_ERROR_UNSUPPORTED : BW_ERROR_INDEX);
    update = (bw_update_desc){.policy = (bw_update_policy)9};
    assert_int_equal(bw_tree_update(tree, &mesh, &update, NULL, NULL), BW_ERROR_ARGUMENT);
    update = (bw_update_desc){.range_count = 1};
    assert_int_equal(bw_tree_update(tree, &mesh, &update, NULL, NULL), BW_ERROR_ARGUMENT);
    /* A bad coordinate is refused by a rebuild as well. */
    float kept = xyz[5];
    xyz[5] = NAN;
    bw_fault fault;
    update = (bw_update_desc){.policy = BW_UPDATE_REBUILD};
    assert_int_equal(bw_tree_update(tree, &mesh, &update, NULL, &fault), BW_ERROR_NOT_FINITE);
    assert_int_equal(fault.vertex, 1);
    xyz[5] = kept;
    assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    bws_mesh_free(&sheet);
}

/* Which primitives stand in leaves. */
static bool mark_primitives(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                            uint32_t count)
{
    (void)box, (void)depth;
    bool *there = user;
    for (uint32_t i = 0; i < count; i++) {
        assert_false(there[primitives[i]]);
        there[primitives[i]] = true;
    }
    return true;
}

/* Triangles come and go in random batches; a plain table says which are there. */
static void edits(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 24, .sides = 12}, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned), half = mesh;
    half.triangle_count /= 2;
    bw_tree *tree = build(&half);
    uint32_t n = mesh.triangle_count, *list = malloc(n * sizeof *list);
    bool *table = calloc(n, sizeof *table), *there = malloc(n * sizeof *there);
    assert_true(list != NULL && table != NULL && there != NULL);
    uint32_t one = 0, beyond = n;
    if (is_binary()) {
        assert_int_equal(bw_tree_insert(tree, &mesh, &one, 1, NULL), BW_ERROR_UNSUPPORTED);
        assert_int_equal(bw_tree_remove(tree, &half, &one, 1, NULL), BW_ERROR_UNSUPPORTED);
    } else {
        for (uint32_t i = 0; i < half.triangle_count; i++)
            table[i] = true;
        assert_int_equal(bw_tree_insert(tree, &mesh, &one, 1, NULL),
                         BW_ERROR_ARGUMENT); /* is there already */
        assert_int_equal(bw_tree_insert(tree, &mesh, &beyond, 1, NULL), BW_ERROR_INDEX);
        assert_int_equal(bw_tree_insert(tree, &mesh, NULL, 1, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_tree_remove(tree, &half, NULL, 1, NULL), BW_ERROR_ARGUMENT);
        assert_int_equal(bw_tree_remove(tree, &mesh, &one, 1, NULL), BW_ERROR_MISMATCH);
        assert_int_equal(bw_tree_insert(tree, &mesh, NULL, 0, NULL), BW_OK);
        assert_sound(tree, &mesh);
        bws_random random = bws_random_seeded(3);
        for (int round = 0; round < 60; round++) {
            bool insert = round == 59 || (round != 58 && bws_random_bool(&random));
            uint32_t count = 0, chance = (uint32_t)bws_random_int(&random, 1, 20);
            for (uint32_t i = 0; i < n; i++)
                if (table[i] != insert && (round >= 58 || bws_random_below(&random, chance) == 0))
                    list[count++] = i;
            assert_int_equal(insert ? bw_tree_insert(tree, &mesh, list, count, NULL)
                                    : bw_tree_remove(tree, &mesh, list, count, NULL),
                             BW_OK);
            for (uint32_t i = 0; i < count; i++)
                table[list[i]] = insert;
            assert_sound(tree, &mesh);
            memset(there, 0, n * sizeof *there);
            assert_int_equal(bw_tree_visit(tree, mark_primitives, there, NULL), BW_OK);
            assert_memory_equal(there, table, n * sizeof *there);
            if (!insert && count > 0)
                assert_int_equal(bw_tree_remove(tree, &mesh, list, 1, NULL),
                                 BW_ERROR_ARGUMENT); /* is gone already */
        }
    }
    bw_tree_destroy(tree);
    free(list);
    free(table);
    free(there);
    bws_mesh_free(&owned);
}

static void quarantines(void **state)
{
    (void)state;
    float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, NAN, 0, 0, 5, 5, INFINITY, 2, 2, 2};
    uint32_t indices[] = {0, 1, 2, 0, 1, 3, 0, 1, 9, 4, 1, 2, 0, 0, 5, 2, 1, 5};
    bw_mesh mesh = {xyz, BW_F32, 6, 0, indices, 6};
    bw_tree *tree = NULL;
    bw_fault report;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, &report), BW_ERROR_NOT_FINITE);
    assert_null(tree);
    assert_int_equal(report.defect, BW_DEFECT_NAN);
    assert_int_equal(report.element, 1);
    assert_true(report.vertex == 3 && report.axis == 0 && isnan(report.value));
    char words[80];
    bw_fault_describe(&report, words, sizeof words);
    assert_string_equal(words, "element 1, vertex 3, x = nan: NaN coordinate");
    bw_tree_desc desc = bw_tree_form_desc(current);
    desc.quarantine = BW_DEFECT_BIT(BW_DEFECT_NAN) | BW_DEFECT_BIT(BW_DEFECT_INFINITE);
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, &report), BW_ERROR_INDEX);
    desc.quarantine = BW_DEFECTS_FATAL;
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, &report), BW_OK);
    assert_int_equal(report.result, BW_OK);
    assert_sound(tree, &mesh);
    uint32_t count;
    const uint32_t *out = bw_tree_quarantine(tree, &count);
    assert_int_equal(count, 3);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 2);
    assert_int_equal(out[2], 3);
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(stats.primitives, 3);
    assert_int_equal(stats.quarantined, 3);
    /* What is in quarantine does not hinder a refit. */
    xyz[0] = -1;
    assert_int_equal(bw_tree_update(tree, &mesh, NULL, NULL, NULL), BW_OK);
    assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    desc.quarantine = BW_DEFECTS_ALL;
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(stats.primitives, 2);
    assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    /* Nothing left. */
    bw_mesh bad = {xyz, BW_F32, 6, 0, indices + 3, 3};
    tree = NULL;
    assert_int_equal(bw_tree_create(&desc, &bad, &tree, &report), BW_ERROR_EMPTY);
    assert_null(tree);
    assert_true(report.result == BW_ERROR_EMPTY && report.element == BW_NONE);
}

static void refuses_bad_arguments(void **state)
{
    (void)state;
    float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t indices[] = {0, 1, 2};
    bw_mesh mesh = {xyz, BW_F32, 3, 0, indices, 1};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, NULL, &tree, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_create(NULL, &mesh, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_tree_desc desc = {.builder = (bw_builder)77};
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_tree_desc){.quarantine = BW_DEFECT_BIT(BW_DEFECT_COUNT)};
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_ERROR_ARGUMENT);
    mesh.triangle_count = 0;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_ERROR_EMPTY);
    bw_mesh empty = {0};
    assert_int_equal(bw_tree_create(NULL, &empty, &tree, NULL), BW_ERROR_EMPTY);
    bw_mesh unreadable = {NULL, BW_F32, 3, 0, indices, 1};
    assert_int_equal(bw_tree_create(NULL, &unreadable, &tree, NULL), BW_ERROR_ARGUMENT);
    mesh.triangle_count = (1u << 30) + 1;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_ERROR_SIZE);
    assert_null(tree);
    assert_non_null(bw_tree_check(NULL, NULL));
    assert_int_equal(bw_tree_visit(NULL, count_node, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_tree_destroy(NULL);
}

/* Primitives that no plane can divide: equal, on one point, and a geometric series that makes the deepest
 * trees. */
static void divides_what_cannot_be_divided(void **state)
{
    (void)state;
    enum { N = 300 };
    static double xyz[3 * N];
    bw_mesh cloud = {xyz, BW_F64, N, 0, NULL, 0};
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++)
                xyz[3 * i + k] = kind == 0 ? 0.0 : kind == 1 ? 0x1p100 : ldexp(1.0, (i % 200) - 120);
        bw_tree *tree = build(&cloud);
        assert_stats_true(tree);
        bw_box bounds = bw_tree_bounds(tree);
        assert_true(kind != 1 || bounds.min[0] == 0x1p100f);
        bw_tree_destroy(tree);
    }
}

static bool stop_at_third(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                          uint32_t count)
{
    (void)box, (void)depth, (void)primitives, (void)count;
    return ++*(int *)user < 3;
}

static void visitors_may_stop(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 8, .sides = 6}, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = build(&mesh);
    int visited = 0;
    assert_int_equal(bw_tree_visit(tree, stop_at_third, &visited, NULL), BW_OK);
    assert_int_equal(visited, 3);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

/* A mesh that deforms gets the form without copied coordinates, where there is one. */
static void takes_the_form_for_deforming(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 9}, BW_F32, &mesh), BW_OK);
    bw_mesh view = bws_view(&mesh);
    bw_tree_desc compact = bw_tree_form_desc(current), deforms = compact;
    compact.compact = true;
    deforms.compact = false;
    deforms.deforms = true;
    bw_tree *a, *b;
    assert_int_equal(bw_tree_create(&compact, &view, &a, NULL), BW_OK);
    assert_int_equal(bw_tree_create(&deforms, &view, &b, NULL), BW_OK);
    bw_tree_stats of_a = {0}, of_b = {0};
    bw_tree_get_stats(a, &of_a);
    bw_tree_get_stats(b, &of_b);
    assert_int_equal(of_a.bytes, of_b.bytes);
    for (uint32_t v = 0; v < mesh.vertex_count; v += 3)
        bws_mesh_set_vertex(&mesh, v, (bw_vec3){0.001 * v, 1, -1});
    assert_int_equal(bw_tree_update(b, &view, NULL, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(b, &view));
    bw_tree_destroy(a);
    bw_tree_destroy(b);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_every_scene),
        cmocka_unit_test(refits),
        cmocka_unit_test(refuses_bad_refits),
        cmocka_unit_test(quarantines),
        cmocka_unit_test(refuses_bad_arguments),
        cmocka_unit_test(divides_what_cannot_be_divided),
        cmocka_unit_test(visitors_may_stop),
        cmocka_unit_test(updates),
        cmocka_unit_test(edits),
        cmocka_unit_test(takes_the_form_for_deforming),
    };
    int failed = 0;
    for (int i = 0; i < BW_TREE_FORMS; i++) {
        current = bw_tree_forms[i];
        print_message("builder %d, volume %d, compact %d\n", (int)current.builder, (int)current.volume,
                      current.compact);
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
