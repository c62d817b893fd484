/* collide.h. */
#include "calls.h"

static bw_contact_kind meet_always(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    (void)a;
    (void)b;
    return BW_CONTACT_TOUCHING;
}

static void unit_box(void *user, uint32_t primitive, bw_box *out)
{
    (void)user;
    for (int k = 0; k < 3; k++) {
        out->min[k] = (float)primitive;
        out->max[k] = (float)primitive + 1;
    }
}

static void call_user(void)
{
    bw_primitives primitives = {2, unit_box, NULL};
    bw_tree *tree = NULL;
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    bw_collide_report report = BW_SIZED(bw_collide_report);
    CHECK(bw_tree_create_user(NULL, &primitives, &tree, NULL) == BW_OK);
    const bw_body body = {tree, NULL, NULL};
    desc.mode = BW_COLLIDE_COUNT;
    CHECK(bw_collide_user(&body, &body, meet_always, NULL, &desc, &report, NULL) == BW_OK &&
          report.hit_count == 4);
    bw_tree_destroy(tree);
}

static bool go_on(void *user, const bw_region_hit *hit)
{
    (void)user;
    return hit->primitive != BW_NONE;
}

static void call_rays(const bw_body *body)
{
    const bw_ray rays[2] = {bw_ray_between(calls_vec3(0.25, 0.25, -1), calls_vec3(0.25, 0.25, 1)),
                            bw_ray_between(calls_vec3(0.1, 0.1, -2), calls_vec3(9, 9, -2))};
    bw_ray_hit hits[2];
    bw_raycast_report ray_report = BW_SIZED(bw_raycast_report);
    CHECK(bw_raycast(body, &rays[0], NULL, hits, &ray_report, NULL) == BW_OK && ray_report.hit_count == 1);
    CHECK(bw_raycast_many(body, rays, 2, NULL, hits, &ray_report, NULL) == BW_OK &&
          ray_report.hit_count == 1);
}

static void call_region(const bw_body *body)
{
    bw_region region = BW_SIZED(bw_region);
    bw_region_desc desc = BW_SIZED(bw_region_desc);
    bw_region_report report = BW_SIZED(bw_region_report);
    bw_region_hit hits[4];
    region.kind = BW_REGION_CAPSULE;
    region.end = calls_vec3(1, 0, 0);
    region.radius = 0.5;
    desc.mode = BW_COLLIDE_ALL;
    desc.hits = hits;
    desc.hit_capacity = 4;
    desc.on_hit = go_on;
    CHECK(bw_collide_region(body, &region, &desc, &report, NULL) == BW_OK && report.status == BW_DONE &&
          report.hit_count == 4 && report.inside_count == 0);
}

void call_collide(void)
{
    bw_tree *tree = NULL, *other = NULL;
    CHECK(bw_tree_create(NULL, &calls_mesh, &tree, NULL) == BW_OK);
    CHECK(bw_tree_create(NULL, &calls_aside, &other, NULL) == BW_OK);
    bw_transform away =
        bw_transform_compose(calls_vec3(3, 0, 0), calls_vec3(0, 0, 1), 0, calls_vec3(1, 1, 1));
    const bw_body a = {tree, &calls_mesh, NULL}, b = {other, &calls_aside, NULL},
                  c = {tree, &calls_mesh, &away};
    bw_pair_cache *cache = NULL;
    CHECK(bw_pair_cache_create(NULL, &cache, NULL) == BW_OK);
    bw_hit hits[16];
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    bw_collide_report report = BW_SIZED(bw_collide_report);
    bw_distance_report distance = BW_SIZED(bw_distance_report);
    bw_within_desc within_desc = BW_SIZED(bw_within_desc);
    bw_within_report within = BW_SIZED(bw_within_report);
    desc.mode = BW_COLLIDE_ALL;
    desc.hits = hits;
    desc.hit_capacity = 16;
    desc.progress.go_on = calls_go_on;
    desc.cache = cache;
    CHECK(bw_collide(&a, &b, &desc, &report, NULL) == BW_OK && report.status == BW_DONE &&
          report.hit_count > 0);
    bw_pair_cache_reset(cache);
    bw_pair_cache_destroy(cache);
    CHECK(bw_collide(&a, &c, NULL, &report, NULL) == BW_OK && report.hit_count == 0);
    CHECK(bw_collide_self(&a, NULL, &report, NULL) == BW_OK && report.hit_count == 0);
    desc.cache = NULL;
    CHECK(bw_tree_prepare_clearance(tree, &calls_mesh, 100, NULL, NULL) == BW_OK);
    const bw_body_pair pairs[2] = {{a, b}, {a, c}};
    bw_collide_answer answers[2];
    bw_distance_answer least;
    bw_collide_many_desc many = BW_SIZED(bw_collide_many_desc);
    bw_collide_many_report all = BW_SIZED(bw_collide_many_report);
    bw_distance_many_desc group = BW_SIZED(bw_distance_many_desc);
    bw_distance_many_report whole = BW_SIZED(bw_distance_many_report);
    many.mode = BW_COLLIDE_COUNT;
    CHECK(bw_collide_many(pairs, 2, &many, answers, &all, NULL) == BW_OK && all.hit_count == 1 &&
          answers[0].hit_count > 0 && answers[1].hit_count == 0);
    group.group_size = 2;
    CHECK(bw_distance_many(pairs, 2, &group, &least, &whole, NULL) == BW_OK && least.distance == 0 &&
          least.pair == 0);
    desc.separation = 2.5;
    desc.rings = 2;
    CHECK(bw_collide(&a, &c, &desc, &report, NULL) == BW_OK && report.near_count == report.hit_count &&
          report.hit_count > 0 && hits[0].kind == BW_CONTACT_NEAR);
    CHECK(bw_collide_self(&a, &desc, &report, NULL) == BW_OK && report.hit_count == 0);
    CHECK(bw_distance(&a, &c, NULL, &distance, NULL) == BW_OK && distance.distance == 2);
    within_desc.distance = 2.5;
    CHECK(bw_within(&a, &c, &within_desc, &within, NULL) == BW_OK && within.pair_count > 0);
    call_rays(&a);
    call_region(&a);
    bw_tree_destroy(tree);
    bw_tree_destroy(other);
    call_user();
}
