/* From bodies and poses to a model: first the curves of whole bodies and of pairs of nodes, then when to
 * stop and how sure each end is (train_settings.c). */
#include "anytime/train.h"

#include "tree/kind.h"

#include <math.h>

/* Pairs are looked at along walks of so many steps, on one pose in so many. */
enum { PAIR_STEPS = 64, PAIR_POSES = 4, SIZES = BW_ADB_CLASSES / 4 };

bw_result bw_train_set_scene(trainer *t, scene *s, const bw_adb_example *e, uint32_t pose)
{
    s->a = (bw_adb_body){e->a.adb, e->a.mesh, NULL};
    s->b = (bw_adb_body){e->b.adb, e->b.mesh, &e->poses[pose]};
    bw_result result = bw_pose_between(&(bw_body){s->a.adb->tree, s->a.mesh, NULL},
                                       &(bw_body){s->b.adb->tree, s->b.mesh, s->b.pose}, &s->pose);
    if (result != BW_OK)
        return result;
    s->stack = bw_stack_over(s->room, sizeof s->room, sizeof *s->room, &t->allocator);
    bw_moment_map_prepare(&s->map, &s->pose, &e->a.adb->moments, &e->b.adb->moments);
    bw_adb_walk_init(&s->walk, &s->a, &s->b, &s->pose, &s->map, &t->model, &t->allocator, BW_SIMD_AUTO,
                     false);
    s->walk.limits = (bw_adb_limits){
        .count_at = INFINITY, .k_min = 1, .most_weighed = UINT32_MAX, .max_steps = UINT64_MAX};
    bw_adb_walk_start(&s->walk, &s->stack);
    return BW_OK;
}

void bw_train_strike_scene(scene *s)
{
    bw_adb_walk_release(&s->walk);
    bw_stack_release(&s->stack);
}

/* ---- truth ---- */

static bw_result find_truth(trainer *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        for (uint32_t k = 0; k < e->pose_count; k++) {
            bw_collide_report report;
            bw_result result = bw_collide(&(bw_body){e->a.adb->tree, e->a.mesh, NULL},
                                          &(bw_body){e->b.adb->tree, e->b.mesh, &e->poses[k]}, NULL, &report);
            if (result != BW_OK)
                return result;
            t->truth[i][k] = report.hits > 0;
        }
    }
    return BW_OK;
}

/* ---- pairs of nodes ---- */

typedef struct observer {
    trainer *t;
    const bw_wide_plan *plan;
    bool meet; /* the bodies do: else no pair does */
    bw_result result;
} observer;

static void observe(void *user, const bw_adb_pair *pair, uint32_t kind, float distance)
{
    observer *o = user;
    bool meet = false;
    if (o->meet && o->result == BW_OK) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY};
        bw_sink sink = {.desc = &desc};
        bw_wide_walk exact;
        bw_wide_walk_init(&exact, o->plan, &sink);
        bw_wide_item item = {pair->node_a, pair->node_b, 1u << pair->lane_a, 1u << pair->lane_b};
        if (bw_wide_walk_push(&exact, &item))
            bw_wide_walk_run(&exact);
        o->result = exact.result;
        meet = sink.report.hits > 0;
        bw_wide_walk_release(&exact);
    }
    bw_fit_add(&o->t->pairs[kind], (double)(distance * BW_ADB_KNOTS_A_UNIT), meet, 1.0);
}

static bw_result observe_pairs(trainer *t, scene *s)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        if (!bw_train_learns(t, i))
            continue;
        for (uint32_t k = i % PAIR_POSES; k < e->pose_count; k += PAIR_POSES) {
            bw_result result = bw_train_set_scene(t, s, e, k);
            if (result != BW_OK)
                return result;
            bw_wide_plan plan = s->walk.plan;
            bw_wide_frame_prepare(&plan.frame, plan.pose, &plan.a->tree->bounds, &plan.b->tree->bounds);
            observer o = {t, &plan, t->truth[i][k], BW_OK};
            bw_adb_status status;
            s->walk.limits.max_steps = PAIR_STEPS;
            s->walk.on_pair = observe;
            s->walk.on_pair_user = &o;
            result = bw_adb_walk_run(&s->walk, &status);
            bw_train_strike_scene(s);
            if (result != BW_OK || o.result != BW_OK)
                return result != BW_OK ? result : o.result;
        }
    }
    return BW_OK;
}

static bw_result observe_wholes(trainer *t, scene *s)
{
    t->whole = (bw_fit){.knots = BW_ADB_KNOTS};
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        for (uint32_t k = 0; k < e->pose_count && bw_train_learns(t, i); k++) {
            float distance;
            bw_result result = bw_train_set_scene(t, s, e, k);
            if (result != BW_OK)
                return result;
            bw_train_strike_scene(s);
            if (bw_adb_look_at(&e->a.adb->moments, &e->b.adb->moments, &s->map, &distance))
                bw_fit_add(&t->whole, (double)(distance * BW_ADB_KNOTS_A_UNIT), t->truth[i][k], 1.0);
        }
    }
    return BW_OK;
}

static void fit_hazards(const trainer *t, const bw_fit *seen, const float *prior, float *out)
{
    double before[BW_ADB_KNOTS], share[BW_ADB_KNOTS];
    for (int k = 0; k < BW_ADB_KNOTS; k++)
        before[k] = bw_adb_probability_of((double)prior[k]);
    bw_fit_curve(seen, before, t->prior_weight, true, share);
    for (int k = 0; k < BW_ADB_KNOTS; k++)
        out[k] = bw_adb_hazard_of(share[k]);
}

