/* cull.h: a wall hides a box. */
#include "calls.h"

#include <string.h>

static const float wall_positions[] = {5, -50, -50, 5, 50, -50, 5, 0, 90};
static const uint32_t wall_indices[] = {0, 1, 2};
static const bw_mesh wall = {wall_positions, BW_F32, 3, 0, wall_indices, 1};

static bw_view forward(void)
{
    bw_view view;
    memset(&view, 0, sizeof view);
    view.forward = calls_vec3(1, 0, 0);
    view.up = calls_vec3(0, 0, 1);
    view.fov_y = 1;
    view.aspect = 1;
    view.near_distance = 0.1;
    view.far_distance = 100;
    return view;
}

static void call_depth(void)
{
    const bw_view view = forward();
    bw_occluder occluder;
    const bw_box behind = {{20, -1, -1}, {21, 1, 1}};
    bw_plane planes[6];
    bw_depth *depth = NULL;
    double x = 0, y = 0, z = 0;
    uint32_t count = 0, drawn = 0, width = 0, height = 0;
    memset(&occluder, 0, sizeof occluder);
    occluder.mesh = &wall;
    CHECK(bw_view_planes(&view, planes, &count, NULL) == BW_OK && count == 6);
    CHECK(bw_view_project(&view, 64, 64, calls_vec3(10, 0, 0), &x, &y, &z) && x == 32 && y == 32);
    CHECK(bw_depth_create(NULL, 64, 64, &depth, NULL) == BW_OK);
    CHECK(bw_depth_begin(depth, &view, NULL) == BW_OK);
    CHECK(bw_depth_draw(depth, &occluder, &drawn, NULL) == BW_OK && drawn == 1);
    CHECK(bw_depth_hides(depth, &behind));
    CHECK(bw_depth_values(depth, &width, &height) != NULL && width == 64 && height == 64);
    CHECK(bw_depth_level(depth, 1, &width, &height) != NULL && width == 32);
    bw_depth_destroy(depth);
}

static bool wall_for_the_first(void *user, const bw_scene_object *object, bw_occluder *out)
{
    (void)user;
    if (object->user != 1)
        return false;
    out->mesh = &wall;
    out->pose = NULL;
    out->closed = false;
    return true;
}

void call_cull(void)
{
    const bw_view view = forward();
    const bw_box boxes[2] = {{{4.5f, -9, -9}, {5.5f, 9, 9}}, {{20, -1, -1}, {21, 1, 1}}};
    bw_scene *scene = NULL;
    bw_cull *cull = NULL;
    bw_cull_desc desc;
    bw_cull_report report;
    bw_scene_output output;
    bw_id ids[4];
    memset(&desc, 0, sizeof desc);
    memset(&report, 0, sizeof report);
    memset(&output, 0, sizeof output);
    desc.width = desc.height = 64;
    desc.occluder_of = wall_for_the_first;
    output.ids = ids;
    output.id_capacity = 4;
    CHECK(bw_scene_create(NULL, &scene, NULL) == BW_OK);
    CHECK(bw_scene_insert(scene, &boxes[0], 1, &ids[0], NULL) == BW_OK &&
          bw_scene_insert(scene, &boxes[1], 2, &ids[1], NULL) == BW_OK);
    CHECK(bw_cull_create(&desc, &cull, NULL) == BW_OK);
    CHECK(bw_cull_frame(cull, scene, &view, &output, &report, NULL) == BW_OK && report.visible_count >= 1);
    CHECK(bw_cull_depth(cull) != NULL);
    bw_cull_reset(cull);
    bw_cull_destroy(cull);
    bw_scene_destroy(scene);
    call_depth();
}
