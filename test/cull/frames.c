/* Culling over frames: nothing that a brute-force picture shows is ever left out, whatever moves in between.
 */
#include "cull/picture.h"
#include "oracle/failing_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SOLIDS = 60, WIDTH = 40, HEIGHT = 30 };

typedef struct set {
    solid solids[SOLIDS];
    uint32_t count;
} set;

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    set *s = user;
    assert_true(s->solids[object->user].id == object->id);
    if (object->user % 7 == 0)
        return false; /* some hide nothing */
    *out = solid_occluder(&s->solids[object->user]);
    return true;
}

static double truth[WIDTH * HEIGHT];
static uint32_t which[WIDTH * HEIGHT];

static void compare(const set *s, const bw_view *view, const bw_id *ids, uint64_t count)
{
    picture_render(view, s->solids, s->count, WIDTH, HEIGHT, truth, which);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        if (which[i] == UINT32_MAX)
            continue;
        bool found = false;
        for (uint64_t k = 0; k < count && !found; k++)
            found = ids[k] == s->solids[which[i]].id;
        assert_true(found);
    }
}

static void body(bws_random *random, void *user)
{
    bw_scene_desc desc = {.nesting = *(const bw_nesting *)user, .split_threshold = 8};
    bw_scene *scene;
    static set s;
    s.count = SOLIDS;
    assert_int_equal(bw_scene_create(&desc, &scene, NULL), BW_OK);
    for (uint32_t i = 0; i < SOLIDS; i++) {
        s.solids[i] = solid_random(random, 100, bws_random_double(random, 2, 30));
        assert_int_equal(bw_scene_insert(scene, &s.solids[i].box, i, &s.solids[i].id, NULL), BW_OK);
    }
    assert_int_equal(bw_scene_prepare(scene, NULL, NULL, NULL), BW_OK);
    bw_cull_desc cull_desc = {.width = WIDTH,
                              .height = HEIGHT,
                              .occluder_of = occluder_of,
                              .user = &s,
                              .occluder_pixels = bws_random_double(random, 0.1, 30)};
    bw_cull *cull;
    assert_int_equal(bw_cull_create(&cull_desc, &cull, NULL), BW_OK);
    bw_view view = view_random(random, 100);
    for (int frame = 0; frame < 6; frame++) {
        if (frame == 3)
            view = view_random(random, 100); /* a sudden turn */
        view.eye.x += 2;
        for (int k = 0; k < 5; k++) {
            uint32_t i = (uint32_t)bws_random_below(random, SOLIDS);
            bw_id id = s.solids[i].id;
            s.solids[i] = solid_random(random, 100, bws_random_double(random, 2, 30));
            s.solids[i].id = id;
            assert_int_equal(bw_scene_move(scene, id, &s.solids[i].box, NULL), BW_OK);
        }
        bw_id ids[SOLIDS];
        bw_scene_output output = {.ids = ids, .id_capacity = SOLIDS};
        bw_cull_report report = {0};
        assert_int_equal(bw_cull_frame(cull, scene, &view, &output, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_DONE);
        compare(&s, &view, ids, report.visible_count);
        /* Never more than the view volume holds. */
        bw_plane planes[6];
        uint32_t plane_count;
        assert_int_equal(bw_view_planes(&view, planes, &plane_count, NULL), BW_OK);
        bw_region region = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = plane_count};
        for (uint64_t k = 0; k < report.visible_count; k++) {
            bw_box box;
            assert_int_equal(bw_scene_get(scene, ids[k], &box, NULL, NULL), BW_OK);
            assert_true(bw_region_meets(&region, &box));
        }
    }
    bw_cull_destroy(cull);
    bw_scene_destroy(scene);
}

static void test_frames(void **state)
{
    (void)state;
    static const bw_nesting nestings[] = {BW_NESTING_MODERN, BW_NESTING_OCTREE, BW_NESTING_PER_NODE};
    for (int i = 0; i < (BW_RESEARCH ? 3 : 1); i++)
        BW_EACH_SEED(10, body, (void *)(uintptr_t)&nestings[i]);
}

