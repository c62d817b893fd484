/* Long thin triangles against brute force: directions across long edges and oriented boxes of leaves may
 * never hide a contact, whatever the leaves are like, and decide nothing but the time. */
#include "mesh/view.h"
#include "oracle/failing_allocator.h"
#include "oracle/hard_poses.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/tree.h"
#include "wide_solid.h"

#include <boxwood/collide.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 320 };

/* ---- families of triangles ---- */

typedef enum family {
    NEEDLES,    /* anywhere, thinner and thinner */
    SLIVERS,    /* a corner on the opposite edge, but for the last bits */
    DEGENERATE, /* segments and points among few triangles */
    MIXED,      /* long and short */
    COPLANAR,   /* on a lattice in one plane */
    BUNDLE,     /* along one direction, side by side */
    CROSSES,    /* leaves of needles along each other's normals */
    LATTICE,    /* small integers */
    FAMILIES
} family;

static bw_vec3 along(bw_vec3 p, double t, bw_vec3 d)
{
    return (bw_vec3){p.x + t * d.x, p.y + t * d.y, p.z + t * d.z};
}

static bw_vec3 lattice_point(bws_random *random, int64_t most)
{
    return (bw_vec3){(double)bws_random_int(random, 0, most), (double)bws_random_int(random, 0, most),
                     (double)bws_random_int(random, 0, most)};
}

static bw_vec3 anywhere(bws_random *random)
{
    return (bw_vec3){bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                     bws_random_double(random, -1, 1)};
}

static void make_triangle(bws_random *random, family what, bw_vec3 common, bw_vec3 out[3])
{
    const bw_vec3 p = anywhere(random), d = bws_random_direction(random), side = bws_random_direction(random);
    const double length = bws_random_double(random, 0.05, 0.8);
    const double thin = length * ldexp(1.0, -(int)bws_random_int(random, 1, 24));
    out[0] = p;
    switch (what) {
    case NEEDLES:
        out[1] = along(p, length, d);
        out[2] = along(along(p, bws_random_double(random, 0, length), d), thin, side);
        return;
    case SLIVERS:
        out[1] = along(p, length, d);
        out[2] = along(p, 0.5 * length, d);
        out[2].x += ldexp(bws_random_double(random, -1, 1), -(int)bws_random_int(random, 20, 60));
        return;
    case DEGENERATE:
        out[1] = bws_random_below(random, 3) == 0 ? p : along(p, length, d);
        out[2] = bws_random_below(random, 4) != 0 ? out[1] : along(p, length, side);
        return;
    case MIXED:
        out[1] = along(p, bws_random_bool(random) ? length : 0.02, d);
        out[2] = along(p, bws_random_below(random, 3) == 0 ? 0.02 : thin, side);
        return;
    case COPLANAR:
        for (int k = 0; k < 3; k++) {
            out[k] = lattice_point(random, 24);
            out[k].z = 0;
        }
        return;
    case BUNDLE:
        out[1] = along(p, length, common);
        out[2] = along(along(p, 0.01, side), 0.5 * length, common);
        return;
    case CROSSES:
        for (int k = 0; k < 3; k++)
            out[k] = lattice_point(random, 3);
        out[1] = out[0];
        out[1].x += (double)bws_random_int(random, 1, 30) * (common.x > 0 ? 1 : 0.125);
        out[2].y += (double)bws_random_int(random, 0, 1) * 0x1p-20;
        return;
    default:
        for (int k = 0; k < 3; k++)
            out[k] = lattice_point(random, 5);
        return;
    }
}

/* Triangles with corners of their own, all moved and scaled: what floats make of far places and of very small
 * and very large ones is part of the family. */
