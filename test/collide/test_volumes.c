/* Contacts of OBB trees and k-DOP trees against brute force: every scene, float and double, rigid, scaled,
 * sheared and flattening poses, every mode and test; far away, huge, tiny, exactly touching. */
#include "oracle/brute_force.h"
#include "oracle/failing_allocator.h"
#include "oracle/hard_poses.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <boxwood/collide.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_volume volumes[] = {BW_VOLUME_OBB, BW_VOLUME_KDOP14, BW_VOLUME_KDOP18, BW_VOLUME_KDOP26};
enum { VOLUMES = sizeof volumes / sizeof *volumes, SCENE_SIZE = 150 };

typedef struct solid {
    bws_mesh owned;
    bw_mesh mesh;
    bw_tree *tree[VOLUMES];
} solid;

static solid solid_of(bws_mesh owned)
{
    solid s = {.owned = owned};
    s.mesh = bws_view(&s.owned);
    for (int v = 0; v < VOLUMES; v++)
        assert_int_equal(bw_tree_create(&(bw_tree_desc){.volume = volumes[v]}, &s.mesh, &s.tree[v], NULL),
                         BW_OK);
    return s;
}

static solid make_solid(const bws_scene *scene, uint32_t size, bw_scalar scalar)
{
    bws_mesh owned;
    assert_int_equal(scene->make(size, scalar, &owned), BW_OK);
    return solid_of(owned);
}

static void free_solid(solid *s)
{
    for (int v = 0; v < VOLUMES; v++)
        bw_tree_destroy(s->tree[v]);
    bws_mesh_free(&s->owned);
}

static uint64_t sum(const uint64_t *exits, int begin, int end)
{
    uint64_t all = 0;
    for (int i = begin; i < end; i++)
        all += exits[i];
    return all;
}

/* Returns the number of box tests. */
static uint64_t assert_hits(const bw_body *a, const bw_body *b, bw_volume volume, bw_box_test test,
                            const bw_hit_list *truth)
{
    bw_collide_report report = {0};
    uint64_t exits[BW_AXIS_EXITS] = {0};
    bw_hit *hits = malloc((truth->count + 1) * sizeof *hits);
    assert_non_null(hits);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                            .box_test = test,
                            .hits = hits,
                            .hit_capacity = truth->count,
                            .axis_exits = exits};
    assert_int_equal(bw_collide(a, b, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    assert_int_equal(report.hit_count, truth->count);
    bw_hits_sort(hits, truth->count);
    for (size_t i = 0; i < truth->count; i++) {
        assert_int_equal(hits[i].a, truth->hits[i].a);
        assert_int_equal(hits[i].b, truth->hits[i].b);
        assert_int_equal(hits[i].kind, truth->hits[i].kind);
    }
    free(hits);
    assert_int_equal(sum(exits, 0, BW_AXIS_EXITS), report.box_tests);
    assert_true(report.primitive_tests >= report.hit_count &&
                report.primitive_tests <= exits[BW_AXIS_OVERLAP]);
    static const int directions[] = {0, 0, 7, 9, 13};
    int axes = volume == BW_VOLUME_OBB ? (test == BW_BOX_TEST_SAT ? 15 : 6)
                                       : directions[volume] * (test == BW_BOX_TEST_SAT ? 2 : 1);
    assert_int_equal(sum(exits, axes, BW_AXIS_OVERLAP), 0);
    return report.box_tests;
}

static void assert_equals_brute_force(const solid *a, const bw_transform *pose_a, const solid *b,
                                      const bw_transform *pose_b)
{
    bw_transform relative;
    bool posed = bw_brute_relative(pose_a, pose_b, &relative);
    bw_hit_list truth = bw_brute_force(&a->mesh, &b->mesh, posed ? &relative : NULL, 0);
    for (int v = 0; v < VOLUMES; v++) {
        bw_body body_a = {a->tree[v], &a->mesh, pose_a}, body_b = {b->tree[v], &b->mesh, pose_b};
        uint64_t lite = assert_hits(&body_a, &body_b, volumes[v], BW_BOX_TEST_SAT_LITE, &truth);
        uint64_t full = assert_hits(&body_a, &body_b, volumes[v], BW_BOX_TEST_SAT, &truth);
        /* More axes prove more pairs apart, and the descent is the same otherwise. */
        assert_true(full <= lite);
        bw_collide_report any = {0};
        assert_int_equal(bw_collide(&body_a, &body_b, NULL, &any, NULL), BW_OK);
        assert_int_equal(any.hit_count, truth.count > 0);
        assert_int_equal(any.status, truth.count > 0 ? BW_FOUND : BW_DONE);
    }
    bw_hit_list_free(&truth);
}

static void equals_brute_force(bws_random *random, void *user)
{
    (void)user;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)bws_random_below(random, count);
        for (int scalar = 0; scalar < 2; scalar++) {
            solid a = make_solid(&scenes[i], SCENE_SIZE, (bw_scalar)scalar);
            solid b = make_solid(&scenes[j], SCENE_SIZE, (bw_scalar)bws_random_below(random, 2));
            for (int kind = 0; kind < BW_HARD_POSES; kind++) {
                bw_transform pose_a = bw_hard_pose(random, kind % 3), pose_b = bw_hard_pose(random, kind);
                assert_equals_brute_force(&a, NULL, &b, &pose_b);
                assert_equals_brute_force(&a, &pose_a, &b, &pose_b);
            }
            assert_equals_brute_force(&a, NULL, &b, NULL);
            free_solid(&a);
            free_solid(&b);
        }
    }
}

