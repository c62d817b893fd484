/* bw_collide against brute force over all pairs: every scene, float and double, rigid, scaled, sheared and
 * flattening poses, every mode and box test. */
#include "oracle/brute_force.h"
#include "oracle/hard_poses.h"
#include "oracle/random.h"
#include "oracle/tree_forms.h"
#include "scenes/scenes.h"

#include <boxwood/collide.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENE_SIZE = 200 };

static bw_tree_form current; /* the form of tree that all tests run on now */

static bw_tree *build(const bw_mesh *mesh)
{
    bw_tree *tree = NULL;
    bw_tree_desc desc = bw_tree_form_desc(current);
    assert_int_equal(bw_tree_create(&desc, mesh, &tree, NULL), BW_OK);
    return tree;
}

typedef struct solid {
    bws_mesh owned;
    bw_mesh mesh;
    bw_tree *tree;
} solid;

static solid make_solid(const bws_scene *scene, bw_scalar scalar)
{
    solid s = {0};
    assert_int_equal(scene->make(SCENE_SIZE, scalar, &s.owned), BW_OK);
    s.mesh = bws_view(&s.owned);
    s.tree = build(&s.mesh);
    return s;
}

static void free_solid(solid *s)
{
    bw_tree_destroy(s->tree);
    bws_mesh_free(&s->owned);
}

/* All hits of two bodies by the trees, in the oracle's order. */
static bw_hit *collide_all(const bw_body *a, const bw_body *b, bw_box_test test, uint64_t *count)
{
    bw_collide_report report = {0};
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .box_test = test};
    assert_int_equal(bw_collide(a, b, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    bw_hit *hits = malloc((size_t)(report.hit_count + 1) * sizeof *hits);
    assert_non_null(hits);
    desc = (bw_collide_desc){
        .mode = BW_COLLIDE_ALL, .box_test = test, .hits = hits, .hit_capacity = report.hit_count};
    bw_collide_report again = {0};
    assert_int_equal(bw_collide(a, b, &desc, &again, NULL), BW_OK);
    assert_memory_equal(&again, &report, sizeof report);
    bw_hits_sort(hits, (size_t)report.hit_count);
    *count = report.hit_count;
    return hits;
}

static bool contains(const bw_hit_list *list, const bw_hit *hit)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->hits[i].a == hit->a && list->hits[i].b == hit->b && list->hits[i].kind == hit->kind)
            return true;
    return false;
}

static void assert_equals_brute_force(const bw_body *a, const bw_body *b)
{
    bw_transform relative;
    bool posed = bw_brute_relative(a->pose, b->pose, &relative);
    bw_hit_list truth = bw_brute_force(a->mesh, b->mesh, posed ? &relative : NULL, 0);
    for (int test = BW_BOX_TEST_DEFAULT; test <= BW_BOX_TEST_SAT_LITE; test++) {
        uint64_t count;
        bw_hit *hits = collide_all(a, b, (bw_box_test)test, &count);
        assert_int_equal(count, truth.count);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(hits[i].a, truth.hits[i].a);
            assert_int_equal(hits[i].b, truth.hits[i].b);
            assert_int_equal(hits[i].kind, truth.hits[i].kind);
        }
        free(hits);
    }
    bw_collide_report any = {0};
    bw_hit first;
    bw_collide_desc desc = {.hits = &first, .hit_capacity = 1};
    assert_int_equal(bw_collide(a, b, &desc, &any, NULL), BW_OK);
    assert_int_equal(any.hit_count, truth.count > 0);
    assert_int_equal(any.status, truth.count > 0 ? BW_FOUND : BW_DONE);
    if (any.hit_count > 0)
        assert_true(contains(&truth, &first));
    bw_hit_list_free(&truth);
}