static bws_mesh make_mesh(bws_random *random, family what, uint32_t count, bw_scalar scalar, double scale,
                          bw_vec3 place)
{
    bws_mesh mesh;
    bws_soup_desc desc = {.triangles = count, .seed = 1};
    assert_int_equal(bws_soup(&desc, scalar, &mesh), BW_OK);
    bw_vec3 common = bws_random_direction(random);
    for (uint32_t t = 0; t < count; t++) {
        bw_vec3 p[3];
        make_triangle(random, what, common, p);
        for (uint32_t k = 0; k < 3; k++)
            bws_mesh_set_vertex(&mesh, mesh.indices[3 * t + k],
                                (bw_vec3){scale * (p[k].x + place.x), scale * (p[k].y + place.y),
                                          scale * (p[k].z + place.z)});
    }
    return mesh;
}

static wide_solid make_solid(bws_random *random, family what, bw_scalar scalar, double scale, bw_vec3 place,
                             bool compact)
{
    bws_mesh owned = make_mesh(random, what, (uint32_t)bws_random_int(random, 1, MOST), scalar, scale, place);
    bw_mesh view = bws_view(&owned);
    wide_solid solid;
    wide_solid_build(&solid, &view, compact);
    solid.owned = owned;
    assert_int_equal(bw_wide_make_obbs(&solid.tree, NULL), BW_OK);
    assert_int_equal(solid.tree.obbs.of_node != NULL, !compact);
    assert_null(bw_wide_check(&solid.tree, &solid.mesh, view.triangle_count));
    return solid;
}

/* The first contact that is found, and every hit in its order. */
static void assert_same_without(wide_solid *a, wide_solid *b, const bw_transform *pose)
{
    wide_answer with = wide_answer_of(a, b, pose, BW_BOX_TEST_DEFAULT, &(bw_wide_options){0});
    bw_hit first[2];
    uint64_t found[2];
    wide_answer without = {0};
    for (int i = 0; i < 2; i++) {
        bw_wide_side side_a = {&a->tree, &a->mesh}, side_b = {&b->tree, &b->mesh};
        bw_relative_pose relative = wide_pose(pose);
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .hits = &first[i], .hit_capacity = 1};
        bw_hit_sink sink = {.desc = &desc};
        assert_int_equal(bw_wide_pair(&side_a, &side_b, &relative, &(bw_wide_options){0}, &sink), BW_OK);
        found[i] = sink.report.hit_count;
        bw_wide_drop_obbs(&a->tree);
        bw_wide_drop_obbs(&b->tree);
    }
    without = wide_answer_of(a, b, pose, BW_BOX_TEST_DEFAULT, &(bw_wide_options){0});
    assert_int_equal(found[0], found[1]);
    assert_int_equal(found[0], with.report.hit_count > 0);
    if (found[0] > 0)
        assert_true(first[0].a == first[1].a && first[0].b == first[1].b && first[0].kind == first[1].kind);
    assert_int_equal(with.report.hit_count, without.report.hit_count);
    assert_true(with.report.primitive_tests <= without.report.primitive_tests);
    for (uint64_t i = 0; i < with.report.hit_count; i++)
        assert_true(with.hits[i].a == without.hits[i].a && with.hits[i].b == without.hits[i].b &&
                    with.hits[i].kind == without.hits[i].kind);
    wide_answer_free(&with);
    wide_answer_free(&without);
}