/* Sizes next to each other are alike: each curve also sees a fifth of what its neighbours saw. */
static void fit_pairs(trainer *t)
{
    for (int s = 0; s < BW_ADB_CLASSES; s++) {
        bw_fit sum = t->pairs[s];
        for (int d = -1; d <= 1; d += 2) {
            if (s + d < 0 || (s + d) / SIZES != s / SIZES)
                continue;
            for (uint32_t k = 0; k < BW_ADB_KNOTS; k++) {
                sum.seen[k] += 0.2 * t->pairs[s + d].seen[k];
                sum.hits[k] += 0.2 * t->pairs[s + d].hits[k];
            }
        }
        fit_hazards(t, &sum, t->prior->hazard[s], t->model.hazard[s]);
    }
}

static bw_result train_pairs(trainer *t, scene *s)
{
    t->model = *t->prior;
    bw_result result = observe_wholes(t, s);
    if (result != BW_OK)
        return result;
    fit_hazards(t, &t->whole, t->prior->whole, t->model.whole);
    /* Twice: which pairs a walk meets depends on the model that leads it. */
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < BW_ADB_CLASSES; k++)
            t->pairs[k] = (bw_fit){.knots = BW_ADB_KNOTS};
        result = observe_pairs(t, s);
        if (result != BW_OK)
            return result;
        fit_pairs(t);
    }
    return BW_OK;
}

/* ---- all of it ---- */

static bw_result train(trainer *t, scene *s)
{
    bw_result result = find_truth(t);
    for (t->fold = 0; t->fold < t->folds && result == BW_OK; t->fold++) {
        result = train_pairs(t, s);
        if (result == BW_OK)
            result = bw_train_budgets(t, s);
        t->folded[t->fold] = t->model;
    }
    if (t->folds > 1 && result == BW_OK)
        result = train_pairs(t, s);
    return result == BW_OK ? bw_train_ends(t, s) : result;
}

static void release_truth(trainer *t)
{
    for (uint32_t i = 0; t->truth != NULL && i < t->count; i++)
        bw_release(&t->allocator, t->truth[i], t->examples[i].pose_count, sizeof *t->truth[i]);
    bw_release(&t->allocator, t->truth, t->count, sizeof *t->truth);
}

static bw_result reserve_truth(trainer *t)
{
    t->truth = bw_allocate_zero(&t->allocator, t->count, sizeof *t->truth);
    if (t->truth == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < t->count; i++) {
        t->truth[i] = bw_allocate(&t->allocator, t->examples[i].pose_count, sizeof *t->truth[i]);
        if (t->truth[i] == NULL)
            return BW_ERROR_MEMORY;
    }
    return BW_OK;
}

static bw_result check_example(const bw_adb_example *e)
{
    if (e->a.adb == NULL || e->b.adb == NULL || e->a.mesh == NULL || e->b.mesh == NULL || e->poses == NULL ||
        e->pose_count == 0)
        return BW_ERROR_ARGUMENT;
    if (e->a.adb->desc.estimator != BW_ESTIMATOR_MOMENTS || e->b.adb->desc.estimator != BW_ESTIMATOR_MOMENTS)
        return BW_ERROR_UNSUPPORTED;
    if (e->a.adb->changes != e->a.adb->tree->changes || e->b.adb->changes != e->b.adb->tree->changes)
        return BW_ERROR_MISMATCH;
    if (e->a.adb->tree->primitives == 0 || e->b.adb->tree->primitives == 0)
        return BW_ERROR_EMPTY;
    bw_result result = bw_tree_accepts(e->a.adb->tree, e->a.mesh);
    return result != BW_OK ? result : bw_tree_accepts(e->b.adb->tree, e->b.mesh);
}

bw_result bw_adb_train(const bw_adb_example *examples, uint32_t count, const bw_adb_train_desc *desc,
                       bw_adb_model *out)
{
    static const bw_adb_train_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (examples == NULL || count == 0 || out == NULL || !(desc->prior_weight >= 0.0) ||
        !(desc->mean_share >= 0.0) || !(desc->worst_share >= 0.0) ||
        (desc->prior != NULL && !bw_adb_model_valid(desc->prior)))
        return BW_ERROR_ARGUMENT;
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        result = check_example(&examples[i]);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    trainer *t = bw_allocate_zero(&allocator, 1, sizeof *t);
    scene *s = bw_allocate(&allocator, 1, sizeof *s);
    if (t != NULL && s != NULL) {
        t->examples = examples;
        t->count = count;
        t->allocator = allocator;
        t->prior = desc->prior != NULL ? desc->prior
                                       : &bw_adb_models[BW_ADB_POSES_SPREAD][bw_adb_kind_of(
                                             &examples[0].a.adb->moments, &examples[0].b.adb->moments)];
        t->prior_weight = desc->prior_weight > 0.0 ? desc->prior_weight : 20.0;
        t->mean_share = desc->mean_share > 0.0 ? desc->mean_share : 0.35;
        t->worst_share = desc->worst_share > 0.0 ? desc->worst_share : 1.0;
        t->folds = count < BW_TRAIN_FOLDS ? count : BW_TRAIN_FOLDS;
        result = reserve_truth(t);
        if (result == BW_OK)
            result = train(t, s);
        if (result == BW_OK)
            *out = t->model;
        release_truth(t);
    } else {
        result = BW_ERROR_MEMORY;
    }
    bw_release(&allocator, t, 1, sizeof *t);
    bw_release(&allocator, s, 1, sizeof *s);
    return result;
}