static void equals_brute_force(bws_random *random, void *user)
{
    (void)user;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)(bws_random_u64(random) % count);
        for (int scalar = 0; scalar < 2; scalar++) {
            solid a = make_solid(&scenes[i], (bw_scalar)scalar);
            solid b = make_solid(&scenes[j], (bw_scalar)(bws_random_u64(random) & 1));
            for (int kind = 0; kind < BW_HARD_POSES; kind++) {
                bw_transform pose_a = bw_hard_pose(random, kind % 3);
                bw_transform pose_b = bw_hard_pose(random, kind);
                bw_body body_a = {a.tree, &a.mesh, NULL}, body_b = {b.tree, &b.mesh, &pose_b};
                assert_equals_brute_force(&body_a, &body_b);
                body_a.pose = &pose_a;
                assert_equals_brute_force(&body_a, &body_b);
            }
            bw_body body_a = {a.tree, &a.mesh, NULL}, body_b = {b.tree, &b.mesh, NULL};
            assert_equals_brute_force(&body_a, &body_b);
            free_solid(&a);
            free_solid(&b);
        }
    }
}

static void agrees_on_every_scene(void **state)
{
    (void)state;
    BW_EACH_SEED(1, equals_brute_force, NULL);
}

/* Far from the origin, where float boxes and mapped vertices round the most. */
static void equals_brute_force_far_away(bws_random *random, void *user)
{
    (void)user;
    const bws_scene *scene = bws_scene_find("torus");
    assert_non_null(scene);
    solid a = make_solid(scene, BW_F32), b = make_solid(scene, BW_F64);
    bw_transform away = bws_random_rigid(random, 1e6), near = bws_random_rigid(random, 0.5), back;
    bws_mesh_transform(&a.owned, &away);
    assert_int_equal(bw_tree_update(a.tree, &a.mesh, NULL, NULL, NULL), BW_OK);
    bw_transform pose = bw_transform_multiply(&away, &near);
    bw_body body_a = {a.tree, &a.mesh, NULL}, body_b = {b.tree, &b.mesh, &pose};
    assert_equals_brute_force(&body_a, &body_b);
    assert_int_equal(bw_transform_invert(&pose, &back), BW_OK);
    body_a.pose = &back;
    body_b.pose = &near;
    assert_equals_brute_force(&body_a, &body_b);
    free_solid(&a);
    free_solid(&b);
}

static void agrees_far_away(void **state)
{
    (void)state;
    BW_EACH_SEED(6, equals_brute_force_far_away, NULL);
}

/* A grid of touching and coplanar triangles on small integers, where every rounding mistake shows. */
static void equals_brute_force_on_a_grid(bws_random *random, void *user)
{
    (void)user;
    enum { N = 60 };
    float xyz[2][9 * N];
    uint32_t indices[3 * N];
    for (uint32_t i = 0; i < 9 * N; i++) {
        xyz[0][i] = (float)(bws_random_u64(random) % 4);
        xyz[1][i] = (float)(bws_random_u64(random) % 4);
    }
    for (uint32_t i = 0; i < 3 * N; i++)
        indices[i] = i;
    bw_mesh mesh[2];
    bw_tree *tree[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        mesh[i] = (bw_mesh){xyz[i], BW_F32, 3 * N, 0, indices, N};
        tree[i] = build(&mesh[i]);
    }
    bw_transform quarter = {{{0, -1, 0, (double)(bws_random_u64(random) % 4)}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
    bw_body a = {tree[0], &mesh[0], NULL}, b = {tree[1], &mesh[1], NULL};
    assert_equals_brute_force(&a, &b);
    b.pose = &quarter;
    assert_equals_brute_force(&a, &b);
    bw_tree_destroy(tree[0]);
    bw_tree_destroy(tree[1]);
}

static void agrees_on_grids(void **state)
{
    (void)state;
    BW_EACH_SEED(25, equals_brute_force_on_a_grid, NULL);
}

typedef struct taker {
    bw_hit hits[1000];
    uint64_t count, stop_at;
} taker;

static bool take(void *user, const bw_hit *hit)
{
    taker *t = user;
    t->hits[t->count++] = *hit;
    return t->count != t->stop_at;
}

static void reports_how_it_ended(void **state)
{
    (void)state;
    solid s = make_solid(bws_scene_find("torus"), BW_F32);
    bw_transform pose =
        bw_transform_compose((bw_vec3){0.3, 0.2, 0.1}, (bw_vec3){1, 2, 3}, 0.5, (bw_vec3){1, 1, 1});
    bw_body a = {s.tree, &s.mesh, NULL}, b = {s.tree, &s.mesh, &pose};
    bw_collide_report all = {0}, report = {0};
    bw_hit hits[1000], few[5];
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = 1000};
    assert_int_equal(bw_collide(&a, &b, &desc, &all, NULL), BW_OK);
    assert_int_equal(all.status, BW_DONE);
    assert_true(all.hit_count > 20 && all.hit_count < 1000 && all.nodes_visited > 0 &&
                all.box_tests >= all.nodes_visited);
    assert_true(all.primitive_tests >= all.hit_count);
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ALL, .hits = few, .hit_capacity = 5};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_FULL);
    assert_int_equal(report.hit_count, all.hit_count);
    assert_memory_equal(few, hits, sizeof few);
    taker t = {.stop_at = 7};
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ALL, .on_hit = take, .user = &t};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_STOPPED);
    assert_int_equal(report.hit_count, 7);
    assert_memory_equal(t.hits, hits, 7 * sizeof *hits);
    t = (taker){.stop_at = 0};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    assert_int_equal(t.count, all.hit_count);
    assert_memory_equal(t.hits, hits, (size_t)all.hit_count * sizeof *hits);
    free_solid(&s);
}

