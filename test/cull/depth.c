/* The depth buffer against brute-force rendering. */
#include "cull/depth.h"

#include "cull/picture.h"
#include "oracle/failing_allocator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SOLIDS = 24, MOST_PIXELS = 64 * 48 };

static double truth[MOST_PIXELS];
static uint32_t which[MOST_PIXELS];

/* No value is nearer than the truth, nearly all are near it, the pyramid holds minima, and a hidden box is
 * hidden. */
static void test_buffer_body(bws_random *random, void *user)
{
    (void)user;
    uint32_t width = 1 + (uint32_t)bws_random_below(random, 64),
             height = 1 + (uint32_t)bws_random_below(random, 48);
    solid solids[SOLIDS];
    uint32_t count = 1 + (uint32_t)bws_random_below(random, SOLIDS);
    for (uint32_t i = 0; i < count; i++)
        solids[i] = solid_random(random, 100, bws_random_double(random, 1, 40));
    bw_view view = view_random(random, 100);
    bw_depth *depth, *narrow;
    assert_int_equal(bw_depth_create_at(NULL, width, height, BW_SIMD_AUTO, &depth), BW_OK);
    assert_int_equal(bw_depth_create_at(NULL, width, height, BW_SIMD_128, &narrow), BW_OK);
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_OK);
    assert_int_equal(bw_depth_begin(narrow, &view, NULL), BW_OK);
    for (uint32_t i = 0; i < count; i++) {
        bw_occluder occluder = solid_occluder(&solids[i]);
        uint32_t drawn = 99, same = 98;
        assert_int_equal(bw_depth_draw(depth, &occluder, &drawn, NULL), BW_OK);
        assert_int_equal(bw_depth_draw(narrow, &occluder, &same, NULL), BW_OK);
        assert_true(drawn <= solids[i].triangle_count && drawn == same);
    }
    picture_render(&view, solids, count, width, height, truth, which);
    uint32_t w, h, missing = 0;
    const float *values = bw_depth_values(depth, &w, &h), *twin = bw_depth_values(narrow, &w, &h);
    assert_true(w == width && h == height);
    assert_memory_equal(values, twin, (size_t)w * h * sizeof *values);
    for (uint32_t i = 0; i < w * h; i++) {
        assert_true((double)values[i] <= truth[i] * (1 + 1e-9));
        missing += (double)values[i] < truth[i] * (1 - 1e-4);
    }
    /* Only centres on an edge of the picture's triangles may be missed, unless the near plane cuts a closed
     * solid: then its back faces, which are not drawn, are seen from inside. */
    const double eye[3] = {view.eye.x, view.eye.y, view.eye.z};
    bool inside = false;
    for (uint32_t i = 0; i < count; i++) {
        bool near = solids[i].closed;
        for (int a = 0; a < 3; a++)
            near = near && eye[a] > (double)solids[i].box.min[a] - 4 &&
                   eye[a] < (double)solids[i].box.max[a] + 4;
        inside |= near;
    }
    assert_true(inside || missing <= w * h / 50 + 8);
    for (uint32_t level = 1;; level++) {
        uint32_t lw, lh;
        const float *here = bw_depth_level(depth, level, &lw, &lh);
        if (here == NULL) {
            assert_true(level > 1 || (w == 1 && h == 1));
            break;
        }
        for (uint32_t y = 0; y < lh; y++)
            for (uint32_t x = 0; x < lw; x++) {
                float least = INFINITY;
                for (uint32_t py = y << level; py < ((y + 1) << level) && py < h; py++)
                    for (uint32_t px = x << level; px < ((x + 1) << level) && px < w; px++)
                        least = fminf(least, values[py * w + px]);
                assert_true(here[y * lw + x] == least);
            }
    }
    /* Any further solid that the buffer hides is nowhere the nearest. */
    for (int k = 0; k < 6; k++) {
        solid all[SOLIDS + 1];
        memcpy(all, solids, count * sizeof *all);
        all[count] = solid_random(random, 100, bws_random_double(random, 0.1, 20));
        if (!bw_depth_hides(depth, &all[count].box))
            continue;
        picture_render(&view, all, count + 1, width, height, truth, which);
        for (uint32_t i = 0; i < w * h; i++)
            assert_true(which[i] != count);
    }
    bw_depth_destroy(depth);
    bw_depth_destroy(narrow);
}

static void test_buffer(void **state)
{
    (void)state;
    BW_EACH_SEED(250, test_buffer_body, NULL);
}

