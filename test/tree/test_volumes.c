/* Trees of oriented boxes and of k-DOPs: that the volumes contain what they must is shown with rationals,
 * that the check sees every broken invariant by breaking them. */
#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include "oracle/rational_number.h"
#include "scenes/scenes.h"
#include "tree/kind.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_volume volumes[] = {BW_VOLUME_OBB, BW_VOLUME_KDOP14, BW_VOLUME_KDOP18, BW_VOLUME_KDOP26};
enum { VOLUMES = sizeof volumes / sizeof *volumes };

static void assert_sound(const bw_tree *tree, const bw_mesh *mesh)
{
    const char *fault = bw_tree_check(tree, mesh);
    if (fault != NULL)
        fail_msg("%s", fault);
    fault = bw_tree_check(tree, NULL);
    if (fault != NULL)
        fail_msg("%s", fault);
}

static bw_tree *build(bw_volume volume, const bw_mesh *mesh)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.volume = volume}, mesh, &tree, NULL), BW_OK);
    assert_sound(tree, mesh);
    return tree;
}

static void directions_are_opposite_and_found(void **state)
{
    (void)state;
    static const uint32_t sets[3] = {14, 18, 26};
    for (int s = 0; s < 3; s++) {
        uint32_t k = sets[s], found = 0;
        const bw_kdop_direction *d = bw_kdop_directions(k);
        for (uint32_t j = 0; j < k; j++) {
            assert_int_equal(bw_kdop_find(k, d[j].c[0], d[j].c[1], d[j].c[2]), j);
            for (int c = 0; c < 3; c++)
                assert_int_equal(d[j].c[c], -d[j ^ 1].c[c]);
        }
        for (int x = -1; x <= 1; x++) {
            for (int y = -1; y <= 1; y++) {
                for (int z = -1; z <= 1; z++) {
                    int terms = abs(x) + abs(y) + abs(z);
                    bool in = terms == 1 || (terms == 2 && k != 14) || (terms == 3 && k != 18);
                    assert_int_equal(bw_kdop_find(k, x, y, z) < k, in);
                    found += in;
                }
            }
        }
        assert_int_equal(found, k);
    }
}

/* Coordinates whose sums are exact, nearly so, and not at all. */
static double awkward(bws_random *random)
{
    switch (bws_random_below(random, 5)) {
    case 0:
        return (double)bws_random_int(random, -8, 8);
    case 1:
        return (double)bws_random_float(random, -1, 1);
    case 2:
        return bws_random_double(random, -1, 1);
    case 3:
        return ldexp(bws_random_double(random, -1, 1), (int)bws_random_int(random, -290, 99));
    default:
        return 1 + ldexp(1, (int)bws_random_int(random, -52, -20));
    }
}