static void refuses_bad_arguments(void **state)
{
    (void)state;
    solid s = make_solid(bws_scene_find("torus"), BW_F64), other = make_solid(bws_scene_find("soup"), BW_F32);
    bw_body a = {s.tree, &s.mesh, NULL}, b = a, none = {NULL, &s.mesh, NULL},
            mixed = {s.tree, &other.mesh, NULL};
    bw_collide_report report = {0};
    memset(&report, 0x5a, sizeof report);
    report.size = 0;
    bw_collide_report untouched = report;
    bw_hit hit;
    assert_int_equal(bw_collide(NULL, &b, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide(&a, &none, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    none = (bw_body){s.tree, NULL, NULL};
    assert_int_equal(bw_collide(&none, &b, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide(&a, &b, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide(&a, &mixed, NULL, &report, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_collide(&mixed, &b, NULL, &report, NULL), BW_ERROR_MISMATCH);
    bw_collide_desc desc = {.mode = (bw_collide_mode)9};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_collide_desc){.box_test = (bw_box_test)9};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ALL, .hit_capacity = 3};
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ALL, .hits = &hit, .hit_capacity = 0};
    bw_transform pose = bw_transform_identity();
    b.pose = &pose;
    pose.m[1][2] = NAN;
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_ERROR_NOT_FINITE);
    pose.m[1][2] = 1e120;
    assert_int_equal(bw_collide(&a, &b, &desc, &report, NULL), BW_ERROR_RANGE);
    /* Small enough that mapped coordinates of doubles fall below the exact range. */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            pose.m[i][j] = i == j ? 1e-95 : 0.0;
    assert_int_equal(bw_collide(&b, &b, &desc, &report, NULL), BW_OK);
    report = untouched;
    bw_body origin = {s.tree, &s.mesh, NULL};
    bws_mesh_set_vertex(&s.owned, s.owned.indices[0], (bw_vec3){0, 0, 0});
    assert_int_equal(bw_tree_update(s.tree, &s.mesh, NULL, NULL, NULL), BW_OK);
    assert_int_equal(bw_collide(&origin, &b, &desc, &report, NULL), BW_ERROR_RANGE);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            pose.m[i][j] = 0.0;
    assert_int_equal(bw_collide(&b, &origin, &desc, &report, NULL), BW_ERROR_SINGULAR);
    assert_memory_equal(&report, &untouched, sizeof report);
    free_solid(&s);
    free_solid(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_every_scene), cmocka_unit_test(agrees_far_away),
        cmocka_unit_test(agrees_on_grids),       cmocka_unit_test(reports_how_it_ended),
        cmocka_unit_test(refuses_bad_arguments),
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
