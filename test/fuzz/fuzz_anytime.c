/* Budgeted queries on bodies of arbitrary bytes: whatever the limits, what is proven is what bw_collide says,
 * a query in pieces ends where a whole one does, and models of arbitrary numbers are refused or harmless. */
#include <boxwood/anytime_train.h>
#include <math.h>

#include "fuzz/fuzz_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static double take_share(bytes *b)
{
    uint8_t how = bytes_u8(b);
    double any;
    if (how < 250)
        return (double)how / 250;
    bytes_take(b, &any, sizeof any);
    return any;
}

static bool stop_at(void *user)
{
    return (*(uint32_t *)user)-- != 0;
}

static uint64_t ticking(void *user)
{
    return ++*(uint32_t *)user;
}

static void check_answer(const bw_anytime_answer *answer, bool known, bool truth)
{
    must(answer->confidence >= 0.5 && answer->confidence <= 1.0);
    must(answer->proven == (answer->reason == BW_ANYTIME_PROVEN));
    must(!known || !answer->proven || answer->collision == truth);
}

static bw_anytime *make(const fuzz_body *f, bytes *b)
{
    bw_anytime *adb = NULL;
    uint8_t how = bytes_u8(b);
    bw_anytime_desc desc = {.max_area_factor = (double)(how >> 4) / 4,
                            .octree_leaf = how & 3u,
                            .estimator = how % 3 == 0 ? BW_ESTIMATOR_PAPER : BW_ESTIMATOR_MOMENTS,
                            .hierarchy = how % 5 == 0 ? BW_ANYTIME_OCTREE : BW_ANYTIME_OF_TREE,
                            .tries = how % 7 == 0 ? BW_NONE : how % 7};
    bw_result result = bw_anytime_create(&desc, f->tree, &f->m.mesh, &adb, NULL);
    must(result == BW_OK || result == BW_ERROR_UNSUPPORTED ||
         (!BW_RESEARCH && result == BW_ERROR_NOT_BUILT && desc.estimator == BW_ESTIMATOR_PAPER) ||
         (result == BW_ERROR_SIZE && desc.hierarchy == BW_ANYTIME_OCTREE));
    if (result == BW_OK) {
        bw_anytime_stats stats = {0};
        must(bw_anytime_check(adb, &f->m.mesh) == NULL);
        must(bw_anytime_update(adb, &f->m.mesh, NULL) == BW_OK);
        bw_anytime_get_stats(adb, &stats);
        must(stats.bytes > 0);
    }
    return adb;
}

static void query(const bw_anytime_body *a, const bw_anytime_body *b, bytes *in, bool known, bool truth)
{
    bw_anytime_region places[3];
    bw_anytime_model model = *bw_anytime_model_builtin(BW_ANYTIME_POSES_CONTACT, BW_ANYTIME_KIND_PARTS);
    uint8_t bits = bytes_u8(in);
    uint32_t count = bytes_u8(in);
    if ((bits & 1) != 0)
        bytes_take(in, &model.hazard[bytes_u8(in) % BW_ANYTIME_CLASSES], 16);
    bw_anytime_cache *state;
    must(bw_anytime_cache_create(NULL, &state, NULL) == BW_OK);
    bw_anytime_query_desc desc = {.poses = (bw_anytime_poses)(bits >> 1 & 1),
                                  .model = (bits & 1) != 0 ? &model : NULL,
                                  .wanted_error = (bits & 4) != 0 ? take_share(in) : 0,
                                  .p_min = take_share(in),
                                  .k_min = bytes_u8(in) & 7u,
                                  .p_prune = (bits & 8) != 0 ? take_share(in) : 0,
                                  .limit_steps = (bits & 16) != 0,
                                  .max_steps = bytes_u8(in) & 15u,
                                  .limit_time = (bits & 32) != 0,
                                  .max_nanoseconds = bytes_u8(in),
                                  .clock = ticking,
                                  .go_on = (bits & 64) != 0 ? stop_at : NULL,
                                  .user = &count,
                                  .cache = state,
                                  .coherent = (bits & 128) != 0,
                                  .regions = places,
                                  .region_capacity = 3};
    bw_anytime_answer answer = {0};
    bw_result result = bw_anytime_query(a, b, &desc, &answer, NULL);
    if (result == BW_OK)
        check_answer(&answer, known, truth);
    for (int i = 0; i < 3 && result == BW_OK && bw_anytime_cache_resumable(state); i++) {
        desc.resume = true;
        desc.go_on = NULL;
        desc.limit_time = false;
        desc.limit_steps = i < 2;
        result = bw_anytime_query(a, b, &desc, &answer, NULL);
        if (result == BW_OK)
            check_answer(&answer, known, truth);
    }
    bw_anytime_cache_destroy(state);
}

static void train(const bw_anytime_body *a, const bw_anytime_body *b)
{
    bw_transform poses[2];
    bw_anytime_model model;
    if (bw_anytime_draw_poses(a, b, BW_ANYTIME_POSES_SPREAD, 1, poses, 2, NULL) != BW_OK)
        return;
    bw_anytime_settings settings;
    bw_result tried = bw_anytime_try(a, b, BW_ANYTIME_POSES_SPREAD, 3, NULL, &settings, NULL);
    must(tried == BW_OK || tried == BW_ERROR_UNSUPPORTED);
    if (tried == BW_OK) {
        bw_anytime_answer answer = {0};
        const bw_anytime_body on_b = {b->anytime, b->mesh, &poses[0]};
        const bw_anytime_query_desc desc = {.wanted_error = 0.05, .settings = &settings};
        const bw_result asked = bw_anytime_query(a, &on_b, &desc, &answer, NULL);
        must(asked == BW_OK || asked == BW_ERROR_RANGE);
        if (asked == BW_OK)
            check_answer(&answer, false, false);
    }
    bw_anytime_example example = {*a, *b, poses, 2, 0};
    bw_result result = bw_anytime_train(&example, 1, NULL, &model, NULL);
    must(result == BW_OK || result == BW_ERROR_RANGE || result == BW_ERROR_UNSUPPORTED ||
         result == BW_ERROR_EMPTY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size, 0};
    fuzz_body a, b;
    if (!fuzz_body_take(&a, &in))
        return 0;
    if (!fuzz_body_take(&b, &in)) {
        fuzz_body_free(&a);
        return 0;
    }
    bw_anytime *adb_a = make(&a, &in), *adb_b = make(&b, &in);
    if (adb_a != NULL && adb_b != NULL) {
        bw_anytime_body body_a = {adb_a, &a.m.mesh, a.body.pose}, body_b = {adb_b, &b.m.mesh, b.body.pose};
        bw_collide_report report = {0};
        bool known = bw_collide(&a.body, &b.body, NULL, &report, NULL) == BW_OK;
        for (int i = 0; i < 4; i++)
            query(&body_a, &body_b, &in, known, known && report.hit_count > 0);
        if (bytes_u8(&in) == 1)
            train(&body_a, &body_b);
    }
    bw_anytime_destroy(adb_a);
    bw_anytime_destroy(adb_b);
    fuzz_body_free(&a);
    fuzz_body_free(&b);
    return 0;
}