static void test_errors(void **state)
{
    (void)state;
    bw_depth *depth = NULL;
    assert_int_equal(bw_depth_create(NULL, 0, 5, &depth, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_depth_create(NULL, 5, BW_DEPTH_SIZE_MAX + 1, &depth, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_depth_create(NULL, 5, 5, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_null(depth);
    assert_int_equal(bw_depth_create(NULL, 8, 4, &depth, NULL), BW_OK);
    bw_view view = {.forward = {0, 0, 1}, .up = {0, 0, 2}};
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_ERROR_ARGUMENT);
    view.up = (bw_vec3){0, NAN, 0};
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_ERROR_NOT_FINITE);
    view.up = (bw_vec3){0, 1, 0};
    view.fov_y = 4;
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_ERROR_ARGUMENT);
    view.fov_y = 1;
    view.near_distance = 5;
    view.far_distance = 2;
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_depth_begin(NULL, &view, NULL), BW_ERROR_ARGUMENT);
    view.far_distance = 50;
    assert_int_equal(bw_depth_begin(depth, &view, NULL), BW_OK);
    const float positions[9] = {-9, -9, 7, 9, -9, 7, 0, 9, NAN};
    const uint32_t indices[3] = {0, 1, 2}, wrong[3] = {0, 1, 3};
    bw_mesh mesh = {.positions = positions, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    bw_occluder occluder = {.mesh = &mesh};
    uint32_t drawn = 7;
    assert_int_equal(bw_depth_draw(depth, &occluder, &drawn, NULL), BW_ERROR_NOT_FINITE);
    mesh.indices = wrong;
    assert_int_equal(bw_depth_draw(depth, &occluder, &drawn, NULL), BW_ERROR_INDEX);
    mesh.indices = NULL;
    assert_int_equal(bw_depth_draw(depth, &occluder, &drawn, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_depth_draw(NULL, &occluder, &drawn, NULL), BW_ERROR_ARGUMENT);
    occluder.mesh = NULL;
    assert_int_equal(bw_depth_draw(depth, &occluder, &drawn, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(drawn, 7);
    uint32_t w, h;
    assert_null(bw_depth_values(NULL, &w, &h));
    assert_null(bw_depth_level(depth, 20, &w, &h));
    bw_box inverted = {{1, 1, 1}, {0, 0, 0}};
    assert_false(bw_depth_hides(depth, &inverted));
    assert_false(bw_depth_hides(NULL, &inverted));
    bw_depth_destroy(depth);
    bw_depth_destroy(NULL);
    bw_plane planes[6];
    uint32_t count = 0;
    assert_int_equal(bw_view_planes(&view, planes, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_view_planes(&view, planes, &count, NULL), BW_OK);
    assert_int_equal(count, 6);
    double x = 1, y = 2, z = 3;
    assert_false(bw_view_project(&view, 10, 10, (bw_vec3){0, 0, 1}, &x, &y, &z));
    assert_true(x == 1 && y == 2 && z == 3);
    assert_true(bw_view_project(&view, 10, 20, (bw_vec3){0, 0, 8}, &x, &y, &z));
    assert_true(x == 5 && y == 10 && z == 8);
}

/* Planes of a view are a region that queries take, whatever the numbers of the view, or the view is refused. */
static void test_range(void **state)
{
    (void)state;
    const double sizes[] = {1, 1e10, 0x1p60, 0x1.1p60, 1e30, 1e37, 1e150, 1e308};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int field = 0; field < 4; field++) {
            bw_view view = {.forward = {1, 2, 3}, .up = {0, 0, 1}, .near_distance = 0.5};
            *(field == 0   ? &view.eye.y
              : field == 1 ? &view.far_distance
              : field == 2 ? &view.near_distance
                           : &view.aspect) = sizes[i];
            bw_plane planes[6];
            uint32_t count = 0;
            const bw_result result = bw_view_planes(&view, planes, &count, NULL);
            if (field == 1)
                assert_int_equal(result, BW_OK);
            else
                assert_int_equal(result, sizes[i] <= 0x1p60 ? BW_OK : BW_ERROR_RANGE);
            if (result != BW_OK)
                continue;
            if (field == 1)
                assert_int_equal(count, sizes[i] <= 0x1p62 ? 6 : 5);
            bw_scene *scene = NULL;
            assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
            const bw_region region = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = count};
            bw_scene_report report = {0};
            assert_int_equal(bw_scene_query(scene, &region, NULL, &report, NULL), BW_OK);
            bw_scene_destroy(scene);
        }
}

/* What the planes turn away is nowhere in the picture. */
static void test_planes_body(bws_random *random, void *user)
{
    (void)user;
    bw_view view = view_random(random, 100);
    view.far_distance = bws_random_bool(random) ? 0 : 120;
    bw_plane planes[6];
    uint32_t count;
    assert_int_equal(bw_view_planes(&view, planes, &count, NULL), BW_OK);
    assert_int_equal(count, view.far_distance == 0 ? 5 : 6);
    bw_region region = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = count};
    for (int i = 0; i < 200; i++) {
        bw_vec3 point = {bws_random_double(random, -50, 150), bws_random_double(random, -50, 150),
                         bws_random_double(random, -50, 150)};
        bw_box box = bw_box_of_points(&point, 1);
        double x, y, z;
        bool seen = bw_view_project(&view, 100, 100, point, &x, &y, &z) && x >= 0 && y >= 0 && x <= 100 &&
                    y <= 100 && (view.far_distance == 0 || z <= view.far_distance);
        if (seen)
            assert_true(bw_region_meets(&region, &box));
        else if (bw_region_meets(&region, &box)) {
            /* Kept though not seen: only within rounding of the border. */
            bool projects = bw_view_project(&view, 100, 100, point, &x, &y, &z);
            if (projects)
                assert_true(x > -0.5 && x < 100.5 && y > -0.5 && y < 100.5 &&
                            (view.far_distance == 0 || z < view.far_distance + 0.01));
        }
    }
}

static void test_planes(void **state)
{
    (void)state;
    BW_EACH_SEED(200, test_planes_body, NULL);
}

static bw_result create_faulty(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_depth *depth = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_depth_create(&memory->hook, 33, 20, &depth, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((result == BW_OK) == (depth != NULL));
    bw_depth_destroy(depth);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bw_each_allocation_failure(create_faulty, NULL, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_buffer), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_range), cmocka_unit_test(test_planes),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