static void families_body(bws_random *random, void *user)
{
    (void)user;
    const family what = (family)bws_random_below(random, FAMILIES);
    const family other = bws_random_bool(random) ? what : (family)bws_random_below(random, FAMILIES);
    const bw_scalar scalar = bws_random_bool(random) ? BW_F32 : BW_F64;
    const double scale = bws_random_bool(random) ? 1.0 : ldexp(1.0, (int)bws_random_int(random, -70, 60));
    bw_vec3 place = {0, 0, 0};
    if (bws_random_bool(random)) {
        place = lattice_point(random, 3);
        const double far = ldexp(1.0, (int)bws_random_int(random, 0, 24));
        place = (bw_vec3){far * place.x, far * place.y, far * place.z};
    }
    const bool compact = bws_random_below(random, 8) == 0;
    wide_solid a = make_solid(random, what, scalar, scale, place, false);
    wide_solid b = make_solid(random, other, scalar, scale, place, compact);
    bw_transform pose = bw_hard_pose(random, (int)bws_random_below(random, BW_HARD_POSES));
    if (bws_random_below(random, 4) == 0) { /* what touches still touches */
        pose = bw_transform_identity();
        pose.m[bws_random_below(random, 3)][3] = (double)bws_random_int(random, -1, 1);
    }
    for (int i = 0; i < 3; i++) { /* about the place of the bodies, at their scale */
        const double turned = pose.m[i][0] * place.x + pose.m[i][1] * place.y + pose.m[i][2] * place.z;
        const double own = i == 0 ? place.x : i == 1 ? place.y : place.z;
        pose.m[i][3] = scale * (pose.m[i][3] + own - turned);
    }
    const bw_transform *relative = bws_random_below(random, 5) == 0 ? NULL : &pose;
    wide_assert_truth(&a, &b, relative);
    assert_same_without(&a, &b, relative);
    wide_solid_free(&a);
    wide_solid_free(&b);
}

static void test_families(void **state)
{
    (void)state;
    BW_EACH_SEED(400, families_body, NULL);
}

/* ---- contacts that only a margin keeps ---- */

/* Two leaves of needles that lie across each other in nearly one plane, or hang from it and stand on it: one
 * enters the other by far less than floats can tell. Other triangles far away make the trees large, so that
 * floats are coarse. b is what the inverse of the pose makes of it, in doubles. */
static void margins_body(bws_random *random, void *user)
{
    const uint32_t many = bws_random_below(random, 3) == 0 ? 130 : 12; /* one may be coarse */
    const uint32_t counts[2] = {bws_random_bool(random) ? 12 : many, many};
    const bw_vec3 none = {0, 0, 0};
    const double scale = ldexp(1.0, (int)bws_random_int(random, -30, 20)), depth = 0x1p-30;
    const double far = bws_random_double(random, 1, 60), turn = bws_random_double(random, 0.3, 2.8);
    const bool flat = bws_random_bool(random);
    bw_transform world = bws_random_rigid(random, 2.0);
    bw_transform pose = bws_random_below(random, 3) == 0
                            ? bws_random_pose(random, &(bws_pose_desc){.reach = 5.0, .low = 0.2, .high = 4.0})
                            : bws_random_rigid(random, 5.0);
    if (bws_random_below(random, 4) == 0) /* boxes are flat, too */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                world.m[i][j] = pose.m[i][j] = i == j;
    bw_transform back;
    assert_int_equal(bw_transform_invert(&pose, &back), BW_OK);
    wide_solid solids[2];
    for (int body = 0; body < 2; body++) {
        bws_mesh owned = make_mesh(random, NEEDLES, counts[body], BW_F64, 1.0, none);
        for (uint32_t t = 0; t < counts[body]; t++) {
            const double shift = 0.02 * (t % 8) - 0.07, half = bws_random_double(random, 0.3, 0.6);
            const double thin = flat ? 2 * depth : ldexp(1.0, -(int)bws_random_int(random, 3, 12));
            const double c = body == 0 ? 1 : cos(turn), s = body == 0 ? 0 : sin(turn);
            const double low = body == 0 ? 0 : -depth, high = body == 0 ? -thin : thin;
            const double wide = flat ? shift + 0.015 : shift;
            bw_vec3 p[3] = {{-half * c - shift * s, -half * s + shift * c, low},
                            {half * c - shift * s, half * s + shift * c, low},
                            {-wide * s, wide * c, high}};
            for (int k = 0; k < 3; k++) {
                if (t >= 8) /* elsewhere, and out of reach */
                    p[k] = (bw_vec3){p[k].x + far, p[k].y, p[k].z + (body == 0 ? -far : far)};
                bw_vec3 q = bw_transform_point(&world, p[k]);
                q = (bw_vec3){scale * q.x, scale * q.y, scale * q.z};
                if (body == 1)
                    q = bw_transform_point(&back, q);
                bws_mesh_set_vertex(&owned, owned.indices[3 * t + (uint32_t)k], q);
            }
        }
        const bw_mesh view = bws_view(&owned);
        wide_solid_build(&solids[body], &view, false);
        solids[body].owned = owned;
        assert_int_equal(bw_wide_make_obbs(&solids[body].tree, NULL), BW_OK);
    }
    wide_assert_truth(&solids[0], &solids[1], &pose);
    wide_answer answer =
        wide_answer_of(&solids[0], &solids[1], &pose, BW_BOX_TEST_DEFAULT, &(bw_wide_options){0});
    *(uint64_t *)user += answer.report.hit_count;
    wide_answer_free(&answer);
    assert_same_without(&solids[0], &solids[1], &pose);
    wide_solid_free(&solids[0]);
    wide_solid_free(&solids[1]);
}

