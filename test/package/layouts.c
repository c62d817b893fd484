/* Every call refuses a descriptor and a report of a size that no version has, and says so. All other arguments are good,
 * so that nothing but the size is at fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <boxwood/boxwood.h>

#define STRANGE(type) (&(type){.size = 3})
#define REPORT(type) (&(type){0})

static bw_fault fault;

static void refused(bw_result result, int line)
{
    if (result != BW_ERROR_LAYOUT || fault.result != BW_ERROR_LAYOUT)
        fail_msg("line %d: %s", line, bw_result_string(result));
    fault = (bw_fault){0};
}
#define REFUSED(call) refused(call, __LINE__)

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const bw_mesh mesh = {positions, BW_F32, 4, 0, indices, 4};
static const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1};
static const bw_placed_shape placed = {&ball, NULL};
static const bw_vec3 point = {0.1, 0.1, 0.1};
static const bw_ray ray = {.origin = {-1, 0.1, 0.1}, .direction = {1, 0, 0}};

static bw_tree *tree;
static bw_body body;

static int set_up(void **state)
{
    (void)state;
    const bw_result result = bw_tree_create(NULL, &mesh, &tree, NULL);
    body = (bw_body){tree, &mesh, NULL};
    return result == BW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    bw_tree_destroy(tree);
    return 0;
}

static void box_of(void *user, uint32_t primitive, bw_box *out)
{
    (void)user;
    *out = (bw_box){{(float)primitive, 0, 0}, {(float)primitive + 1, 1, 1}};
}

static bw_contact_kind meets(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    return a <= b ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
}

static void test_trees(void **state)
{
    (void)state;
    const bw_primitives primitives = {.count = 2, .box = box_of};
    bw_tree *out = NULL, *own = NULL;
    REFUSED(bw_tree_create(STRANGE(bw_tree_desc), &mesh, &out, &fault));
    REFUSED(bw_tree_create_user(STRANGE(bw_tree_desc), &primitives, &out, &fault));
    assert_null(out);
    REFUSED(bw_tree_update(tree, &mesh, STRANGE(bw_update_desc), REPORT(bw_update_report), &fault));
    REFUSED(bw_tree_update(tree, &mesh, NULL, STRANGE(bw_update_report), &fault));
    REFUSED(bw_mesh_validate(&mesh, NULL, STRANGE(bw_mesh_report), &fault));
    assert_int_equal(bw_tree_create_user(NULL, &primitives, &own, NULL), BW_OK);
    const bw_body user = {own, NULL, NULL};
    REFUSED(bw_collide_user(&user, &user, meets, NULL, STRANGE(bw_collide_desc), REPORT(bw_collide_report),
                            &fault));
    REFUSED(bw_collide_user(&user, &user, meets, NULL, NULL, STRANGE(bw_collide_report), &fault));
    bw_tree_destroy(own);
}

static void test_pairs(void **state)
{
    (void)state;
    const bw_body_pair pair = {body, body};
    bw_collide_answer answer;
    bw_distance_answer distance;
    const bw_region region = {.kind = BW_REGION_BOX, .box = {{0, 0, 0}, {1, 1, 1}}}, strange = {.size = 3};
    REFUSED(bw_collide(&body, &body, STRANGE(bw_collide_desc), REPORT(bw_collide_report), &fault));
    REFUSED(bw_collide(&body, &body, NULL, STRANGE(bw_collide_report), &fault));
    REFUSED(bw_collide_self(&body, STRANGE(bw_collide_desc), REPORT(bw_collide_report), &fault));
    REFUSED(bw_collide_self(&body, NULL, STRANGE(bw_collide_report), &fault));
    REFUSED(bw_collide_many(&pair, 1, STRANGE(bw_collide_many_desc), &answer, REPORT(bw_collide_many_report),
                            &fault));
    REFUSED(bw_collide_many(&pair, 1, NULL, &answer, STRANGE(bw_collide_many_report), &fault));
    REFUSED(bw_collide_region(&body, &strange, NULL, REPORT(bw_region_report), &fault));
    REFUSED(bw_collide_region(&body, &region, STRANGE(bw_region_desc), REPORT(bw_region_report), &fault));
    REFUSED(bw_collide_region(&body, &region, NULL, STRANGE(bw_region_report), &fault));
    REFUSED(bw_distance(&body, &body, STRANGE(bw_distance_desc), REPORT(bw_distance_report), &fault));
    REFUSED(bw_distance(&body, &body, NULL, STRANGE(bw_distance_report), &fault));
    REFUSED(bw_distance_many(&pair, 1, STRANGE(bw_distance_many_desc), &distance,
                             REPORT(bw_distance_many_report), &fault));
    REFUSED(bw_distance_many(&pair, 1, NULL, &distance, STRANGE(bw_distance_many_report), &fault));
    REFUSED(bw_within(&body, &body, STRANGE(bw_within_desc), REPORT(bw_within_report), &fault));
    REFUSED(bw_within(&body, &body, NULL, STRANGE(bw_within_report), &fault));
    REFUSED(
        bw_contacts(&body, &body, STRANGE(bw_contacts_desc), NULL, 0, REPORT(bw_contacts_report), &fault));
    REFUSED(bw_contacts(&body, &body, NULL, NULL, 0, STRANGE(bw_contacts_report), &fault));
}

static void test_points_and_rays(void **state)
{
    (void)state;
    bw_nearest_hit nearest;
    bw_location location;
    bw_signed_hit far;
    bw_ray_hit hit;
    REFUSED(bw_nearest(&body, &point, STRANGE(bw_nearest_desc), &nearest, REPORT(bw_nearest_report), &fault));
    REFUSED(bw_nearest(&body, &point, NULL, &nearest, STRANGE(bw_nearest_report), &fault));
    REFUSED(bw_nearest_many(&body, &point, 1, STRANGE(bw_nearest_desc), &nearest, REPORT(bw_nearest_report),
                            &fault));
    REFUSED(bw_nearest_many(&body, &point, 1, NULL, &nearest, STRANGE(bw_nearest_report), &fault));
    REFUSED(
        bw_contains(&body, &point, STRANGE(bw_contains_desc), &location, REPORT(bw_contains_report), &fault));
    REFUSED(bw_contains(&body, &point, NULL, &location, STRANGE(bw_contains_report), &fault));
    REFUSED(bw_contains_many(&body, &point, 1, STRANGE(bw_contains_desc), &location,
                             REPORT(bw_contains_report), &fault));
    REFUSED(bw_contains_many(&body, &point, 1, NULL, &location, STRANGE(bw_contains_report), &fault));
    REFUSED(
        bw_signed_distance(&body, &point, STRANGE(bw_signed_desc), &far, REPORT(bw_contains_report), &fault));
    REFUSED(bw_signed_distance(&body, &point, NULL, &far, STRANGE(bw_contains_report), &fault));
    REFUSED(bw_signed_distance_many(&body, &point, 1, STRANGE(bw_signed_desc), &far,
                                    REPORT(bw_contains_report), &fault));
    REFUSED(bw_signed_distance_many(&body, &point, 1, NULL, &far, STRANGE(bw_contains_report), &fault));
    REFUSED(bw_raycast(&body, &ray, STRANGE(bw_raycast_desc), &hit, REPORT(bw_raycast_report), &fault));
    REFUSED(bw_raycast(&body, &ray, NULL, &hit, STRANGE(bw_raycast_report), &fault));
    REFUSED(
        bw_raycast_many(&body, &ray, 1, STRANGE(bw_raycast_desc), &hit, REPORT(bw_raycast_report), &fault));
    REFUSED(bw_raycast_many(&body, &ray, 1, NULL, &hit, STRANGE(bw_raycast_report), &fault));
}

static void test_shapes(void **state)
{
    (void)state;
    const bw_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bw_hull *hull = NULL;
    bw_shape_contact contact;
    bw_shape_nearest nearest;
    REFUSED(bw_hull_create(STRANGE(bw_hull_desc), corners, 4, &hull, &fault));
    assert_null(hull);
    REFUSED(bw_shape_contact_pair(&placed, &placed, STRANGE(bw_shape_desc), &contact, &fault));
    REFUSED(bw_shape_distance(&placed, &placed, STRANGE(bw_shape_desc), &nearest, &fault));
    REFUSED(bw_shape_sweep(&ball, NULL, &ball, NULL, STRANGE(bw_shape_sweep_desc),
                           REPORT(bw_shape_sweep_report), &fault));
    REFUSED(bw_shape_sweep(&ball, NULL, &ball, NULL, NULL, STRANGE(bw_shape_sweep_report), &fault));
    REFUSED(bw_shape_sweep_body(&ball, NULL, &body, NULL, STRANGE(bw_shape_sweep_desc),
                                REPORT(bw_shape_sweep_report), &fault));
    REFUSED(bw_shape_sweep_body(&ball, NULL, &body, NULL, NULL, STRANGE(bw_shape_sweep_report), &fault));
    REFUSED(bw_shape_collide_body(&placed, &body, STRANGE(bw_shape_collide_desc),
                                  REPORT(bw_shape_collide_report), &fault));
    REFUSED(bw_shape_collide_body(&placed, &body, NULL, STRANGE(bw_shape_collide_report), &fault));
    REFUSED(bw_shape_distance_body(&placed, &body, STRANGE(bw_shape_distance_desc),
                                   REPORT(bw_shape_distance_report), &fault));
    REFUSED(bw_shape_distance_body(&placed, &body, NULL, STRANGE(bw_shape_distance_report), &fault));
}

static void test_steps(void **state)
{
    (void)state;
    bw_swept *step = NULL, *other = NULL;
    bw_swept_cache *cache = NULL;
    REFUSED(bw_swept_create(STRANGE(bw_swept_desc), &mesh, &mesh, &step, &fault));
    REFUSED(bw_swept_cache_create(STRANGE(bw_swept_cache_desc), &cache, &fault));
    assert_true(step == NULL && cache == NULL);
    assert_int_equal(bw_swept_create(NULL, &mesh, &mesh, &step, NULL), BW_OK);
    assert_int_equal(bw_swept_create(NULL, &mesh, &mesh, &other, NULL), BW_OK);
    const bw_swept_couple couple = {step, other};
    REFUSED(bw_swept_self(step, STRANGE(bw_swept_query), REPORT(bw_swept_report), &fault));
    REFUSED(bw_swept_self(step, NULL, STRANGE(bw_swept_report), &fault));
    REFUSED(bw_swept_pair(step, other, STRANGE(bw_swept_query), REPORT(bw_swept_report), &fault));
    REFUSED(bw_swept_pair(step, other, NULL, STRANGE(bw_swept_report), &fault));
    REFUSED(bw_swept_near(step, other, STRANGE(bw_swept_near_query), REPORT(bw_swept_near_report), &fault));
    REFUSED(bw_swept_near(step, other, &(bw_swept_near_query){.distance = 1}, STRANGE(bw_swept_near_report),
                          &fault));
    REFUSED(
        bw_swept_safe_step(&couple, 1, STRANGE(bw_swept_safe_desc), REPORT(bw_swept_safe_report), &fault));
    REFUSED(bw_swept_safe_step(&couple, 1, NULL, STRANGE(bw_swept_safe_report), &fault));
    bw_swept_destroy(step);
    bw_swept_destroy(other);
    bw_rigid_motion still;
    const bw_transform identity = bw_transform_identity();
    assert_int_equal(bw_rigid_motion_between(&identity, &identity, (bw_vec3){0, 0, 0}, &still), BW_OK);
    REFUSED(bw_swept_rigid(&body, &still, &body, &still, STRANGE(bw_swept_rigid_desc),
                           REPORT(bw_swept_rigid_report), &fault));
    REFUSED(bw_swept_rigid(&body, &still, &body, &still, NULL, STRANGE(bw_swept_rigid_report), &fault));
    const bw_vec3 four[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bw_ccd_result ccd;
    bw_ccd_triangle_result triangles;
    assert_int_equal(bw_ccd_vertex_face(four, four, STRANGE(bw_ccd_desc), &ccd), BW_ERROR_LAYOUT);
    assert_int_equal(bw_ccd_edge_edge(four, four, STRANGE(bw_ccd_desc), &ccd), BW_ERROR_LAYOUT);
    assert_int_equal(bw_ccd_triangle_triangle(four, four, four, four, STRANGE(bw_ccd_desc), &triangles),
                     BW_ERROR_LAYOUT);
}

static void test_motion(void **state)
{
    (void)state;
    static const float rest[12] = {0};
    const bw_motion motion = {
        .kind = BW_MOTION_VELOCITY, .vertex_count = 4, .positions = positions, .velocities = rest, .end = 1};
    const bw_moving objects[2] = {{&mesh, &motion}, {&mesh, &motion}};
    bw_kinetic *kinetic = NULL;
    bw_separation *separation = NULL;
    REFUSED(bw_kinetic_create(STRANGE(bw_kinetic_desc), &mesh, &motion, &kinetic, &fault));
    assert_null(kinetic);
    assert_int_equal(bw_kinetic_create(NULL, &mesh, &motion, &kinetic, NULL), BW_OK);
    REFUSED(bw_kinetic_advance(kinetic, 0.5, STRANGE(bw_kinetic_report), &fault));
    assert_true(bw_kinetic_time(kinetic) == 0);
    bw_kinetic_destroy(kinetic);
    REFUSED(bw_separation_create(STRANGE(bw_separation_desc), &objects[0], &objects[1], &separation, &fault));
    assert_null(separation);
    assert_int_equal(bw_separation_create(NULL, &objects[0], &objects[1], &separation, NULL), BW_OK);
    REFUSED(bw_separation_advance(separation, 0.5, STRANGE(bw_separation_report), &fault));
    assert_true(bw_separation_time(separation) == 0);
    REFUSED(bw_separation_collide(separation, STRANGE(bw_collide_desc), REPORT(bw_collide_report), &fault));
    REFUSED(bw_separation_collide(separation, NULL, STRANGE(bw_collide_report), &fault));
    bw_separation_destroy(separation);
    REFUSED(bw_contact_timeline(objects, 2, STRANGE(bw_timeline_desc), REPORT(bw_timeline_report), &fault));
    REFUSED(bw_contact_timeline(objects, 2, NULL, STRANGE(bw_timeline_report), &fault));
}

static void test_anytime(void **state)
{
    (void)state;
    bw_anytime *anytime = NULL;
    static bw_anytime_model model;
    REFUSED(bw_anytime_create(STRANGE(bw_anytime_desc), tree, &mesh, &anytime, &fault));
    assert_null(anytime);
    assert_int_equal(bw_anytime_create(&(bw_anytime_desc){.tries = 8}, tree, &mesh, &anytime, NULL), BW_OK);
    const bw_anytime_body adb = {anytime, &mesh, NULL};
    REFUSED(bw_anytime_query(&adb, &adb, STRANGE(bw_anytime_query_desc), REPORT(bw_anytime_answer), &fault));
    REFUSED(bw_anytime_query(&adb, &adb, NULL, STRANGE(bw_anytime_answer), &fault));
    const bw_transform pose = bw_transform_identity();
    const bw_anytime_example example = {.a = adb, .b = adb, .poses = &pose, .pose_count = 1};
    REFUSED(bw_anytime_train(&example, 1, STRANGE(bw_anytime_train_desc), &model, &fault));
    bw_anytime_destroy(anytime);
}

static void test_scenes(void **state)
{
    (void)state;
    bw_scene *scene = NULL;
    bw_id id, found[2];
    bw_pair pairs[2];
    bw_scene_hit hit;
    uint32_t count;
    const bw_region region = {.kind = BW_REGION_BOX, .box = {{0, 0, 0}, {1, 1, 1}}}, strange = {.size = 3};
    const bw_scene_output output = {.ids = found, .id_capacity = 2}, strange_output = {.size = 3};
    const bw_pair_output pair_output = {.pairs = pairs, .pair_capacity = 2};
    REFUSED(bw_scene_create(STRANGE(bw_scene_desc), &scene, &fault));
    assert_null(scene);
    assert_int_equal(bw_scene_create(&(bw_scene_desc){.track_pairs = true}, &scene, NULL), BW_OK);
    assert_int_equal(bw_scene_insert(scene, &region.box, 1, &id, NULL), BW_OK);
    REFUSED(bw_scene_prepare(scene, NULL, STRANGE(bw_prepare_report), &fault));
    REFUSED(bw_scene_query(scene, &strange, &output, REPORT(bw_scene_report), &fault));
    REFUSED(bw_scene_query(scene, &region, &strange_output, REPORT(bw_scene_report), &fault));
    REFUSED(bw_scene_query(scene, &region, &output, STRANGE(bw_scene_report), &fault));
    REFUSED(bw_scene_query_many(scene, &strange, 1, &output, REPORT(bw_scene_report), &fault));
    REFUSED(bw_scene_query_many(scene, &region, 1, &strange_output, REPORT(bw_scene_report), &fault));
    REFUSED(bw_scene_query_many(scene, &region, 1, &output, STRANGE(bw_scene_report), &fault));
    REFUSED(bw_scene_cast(scene, &ray, STRANGE(bw_scene_search), &hit, &fault));
    REFUSED(bw_scene_nearest(scene, point, STRANGE(bw_scene_search), &hit, 1, &count, &fault));
    REFUSED(bw_scene_pairs(scene, STRANGE(bw_pair_output), REPORT(bw_pair_report), &fault));
    REFUSED(bw_scene_pairs(scene, &pair_output, STRANGE(bw_pair_report), &fault));
    REFUSED(bw_scene_pairs_changed(scene, STRANGE(bw_pair_output), &pair_output, REPORT(bw_pair_report),
                                   REPORT(bw_pair_report), &fault));
    REFUSED(bw_scene_pairs_changed(scene, &pair_output, STRANGE(bw_pair_output), REPORT(bw_pair_report),
                                   REPORT(bw_pair_report), &fault));
    REFUSED(bw_scene_pairs_changed(scene, &pair_output, &pair_output, STRANGE(bw_pair_report),
                                   REPORT(bw_pair_report), &fault));
    REFUSED(bw_scene_pairs_changed(scene, &pair_output, &pair_output, REPORT(bw_pair_report),
                                   STRANGE(bw_pair_report), &fault));
    bw_cull *cull = NULL;
    const bw_view view = {.forward = {1, 0, 0}, .up = {0, 0, 1}};
    REFUSED(bw_cull_create(STRANGE(bw_cull_desc), &cull, &fault));
    assert_null(cull);
    assert_int_equal(bw_cull_create(&(bw_cull_desc){.width = 8, .height = 8}, &cull, NULL), BW_OK);
    REFUSED(bw_cull_frame(cull, scene, &view, &strange_output, REPORT(bw_cull_report), &fault));
    REFUSED(bw_cull_frame(cull, scene, &view, &output, STRANGE(bw_cull_report), &fault));
    bw_cull_destroy(cull);
    bw_scene_destroy(scene);
    bw_depth *depth = NULL;
    assert_int_equal(bw_depth_create(NULL, 8, 8, &depth, NULL), BW_OK);
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_OK);
    REFUSED(bw_depth_draw(depth, &(bw_occluder){.size = 3, .mesh = &mesh}, &count, &fault));
    bw_depth_destroy(depth);
}

static void test_worlds(void **state)
{
    (void)state;
    bw_world *world = NULL;
    bw_id id = 7;
    uint32_t count;
    bw_world_ray_hit hit;
    bw_world_impact impact;
    bw_rigid_motion motion;
    const bw_transform identity = bw_transform_identity();
    assert_int_equal(bw_rigid_motion_between(&identity, &identity, (bw_vec3){0, 0, 0}, &motion), BW_OK);
    REFUSED(bw_world_create(STRANGE(bw_world_desc), &world, &fault));
    assert_null(world);
    assert_int_equal(bw_world_create(NULL, &world, NULL), BW_OK);
    REFUSED(bw_world_insert(world, &(bw_world_body){.size = 3, .shape = &ball}, &id, &fault));
    REFUSED(bw_world_insert_many(world, &(bw_world_body){.size = 3, .shape = &ball}, 1, &id, &fault));
    assert_int_equal(id, 7);
    assert_int_equal(bw_world_insert(world, &(bw_world_body){.shape = &ball}, &id, NULL), BW_OK);
    REFUSED(bw_world_get(world, id, STRANGE(bw_world_body), &fault));
    REFUSED(bw_world_step(world, STRANGE(bw_world_step_desc), REPORT(bw_world_step_report), &fault));
    REFUSED(bw_world_step(world, NULL, STRANGE(bw_world_step_report), &fault));
    REFUSED(bw_world_advance(world, &id, &identity, 1, STRANGE(bw_world_advance_desc),
                             REPORT(bw_world_advance_report), &fault));
    REFUSED(bw_world_advance(world, &id, &identity, 1, NULL, STRANGE(bw_world_advance_report), &fault));
    REFUSED(bw_world_raycast(world, &ray, STRANGE(bw_world_filter), &hit, 1, &count, &fault));
    REFUSED(bw_world_raycast_many(world, &ray, 1, STRANGE(bw_world_filter), &hit, &fault));
    REFUSED(bw_world_sweep(world, &ball, &motion, STRANGE(bw_world_filter), &impact, &fault));
    REFUSED(bw_world_overlap(world, &placed, STRANGE(bw_world_filter), &id, 1, &count, &fault));
    REFUSED(bw_world_distance(world, &placed, 1, STRANGE(bw_world_filter), REPORT(bw_world_distance_report),
                              &fault));
    REFUSED(bw_world_distance(world, &placed, 1, NULL, STRANGE(bw_world_distance_report), &fault));
    bw_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),   cmocka_unit_test(test_pairs),  cmocka_unit_test(test_points_and_rays),
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_steps),  cmocka_unit_test(test_motion),
        cmocka_unit_test(test_anytime), cmocka_unit_test(test_scenes), cmocka_unit_test(test_worlds),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