static void contacts_of_all_scenes(void **state)
{
    (void)state;
    BW_EACH_SEED(3, equals_brute_force, NULL);
}

/* Cubes of a grid that share faces, edges and corners exactly, at all sizes and far from the origin: every
 * contact is a touch, where a margin too small loses it. */
static void touches(bws_random *random, void *user)
{
    (void)user;
    bws_mesh ball;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 2, .amplitude = -1}, BW_F64, &ball),
                     BW_OK);
    double size = ldexp(1, (int)bws_random_int(random, -60, 60));
    bw_vec3 far = {0, 0, 0};
    if (bws_random_bool(random))
        far = (bw_vec3){size * 1048576, size * -524288, size * 3};
    for (uint32_t v = 0; v < ball.vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(&ball, v);
        double largest = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        /* Back to the cube, on the corners of its squares. */
        p = (bw_vec3){far.x + size * round(p.x / largest), far.y + size * round(p.y / largest),
                      far.z + size * round(p.z / largest)};
        bws_mesh_set_vertex(&ball, v, p);
    }
    solid cube = solid_of(ball);
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++) {
            bw_transform pose = bw_transform_identity();
            /* Half a turn or a quarter about z, so that the relative pose is exact and not the identity. */
            if (x == 1) {
                pose.m[0][0] = pose.m[1][1] = 0;
                pose.m[0][1] = -1;
                pose.m[1][0] = 1;
            }
            bw_vec3 q = bw_transform_point(&pose, far);
            pose.m[0][3] = far.x - q.x + 2 * size;
            pose.m[1][3] = far.y - q.y + (y - 1) * 2 * size;
            pose.m[2][3] = far.z - q.z + (x == 2 ? 2 * size : 0);
            assert_equals_brute_force(&cube, NULL, &cube, &pose);
        }
    }
    free_solid(&cube);
}

/* Poses that scale by large powers and meshes far from the origin. */
static void extremes(bws_random *random, void *user)
{
    (void)user;
    bws_mesh mesh;
    assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = 60, .size = 0.5}, BW_F64, &mesh), BW_OK);
    double scale = ldexp(1, (int)bws_random_int(random, -70, 70)),
           back = ldexp(1, (int)bws_random_int(random, -70, 70));
    bw_vec3 far = {bws_random_double(random, -1e5, 1e5), bws_random_double(random, -1e5, 1e5), 0};
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(&mesh, v);
        bws_mesh_set_vertex(&mesh, v,
                            (bw_vec3){scale * (p.x + far.x), scale * (p.y + far.y), scale * (p.z + far.z)});
    }
    solid a = solid_of(mesh);
    /* b = the same, scaled to about a's size again, turned about its middle. */
    bw_transform to = bws_random_rigid(random, 0.3), from = bw_transform_identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++)
            to.m[i][j] *= i == 0 && bws_random_bool(random) ? scale * 0.5 : scale;
        from.m[i][i] = 1 / scale;
    }
    from.m[0][3] = -far.x;
    from.m[1][3] = -far.y;
    bw_transform pose = bw_transform_multiply(&to, &from);
    pose.m[0][3] += scale * far.x;
    pose.m[1][3] += scale * far.y;
    assert_equals_brute_force(&a, NULL, &a, &pose);
    /* Both bodies in a world of another size. */
    bw_transform world = bw_transform_identity();
    for (int i = 0; i < 3; i++)
        world.m[i][i] = back;
    bw_transform pose_b = bw_transform_multiply(&world, &pose);
    assert_equals_brute_force(&a, &world, &a, &pose_b);
    free_solid(&a);
}

static void contacts_at_the_limits(void **state)
{
    (void)state;
    BW_EACH_SEED(8, touches, NULL);
    BW_EACH_SEED(60, extremes, NULL);
}

