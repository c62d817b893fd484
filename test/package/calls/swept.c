/* swept.h: a tetrahedron that falls through another during one step. */
#include "calls.h"

static const float above[] = {0, 0, 2, 1, 0, 2, 0, 1, 2, 0, 0, 3},
                   below[] = {0, 0, -2, 1, 0, -2, 0, 1, -2, 0, 0, -1};

static void call_rigid(void)
{
    bw_tree *tree = NULL;
    bw_transform start = bw_transform_identity(), end = start, pose;
    bw_rigid_motion still, moving;
    bw_swept_rigid_report report = BW_SIZED(bw_swept_rigid_report);
    start.m[0][3] = 3;
    end.m[0][3] = -3;
    CHECK(bw_tree_create(NULL, &calls_mesh, &tree, NULL) == BW_OK);
    const bw_body body = {tree, &calls_mesh, NULL};
    const bw_transform identity = bw_transform_identity();
    CHECK(bw_rigid_motion_between(&identity, &identity, calls_vec3(0, 0, 0), &still) == BW_OK);
    CHECK(bw_rigid_motion_between(&start, &end, calls_vec3(0, 0, 0), &moving) == BW_OK);
    CHECK(bw_rigid_motion_pose(&moving, 0.5, &pose) == BW_OK && pose.m[0][3] == 0);
    CHECK(bw_swept_rigid(&body, &still, &body, &moving, NULL, &report, NULL) == BW_OK);
    CHECK(report.status == BW_FOUND && report.time > 0.3 && report.time < 0.34);
    bw_tree_destroy(tree);
}

/* For simulators: the earliest contact, its normal, what is near, and how far all may move. */
static void call_simulator(const bw_swept *moving, const bw_swept *still)
{
    bw_swept_query query = BW_SIZED(bw_swept_query);
    bw_swept_report report = BW_SIZED(bw_swept_report);
    bw_swept_witness witness;
    bw_swept_near_query near = BW_SIZED(bw_swept_near_query);
    bw_swept_near_report found = BW_SIZED(bw_swept_near_report);
    bw_swept_safe_desc desc = BW_SIZED(bw_swept_safe_desc);
    bw_swept_safe_report safe = BW_SIZED(bw_swept_safe_report);
    const bw_swept_couple couple = {moving, still};
    bw_swept_candidate name;
    uint32_t vertices[4];
    query.mode = BW_SWEPT_EARLIEST;
    CHECK(bw_swept_pair(moving, still, &query, &report, NULL) == BW_OK && report.contact_count == 1);
    CHECK(bw_swept_witnesses(moving, still, &report.earliest, 1, &witness, NULL) == BW_OK);
    CHECK(witness.distance < 1e-4);
    name.feature = report.earliest.feature;
    name.a = report.earliest.a;
    name.b = report.earliest.b;
    CHECK(bw_swept_candidate_vertices(moving, still, &name, vertices) == BW_OK);
    CHECK(vertices[0] == report.earliest.vertices[0]);
    near.distance = 10;
    CHECK(bw_swept_near(moving, still, &near, &found, NULL) == BW_OK && found.pair_count > 0);
    CHECK(bw_swept_safe_step(&couple, 1, &desc, &safe, NULL) == BW_OK);
    CHECK(safe.step < report.earliest.first.time && safe.couple == 0);
}

void call_swept(void)
{
    const bw_mesh start = {above, BW_F32, 4, 0, calls_mesh.indices, 4},
                  end = {below, BW_F32, 4, 0, calls_mesh.indices, 4};
    bw_swept *moving = NULL, *still = NULL;
    bw_swept_cache *cache = NULL;
    bw_swept_query query = BW_SIZED(bw_swept_query);
    bw_swept_report report = BW_SIZED(bw_swept_report);
    CHECK(bw_swept_create(NULL, &start, &end, &moving, NULL) == BW_OK);
    CHECK(bw_swept_create(NULL, &calls_mesh, &calls_mesh, &still, NULL) == BW_OK);
    CHECK(bw_swept_update(moving, &start, &end, NULL, NULL) == BW_OK);
    CHECK(bw_swept_check(moving) == NULL);
    CHECK(bw_swept_edge_count(moving) == 6);
    CHECK(bw_swept_cache_create(NULL, &cache, NULL) == BW_OK);
    query.cache = cache;
    CHECK(bw_swept_pair(moving, still, &query, &report, NULL) == BW_OK && report.contact_count > 0);
    call_simulator(moving, still);
    bw_swept_cache_reset(cache);
    CHECK(bw_swept_self(moving, &query, &report, NULL) == BW_OK && report.contact_count == 0);
    bw_swept_cache_destroy(cache);
    bw_swept_destroy(moving);
    bw_swept_destroy(still);
    call_rigid();
}