static void supports_are_tight(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 corners[3];
    for (int i = 0; i < 3; i++)
        corners[i] = (bw_vec3){awkward(random), awkward(random), awkward(random)};
    uint32_t indices[3] = {0, 1, 2};
    bw_mesh mesh = {
        .positions = corners, .scalar = BW_F64, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    static const uint32_t sets[3] = {14, 18, 26};
    for (int s = 0; s < 3; s++) {
        float support[BW_KDOP_MAX];
        bw_kdop_of_primitive(sets[s], &mesh, 0, support);
        for (uint32_t j = 0; j < sets[s]; j++) {
            const int8_t *d = bw_kdop_directions(sets[s])[j].c;
            bw_rational_begin();
            bw_q bound = bw_q_of((double)support[j]),
                 before = bw_q_of((double)nextafterf(support[j], -INFINITY));
            bool reached = false;
            double slack = 0;
            for (int i = 0; i < 3 && j >= 6; i++)
                slack = fmax(slack, 0x1p-50 * (fabs(corners[i].x) + fabs(corners[i].y) + fabs(corners[i].z)));
            for (int i = 0; i < 3; i++) {
                bw_q along = bw_q_add(bw_q_add(bw_q_of(d[0] * corners[i].x), bw_q_of(d[1] * corners[i].y)),
                                      bw_q_of(d[2] * corners[i].z));
                assert_true(bw_q_compare(along, bound) <= 0);
                reached |= bw_q_compare(bw_q_add(along, bw_q_of(slack)), before) > 0;
            }
            assert_true(reached);
        }
    }
}

/* y of p = centre + sum_i y_i axis[i], by Cramer's rule in rationals. */
static void assert_inside(const bw_obb_node *box, const bw_vec3 *p)
{
    bw_vec3 c = {(double)box->centre[0], (double)box->centre[1], (double)box->centre[2]}, v[3];
    bw_rational_begin();
    bw_qvec axis[3], d = bw_qvec_sub(bw_qvec_of(p), bw_qvec_of(&c));
    for (int i = 0; i < 3; i++) {
        v[i] = (bw_vec3){(double)box->axis[i][0], (double)box->axis[i][1], (double)box->axis[i][2]};
        axis[i] = bw_qvec_of(&v[i]);
    }
    bw_q determinant = bw_qvec_dot(axis[0], bw_qvec_cross(axis[1], axis[2]));
    for (int i = 0; i < 3; i++) {
        bw_q y = bw_q_div(bw_qvec_dot(d, bw_qvec_cross(axis[(i + 1) % 3], axis[(i + 2) % 3])), determinant);
        bw_q half = bw_q_of((double)box->half[i]), zero = bw_q_of(0.0);
        assert_true(bw_q_compare(y, half) <= 0);
        assert_true(bw_q_compare(bw_q_sub(zero, half), y) <= 0);
    }
}

static void boxes_contain(bws_random *random, void *user)
{
    (void)user;
    enum { COUNT = 5 };
    bw_vec3 points[3 * COUNT];
    uint32_t indices[3 * COUNT];
    bw_obb_item items[COUNT];
    bool awry = bws_random_bool(random);
    double scale = ldexp(1, (int)bws_random_int(random, -40, 40)),
           offset = bws_random_double(random, -1e6, 1e6);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        points[i] = awry ? (bw_vec3){awkward(random), awkward(random), awkward(random)}
                         : (bw_vec3){scale * (offset + bws_random_double(random, -1, 1)),
                                     scale * bws_random_double(random, -1, 1), scale * offset};
        indices[i] = i;
    }
    bw_mesh mesh = {.positions = points,
                    .scalar = BW_F64,
                    .vertex_count = 3 * COUNT,
                    .indices = indices,
                    .triangle_count = COUNT};
    if (bws_random_bool(random))
        mesh.indices = NULL;
    bw_obb_fit fit;
    uint32_t count = 1 + (uint32_t)bws_random_below(random, COUNT);
    bw_box bounds = bw_box_of_points(points, 3 * COUNT);
    bw_obb_scale mesh_scale = bw_obb_scale_of(&bounds);
    for (uint32_t i = 0; i < count; i++) {
        items[i].primitive = i;
        bw_mesh_corners(&mesh, i, items[i].corner);
        bw_obb_item_measure(&items[i], mesh_scale.unit, mesh.indices == NULL);
    }
    bw_obb_fit_items(items, count, &mesh_scale, &fit);
    bw_box around = bw_obb_box(&fit.box);
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 corners[3];
        bw_mesh_corners(&mesh, i, corners);
        for (int c = 0; c < 3; c++) {
            assert_inside(&fit.box, &corners[c]);
            assert_true((double)around.min[0] <= corners[c].x && corners[c].x <= (double)around.max[0]);
            assert_true((double)around.min[1] <= corners[c].y && corners[c].y <= (double)around.max[1]);
            assert_true((double)around.min[2] <= corners[c].z && corners[c].z <= (double)around.max[2]);
        }
    }
}

static void random_volumes_contain(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, supports_are_tight, NULL);
    BW_EACH_SEED(600, boxes_contain, NULL);
}

/* A flat square turned in space: the box must find its plane and be thin. */
static void boxes_follow_the_surface(void **state)
{
    (void)state;
    bws_mesh sheet;
    assert_int_equal(
        bws_sheet(&(bws_sheet_desc){.columns = 20, .rows = 10, .amplitude = 1e-9}, 0, BW_F64, &sheet), BW_OK);
    bw_transform pose = bw_transform_compose((bw_vec3){3, 4, 5}, (bw_vec3){1, 2, 3}, 1.0, (bw_vec3){4, 1, 1});
    bws_mesh_transform(&sheet, &pose);
    bw_mesh mesh = bws_view(&sheet);
    bw_tree *tree = build(BW_VOLUME_OBB, &mesh);
    float half[3];
    memcpy(half, tree->obb.nodes[0].half, sizeof half);
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (half[i] < half[j]) {
                float swap = half[i];
                half[i] = half[j];
                half[j] = swap;
            }
    assert_true(fabsf(half[0] - 2.0f) < 1e-3f && fabsf(half[1] - 0.5f) < 1e-3f && half[2] < 1e-5f);
    bw_tree_destroy(tree);
    bws_mesh_free(&sheet);
}