/* A wall hides a crowd, from the first frame on, and after a sudden turn. */
static void test_wall(void **state)
{
    (void)state;
    static set s;
    s.count = SOLIDS;
    bws_random random = bws_random_seeded(5);
    bw_scene *scene;
    assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
    for (uint32_t i = 0; i < SOLIDS; i++) {
        do
            s.solids[i] = solid_random(&random, 100, 2);
        while (s.solids[i].vertex_count != 8);
        if (i == 1) {
            for (int v = 0; v < 8; v++) {
                s.solids[i].positions[3 * v] = (v & 1) != 0 ? 500.0f : -500.0f;
                s.solids[i].positions[3 * v + 1] = (v & 2) != 0 ? 500.0f : -500.0f;
                s.solids[i].positions[3 * v + 2] = (v & 4) != 0 ? -5.0f : -6.0f;
            }
            s.solids[i].box = (bw_box){{-500, -500, -6}, {500, 500, -5}};
        }
        assert_int_equal(bw_scene_insert(scene, &s.solids[i].box, i, &s.solids[i].id, NULL), BW_OK);
    }
    bw_cull_desc cull_desc = {.occluder_of = occluder_of, .user = &s};
    bw_cull *cull;
    assert_int_equal(bw_cull_create(&cull_desc, &cull, NULL), BW_OK);
    bw_view behind = {.eye = {50, 50, -100}, .forward = {0, 0, 1}, .up = {0, 1, 0}};
    bw_view before = {.eye = {50, 50, 200}, .forward = {0, 0, -1}, .up = {0, 1, 0}};
    bw_cull_report report = {0};
    for (int round = 0; round < 2; round++) {
        assert_int_equal(bw_cull_frame(cull, scene, &behind, NULL, &report, NULL), BW_OK);
        assert_int_equal(report.visible_count, 1);
        assert_true(report.hidden_node_count + report.hidden_object_count > 0);
        assert_int_equal(bw_cull_frame(cull, scene, &before, NULL, &report, NULL), BW_OK);
        assert_true(report.visible_count > 20);
        bw_cull_reset(cull);
    }
    uint32_t w, h;
    assert_non_null(bw_depth_values(bw_cull_depth(cull), &w, &h));
    assert_true(w == 512 && h == 256);
    assert_null(bw_cull_depth(NULL));
    bw_cull_reset(NULL);
    bw_cull_destroy(cull);
    bw_scene_destroy(scene);
}

static void test_errors(void **state)
{
    (void)state;
    bw_cull *cull = NULL;
    bw_cull_desc desc = {.occluder_pixels = -1};
    assert_int_equal(bw_cull_create(&desc, &cull, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_cull_desc){.width = 1u << 20};
    assert_int_equal(bw_cull_create(&desc, &cull, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_cull_create(NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_null(cull);
    assert_int_equal(bw_cull_create(NULL, &cull, NULL), BW_OK);
    bw_scene *scene;
    assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
    bw_view view = {.forward = {0, 0, 1}, .up = {0, 1, 0}}, wrong = {0};
    bw_cull_report report = {.visible_count = 77};
    assert_int_equal(bw_cull_frame(cull, scene, &wrong, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_cull_frame(cull, NULL, &view, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(report.visible_count, 77);
    assert_int_equal(bw_cull_frame(cull, scene, &view, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.visible_count, 0);
    bw_cull_destroy(cull);
    bw_cull_destroy(NULL);
    bw_scene_destroy(scene);
}

static bool no_occluder(void *user, const bw_scene_object *object, bw_occluder *out)
{
    static const float positions[9] = {-1, -1, 5, 1, -1, 5, 0, 1, 5};
    static const uint32_t indices[3] = {0, 1, 2};
    static const bw_mesh mesh = {
        .positions = positions, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    (void)user;
    (void)object;
    *out = (bw_occluder){.mesh = &mesh};
    return true;
}

static bw_result frame_faulty(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bw_cull_desc desc = {.width = 16, .height = 16, .allocator = &memory->hook, .occluder_of = no_occluder};
    bw_cull *cull = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_cull_create(&desc, &cull, NULL);
    bw_view view = {.eye = {50, 50, -100}, .forward = {0, 0, 1}, .up = {0, 1, 0}};
    bw_cull_report report = {.visible_count = 12345};
    if (result == BW_OK) {
        result = bw_cull_frame(cull, user, &view, NULL, &report, NULL);
        assert_true(result == BW_OK || report.visible_count == 12345);
    }
    bw_failing_allocator_fail_none(memory);
    bw_cull_destroy(cull);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(9);
    bw_scene *scene;
    assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
    for (int i = 0; i < 4000; i++) {
        bw_id id;
        solid s = solid_random(&random, 100, 1);
        assert_int_equal(bw_scene_insert(scene, &s.box, 0, &id, NULL), BW_OK);
    }
    bw_each_allocation_failure(frame_faulty, scene, 10);
    bw_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_wall),
                                       cmocka_unit_test(test_errors), cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
