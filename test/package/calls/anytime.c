/* anytime.h and anytime_train.h: two tetrahedra, within a budget. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

static void call_training(const bw_anytime_body *body)
{
    bw_transform poses[16];
    bw_anytime_example example;
    bw_anytime_model *model = (bw_anytime_model *)malloc(sizeof *model);
    bw_anytime_settings settings;
    memset(&example, 0, sizeof example);
    CHECK(model != NULL);
    CHECK(bw_anytime_model_builtin(BW_ANYTIME_POSES_SPREAD, BW_ANYTIME_KIND_SHELL) != NULL);
    CHECK(bw_anytime_draw_poses(body, body, BW_ANYTIME_POSES_SPREAD, 1, poses, 16, NULL) == BW_OK);
    CHECK(bw_anytime_try(body, body, BW_ANYTIME_POSES_SPREAD, 8, NULL, &settings, NULL) == BW_OK);
    example.a = example.b = *body;
    example.poses = poses;
    example.pose_count = 16;
    CHECK(bw_anytime_train(&example, 1, NULL, model, NULL) == BW_OK);
    free(model);
}

void call_anytime(void)
{
    bw_tree *tree = NULL;
    bw_anytime *anytime = NULL;
    bw_anytime_cache *cache = NULL;
    bw_anytime_desc desc;
    bw_anytime_stats stats;
    bw_anytime_query_desc query;
    bw_anytime_answer answer;
    memset(&desc, 0, sizeof desc);
    memset(&stats, 0, sizeof stats);
    memset(&query, 0, sizeof query);
    memset(&answer, 0, sizeof answer);
    desc.tries = 8;
    CHECK(bw_tree_create(NULL, &calls_mesh, &tree, NULL) == BW_OK);
    CHECK(bw_anytime_create(&desc, tree, &calls_mesh, &anytime, NULL) == BW_OK);
    CHECK(bw_anytime_update(anytime, &calls_mesh, NULL) == BW_OK);
    CHECK(bw_anytime_check(anytime, &calls_mesh) == NULL);
    bw_anytime_get_stats(anytime, &stats);
    CHECK(stats.nodes > 0);
    const bw_anytime_body body = {anytime, &calls_mesh, NULL};
    CHECK(bw_anytime_cache_create(NULL, &cache, NULL) == BW_OK);
    query.cache = cache;
    CHECK(bw_anytime_query(&body, &body, &query, &answer, NULL) == BW_OK && answer.collision &&
          answer.proven);
    CHECK(!bw_anytime_cache_resumable(cache));
    bw_anytime_cache_destroy(cache);
    call_training(&body);
    bw_anytime_destroy(anytime);
    bw_tree_destroy(tree);
}