typedef struct census {
    uint32_t nodes, leaves, primitives, depth;
    uint64_t depth_sum;
    bw_box bounds;
    uint32_t stop_after;
} census;

static bool count_node(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                       uint32_t count)
{
    census *c = user;
    assert_true(box->min[0] <= box->max[0]);
    assert_true((primitives == NULL) == (count == 0));
    if (c->nodes++ == 0)
        c->bounds = *box;
    c->primitives += count;
    if (count > 0) {
        c->leaves++;
        c->depth = depth > c->depth ? depth : c->depth;
        c->depth_sum += depth;
    }
    return c->nodes != c->stop_after;
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
    assert_true(stats.sah_cost >= 1.0 && stats.bytes > (size_t)stats.nodes * 64);
    bw_box bounds = bw_tree_bounds(tree);
    for (int k = 0; k < 3; k++)
        assert_true(c.bounds.min[k] <= bounds.min[k] && bounds.max[k] <= c.bounds.max[k]);
    c = (census){.stop_after = 2};
    assert_int_equal(bw_tree_visit(tree, count_node, &c, NULL), BW_OK);
    assert_int_equal(c.nodes, stats.nodes < 2 ? stats.nodes : 2);
}

static void builds_every_scene(void **state)
{
    (void)state;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        for (int scalar = 0; scalar < 2; scalar++) {
            bws_mesh owned;
            assert_int_equal(scenes[i].make(1000, (bw_scalar)scalar, &owned), BW_OK);
            bw_mesh mesh = bws_view(&owned);
            bw_tree *boxes = build(BW_VOLUME_AABB, &mesh);
            bw_box bounds = bw_tree_bounds(boxes);
            for (int v = 0; v < VOLUMES; v++) {
                bw_tree *tree = build(volumes[v], &mesh);
                assert_stats_true(tree);
                bw_box same = bw_tree_bounds(tree);
                assert_memory_equal(&same, &bounds, sizeof bounds);
                bw_tree_destroy(tree);
            }
            bw_tree_destroy(boxes);
            bws_mesh_free(&owned);
        }
    }
}

static void refits(void **state)
{
    (void)state;
    bws_sheet_desc desc = {.columns = 20, .rows = 15};
    for (int v = 0; v < VOLUMES; v++) {
        for (int scalar = 0; scalar < 2; scalar++) {
            bws_mesh sheet;
            assert_int_equal(bws_sheet(&desc, 0.0, (bw_scalar)scalar, &sheet), BW_OK);
            bw_mesh mesh = bws_view(&sheet);
            bw_tree *tree = build(volumes[v], &mesh);
            bw_update_report report = {0};
            assert_int_equal(
                bw_tree_update(tree, &mesh, &(bw_update_desc){.count_changed = true}, &report, NULL), BW_OK);
            assert_int_equal(report.action,
                             volumes[v] == BW_VOLUME_OBB ? BW_UPDATE_DID_REBUILD : BW_UPDATE_DID_REFIT);
            /* The same positions give the same k-DOPs; an OBB tree may order its leaves another way. */
            if (volumes[v] != BW_VOLUME_OBB)
                assert_int_equal(report.changed, 0);
            for (int frame = 1; frame < 6; frame++) {
                bws_sheet_move(&desc, 0.05 * frame, &sheet);
                assert_non_null(bw_tree_check(tree, &mesh));
                assert_int_equal(
                    bw_tree_update(tree, &mesh, &(bw_update_desc){.count_changed = true}, &report, NULL),
                    BW_OK);
                assert_int_equal(report.boxes, 2 * mesh.triangle_count - 1);
                assert_true(report.changed > 0 && report.changed <= report.boxes);
                assert_sound(tree, &mesh);
            }
            bw_tree_destroy(tree);
            bws_mesh_free(&sheet);
        }
    }
}

