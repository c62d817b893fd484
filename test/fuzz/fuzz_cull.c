/* Arbitrary bytes as a crowd of boxes and a wandering camera: what a frame sees lies in the view volume,
 * without occluders it is all of that, and what the buffer hides a brute look at its pixels hides too. */
#include "fuzz/bytes.h"

#include <boxwood/cull.h>
#include <math.h>

enum { MOST = 64 };

static float coordinate(bytes *b)
{
    uint8_t how = bytes_u8(b);
    if (how < 240)
        return (float)((int8_t)bytes_u8(b)) * 0.5f;
    float value;
    bytes_take(b, &value, sizeof value);
    return value;
}

static double number(bytes *b)
{
    return (double)coordinate(b);
}

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    static float positions[12];
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    static const bw_mesh mesh = {
        .positions = positions, .vertex_count = 4, .indices = indices, .triangle_count = 2};
    (void)user;
    bw_box box;
    must(bw_scene_get(object->scene, object->id, &box, NULL, NULL) == BW_OK);
    if (object->user % 3 == 0)
        return false;
    for (int v = 0; v < 4; v++) {
        positions[3 * v] = (v & 1) != 0 ? box.max[0] : box.min[0];
        positions[3 * v + 1] = (v & 2) != 0 ? box.max[1] : box.min[1];
        positions[3 * v + 2] = (v & 1) != 0 ? box.max[2] : box.min[2];
    }
    *out = (bw_occluder){.mesh = &mesh, .closed = object->user % 5 == 0};
    return true;
}

static bw_view take_view(bytes *b)
{
    bw_view view = {
        {number(b), number(b), number(b)}, {number(b), number(b), number(b)}, {0, 0, 1}, 0, 0, 0, 0};
    if (bytes_u8(b) < 100)
        view.up = (bw_vec3){number(b), number(b), number(b)};
    view.fov_y = (double)bytes_u8(b) / 80;
    view.aspect = (double)bytes_u8(b) / 64;
    view.near_distance = (double)bytes_u8(b) / 64;
    if (bytes_u8(b) < 60)
        view.far_distance = number(b) + 60;
    return view;
}

static void ask_buffer(bw_depth *depth, const bw_view *view, const bw_box *box)
{
    if (!bw_depth_hides(depth, box))
        return;
    /* Every corner that is in the picture is behind what was drawn there. */
    uint32_t w, h;
    const float *values = bw_depth_values(depth, &w, &h);
    for (int corner = 0; corner < 8; corner++) {
        bw_vec3 p = {(double)((corner & 1) != 0 ? box->max[0] : box->min[0]),
                     (double)((corner & 2) != 0 ? box->max[1] : box->min[1]),
                     (double)((corner & 4) != 0 ? box->max[2] : box->min[2])};
        double x, y, z;
        if (bw_view_project(view, w, h, p, &x, &y, &z) && x > 0.01 && y > 0.01 && x < w - 0.01 &&
            y < h - 0.01)
            must((double)values[(size_t)y * w + (size_t)x] >= 1 / z);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    bw_scene *scene;
    bw_cull *cull;
    must(bw_scene_create(NULL, &scene, NULL) == BW_OK);
    bool hiding = bytes_u8(&b) < 170;
    bw_cull_desc desc = {.width = 1 + bytes_u8(&b) % 64,
                         .height = 1 + bytes_u8(&b) % 40,
                         .occluder_of = hiding ? occluder_of : NULL,
                         .user = scene,
                         .occluder_pixels = 0.5};
    must(bw_cull_create(&desc, &cull, NULL) == BW_OK);
    bw_depth *apart;
    must(bw_depth_create(NULL, 1 + bytes_u8(&b), 1 + bytes_u8(&b) % 64, &apart, NULL) == BW_OK);
    bw_box boxes[MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST && b.left != 0; i++) {
        bw_box box;
        bw_id id;
        for (int a = 0; a < 3; a++) {
            box.min[a] = coordinate(&b);
            box.max[a] = box.min[a] + (float)(bytes_u8(&b) % 32);
        }
        if (bw_scene_insert(scene, &box, i, &id, NULL) == BW_OK)
            boxes[count++] = box;
    }
    for (int frame = 0; frame < 4; frame++) {
        bw_view view = take_view(&b);
        bw_plane planes[6];
        uint32_t plane_count = 0;
        bw_id ids[MOST];
        bw_scene_output output = {.ids = ids, .id_capacity = MOST};
        bw_cull_report report = {0};
        bw_result result = bw_cull_frame(cull, scene, &view, &output, &report, NULL);
        must(bw_view_planes(&view, planes, &plane_count, NULL) == result);
        must(bw_depth_begin(apart, &view, NULL) == result);
        if (result != BW_OK)
            continue;
        bw_region region = {.kind = BW_REGION_PLANES, .planes = planes, .plane_count = plane_count};
        for (uint64_t i = 0; i < report.visible_count; i++) {
            bw_box box;
            must(bw_scene_get(scene, ids[i], &box, NULL, NULL) == BW_OK);
            must(bw_region_meets(&region, &box));
        }
        for (uint32_t i = 0; i < count; i++)
            ask_buffer(bw_cull_depth(cull), &view, &boxes[i]);
        const float triangle[9] = {coordinate(&b), coordinate(&b), coordinate(&b),
                                   coordinate(&b), coordinate(&b), coordinate(&b),
                                   coordinate(&b), coordinate(&b), coordinate(&b)};
        const uint32_t indices[3] = {0, 1, bytes_u8(&b) % 4};
        const bw_mesh mesh = {
            .positions = triangle, .vertex_count = 3, .indices = indices, .triangle_count = 1};
        bw_occluder occluder = {.mesh = &mesh};
        uint32_t drawn = 5, w, h;
        must(bw_depth_draw(apart, &occluder, &drawn, NULL) == BW_OK ? drawn <= 1 : drawn == 5);
        must(bw_depth_level(apart, 0, &w, &h) == bw_depth_values(apart, &w, &h));
        for (uint32_t i = 0; i < count; i++)
            ask_buffer(apart, &view, &boxes[i]);
        if (bytes_u8(&b) < 30)
            bw_cull_reset(cull);
    }
    bw_depth_destroy(apart);
    bw_cull_destroy(cull);
    bw_scene_destroy(scene);
    return 0;
}
