/* nearest.h. */
#include "calls.h"

void call_nearest(void)
{
    bw_tree *tree = NULL;
    CHECK(bw_tree_create(NULL, &calls_mesh, &tree, NULL) == BW_OK);
    const bw_body body = {tree, &calls_mesh, NULL};
    const bw_vec3 points[2] = {calls_vec3(0.25, 0.25, -1), calls_vec3(0.1, 0.1, 0.1)};
    bw_nearest_hit nearest[2];
    bw_nearest_report near_report = BW_SIZED(bw_nearest_report);
    CHECK(bw_nearest(&body, &points[0], NULL, nearest, &near_report, NULL) == BW_OK &&
          nearest[0].distance == 1);
    CHECK(bw_nearest_many(&body, points, 2, NULL, nearest, &near_report, NULL) == BW_OK &&
          nearest[0].distance == 1 && nearest[1].distance == 0.1);

    bw_surface_point at[2];
    const uint32_t primitives[2] = {nearest[0].primitive, nearest[1].primitive};
    CHECK(bw_surface_at(&body, primitives[0], &nearest[0].point, at, NULL) == BW_OK &&
          at[0].feature == BW_FEATURE_FACE && at[0].normal.z == -1);
    CHECK(bw_surface_at_many(&body, primitives, points, 2, at, NULL) == BW_OK &&
          at[1].primitive == primitives[1]);

    bw_contains_desc contains = BW_SIZED(bw_contains_desc);
    bw_contains_report sides = BW_SIZED(bw_contains_report);
    bw_location location[2];
    contains.tasks = &calls_tasks;
    CHECK(bw_contains(&body, &points[1], NULL, location, &sides, NULL) == BW_OK && sides.closed &&
          location[0].side == BW_SIDE_INSIDE && location[0].certain);
    CHECK(bw_contains_many(&body, points, 2, &contains, location, &sides, NULL) == BW_OK &&
          location[0].side == BW_SIDE_OUTSIDE && sides.inside_count == 1);

    bw_signed_desc desc = BW_SIZED(bw_signed_desc);
    bw_signed_hit hits[2];
    desc.tasks = &calls_tasks;
    CHECK(bw_signed_distance(&body, &points[1], NULL, hits, &sides, NULL) == BW_OK &&
          hits[0].distance == -0.1);
    CHECK(bw_signed_distance_many(&body, points, 2, &desc, hits, &sides, NULL) == BW_OK &&
          hits[0].distance == 1 && hits[1].distance == -0.1);
    bw_tree_destroy(tree);
}