/* One primitive, coinciding points, triangles without area, everything on a line, extreme sizes. */
static void bounds_degenerate_meshes(void **state)
{
    (void)state;
    static const double scales[] = {1, 0x1p-290, 0x1p96, 1e-20};
    for (int v = 0; v < VOLUMES; v++) {
        for (int kind = 0; kind < 5; kind++) {
            for (int s = 0; s < 4; s++) {
                bw_vec3 p[12];
                uint32_t indices[12];
                for (uint32_t i = 0; i < 12; i++) {
                    double x = kind == 0 ? 1 : i,
                           y = kind < 2    ? 1
                               : kind == 2 ? i % 3 == 0
                                           : i * i % 5,
                           z = kind == 4 ? 1e6 : 2;
                    p[i] = (bw_vec3){scales[s] * x, scales[s] * y, scales[s] * z};
                    if (s == 2 && kind == 4)
                        p[i].z = scales[s];
                    indices[i] = kind == 3 ? i / 3 : i;
                }
                bw_mesh mesh = {.positions = p,
                                .scalar = BW_F64,
                                .vertex_count = 12,
                                .indices = indices,
                                .triangle_count = 4};
                for (int points = 0; points < 3; points++) {
                    bw_tree_destroy(build(volumes[v], &mesh));
                    if (points == 0)
                        mesh.indices = NULL;
                    else
                        mesh.vertex_count = 1;
                }
            }
        }
    }
}

static void leaves_quarantined_out(void **state)
{
    (void)state;
    for (int v = 0; v < VOLUMES; v++) {
        bws_mesh owned;
        assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 12, .sides = 8}, BW_F64, &owned), BW_OK);
        bws_mesh_set_vertex(&owned, 5, (bw_vec3){NAN, 0, 0});
        bw_mesh mesh = bws_view(&owned);
        bw_tree *tree = NULL;
        bw_tree_desc desc = {.volume = volumes[v], .quarantine = BW_DEFECTS_FATAL};
        assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
        assert_sound(tree, &mesh);
        uint32_t count;
        assert_non_null(bw_tree_quarantine(tree, &count));
        assert_int_equal(count, 6);
        assert_int_equal(bw_tree_update(tree, &mesh, NULL, NULL, NULL), BW_OK);
        assert_sound(tree, &mesh);
        bw_tree_destroy(tree);
        bws_mesh_free(&owned);
    }
}

static void refuses_what_is_not_there(void **state)
{
    (void)state;
    float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    bw_mesh mesh = {.positions = positions, .vertex_count = 3};
    bw_tree *tree = NULL;
    bw_tree_desc desc = {.volume = (bw_volume)5};
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_tree_desc){.volume = BW_VOLUME_OBB, .builder = BW_BUILDER_MIDPOINT};
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_ERROR_UNSUPPORTED);
    assert_null(tree);
    desc.volume = BW_VOLUME_KDOP18;
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
    bw_tree_destroy(tree);
}

/* ---- what the check must see ---- */

static void expect_fault(bw_tree *tree, const bw_mesh *mesh, const char *part)
{
    const char *fault = bw_tree_check(tree, mesh);
    if (fault == NULL || strstr(fault, part) == NULL)
        fail_msg("expected \"%s\", got \"%s\"", part, fault == NULL ? "all is well" : fault);
}

static uint32_t first_leaf(const bw_tree *tree)
{
    uint32_t i = 0;
    if (tree->volume == BW_VOLUME_OBB)
        while (!bw_obb_is_leaf(&tree->obb.nodes[i]))
            i++;
    else
        while (!bw_kdop_at(&tree->kdop, i)->leaf)
            i++;
    return i;
}

#define BROKEN(place, value, part)                                                                           \
    do {                                                                                                     \
        __typeof__(place) kept = (place);                                                                    \
        (place) = (value);                                                                                   \
        expect_fault(tree, &mesh, part);                                                                     \
        (place) = kept;                                                                                      \
    } while (0)