static void test_margins(void **state)
{
    (void)state;
    uint64_t hits = 0;
    BW_EACH_SEED(400, margins_body, &hits);
    assert_true(hits > 0);
}

/* ---- what a tree has, and what drops it ---- */

static bw_tree *make_tree(const bw_mesh *mesh, bool compact)
{
    bw_tree *tree;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.compact = compact}, mesh, &tree, NULL), BW_OK);
    assert_null(bw_tree_check(tree, mesh));
    return tree;
}

static bws_mesh make_needles(uint32_t triangles)
{
    bws_mesh mesh;
    assert_int_equal(bws_needle_sphere(&(bws_needle_desc){.triangles = triangles}, BW_F32, &mesh), BW_OK);
    return mesh;
}

static bool has_obbs(const bw_tree *tree)
{
    return tree->wide.obbs.of_node != NULL;
}

static void test_only_long_leaves(void **state)
{
    (void)state;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        bws_mesh mesh;
        assert_int_equal(scenes[i].make(4000, BW_F32, &mesh), BW_OK);
        const bw_mesh view = bws_view(&mesh);
        bw_tree *tree = make_tree(&view, false), *compact = make_tree(&view, true);
        const bool wanted = strcmp(scenes[i].name, "needles") == 0;
        if (wanted || strcmp(scenes[i].name, "bumpy-sphere") == 0 || strcmp(scenes[i].name, "torus") == 0)
            assert_int_equal(has_obbs(tree), wanted);
        assert_false(has_obbs(compact));
        bw_tree_destroy(tree);
        bw_tree_destroy(compact);
        bws_mesh_free(&mesh);
    }
}

/* The tree has its boxes or not, is sound, and collides as a tree that was built now. */
static void assert_state(const bw_tree *tree, const bw_mesh *mesh, bool wanted, const uint32_t *removed)
{
    assert_int_equal(has_obbs(tree), wanted);
    assert_null(bw_tree_check(tree, mesh));
    bw_transform pose =
        bw_transform_compose((bw_vec3){1.2, 0.3, 0.1}, (bw_vec3){1, 2, 3}, 0.7, (bw_vec3){1, 1, 1});
    bw_hit_list truth = bw_brute_force(mesh, mesh, &pose, 0);
    bw_body a = {.tree = tree, .mesh = mesh}, b = {.tree = tree, .mesh = mesh, .pose = &pose};
    bw_hit *hits = malloc((truth.count + 1) * sizeof *hits);
    assert_non_null(hits);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = truth.count + 1};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_OK);
    size_t kept = 0;
    for (size_t i = 0; i < truth.count; i++)
        if (removed == NULL || (truth.hits[i].a != *removed && truth.hits[i].b != *removed))
            truth.hits[kept++] = truth.hits[i];
    assert_true(kept > 20);
    assert_int_equal(report.hit_count, kept);
    bw_hits_sort(hits, kept);
    for (size_t i = 0; i < kept; i++)
        assert_true(hits[i].a == truth.hits[i].a && hits[i].b == truth.hits[i].b);
    free(hits);
    bw_hit_list_free(&truth);
}