/* Bodies far apart are told apart by the first test: the volumes do prune. */
static void prunes(void **state)
{
    (void)state;
    solid torus = make_solid(bws_scene_find("torus"), 2000, BW_F32);
    bws_random random = bws_random_seeded(7);
    bw_transform far = bws_random_rigid(&random, 0);
    far.m[0][3] = 4;
    for (int v = 0; v < VOLUMES; v++) {
        bw_body a = {torus.tree[v], &torus.mesh, NULL}, b = {torus.tree[v], &torus.mesh, &far};
        bw_collide_report report = {0};
        assert_int_equal(bw_collide(&a, &b, NULL, &report, NULL), BW_OK);
        assert_int_equal(report.box_tests, 1);
    }
    free_solid(&torus);
}

static void refuses_mixed_volumes(void **state)
{
    (void)state;
    solid torus = make_solid(bws_scene_find("torus"), 100, BW_F32);
    for (int v = 1; v < VOLUMES; v++) {
        bw_body a = {torus.tree[0], &torus.mesh, NULL}, b = {torus.tree[v], &torus.mesh, NULL};
        bw_collide_report report = {.hit_count = 99};
        assert_int_equal(bw_collide(&a, &b, NULL, &report, NULL), BW_ERROR_UNSUPPORTED);
        assert_int_equal(bw_collide(&b, &a, NULL, &report, NULL), BW_ERROR_UNSUPPORTED);
        assert_int_equal(report.hit_count, 99);
    }
    free_solid(&torus);
}

static void reports_coordinates_out_of_range(void **state)
{
    (void)state;
    bw_vec3 p = {0x1p-250, 0x1p-250, 0};
    solid dot = {.mesh = {.positions = &p, .scalar = BW_F64, .vertex_count = 1}};
    bw_transform shrink = bw_transform_identity();
    shrink.m[0][0] = 0x1p-200;
    for (int v = 0; v < VOLUMES; v++) {
        assert_int_equal(bw_tree_create(&(bw_tree_desc){.volume = volumes[v]}, &dot.mesh, &dot.tree[v], NULL),
                         BW_OK);
        bw_body a = {dot.tree[v], &dot.mesh, NULL}, b = {dot.tree[v], &dot.mesh, &shrink};
        bw_collide_report report = {0};
        assert_int_equal(bw_collide(&a, &b, NULL, &report, NULL), BW_ERROR_RANGE);
        bw_tree_destroy(dot.tree[v]);
    }
}

static bool stop(void *user, const bw_hit *hit)
{
    (void)hit;
    return --*(int *)user > 0;
}

static void stops_when_asked(void **state)
{
    (void)state;
    solid ball = make_solid(bws_scene_find("torus"), 300, BW_F32);
    for (int v = 0; v < VOLUMES; v++) {
        bw_body a = {ball.tree[v], &ball.mesh, NULL};
        int left = 3;
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .on_hit = stop, .user = &left};
        bw_collide_report report = {0};
        assert_int_equal(bw_collide(&a, &a, &desc, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_STOPPED);
        assert_int_equal(report.hit_count, 3);
    }
    free_solid(&ball);
}

/* Points along the three axes, each axis' halving from one to the next: every split peels one off, and the
 * stack outgrows its first memory. */
enum { CHAIN = 600 };

static bw_result collide_or_fail(bw_failing_allocator *memory, uint64_t n, void *user)
{
    static double p[3 * CHAIN];
    for (uint32_t i = 0; i < CHAIN; i++) {
        p[3 * i] = p[3 * i + 1] = p[3 * i + 2] = 0;
        p[3 * i + i % 3] = ldexp(1 - 0.1 * (i % 3), (int)(i / 3) - 110);
    }
    bw_mesh mesh = {.positions = p, .scalar = BW_F64, .vertex_count = CHAIN};
    bw_tree *tree;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.volume = *(bw_volume *)user}, &mesh, &tree, NULL),
                     BW_OK);
    bw_body body = {tree, &mesh, NULL};
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .allocator = &memory->hook};
    bw_collide_report report = {.hit_count = 99};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_collide(&body, &body, &desc, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(report.hit_count, result == BW_OK ? CHAIN : 99);
    bw_tree_destroy(tree);
    return result;
}

static void survives_every_failure(void **state)
{
    (void)state;
    for (int v = 1; v < VOLUMES; v++) {
        bw_volume volume = volumes[v];
        bw_each_allocation_failure(collide_or_fail, &volume, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_all_scenes),
        cmocka_unit_test(contacts_at_the_limits),
        cmocka_unit_test(prunes),
        cmocka_unit_test(refuses_mixed_volumes),
        cmocka_unit_test(reports_coordinates_out_of_range),
        cmocka_unit_test(stops_when_asked),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests_name("collide_volumes", tests, NULL, NULL);
}