static void check_sees_broken_kdops(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 6, .sides = 5}, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = build(BW_VOLUME_KDOP26, &mesh);
    bw_kdop_node *root = bw_kdop_at(&tree->kdop, 0), *leaf = bw_kdop_at(&tree->kdop, first_leaf(tree));
    bw_kdop_node *child = bw_kdop_at(&tree->kdop, root->link);
    BROKEN(tree->kdop.count, tree->kdop.count - 2, "number of nodes");
    BROKEN(root->support[25], root->support[25] + 1, "smallest around its children");
    BROKEN(root->support[3], NAN, "not a number");
    BROKEN(root->leaf, 2, "neither leaf");
    BROKEN(root->link, 0, "do not stand after");
    BROKEN(root->link, tree->kdop.count - 1, "do not stand after");
    BROKEN(leaf->support[11], nextafterf(leaf->support[11], 10), "");
    BROKEN(leaf->link, mesh.triangle_count, "does not have");
    BROKEN(leaf->link, (leaf->link + 1) % mesh.triangle_count, "");
    if (!child->leaf) {
        /* Two parents: the child claims the root's children. */
        bw_kdop_node *grandchild = child;
        uint32_t link = grandchild->link;
        grandchild->link = root->link;
        assert_non_null(bw_tree_check(tree, &mesh));
        grandchild->link = link;
    }
    /* A leaf that is nobody's box and a leaf that came twice. */
    float kept[26];
    memcpy(kept, leaf->support, sizeof kept);
    bw_kdop_of_primitive(26, &mesh, (leaf->link + 7) % mesh.triangle_count, leaf->support);
    assert_non_null(bw_tree_check(tree, &mesh));
    memcpy(leaf->support, kept, sizeof kept);
    assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

static void check_sees_broken_obbs(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 6, .sides = 5}, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = build(BW_VOLUME_OBB, &mesh);
    bw_obb_node *nodes = tree->obb.nodes, *leaf = &nodes[first_leaf(tree)];
    BROKEN(tree->obb.count, tree->obb.count - 2, "number of nodes");
    BROKEN(nodes[0].half[1], 0.5f * nodes[0].half[1], "leaves a box");
    BROKEN(nodes[0].half[1], 0.9f * tree->obb.bounds.max[0] + nodes[0].half[1], "");
    BROKEN(nodes[3].half[0], nodes[3].half[0] * 1.001f, "");
    BROKEN(nodes[0].centre[2], nodes[0].centre[2] + 0.01f, "");
    BROKEN(nodes[0].half[0], NAN, "not a number");
    BROKEN(nodes[2].half[0], -1.0f, "empty");
    BROKEN(nodes[2].axis[0][1], nodes[2].axis[0][1] + 0.001f, "orthonormal");
    BROKEN(nodes[0].link, 0, "do not stand after");
    BROKEN(nodes[1].link, 1, "do not stand after");
    BROKEN(leaf->link, BW_OBB_LEAF | mesh.triangle_count, "does not have");
    BROKEN(leaf->link, BW_OBB_LEAF | (((leaf->link & ~BW_OBB_LEAF) + 1) % mesh.triangle_count), "two leaves");
    BROKEN(tree->obb.reach[0], 0.5 * tree->obb.reach[0], "reaches further");
    if (!bw_obb_is_leaf(&nodes[2]) && !bw_obb_is_leaf(&nodes[1]))
        BROKEN(nodes[2].link, nodes[1].link, "two parents");
    float kept = nodes[3].half[0];
    nodes[3].half[0] *= 1.01f;
    for (int k = 0; k < 3; k++)
        tree->obb.reach[k] *= 2;
    expect_fault(tree, &mesh, "larger than its primitives");
    nodes[3].half[0] = kept;
    assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

/* ---- memory ---- */

/* Points on a line whose gaps double: every midpoint split peels one off, and the stacks outgrow their first
 * memory. */
static void fill_chain(double *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        p[3 * i] = ldexp(1, (int)i - 220);
        p[3 * i + 1] = p[3 * i + 2] = 0;
    }
}

enum { CHAIN = 310 };

