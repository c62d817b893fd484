/* Budgeted queries on bodies of arbitrary bytes: whatever the limits, what is proven is what bw_collide says,
 * a query in pieces ends where a whole one does, and models of arbitrary numbers are refused or harmless. */
#include <boxwood/anytime.h>
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
    return (*(uint32_t *)user)-- == 0;
}

static uint64_t ticking(void *user)
{
    return ++*(uint32_t *)user;
}

static void check_answer(const bw_adb_answer *answer, bool known, bool truth)
{
    must(answer->confidence >= 0.5 && answer->confidence <= 1.0);
    must(answer->proven == (answer->status == BW_ADB_PROVEN));
    must(!known || !answer->proven || answer->collision == truth);
}

static bw_adb *make(const fuzz_body *f, bytes *b)
{
    bw_adb *adb = NULL;
    uint8_t how = bytes_u8(b);
    bw_adb_desc desc = {.max_area_factor = (double)(how >> 4) / 4,
                        .octree_leaf = how & 3u,
                        .estimator = how % 3 == 0 ? BW_ESTIMATOR_PAPER : BW_ESTIMATOR_MOMENTS,
                        .hierarchy = how % 5 == 0 ? BW_ADB_OCTREE : BW_ADB_OF_TREE,
                        .tries = how % 7 == 0 ? BW_NONE : how % 7};
    bw_result result = bw_adb_create(&desc, f->tree, &f->m.mesh, &adb);
    must(result == BW_OK || result == BW_ERROR_UNSUPPORTED ||
         (!BW_RESEARCH && result == BW_ERROR_NOT_BUILT && desc.estimator == BW_ESTIMATOR_PAPER) ||
         (result == BW_ERROR_SIZE && desc.hierarchy == BW_ADB_OCTREE));
    if (result == BW_OK) {
        bw_adb_stats stats;
        must(bw_adb_check(adb, &f->m.mesh) == NULL);
        must(bw_adb_update(adb, &f->m.mesh) == BW_OK);
        bw_adb_get_stats(adb, &stats);
        must(stats.bytes > 0);
    }
    return adb;
}

static void query(const bw_adb_body *a, const bw_adb_body *b, bytes *in, bool known, bool truth)
{
    bw_adb_place places[3];
    bw_adb_model model = *bw_adb_model_builtin(BW_ADB_POSES_CONTACT, BW_ADB_KIND_PARTS);
    uint8_t bits = bytes_u8(in);
    uint32_t count = bytes_u8(in);
    if ((bits & 1) != 0)
        bytes_take(in, &model.hazard[bytes_u8(in) % BW_ADB_CLASSES], 16);
    bw_adb_state *state;
    must(bw_adb_state_create(NULL, &state) == BW_OK);
    bw_adb_query_desc desc = {.poses = (bw_adb_poses)(bits >> 1 & 1),
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
                              .stop = (bits & 64) != 0 ? stop_at : NULL,
                              .user = &count,
                              .state = state,
                              .coherent = (bits & 128) != 0,
                              .places = places,
                              .place_capacity = 3};
    bw_adb_answer answer;
    bw_result result = bw_adb_query(a, b, &desc, &answer);
    if (result == BW_OK)
        check_answer(&answer, known, truth);
    for (int i = 0; i < 3 && result == BW_OK && bw_adb_state_resumable(state); i++) {
        desc.resume = true;
        desc.stop = NULL;
        desc.limit_time = false;
        desc.limit_steps = i < 2;
        result = bw_adb_query(a, b, &desc, &answer);
        if (result == BW_OK)
            check_answer(&answer, known, truth);
    }
    bw_adb_state_destroy(state);
}

static void train(const bw_adb_body *a, const bw_adb_body *b)
{
    bw_transform poses[2];
    bw_adb_model model;
    if (bw_adb_draw_poses(a, b, BW_ADB_POSES_SPREAD, 1, poses, 2) != BW_OK)
        return;
    bw_adb_settings settings;
    bw_result tried = bw_adb_try(a, b, BW_ADB_POSES_SPREAD, 3, NULL, &settings);
    must(tried == BW_OK || tried == BW_ERROR_UNSUPPORTED);
    if (tried == BW_OK) {
        bw_adb_answer answer;
        const bw_adb_body on_b = {b->adb, b->mesh, &poses[0]};
        const bw_adb_query_desc desc = {.wanted_error = 0.05, .settings = &settings};
        const bw_result asked = bw_adb_query(a, &on_b, &desc, &answer);
        must(asked == BW_OK || asked == BW_ERROR_RANGE);
        if (asked == BW_OK)
            check_answer(&answer, false, false);
    }
    bw_adb_example example = {*a, *b, poses, 2, 0};
    bw_result result = bw_adb_train(&example, 1, NULL, &model);
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
    bw_adb *adb_a = make(&a, &in), *adb_b = make(&b, &in);
    if (adb_a != NULL && adb_b != NULL) {
        bw_adb_body body_a = {adb_a, &a.m.mesh, a.body.pose}, body_b = {adb_b, &b.m.mesh, b.body.pose};
        bw_collide_report report = {0};
        bool known = bw_collide(&a.body, &b.body, NULL, &report, NULL) == BW_OK;
        for (int i = 0; i < 4; i++)
            query(&body_a, &body_b, &in, known, known && report.hit_count > 0);
        if (bytes_u8(&in) == 1)
            train(&body_a, &body_b);
    }
    bw_adb_destroy(adb_a);
    bw_adb_destroy(adb_b);
    fuzz_body_free(&a);
    fuzz_body_free(&b);
    return 0;
}