static void move_vertices(bws_mesh *mesh, uint32_t first, uint32_t count)
{
    for (uint32_t v = first; v < first + count; v++) {
        bw_vec3 p = bws_mesh_vertex(mesh, v);
        bws_mesh_set_vertex(mesh, v, (bw_vec3){p.x + 0.2 * p.z, p.y + 0.1, p.z});
    }
}

static void test_changes(void **state)
{
    (void)state;
    bws_mesh mesh = make_needles(1500);
    const bw_mesh view = bws_view(&mesh);
    const uint32_t one = 77;

    bw_tree *tree = make_tree(&view, false);
    assert_state(tree, &view, true, NULL);
    move_vertices(&mesh, 0, mesh.vertex_count);
    assert_int_equal(bw_tree_update(tree, &view, NULL, NULL, NULL), BW_OK);
    assert_state(tree, &view, false, NULL);
    assert_int_equal(bw_tree_update(tree, &view, &(bw_update_desc){.policy = BW_UPDATE_REBUILD}, NULL, NULL),
                     BW_OK);
    assert_state(tree, &view, true, NULL);
    bw_vertex_range range = {3, 5};
    move_vertices(&mesh, range.first, range.count);
    assert_int_equal(
        bw_tree_update(tree, &view, &(bw_update_desc){.ranges = &range, .range_count = 1}, NULL, NULL),
        BW_OK);
    assert_state(tree, &view, false, NULL);
    bw_tree_destroy(tree);

    tree = make_tree(&view, false);
    const uint32_t absent = view.triangle_count; /* a call that fails changes nothing */
    assert_int_equal(bw_tree_remove(tree, &view, &absent, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_insert(tree, &view, &one, 1, NULL), BW_ERROR_ARGUMENT);
    assert_state(tree, &view, true, NULL);
    assert_int_equal(bw_tree_remove(tree, &view, &one, 1, NULL), BW_OK);
    assert_state(tree, &view, false, &one);

    const size_t size = bw_tree_saved_size(tree);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(bw_tree_save(tree, bytes, size, NULL), BW_OK);
    bw_tree *loaded;
    assert_int_equal(bw_tree_load(bytes, size, NULL, &loaded, NULL), BW_OK);
    assert_state(loaded, &view, true, &one);
    free(bytes);
    assert_int_equal(bw_tree_insert(loaded, &view, &one, 1, NULL), BW_OK);
    assert_state(loaded, &view, false, NULL);
    bw_tree_destroy(loaded);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

/* What the check is for. */
static void test_check(void **state)
{
    (void)state;
    bws_mesh mesh = make_needles(1500);
    const bw_mesh view = bws_view(&mesh);
    bw_tree *tree = make_tree(&view, false);
    assert_true(has_obbs(tree));
    for (uint32_t leaf = 0; leaf < tree->wide.leaf_count; leaf += 7)
        for (int k = 0; k < 3; k++) {
            const bw_wide_leaf *l = &tree->wide.leaves[leaf];
            float *half = &tree->wide.obbs.of_node[l->parent].half[k][l->lane], kept = *half;
            *half *= 0.99f;
            assert_non_null(bw_tree_check(tree, &view));
            *half = kept;
        }
    assert_null(bw_tree_check(tree, &view));
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

/* Every allocation may fail, that of the oriented boxes too: when the tree is built, built again and loaded.
 */
static bw_result build_with_faults(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_mesh *mesh = user;
    bw_tree *tree = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_create(&(bw_tree_desc){.allocator = &memory->hook}, mesh, &tree, NULL);
    if (result == BW_OK)
        result = bw_tree_update(tree, mesh, &(bw_update_desc){.policy = BW_UPDATE_REBUILD}, NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    if (tree != NULL) {
        assert_true(has_obbs(tree)); /* the new ones, or still the old */
        assert_null(bw_tree_check(tree, mesh));
    }
    bw_tree_destroy(tree);
    return result;
}

typedef struct saved {
    void *bytes;
    size_t size;
} saved;

static bw_result load_with_faults(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const saved *s = user;
    bw_tree *tree = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_tree_load(s->bytes, s->size, &memory->hook, &tree, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true(result != BW_OK || has_obbs(tree));
    bw_tree_destroy(tree);
    return result;
}

static void test_memory(void **state)
{
    (void)state;
    bws_mesh mesh = make_needles(1500);
    bw_mesh view = bws_view(&mesh);
    bw_each_allocation_failure(build_with_faults, &view, 4);
    bw_tree *tree = make_tree(&view, false);
    saved s = {.size = bw_tree_saved_size(tree)};
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(bw_tree_save(tree, s.bytes, s.size, NULL), BW_OK);
    bw_each_allocation_failure(load_with_faults, &s, 4);
    free(s.bytes);
    bw_tree_destroy(tree);
    bws_mesh_free(&mesh);
}

/* Any number of threads, building and querying. */
static void test_threads(void **state)
{
    (void)state;
    bws_mesh mesh = make_needles(12000);
    const bw_mesh view = bws_view(&mesh);
    bw_pool *pool = test_pool_create(5);
    bw_tree *alone = make_tree(&view, false), *together;
    bw_tree_desc desc = {.tasks = bw_pool_tasks(pool)};
    assert_int_equal(bw_tree_create(&desc, &view, &together, NULL), BW_OK);
    assert_true(has_obbs(alone) && has_obbs(together));
    assert_memory_equal(alone->wide.obbs.of_node, together->wide.obbs.of_node,
                        alone->wide.node_count * sizeof(bw_leaf_obbs));
    enum { CAPACITY = 1 << 16 };
    bw_hit *hits[2] = {malloc(CAPACITY * sizeof(bw_hit)), malloc(CAPACITY * sizeof(bw_hit))};
    assert_true(hits[0] != NULL && hits[1] != NULL);
    for (int i = 0; i < 6; i++) {
        bw_transform pose = bw_transform_compose((bw_vec3){0.9 + 0.2 * i, 0.3, 0.1}, (bw_vec3){1, 2, 3},
                                                 0.7 * i, (bw_vec3){1, 1, 1});
        bw_body a = {.tree = alone, .mesh = &view}, b = {.tree = together, .mesh = &view, .pose = &pose};
        bw_collide_report reports[2] = {{0}};
        for (int k = 0; k < 2; k++) {
            bw_collide_desc query = {.mode = BW_COLLIDE_ALL,
                                     .hits = hits[k],
                                     .hit_capacity = CAPACITY,
                                     .tasks = k == 0 ? NULL : bw_pool_tasks(pool)};
            assert_int_equal(bw_collide(&a, &b, &query, &reports[k], NULL), BW_OK);
            assert_int_equal(reports[k].status, BW_DONE);
        }
        assert_memory_equal(&reports[0], &reports[1], sizeof reports[0]);
        assert_memory_equal(hits[0], hits[1], reports[0].hit_count * sizeof(bw_hit));
        assert_true(i > 3 || reports[0].hit_count > 100);
    }
    free(hits[0]);
    free(hits[1]);
    bw_tree_destroy(alone);
    bw_tree_destroy(together);
    bw_pool_destroy(pool);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_families),
                                       cmocka_unit_test(test_margins),
                                       cmocka_unit_test(test_only_long_leaves),
                                       cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_check),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests_name("needles", tests, NULL, NULL);
}