static bw_result create_or_fail(bw_failing_allocator *memory, uint64_t n, void *user)
{
    static double p[3 * CHAIN];
    fill_chain(p, CHAIN);
    bw_mesh mesh = {.positions = p, .scalar = BW_F64, .vertex_count = CHAIN};
    bw_tree_desc desc = {.volume = *(bw_volume *)user, .allocator = &memory->hook};
    bw_tree *tree = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_create(&desc, &mesh, &tree, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((tree != NULL) == (result == BW_OK));
    if (tree != NULL)
        assert_sound(tree, &mesh);
    bw_tree_destroy(tree);
    return result;
}

static bw_result refit_or_fail(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bws_sheet_desc sheet_desc = {.columns = 6, .rows = 5};
    bws_mesh sheet;
    assert_int_equal(bws_sheet(&sheet_desc, 0, BW_F32, &sheet), BW_OK);
    bw_mesh mesh = bws_view(&sheet);
    bw_tree_desc desc = {.volume = BW_VOLUME_OBB, .allocator = &memory->hook};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
    bw_obb_node kept = tree->obb.nodes[1];
    bws_sheet_move(&sheet_desc, 0.3, &sheet);
    bw_update_report report = {.boxes = 77};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_update(tree, &mesh, &(bw_update_desc){.count_changed = true}, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_int_equal(report.boxes, 77);
        assert_memory_equal(&kept, &tree->obb.nodes[1], sizeof kept);
        assert_null(bw_tree_check(tree, NULL));
    } else {
        assert_sound(tree, &mesh);
    }
    bw_tree_destroy(tree);
    bws_mesh_free(&sheet);
    return result;
}

/* No set of points that fits into doubles makes an OBB tree as deep: this one is made by hand. */
static bw_result visit_chain_of_boxes(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    static bw_obb_node nodes[2 * CHAIN + 1];
    for (uint32_t i = 0; i < 2 * CHAIN + 1; i++)
        nodes[i] = (bw_obb_node){.link = i % 2 == 1 && i + 2 < 2 * CHAIN ? i + 2 : BW_OBB_LEAF | i};
    nodes[0].link = 1;
    bw_obb tree = {.nodes = nodes, .count = 2 * CHAIN + 1};
    census c = {0};
    bw_failing_allocator_fail(memory, n);
    bw_paired paired = bw_obb_paired(&tree);
    bw_result result = bw_paired_visit(&paired, &memory->hook, count_node, &c);
    bw_failing_allocator_fail_none(memory);
    if (result == BW_OK)
        assert_int_equal(c.nodes, 2 * CHAIN + 1);
    return result;
}

static bw_result visit_chain_of_kdops(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    static double p[3 * CHAIN];
    fill_chain(p, CHAIN);
    bw_mesh mesh = {.positions = p, .scalar = BW_F64, .vertex_count = CHAIN};
    bw_tree_desc desc = {.volume = BW_VOLUME_KDOP14, .allocator = &memory->hook};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
    census c = {0};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_visit(tree, count_node, &c, NULL);
    bw_failing_allocator_fail_none(memory);
    bw_tree_destroy(tree);
    return result;
}

static void survives_every_failure(void **state)
{
    (void)state;
    for (int v = 0; v < VOLUMES; v++) {
        bw_volume volume = volumes[v];
        bw_each_allocation_failure(create_or_fail, &volume, 4);
    }
    bw_each_allocation_failure(visit_chain_of_boxes, NULL, 1);
    bw_each_allocation_failure(visit_chain_of_kdops, NULL, 1);
    bw_each_allocation_failure(refit_or_fail, NULL, 2);
}

static void check_survives_failure(void **state)
{
    (void)state;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    float p[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    bw_mesh mesh = {.positions = p, .vertex_count = 3};
    for (int v = 0; v < VOLUMES; v++) {
        bw_tree *tree = NULL;
        bw_tree_desc desc = {.volume = volumes[v], .allocator = &memory.hook};
        assert_int_equal(bw_tree_create(&desc, &mesh, &tree, NULL), BW_OK);
        for (uint64_t n = 1; n <= (volumes[v] == BW_VOLUME_OBB ? 2 : 1); n++) {
            bw_failing_allocator_fail(&memory, n);
            expect_fault(tree, &mesh, "out of memory");
            bw_failing_allocator_fail_none(&memory);
        }
        bw_tree_destroy(tree);
    }
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_opposite_and_found),
        cmocka_unit_test(random_volumes_contain),
        cmocka_unit_test(boxes_follow_the_surface),
        cmocka_unit_test(builds_every_scene),
        cmocka_unit_test(refits),
        cmocka_unit_test(bounds_degenerate_meshes),
        cmocka_unit_test(leaves_quarantined_out),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(check_sees_broken_kdops),
        cmocka_unit_test(check_sees_broken_obbs),
        cmocka_unit_test(survives_every_failure),
        cmocka_unit_test(check_survives_failure),
    };
    return cmocka_run_group_tests_name("volumes", tests, NULL, NULL);
}
