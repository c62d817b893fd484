/* scene.h: a few boxes, and the same scene a second time within another. */
#include "calls.h"

#include <string.h>

static bw_box box_at(float x)
{
    bw_box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = k == 0 ? x : 0;
        box.max[k] = box.min[k] + 1;
    }
    return box;
}

static bool count_ids(void *user, const bw_box *box, uint32_t depth, const bw_id *ids, uint32_t count)
{
    (void)box;
    (void)depth;
    (void)ids;
    *(uint32_t *)user += count;
    return true;
}

static void change(bw_scene *scene, bw_id ids[5])
{
    const bw_box boxes[2] = {box_at(10), box_at(20)}, moved[2] = {box_at(0.5f), box_at(21)};
    const uint64_t users[2] = {10, 20};
    const bw_box first = box_at(0);
    bw_box got;
    uint64_t user = 0;
    CHECK(bw_scene_insert(scene, &first, 7, &ids[0], NULL) == BW_OK);
    CHECK(bw_scene_insert_sphere(scene, calls_vec3(5, 0, 0), 1, 8, &ids[1], NULL) == BW_OK);
    CHECK(bw_scene_insert_many(scene, boxes, users, 2, &ids[2], NULL) == BW_OK);
    CHECK(bw_scene_move(scene, ids[0], &first, NULL) == BW_OK);
    CHECK(bw_scene_move_sphere(scene, ids[1], calls_vec3(6, 0, 0), 1, NULL) == BW_OK);
    CHECK(bw_scene_move_swept(scene, ids[0], &first, calls_vec3(0.25, 0, 0), NULL) == BW_OK);
    CHECK(bw_scene_move_many(scene, &ids[2], moved, 2, NULL) == BW_OK);
    CHECK(bw_scene_has(scene, ids[0]) && bw_scene_count(scene) == 4);
    CHECK(bw_scene_set_user(scene, ids[0], 9, NULL) == BW_OK);
    CHECK(bw_scene_get(scene, ids[0], &got, &user, NULL) == BW_OK && user == 9);
    CHECK(bw_scene_bounds(scene).max[0] == 22);
}

static void ask(bw_scene *scene)
{
    bw_id ids[8];
    bw_region region;
    bw_scene_output output;
    bw_scene_report report;
    bw_pair pairs[4];
    bw_pair_output pair_output;
    bw_pair_report began, ended;
    bw_scene_stats stats;
    uint32_t count = 0;
    memset(&region, 0, sizeof region);
    memset(&output, 0, sizeof output);
    memset(&report, 0, sizeof report);
    memset(&pair_output, 0, sizeof pair_output);
    memset(&began, 0, sizeof began);
    memset(&ended, 0, sizeof ended);
    memset(&stats, 0, sizeof stats);
    region.kind = BW_REGION_BOX;
    region.box = box_at(0);
    output.ids = ids;
    output.id_capacity = 8;
    CHECK(bw_region_meets(&region, &region.box));
    CHECK(bw_scene_query(scene, &region, &output, &report, NULL) == BW_OK && report.found_count == 2);
    CHECK(bw_scene_query_many(scene, &region, 1, &output, &report, NULL) == BW_OK && report.found_count == 2);
    pair_output.pairs = pairs;
    pair_output.pair_capacity = 4;
    CHECK(bw_scene_pairs(scene, &pair_output, &began, NULL) == BW_OK && began.found_count == 1);
    CHECK(bw_scene_pairs_changed(scene, &pair_output, &pair_output, &began, &ended, NULL) == BW_OK &&
          began.found_count == 1);
    bw_scene_get_stats(scene, &stats);
    CHECK(stats.object_count == 4);
    CHECK(bw_scene_visit(scene, count_ids, &count, NULL) == BW_OK && count == 4);
    CHECK(bw_scene_check(scene) == NULL);
}

static void search(const bw_scene *scene)
{
    bw_ray ray;
    bw_scene_hit hit;
    uint32_t count = 0;
    memset(&ray, 0, sizeof ray);
    ray.origin = calls_vec3(-1, 0.5, 0.5);
    ray.direction = calls_vec3(1, 0, 0);
    ray.t_max = 100;
    CHECK(bw_scene_cast(scene, &ray, NULL, &hit, NULL) == BW_OK && hit.value == 1);
    CHECK(bw_scene_nearest(scene, calls_vec3(-1, 0.5, 0.5), NULL, &hit, 1, &count, NULL) == BW_OK &&
          count == 1);
}

static void nest(bw_scene *child)
{
    bw_transform pose =
                     bw_transform_compose(calls_vec3(0, 5, 0), calls_vec3(0, 0, 1), 0, calls_vec3(1, 1, 1)),
                 got;
    bw_scene *scene = NULL;
    bw_scene_paths *paths = NULL;
    bw_scene_path path;
    bw_region region;
    bw_scene_output output;
    bw_scene_report report;
    bw_id instance, ids[8];
    uint32_t id_paths[8];
    memset(&region, 0, sizeof region);
    memset(&output, 0, sizeof output);
    memset(&report, 0, sizeof report);
    memset(&path, 0, sizeof path);
    CHECK(bw_scene_create(NULL, &scene, NULL) == BW_OK);
    CHECK(bw_scene_insert_scene(scene, child, &pose, 1, &instance, NULL) == BW_OK);
    pose.m[1][3] = 6;
    CHECK(bw_scene_set_pose(scene, instance, &pose, NULL) == BW_OK);
    CHECK(bw_scene_child(scene, instance, &got) == child && got.m[1][3] == 6);
    CHECK(bw_scene_paths_create(NULL, &paths) == BW_OK);
    region.box = box_at(0);
    region.box.min[1] = 6;
    region.box.max[1] = 7;
    output.ids = ids;
    output.id_paths = id_paths;
    output.id_capacity = 8;
    output.paths = paths;
    CHECK(bw_scene_query(scene, &region, &output, &report, NULL) == BW_OK && report.found_count == 2);
    CHECK(bw_scene_paths_get(paths, id_paths[0], &path, NULL) == BW_OK && path.scene == child &&
          path.instance_count == 1);
    bw_scene_paths_reset(paths);
    bw_scene_paths_destroy(paths);
    bw_scene_destroy(scene);
}

void call_scene(void)
{
    bw_scene_desc desc;
    bw_prepare_report prepared;
    bw_view_cache *cache = NULL;
    bw_scene *scene = NULL;
    bw_id ids[5];
    memset(&desc, 0, sizeof desc);
    memset(&prepared, 0, sizeof prepared);
    desc.track_pairs = true;
    CHECK(bw_scene_create(&desc, &scene, NULL) == BW_OK);
    change(scene, ids);
    CHECK(bw_scene_prepare(scene, NULL, &prepared, NULL) == BW_OK);
    ask(scene);
    search(scene);
    nest(scene);
    CHECK(bw_view_cache_create(NULL, &cache) == BW_OK);
    bw_view_cache_reset(cache);
    bw_view_cache_destroy(cache);
    CHECK(bw_scene_remove(scene, ids[0], NULL) == BW_OK);
    CHECK(bw_scene_remove_many(scene, &ids[1], 2, NULL) == BW_OK && bw_scene_count(scene) == 1);
    bw_scene_destroy(scene);
}
